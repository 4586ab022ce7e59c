! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Wrong calls, which the compiler must report: CALL is the one to compile.
program wrong_calls
  use, intrinsic :: iso_c_binding
  use hpk
  use test_kernels
  implicit none
  type(hpk_view) :: view
  real(c_float) :: single(3)
  real(c_double) :: double(3), matrix(3, 3)
  real(c_double), parameter :: constant(3) = 1
  real(c_double), target :: target(3)
  character(3), target :: text(3)
  call CALL
end program wrong_calls
