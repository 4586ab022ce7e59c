! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Errors without stat: the program stops with the text.
program stops
  use, intrinsic :: iso_c_binding
  use hpk
  use test_kernels
  implicit none
  character(10) :: what
  type(hpk_view) :: v
  real(c_double), pointer :: p(:, :)
  call get_command_argument(1, what)
  select case (what)
  case ("module")
    call hpk_create(v, hpk_float64, [2], "v")
    call hpk_pointer(v, p)
  case ("kernel")
    call fails("it", 0)
  case ("handle")
    print *, extent_of(v)
  end select
  print *, "still running"
end program stops
