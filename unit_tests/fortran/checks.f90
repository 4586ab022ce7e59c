! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Counts wrong results of a test program.
module checks
  use, intrinsic :: iso_c_binding, only: c_bool
  implicit none
  private
  public :: check, check_error, end_checks

  interface check
    procedure :: check_logical, check_bool
  end interface check
  integer :: wrong = 0
contains
  subroutine check_bool(right, what)
    logical(c_bool), intent(in) :: right
    character(*), intent(in) :: what
    call check_logical(logical(right), what)
  end subroutine check_bool

  subroutine check_logical(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (right) return
    wrong = wrong + 1
    print '(2a)', "wrong: ", what
  end subroutine check_logical

  ! An error must have been reported, with this text.
  subroutine check_error(stat, wanted_stat, errmsg, wanted)
    integer, intent(in) :: stat, wanted_stat
    character(*), intent(in) :: errmsg, wanted
    if (stat == wanted_stat .and. errmsg == wanted) return
    wrong = wrong + 1
    print '(a,i0,2a)', "wrong: error ", stat, ", ", trim(errmsg)
    print '(a,i0,2a)', "    instead of ", wanted_stat, ", ", wanted
  end subroutine check_error

  subroutine end_checks()
    if (wrong /= 0) error stop "wrong results"
    print '(a)', "all right"
  end subroutine end_checks
end module checks
