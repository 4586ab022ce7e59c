! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Views of arrays, pointers to the elements of views, and copies between both: one procedure for each
! element type, for all ranks. The .inc files have the parts that are the same for all types.
module hpk_arrays
  use, intrinsic :: iso_c_binding
  use hpk_c
  use hpk_errors
  use hpk_views
  implicit none
  private
  public :: hpk_wrap, hpk_pointer, hpk_deep_copy

  ! hpk_wrap(view, array): makes a view of an array without a copy. The array has the attribute target
  ! or pointer; it may be a section or a component with strides, not negative ones. It must outlive
  ! the view. read_only: nothing can be changed through the view.
  ! The dummy argument is a pointer because the compiler then requires the attribute, and passes the
  ! array itself. An array of components, pairs%k, is wrapped through a pointer: p => pairs%k, then
  ! hpk_wrap(view, p). gfortran 12 passes a wrong address if pairs%k itself is the argument.
  interface hpk_wrap
    procedure :: wrap_int8
    procedure :: wrap_int16
    procedure :: wrap_int32
    procedure :: wrap_int64
    procedure :: wrap_float32
    procedure :: wrap_float64
    procedure :: wrap_complex64
    procedure :: wrap_complex128
    procedure :: wrap_bool
  end interface hpk_wrap

  ! hpk_pointer(view, p): makes a pointer of the element type and rank of the view point to its
  ! elements: p(i, j) is element (i - 1, j - 1) of the View. The pointer is valid as long as the
  ! memory of the view. After an error p is not associated. read_only: a promise to write nothing,
  ! needed for read-only views.
  interface hpk_pointer
    procedure :: pointer_int8
    procedure :: pointer_int16
    procedure :: pointer_int32
    procedure :: pointer_int64
    procedure :: pointer_float32
    procedure :: pointer_float64
    procedure :: pointer_complex64
    procedure :: pointer_complex128
    procedure :: pointer_bool
  end interface hpk_pointer

  ! hpk_deep_copy(to, from): copies all elements; both are views of any memory spaces and layouts,
  ! or one of them is an array. Types and shapes are the same. Waits for earlier work, and for the
  ! copy.
  interface hpk_deep_copy
    procedure :: copy_view
    procedure :: to_int8, from_int8
    procedure :: to_int16, from_int16
    procedure :: to_int32, from_int32
    procedure :: to_int64, from_int64
    procedure :: to_float32, from_float32
    procedure :: to_float64, from_float64
    procedure :: to_complex64, from_complex64
    procedure :: to_complex128, from_complex128
    procedure :: to_bool, from_bool
  end interface hpk_deep_copy

  ! All are one function, hpk_fortran_wrap or hpk_fortran_pointer.
  interface
    function c_wrap_int8(array, read_only, label, handle) bind(C, name="hpk_fortran_wrap") result(status)
      import
      integer(c_int8_t), pointer, intent(in) :: array(..)
      include "hpk_wrap_interface.inc"
    end function c_wrap_int8
    function c_wrap_int16(array, read_only, label, handle) bind(C, name="hpk_fortran_wrap") result(status)
      import
      integer(c_int16_t), pointer, intent(in) :: array(..)
      include "hpk_wrap_interface.inc"
    end function c_wrap_int16
    function c_wrap_int32(array, read_only, label, handle) bind(C, name="hpk_fortran_wrap") result(status)
      import
      integer(c_int32_t), pointer, intent(in) :: array(..)
      include "hpk_wrap_interface.inc"
    end function c_wrap_int32
    function c_wrap_int64(array, read_only, label, handle) bind(C, name="hpk_fortran_wrap") result(status)
      import
      integer(c_int64_t), pointer, intent(in) :: array(..)
      include "hpk_wrap_interface.inc"
    end function c_wrap_int64
    function c_wrap_float32(array, read_only, label, handle) bind(C, name="hpk_fortran_wrap") result(status)
      import
      real(c_float), pointer, intent(in) :: array(..)
      include "hpk_wrap_interface.inc"
    end function c_wrap_float32
    function c_wrap_float64(array, read_only, label, handle) bind(C, name="hpk_fortran_wrap") result(status)
      import
      real(c_double), pointer, intent(in) :: array(..)
      include "hpk_wrap_interface.inc"
    end function c_wrap_float64
    function c_wrap_complex64(array, read_only, label, handle) bind(C, name="hpk_fortran_wrap") result(status)
      import
      complex(c_float_complex), pointer, intent(in) :: array(..)
      include "hpk_wrap_interface.inc"
    end function c_wrap_complex64
    function c_wrap_complex128(array, read_only, label, handle) bind(C, name="hpk_fortran_wrap") result(status)
      import
      complex(c_double_complex), pointer, intent(in) :: array(..)
      include "hpk_wrap_interface.inc"
    end function c_wrap_complex128
    function c_wrap_bool(array, read_only, label, handle) bind(C, name="hpk_fortran_wrap") result(status)
      import
      logical(c_bool), pointer, intent(in) :: array(..)
      include "hpk_wrap_interface.inc"
    end function c_wrap_bool
    function c_pointer_int8(handle, p, read_only) bind(C, name="hpk_fortran_pointer") result(status)
      import
      integer(c_int8_t), pointer, intent(out) :: p(..)
      include "hpk_pointer_interface.inc"
    end function c_pointer_int8
    function c_pointer_int16(handle, p, read_only) bind(C, name="hpk_fortran_pointer") result(status)
      import
      integer(c_int16_t), pointer, intent(out) :: p(..)
      include "hpk_pointer_interface.inc"
    end function c_pointer_int16
    function c_pointer_int32(handle, p, read_only) bind(C, name="hpk_fortran_pointer") result(status)
      import
      integer(c_int32_t), pointer, intent(out) :: p(..)
      include "hpk_pointer_interface.inc"
    end function c_pointer_int32
    function c_pointer_int64(handle, p, read_only) bind(C, name="hpk_fortran_pointer") result(status)
      import
      integer(c_int64_t), pointer, intent(out) :: p(..)
      include "hpk_pointer_interface.inc"
    end function c_pointer_int64
    function c_pointer_float32(handle, p, read_only) bind(C, name="hpk_fortran_pointer") result(status)
      import
      real(c_float), pointer, intent(out) :: p(..)
      include "hpk_pointer_interface.inc"
    end function c_pointer_float32
    function c_pointer_float64(handle, p, read_only) bind(C, name="hpk_fortran_pointer") result(status)
      import
      real(c_double), pointer, intent(out) :: p(..)
      include "hpk_pointer_interface.inc"
    end function c_pointer_float64
    function c_pointer_complex64(handle, p, read_only) bind(C, name="hpk_fortran_pointer") result(status)
      import
      complex(c_float_complex), pointer, intent(out) :: p(..)
      include "hpk_pointer_interface.inc"
    end function c_pointer_complex64
    function c_pointer_complex128(handle, p, read_only) bind(C, name="hpk_fortran_pointer") result(status)
      import
      complex(c_double_complex), pointer, intent(out) :: p(..)
      include "hpk_pointer_interface.inc"
    end function c_pointer_complex128
    function c_pointer_bool(handle, p, read_only) bind(C, name="hpk_fortran_pointer") result(status)
      import
      logical(c_bool), pointer, intent(out) :: p(..)
      include "hpk_pointer_interface.inc"
    end function c_pointer_bool
  end interface

contains

  subroutine copy_view(to, from, stat, errmsg)
    type(hpk_view), intent(in) :: to, from
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: c_to, c_from
    integer(c_int) :: status
    c_from = c_null_ptr
    call view_pointer(to, "hpk_deep_copy", c_to, status)
    if (status == 0) call view_pointer(from, "hpk_deep_copy", c_from, status)
    if (status == 0) status = c_view_deep_copy(c_to, c_from)
    call finish(status, stat, errmsg)
  end subroutine copy_view

  subroutine wrap_int8(view, array, label, read_only, stat, errmsg)
    integer(c_int8_t), pointer, intent(in) :: array(..)
    include "hpk_wrap_arguments.inc"
    status = c_wrap_int8(array, c_read_only, to_c(label), handle)
    if (status == 0) call take_handle(view, handle)
    call finish(status, stat, errmsg)
  end subroutine wrap_int8
  subroutine pointer_int8(view, p, read_only, stat, errmsg)
    integer(c_int8_t), pointer, intent(out) :: p(..)
    include "hpk_pointer_arguments.inc"
    call finish(c_pointer_int8(view_handle(view), p, c_read_only), stat, errmsg)
  end subroutine pointer_int8
  subroutine to_int8(to, from, stat, errmsg)
    integer(c_int8_t), intent(inout) :: to(..)
    include "hpk_copy_to_array.inc"
  end subroutine to_int8
  subroutine from_int8(to, from, stat, errmsg)
    integer(c_int8_t), intent(in) :: from(..)
    include "hpk_copy_to_view.inc"
  end subroutine from_int8

  subroutine wrap_int16(view, array, label, read_only, stat, errmsg)
    integer(c_int16_t), pointer, intent(in) :: array(..)
    include "hpk_wrap_arguments.inc"
    status = c_wrap_int16(array, c_read_only, to_c(label), handle)
    if (status == 0) call take_handle(view, handle)
    call finish(status, stat, errmsg)
  end subroutine wrap_int16
  subroutine pointer_int16(view, p, read_only, stat, errmsg)
    integer(c_int16_t), pointer, intent(out) :: p(..)
    include "hpk_pointer_arguments.inc"
    call finish(c_pointer_int16(view_handle(view), p, c_read_only), stat, errmsg)
  end subroutine pointer_int16
  subroutine to_int16(to, from, stat, errmsg)
    integer(c_int16_t), intent(inout) :: to(..)
    include "hpk_copy_to_array.inc"
  end subroutine to_int16
  subroutine from_int16(to, from, stat, errmsg)
    integer(c_int16_t), intent(in) :: from(..)
    include "hpk_copy_to_view.inc"
  end subroutine from_int16

  subroutine wrap_int32(view, array, label, read_only, stat, errmsg)
    integer(c_int32_t), pointer, intent(in) :: array(..)
    include "hpk_wrap_arguments.inc"
    status = c_wrap_int32(array, c_read_only, to_c(label), handle)
    if (status == 0) call take_handle(view, handle)
    call finish(status, stat, errmsg)
  end subroutine wrap_int32
  subroutine pointer_int32(view, p, read_only, stat, errmsg)
    integer(c_int32_t), pointer, intent(out) :: p(..)
    include "hpk_pointer_arguments.inc"
    call finish(c_pointer_int32(view_handle(view), p, c_read_only), stat, errmsg)
  end subroutine pointer_int32
  subroutine to_int32(to, from, stat, errmsg)
    integer(c_int32_t), intent(inout) :: to(..)
    include "hpk_copy_to_array.inc"
  end subroutine to_int32
  subroutine from_int32(to, from, stat, errmsg)
    integer(c_int32_t), intent(in) :: from(..)
    include "hpk_copy_to_view.inc"
  end subroutine from_int32

  subroutine wrap_int64(view, array, label, read_only, stat, errmsg)
    integer(c_int64_t), pointer, intent(in) :: array(..)
    include "hpk_wrap_arguments.inc"
    status = c_wrap_int64(array, c_read_only, to_c(label), handle)
    if (status == 0) call take_handle(view, handle)
    call finish(status, stat, errmsg)
  end subroutine wrap_int64
  subroutine pointer_int64(view, p, read_only, stat, errmsg)
    integer(c_int64_t), pointer, intent(out) :: p(..)
    include "hpk_pointer_arguments.inc"
    call finish(c_pointer_int64(view_handle(view), p, c_read_only), stat, errmsg)
  end subroutine pointer_int64
  subroutine to_int64(to, from, stat, errmsg)
    integer(c_int64_t), intent(inout) :: to(..)
    include "hpk_copy_to_array.inc"
  end subroutine to_int64
  subroutine from_int64(to, from, stat, errmsg)
    integer(c_int64_t), intent(in) :: from(..)
    include "hpk_copy_to_view.inc"
  end subroutine from_int64

  subroutine wrap_float32(view, array, label, read_only, stat, errmsg)
    real(c_float), pointer, intent(in) :: array(..)
    include "hpk_wrap_arguments.inc"
    status = c_wrap_float32(array, c_read_only, to_c(label), handle)
    if (status == 0) call take_handle(view, handle)
    call finish(status, stat, errmsg)
  end subroutine wrap_float32
  subroutine pointer_float32(view, p, read_only, stat, errmsg)
    real(c_float), pointer, intent(out) :: p(..)
    include "hpk_pointer_arguments.inc"
    call finish(c_pointer_float32(view_handle(view), p, c_read_only), stat, errmsg)
  end subroutine pointer_float32
  subroutine to_float32(to, from, stat, errmsg)
    real(c_float), intent(inout) :: to(..)
    include "hpk_copy_to_array.inc"
  end subroutine to_float32
  subroutine from_float32(to, from, stat, errmsg)
    real(c_float), intent(in) :: from(..)
    include "hpk_copy_to_view.inc"
  end subroutine from_float32

  subroutine wrap_float64(view, array, label, read_only, stat, errmsg)
    real(c_double), pointer, intent(in) :: array(..)
    include "hpk_wrap_arguments.inc"
    status = c_wrap_float64(array, c_read_only, to_c(label), handle)
    if (status == 0) call take_handle(view, handle)
    call finish(status, stat, errmsg)
  end subroutine wrap_float64
  subroutine pointer_float64(view, p, read_only, stat, errmsg)
    real(c_double), pointer, intent(out) :: p(..)
    include "hpk_pointer_arguments.inc"
    call finish(c_pointer_float64(view_handle(view), p, c_read_only), stat, errmsg)
  end subroutine pointer_float64
  subroutine to_float64(to, from, stat, errmsg)
    real(c_double), intent(inout) :: to(..)
    include "hpk_copy_to_array.inc"
  end subroutine to_float64
  subroutine from_float64(to, from, stat, errmsg)
    real(c_double), intent(in) :: from(..)
    include "hpk_copy_to_view.inc"
  end subroutine from_float64

  subroutine wrap_complex64(view, array, label, read_only, stat, errmsg)
    complex(c_float_complex), pointer, intent(in) :: array(..)
    include "hpk_wrap_arguments.inc"
    status = c_wrap_complex64(array, c_read_only, to_c(label), handle)
    if (status == 0) call take_handle(view, handle)
    call finish(status, stat, errmsg)
  end subroutine wrap_complex64
  subroutine pointer_complex64(view, p, read_only, stat, errmsg)
    complex(c_float_complex), pointer, intent(out) :: p(..)
    include "hpk_pointer_arguments.inc"
    call finish(c_pointer_complex64(view_handle(view), p, c_read_only), stat, errmsg)
  end subroutine pointer_complex64
  subroutine to_complex64(to, from, stat, errmsg)
    complex(c_float_complex), intent(inout) :: to(..)
    include "hpk_copy_to_array.inc"
  end subroutine to_complex64
  subroutine from_complex64(to, from, stat, errmsg)
    complex(c_float_complex), intent(in) :: from(..)
    include "hpk_copy_to_view.inc"
  end subroutine from_complex64

  subroutine wrap_complex128(view, array, label, read_only, stat, errmsg)
    complex(c_double_complex), pointer, intent(in) :: array(..)
    include "hpk_wrap_arguments.inc"
    status = c_wrap_complex128(array, c_read_only, to_c(label), handle)
    if (status == 0) call take_handle(view, handle)
    call finish(status, stat, errmsg)
  end subroutine wrap_complex128
  subroutine pointer_complex128(view, p, read_only, stat, errmsg)
    complex(c_double_complex), pointer, intent(out) :: p(..)
    include "hpk_pointer_arguments.inc"
    call finish(c_pointer_complex128(view_handle(view), p, c_read_only), stat, errmsg)
  end subroutine pointer_complex128
  subroutine to_complex128(to, from, stat, errmsg)
    complex(c_double_complex), intent(inout) :: to(..)
    include "hpk_copy_to_array.inc"
  end subroutine to_complex128
  subroutine from_complex128(to, from, stat, errmsg)
    complex(c_double_complex), intent(in) :: from(..)
    include "hpk_copy_to_view.inc"
  end subroutine from_complex128

  subroutine wrap_bool(view, array, label, read_only, stat, errmsg)
    logical(c_bool), pointer, intent(in) :: array(..)
    include "hpk_wrap_arguments.inc"
    status = c_wrap_bool(array, c_read_only, to_c(label), handle)
    if (status == 0) call take_handle(view, handle)
    call finish(status, stat, errmsg)
  end subroutine wrap_bool
  subroutine pointer_bool(view, p, read_only, stat, errmsg)
    logical(c_bool), pointer, intent(out) :: p(..)
    include "hpk_pointer_arguments.inc"
    call finish(c_pointer_bool(view_handle(view), p, c_read_only), stat, errmsg)
  end subroutine pointer_bool
  subroutine to_bool(to, from, stat, errmsg)
    logical(c_bool), intent(inout) :: to(..)
    include "hpk_copy_to_array.inc"
  end subroutine to_bool
  subroutine from_bool(to, from, stat, errmsg)
    logical(c_bool), intent(in) :: from(..)
    include "hpk_copy_to_view.inc"
  end subroutine from_bool

end module hpk_arrays
