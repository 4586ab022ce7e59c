! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Errors and texts of module hpk: every procedure that can fail ends with a call of finish.
module hpk_errors
  use, intrinsic :: iso_c_binding
  use hpk_c
  implicit none
  private
  public :: finish, to_c, from_c, error_length

  ! The longest text of an error.
  integer, parameter :: error_length = 4096

contains

  ! Reports the status of a C function. Without stat, an error stops the program.
  subroutine finish(status, stat, errmsg)
    integer(c_int), intent(in) :: status
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(len=error_length, kind=c_char) :: text
    if (present(stat)) stat = status
    if (status == 0) return
    call c_last_error(text)
    if (present(errmsg)) errmsg = text
    if (.not. present(stat)) error stop trim(text)
  end subroutine finish

  ! A text for C, without trailing blanks; "" for an absent argument.
  pure function to_c(text) result(c_text)
    character(*), intent(in), optional :: text
    character(kind=c_char, len=:), allocatable :: c_text
    if (present(text)) then
      c_text = trim(text)//c_null_char
    else
      c_text = c_null_char
    end if
  end function to_c

  ! A text from C; "" for a null pointer.
  pure function from_c(c_text) result(text)
    type(c_ptr), intent(in) :: c_text
    character(:), allocatable :: text
    integer(c_size_t) :: length
    length = c_text_length(c_text)
    allocate (character(length) :: text)
    call c_copy_text(text, c_text, length)
  end function from_c

  ! Stops the program; for C++ functions without stat.
  subroutine error_stop(text, length) bind(C, name="hpk_fortran_error_stop")
    integer(c_size_t), value, intent(in) :: length
    character(kind=c_char), intent(in) :: text(length)
    character(len=length) :: message
    integer(c_size_t) :: k
    do k = 1, length
      message(k:k) = text(k)
    end do
    error stop message
  end subroutine error_stop

end module hpk_errors
