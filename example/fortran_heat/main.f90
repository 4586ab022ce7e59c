! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Heat flow in a plate: a Fortran program whose kernel is a C++ lambda. It computes the same steps by a
! Fortran loop, by the kernel on Fortran arrays, and by the kernel on every space of hpk, where views
! mirror the arrays. All have the same digits. Exit code 0: they have; 1: they differ; 2: a wrong call.
program fortran_heat
  use, intrinsic :: iso_c_binding, only: dp => c_double
  use, intrinsic :: iso_fortran_env, only: error_unit
  use hpk
  use heat_kernels
  implicit none
  real(dp), parameter :: share = 0.2_dp
  integer :: n, steps, k
  logical :: same
  character(:), allocatable :: output
  character(hpk_name_length), allocatable :: spaces(:)
  real(dp), allocatable, target :: start(:, :)
  real(dp), allocatable :: by_loop(:, :), by_kernel(:, :)

  call read_arguments()
  print '(a, i0, a, i0, a, i0, a)', "plate of ", n, " x ", n, " cells, ", steps, " steps"
  allocate (start(n, n))
  call heat_up(start)

  by_loop = start
  call run_loop(by_loop)
  print '(a, f14.12)', "mean temperature: ", sum(by_loop)/size(by_loop)

  same = .true.
  by_kernel = start
  call run_arrays(by_kernel)
  call compare("arrays")
  spaces = hpk_spaces()
  do k = 1, size(spaces)
    by_kernel = 0
    call run_on(trim(spaces(k)), by_kernel)
    call compare(trim(spaces(k)))
  end do
  call write_picture(output, by_kernel)
  print '(2a)', "same digits as the Fortran loop: ", merge("yes", "no ", same)
  print '(2a)', "picture: ", output
  if (.not. same) stop 1, quiet=.true.

contains

  ! Two hot discs on a cold plate.
  subroutine heat_up(t)
    real(dp), intent(out) :: t(:, :)
    real(dp) :: x, y
    integer :: i, j
    do j = 1, n
      do i = 1, n
        x = (i - 0.5_dp)/n
        y = (j - 0.5_dp)/n
        t(i, j) = 0
        if (hypot(x - 0.3_dp, y - 0.4_dp) < 0.2_dp) t(i, j) = 1
        if (hypot(x - 0.7_dp, y - 0.6_dp) < 0.15_dp) t(i, j) = 0.7_dp
      end do
    end do
  end subroutine heat_up

  ! The steps in plain Fortran.
  subroutine run_loop(now)
    real(dp), intent(inout) :: now(:, :)
    real(dp) :: next(n, n)
    integer :: step, i, j
    next = now
    do step = 1, steps
      do j = 2, n - 1
        do i = 2, n - 1
          next(i, j) = now(i, j) + share*(now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + &
                                          now(i, j + 1) - 4*now(i, j))
        end do
      end do
      now = next
    end do
  end subroutine run_loop

  ! The steps by the kernel, with the arrays of this program.
  subroutine run_arrays(t)
    real(dp), intent(inout), target, contiguous :: t(:, :)
    real(dp), target :: other(n, n)
    real(dp), pointer, contiguous :: now(:, :), next(:, :), swap(:, :)
    integer :: step
    other = t
    now => t
    next => other
    do step = 1, steps
      call heat_step(next, now, share)
      swap => now
      now => next
      next => swap
    end do
    if (mod(steps, 2) == 1) t = other
  end subroutine run_arrays

  ! The steps by the kernel, in the memory of a space: a host, a GPU, or an emulated one.
  subroutine run_on(space, result)
    character(*), intent(in) :: space
    real(dp), intent(out) :: result(:, :)
    type(hpk_view) :: plate, now, next, swap
    type(hpk_instance) :: on
    integer :: step
    call hpk_create_instance(on, space)
    call hpk_wrap(plate, start, "plate", read_only=.true.)
    call hpk_create(now, hpk_float64, plate%shape(), "now", space=space)
    call hpk_create(next, hpk_float64, plate%shape(), "next", space=space)
    call hpk_deep_copy(now, plate)
    call hpk_deep_copy(next, plate)
    call hpk_push_region(space)
    do step = 1, steps
      call heat_step_on(next, now, share, on)
      swap = now
      now = next
      next = swap
    end do
    call hpk_fence(on, "all steps")
    call hpk_pop_region()
    call hpk_deep_copy(result, now)
  end subroutine run_on

  subroutine compare(name)
    character(*), intent(in) :: name
    logical :: equal
    equal = all(by_kernel == by_loop)
    print '(3a)', name, ": ", trim(merge("same     ", "different", equal))
    same = same .and. equal
  end subroutine compare

  subroutine read_arguments()
    character(200) :: word, value
    integer :: k, status
    n = 1001
    steps = 200
    output = "fortran_heat.ppm"
    do k = 1, command_argument_count(), 2
      call get_command_argument(k, word)
      call get_command_argument(k + 1, value)
      status = 1
      if (word == "--size") read (value, *, iostat=status) n
      if (word == "--steps") read (value, *, iostat=status) steps
      if (word == "--output" .and. value /= "") then
        output = trim(value)
        status = 0
      end if
      if (status /= 0 .or. n < 3 .or. steps < 0) then
        write (error_unit, '(a)') "usage: fortran_heat [--size N] [--steps N] [--output FILE.ppm]"
        stop 2, quiet=.true.
      end if
    end do
  end subroutine read_arguments

end program fortran_heat
