! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! The C functions that module hpk calls: those of <hpk/c/hpk.h>, and those of the .cpp files in
! this folder, which take descriptors of arrays or handles. Programs use module hpk.
module hpk_c
  use, intrinsic :: iso_c_binding
  implicit none
  public

  ! The object of a variable; see handles.hpp.
  type, bind(C) :: hpk_handle
    type(c_ptr) :: cell = c_null_ptr
    integer(c_int64_t) :: number = 0
  end type hpk_handle

  ! hpk_view_info.
  integer, parameter :: c_max_rank = 8
  type, bind(C) :: c_view_info
    type(c_ptr) :: data
    integer(c_int64_t) :: extents(c_max_rank)
    integer(c_int64_t) :: strides(c_max_rank)
    integer(c_int64_t) :: size
    type(c_ptr) :: label
    type(c_ptr) :: space
    integer(c_int) :: type
    integer(c_int) :: layout
    integer(c_int32_t) :: rank
    integer(c_int32_t) :: item_size
    integer(c_int32_t) :: read_only
    integer(c_int32_t) :: host_accessible
  end type c_view_info

  interface
    ! ---- errors, run time ------------------------------------------------------------------------
    subroutine c_last_error(text) bind(C, name="hpk_fortran_last_error")
      import
      character(len=*, kind=c_char), intent(inout) :: text
    end subroutine c_last_error
    pure function c_text_length(text) bind(C, name="hpk_fortran_text_length") result(length)
      import
      type(c_ptr), value, intent(in) :: text
      integer(c_size_t) :: length
    end function c_text_length
    pure subroutine c_copy_text(to, from, length) bind(C, name="hpk_fortran_copy_text")
      import
      character(kind=c_char), intent(inout) :: to(*)
      type(c_ptr), value, intent(in) :: from
      integer(c_size_t), value, intent(in) :: length
    end subroutine c_copy_text
    function c_set_last_error(status, text) bind(C, name="hpk_set_last_error") result(same)
      import
      integer(c_int), value, intent(in) :: status
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int) :: same
    end function c_set_last_error
    pure function c_version() bind(C, name="hpk_version") result(text)
      import
      type(c_ptr) :: text
    end function c_version
    function c_initialize(num_threads, device_id) bind(C, name="hpk_initialize") result(status)
      import
      integer(c_int), value, intent(in) :: num_threads, device_id
      integer(c_int) :: status
    end function c_initialize
    pure function c_is_initialized() bind(C, name="hpk_is_initialized") result(yes)
      import
      integer(c_int) :: yes
    end function c_is_initialized
    function c_finalize() bind(C, name="hpk_finalize") result(status)
      import
      integer(c_int) :: status
    end function c_finalize
    function c_fence(label) bind(C, name="hpk_fence") result(status)
      import
      character(kind=c_char), intent(in) :: label(*)
      integer(c_int) :: status
    end function c_fence
    function c_configuration(text, size, verbose) bind(C, name="hpk_configuration") result(length)
      import
      character(kind=c_char), intent(inout) :: text(*)
      integer(c_size_t), value, intent(in) :: size
      integer(c_int), value, intent(in) :: verbose
      integer(c_size_t) :: length
    end function c_configuration
    function c_push_region(name) bind(C, name="hpk_push_region") result(status)
      import
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int) :: status
    end function c_push_region
    function c_pop_region() bind(C, name="hpk_pop_region") result(status)
      import
      integer(c_int) :: status
    end function c_pop_region

    ! ---- spaces and instances --------------------------------------------------------------------
    pure function c_space_count() bind(C, name="hpk_space_count") result(count)
      import
      integer(c_int) :: count
    end function c_space_count
    pure function c_space_name(index) bind(C, name="hpk_space_name") result(text)
      import
      integer(c_int), value, intent(in) :: index
      type(c_ptr) :: text
    end function c_space_name
    pure function c_default_space() bind(C, name="hpk_default_space") result(text)
      import
      type(c_ptr) :: text
    end function c_default_space
    pure function c_default_host_space() bind(C, name="hpk_default_host_space") result(text)
      import
      type(c_ptr) :: text
    end function c_default_host_space
    pure function c_memory_space(space) bind(C, name="hpk_memory_space") result(text)
      import
      character(kind=c_char), intent(in) :: space(*)
      type(c_ptr) :: text
    end function c_memory_space
    pure function c_is_host_accessible(space) bind(C, name="hpk_is_host_accessible") result(yes)
      import
      character(kind=c_char), intent(in) :: space(*)
      integer(c_int) :: yes
    end function c_is_host_accessible
    function c_create_instance(space, is_default, handle) &
        bind(C, name="hpk_fortran_create_instance") result(status)
      import
      character(kind=c_char), intent(in) :: space(*)
      integer(c_int), value, intent(in) :: is_default
      type(hpk_handle), intent(inout) :: handle
      integer(c_int) :: status
    end function c_create_instance
    function c_instance_fence(instance, label) bind(C, name="hpk_instance_fence") result(status)
      import
      type(c_ptr), value, intent(in) :: instance
      character(kind=c_char), intent(in) :: label(*)
      integer(c_int) :: status
    end function c_instance_fence
    pure function c_instance_space(instance) bind(C, name="hpk_instance_space") result(text)
      import
      type(c_ptr), value, intent(in) :: instance
      type(c_ptr) :: text
    end function c_instance_space
    pure function c_instance_concurrency(instance) bind(C, name="hpk_instance_concurrency") result(count)
      import
      type(c_ptr), value, intent(in) :: instance
      integer(c_int) :: count
    end function c_instance_concurrency

    ! ---- handles ---------------------------------------------------------------------------------
    subroutine c_share(from, to) bind(C, name="hpk_fortran_share")
      import
      type(hpk_handle), intent(in) :: from
      type(hpk_handle), intent(inout) :: to
    end subroutine c_share
    subroutine c_release(handle) bind(C, name="hpk_fortran_release")
      import
      type(hpk_handle), intent(inout) :: handle
    end subroutine c_release
    pure function c_object(handle) bind(C, name="hpk_fortran_object") result(object)
      import
      type(hpk_handle), intent(in) :: handle
      type(c_ptr) :: object
    end function c_object
    function c_view_of(handle, name, view) bind(C, name="hpk_fortran_view_of") result(status)
      import
      type(hpk_handle), intent(in) :: handle
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(inout) :: view
      integer(c_int) :: status
    end function c_view_of
    function c_instance_of(handle, name, instance) bind(C, name="hpk_fortran_instance_of") &
        result(status)
      import
      type(hpk_handle), intent(in) :: handle
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(inout) :: instance
      integer(c_int) :: status
    end function c_instance_of
    function c_take_view(view, handle) bind(C, name="hpk_fortran_take_view") result(status)
      import
      type(c_ptr), value, intent(in) :: view
      type(hpk_handle), intent(inout) :: handle
      integer(c_int) :: status
    end function c_take_view

    ! ---- views -----------------------------------------------------------------------------------
    pure function c_type_name(type) bind(C, name="hpk_type_name") result(text)
      import
      integer(c_int), value, intent(in) :: type
      type(c_ptr) :: text
    end function c_type_name
    function c_view_create(type, rank, extents, layout, space, label, initialize, view) &
        bind(C, name="hpk_view_create") result(status)
      import
      integer(c_int), value, intent(in) :: type, rank, layout, initialize
      integer(c_int64_t), intent(in) :: extents(*)
      type(c_ptr), value, intent(in) :: space
      character(kind=c_char), intent(in) :: label(*)
      type(c_ptr), intent(inout) :: view
      integer(c_int) :: status
    end function c_view_create
    pure subroutine c_info_of(handle, info) bind(C, name="hpk_fortran_info_of")
      import
      type(hpk_handle), intent(in) :: handle
      type(c_view_info), intent(inout) :: info
    end subroutine c_info_of
    function c_view_slice(view, begin, count, step, drop, part) bind(C, name="hpk_view_slice") &
        result(status)
      import
      type(c_ptr), value, intent(in) :: view, drop
      integer(c_int64_t), intent(in) :: begin(*), count(*), step(*)
      type(c_ptr), intent(inout) :: part
      integer(c_int) :: status
    end function c_view_slice
    function c_view_permute(view, axes, permuted) bind(C, name="hpk_view_permute") result(status)
      import
      type(c_ptr), value, intent(in) :: view
      integer(c_int), intent(in) :: axes(*)
      type(c_ptr), intent(inout) :: permuted
      integer(c_int) :: status
    end function c_view_permute
    function c_view_reshape(view, rank, extents, reshaped) bind(C, name="hpk_view_reshape") &
        result(status)
      import
      type(c_ptr), value, intent(in) :: view
      integer(c_int), value, intent(in) :: rank
      integer(c_int64_t), intent(in) :: extents(*)
      type(c_ptr), intent(inout) :: reshaped
      integer(c_int) :: status
    end function c_view_reshape
    function c_view_mirror(view, space, copy, mirror) bind(C, name="hpk_view_mirror") result(status)
      import
      type(c_ptr), value, intent(in) :: view, space
      integer(c_int), value, intent(in) :: copy
      type(c_ptr), intent(inout) :: mirror
      integer(c_int) :: status
    end function c_view_mirror
    function c_view_deep_copy(to, from) bind(C, name="hpk_view_deep_copy") result(status)
      import
      type(c_ptr), value, intent(in) :: to, from
      integer(c_int) :: status
    end function c_view_deep_copy
    function c_copy_to_view(to, from) bind(C, name="hpk_fortran_copy_to_view") result(status)
      import
      type(hpk_handle), intent(in) :: to
      type(*), dimension(..), intent(in) :: from
      integer(c_int) :: status
    end function c_copy_to_view
    function c_copy_to_array(to, from) bind(C, name="hpk_fortran_copy_to_array") result(status)
      import
      type(*), dimension(..), intent(inout) :: to
      type(hpk_handle), intent(in) :: from
      integer(c_int) :: status
    end function c_copy_to_array
    function c_fill(view, value, on) bind(C, name="hpk_fortran_fill") result(status)
      import
      type(c_ptr), value, intent(in) :: view, on
      type(*), dimension(..), intent(in) :: value
      integer(c_int) :: status
    end function c_fill

    ! ---- algorithms ------------------------------------------------------------------------------
    function c_reduce(view, operation, on, result_value, name) bind(C, name="hpk_fortran_reduce") &
        result(status)
      import
      type(c_ptr), value, intent(in) :: view, on
      character(kind=c_char), intent(in) :: operation(*), name(*)
      type(*), dimension(..), intent(inout) :: result_value
      integer(c_int) :: status
    end function c_reduce
    function c_dot(x, y, on, result_value) bind(C, name="hpk_fortran_dot") result(status)
      import
      type(c_ptr), value, intent(in) :: x, y, on
      type(*), dimension(..), intent(inout) :: result_value
      integer(c_int) :: status
    end function c_dot
    function c_scan(to, from, operation, exclusive, on) bind(C, name="hpk_scan") result(status)
      import
      type(c_ptr), value, intent(in) :: to, from, on
      character(kind=c_char), intent(in) :: operation(*)
      integer(c_int), value, intent(in) :: exclusive
      integer(c_int) :: status
    end function c_scan
    function c_sort(view, descending, on) bind(C, name="hpk_sort") result(status)
      import
      type(c_ptr), value, intent(in) :: view, on
      integer(c_int), value, intent(in) :: descending
      integer(c_int) :: status
    end function c_sort
    function c_sort_by_key(keys, values, descending, on) bind(C, name="hpk_sort_by_key") &
        result(status)
      import
      type(c_ptr), value, intent(in) :: keys, values, on
      integer(c_int), value, intent(in) :: descending
      integer(c_int) :: status
    end function c_sort_by_key
    function c_fill_random(view, distribution, seed, a, b, on) bind(C, name="hpk_fill_random") &
        result(status)
      import
      type(c_ptr), value, intent(in) :: view, on
      character(kind=c_char), intent(in) :: distribution(*)
      integer(c_int64_t), value, intent(in) :: seed
      real(c_double), value, intent(in) :: a, b
      integer(c_int) :: status
    end function c_fill_random
  end interface
end module hpk_c
