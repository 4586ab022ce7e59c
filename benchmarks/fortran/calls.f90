! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! The time of a call from Fortran: of a function of HPK_FORTRAN, which makes Views of two arrays, and of a
! function with bind(C) that is written by hand. Argument: the number of calls. Exit code 1 if the results
! of both differ.
program calls
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use bench_kernels
  implicit none
  interface
    subroutine by_hand(to, from, n, factor) bind(C, name="hpk_bench_by_hand")
      import
      integer(c_int), value, intent(in) :: n
      real(c_double), intent(inout) :: to(n, n)
      real(c_double), intent(in) :: from(n, n)
      real(c_double), value, intent(in) :: factor
    end subroutine by_hand
  end interface
  integer, parameter :: samples = 15
  real(c_double) :: a(8, 8), b(8, 8), from(8, 8), ns_hpk(samples), ns_by_hand(samples)
  integer :: count, k, s
  integer(c_int) :: stat
  integer(int64) :: begin, middle, end, rate
  character(20) :: word
  count = 1000000
  call get_command_argument(1, word)
  if (word /= "") read (word, *) count
  a = 0
  b = 0
  from = 1
  call system_clock(count_rate=rate)
  do s = 1, samples
    call system_clock(begin)
    do k = 1, count
      call first_element(a, from, 1d0, stat)
    end do
    call system_clock(middle)
    do k = 1, count
      call by_hand(b, from, 8, 1d0)
    end do
    call system_clock(end)
    ns_hpk(s) = real(middle - begin, c_double)/rate/count*1e9
    ns_by_hand(s) = real(end - middle, c_double)/rate/count*1e9
  end do
  if (any(abs(a - b) > 0)) error stop "the results differ"
  print '(a, f7.1, a)', "HPK_FORTRAN, two arrays and stat: ", minval(ns_hpk), " ns"
  print '(a, f7.1, a)', "bind(C) by hand:                  ", minval(ns_by_hand), " ns"
end program calls
