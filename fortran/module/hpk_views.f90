! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! type(hpk_view) of module hpk, and what makes views: memory of their own, parts and mirrors of other
! views. hpk_arrays.f90 makes views of arrays.
module hpk_views
  use, intrinsic :: iso_c_binding
  use hpk_c
  use hpk_errors
  implicit none
  private
  public :: hpk_view, hpk_create, hpk_view_from_c, hpk_release
  public :: hpk_subview, hpk_permute, hpk_reshape, hpk_mirror
  public :: view_pointer, view_handle, take_handle

  ! The element types of views.
  integer, parameter, public :: hpk_bool = 1, hpk_int8 = 2, hpk_int16 = 3, hpk_int32 = 4
  integer, parameter, public :: hpk_int64 = 5, hpk_uint8 = 6, hpk_uint16 = 7, hpk_uint32 = 8
  integer, parameter, public :: hpk_uint64 = 9, hpk_float16 = 10, hpk_bfloat16 = 11
  integer, parameter, public :: hpk_float32 = 12, hpk_float64 = 13, hpk_complex64 = 14
  integer, parameter, public :: hpk_complex128 = 15

  ! The layouts of views. With hpk_layout_left the first index is the fastest, as in Fortran; with
  ! hpk_layout_right the last one, as in C.
  integer, parameter, public :: hpk_layout_right = 1, hpk_layout_left = 2, hpk_layout_stride = 3

  ! The values of stat.
  integer, parameter, public :: hpk_ok = 0, hpk_error = 1, hpk_invalid_argument = 2
  integer, parameter, public :: hpk_type_mismatch = 3, hpk_out_of_memory = 4

  ! A multi-dimensional array with shared ownership of its memory, in any memory space. Starts empty.
  ! An assignment shares the memory; the last view frees it. Indices of procedures of this module
  ! begin at 1; those of C++ kernels at 0.
  type :: hpk_view
    private
    type(hpk_handle) :: handle
  contains
    ! Whether the view is not empty.
    procedure :: is_set => view_is_set
    procedure :: rank => view_rank
    procedure :: shape => view_shape
    procedure :: strides => view_strides
    procedure :: size => view_size
    procedure :: label => view_label
    ! The name of the memory space.
    procedure :: space => view_space
    ! One of hpk_float64, ..., and its name, "float64"; 0 and "" for an empty view.
    procedure :: element_type => view_type
    procedure :: type_name => view_type_name
    procedure :: layout => view_layout
    procedure :: is_read_only => view_is_read_only
    procedure :: is_host_accessible => view_is_host_accessible
    ! The address of the C object, const hpk_view*, which this view owns; null for an empty view.
    procedure :: c_view => view_address
    procedure, private :: share => share_view
    generic :: assignment(=) => share
    final :: release_view
  end type hpk_view

  ! hpk_create(view, type, shape): a new view.
  interface hpk_create
    procedure :: create_int32, create_int64
  end interface hpk_create
  ! hpk_reshape(reshaped, view, shape): the elements of a view without gaps in another shape, in the
  ! order of its layout.
  interface hpk_reshape
    procedure :: reshape_int32, reshape_int64
  end interface hpk_reshape
  ! hpk_subview(part, view, first, last, step): the elements view(first:last:step), like a section
  ! of an array. step: positive, by default 1.
  interface hpk_subview
    procedure :: subview_int32, subview_int64
  end interface hpk_subview

contains

  subroutine create_int32(view, type, shape, label, space, layout, initialize, stat, errmsg)
    type(hpk_view), intent(inout) :: view
    integer, intent(in) :: type
    integer(c_int32_t), intent(in) :: shape(:)
    character(*), intent(in), optional :: label, space
    integer, intent(in), optional :: layout
    logical, intent(in), optional :: initialize
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call create_int64(view, type, int(shape, c_int64_t), label, space, layout, initialize, stat, &
                      errmsg)
  end subroutine create_int32

  ! type: hpk_float64, ... space: a memory space or an execution space, whose memory the view gets;
  ! by default that of the default space. layout: by default hpk_layout_left. initialize: whether
  ! elements become 0, by default .true.
  subroutine create_int64(view, type, shape, label, space, layout, initialize, stat, errmsg)
    type(hpk_view), intent(inout) :: view
    integer, intent(in) :: type
    integer(c_int64_t), intent(in) :: shape(:)
    character(*), intent(in), optional :: label, space
    integer, intent(in), optional :: layout
    logical, intent(in), optional :: initialize
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char, len=:), allocatable, target :: c_space
    type(c_ptr) :: made
    integer(c_int) :: order, zero
    order = hpk_layout_left
    if (present(layout)) order = layout
    zero = 1
    if (present(initialize)) zero = merge(1, 0, initialize)
    c_space = to_c(space)
    made = c_null_ptr
    call take(view, made, c_view_create(type, size(shape, kind=c_int), shape, order, &
                                        address_if(present(space), c_space), to_c(label), zero, &
                                        made), stat, errmsg)
  end subroutine create_int64

  ! Takes over a reference of a C view, which a C++ function has made by hpk::to_c.
  subroutine hpk_view_from_c(view, address, stat, errmsg)
    type(hpk_view), intent(inout) :: view
    type(c_ptr), intent(in) :: address
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call finish(c_take_view(address, view%handle), stat, errmsg)
  end subroutine hpk_view_from_c

  ! Makes the view empty, as its end does: needed for variables of the main program and of modules,
  ! which Fortran does not finalize.
  elemental impure subroutine hpk_release(view)
    type(hpk_view), intent(inout) :: view
    call c_release(view%handle)
  end subroutine hpk_release

  subroutine subview_int32(part, view, first, last, step, stat, errmsg)
    type(hpk_view), intent(inout) :: part
    type(hpk_view), intent(in) :: view
    integer(c_int32_t), intent(in) :: first(:), last(:)
    integer(c_int32_t), intent(in), optional :: step(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: steps(size(first))
    steps = 1
    if (present(step)) steps = step
    call subview_int64(part, view, int(first, c_int64_t), int(last, c_int64_t), steps, stat, errmsg)
  end subroutine subview_int32

  subroutine subview_int64(part, view, first, last, step, stat, errmsg)
    type(hpk_view), intent(inout) :: part
    type(hpk_view), intent(in) :: view
    integer(c_int64_t), intent(in) :: first(:), last(:)
    integer(c_int64_t), intent(in), optional :: step(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: begin(c_max_rank), count(c_max_rank), steps(c_max_rank)
    type(c_ptr) :: whole, made
    integer(c_int) :: status
    integer :: r, rank
    made = c_null_ptr
    rank = view%rank()
    call view_pointer(view, "hpk_subview", whole, status)
    if (status == 0 .and. (size(first) /= rank .or. size(last) /= rank)) then
      status = c_set_last_error(hpk_invalid_argument, "hpk_subview: View """//view%label()// &
                                """: first and last need an index for each dimension"//c_null_char)
    end if
    if (status == 0) then
      steps = 1
      do r = 1, size(first)
        if (present(step)) steps(r) = step(r)
        begin(r) = first(r) - 1
        count(r) = max(0_c_int64_t, (last(r) - first(r) + steps(r))/max(steps(r), 1_c_int64_t))
      end do
      status = c_view_slice(whole, begin, count, steps, c_null_ptr, made)
    end if
    call take(part, made, status, stat, errmsg)
  end subroutine subview_int64

  ! The view with its dimensions in another order: dimension r of `permuted` is dimension order(r)
  ! of the view. hpk_permute(t, a, [2, 1]) is the transpose.
  subroutine hpk_permute(permuted, view, order, stat, errmsg)
    type(hpk_view), intent(inout) :: permuted
    type(hpk_view), intent(in) :: view
    integer, intent(in) :: order(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: whole, made
    integer(c_int) :: status
    integer :: rank
    made = c_null_ptr
    rank = view%rank()
    call view_pointer(view, "hpk_permute", whole, status)
    if (status == 0 .and. size(order) /= rank) then
      status = c_set_last_error(hpk_invalid_argument, "hpk_permute: View """//view%label()// &
                                """: order needs a number for each dimension"//c_null_char)
    end if
    if (status == 0) status = c_view_permute(whole, int(order - 1, c_int), made)
    call take(permuted, made, status, stat, errmsg)
  end subroutine hpk_permute

  subroutine reshape_int32(reshaped, view, shape, stat, errmsg)
    type(hpk_view), intent(inout) :: reshaped
    type(hpk_view), intent(in) :: view
    integer(c_int32_t), intent(in) :: shape(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call reshape_int64(reshaped, view, int(shape, c_int64_t), stat, errmsg)
  end subroutine reshape_int32

  subroutine reshape_int64(reshaped, view, shape, stat, errmsg)
    type(hpk_view), intent(inout) :: reshaped
    type(hpk_view), intent(in) :: view
    integer(c_int64_t), intent(in) :: shape(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: whole, made
    integer(c_int) :: status
    made = c_null_ptr
    call view_pointer(view, "hpk_reshape", whole, status)
    if (status == 0) status = c_view_reshape(whole, size(shape, kind=c_int), shape, made)
    call take(reshaped, made, status, stat, errmsg)
  end subroutine reshape_int64

  ! A view of the same shape in another memory space: the view itself if its memory is there,
  ! otherwise a new one, which gets the elements unless copy is .false. space: a memory space or an
  ! execution space; by default host memory.
  subroutine hpk_mirror(mirror, view, space, copy, stat, errmsg)
    type(hpk_view), intent(inout) :: mirror
    type(hpk_view), intent(in) :: view
    character(*), intent(in), optional :: space
    logical, intent(in), optional :: copy
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char, len=:), allocatable, target :: c_space
    type(c_ptr) :: whole, made
    integer(c_int) :: status, with_elements
    with_elements = 1
    if (present(copy)) with_elements = merge(1, 0, copy)
    c_space = to_c(space)
    made = c_null_ptr
    call view_pointer(view, "hpk_mirror", whole, status)
    if (status == 0) status = c_view_mirror(whole, address_if(present(space), c_space), &
                                            with_elements, made)
    call take(mirror, made, status, stat, errmsg)
  end subroutine hpk_mirror

  ! ---- what a view is ------------------------------------------------------------------------------

  pure function info_of(self) result(info)
    class(hpk_view), intent(in) :: self
    type(c_view_info) :: info
    info = c_view_info(c_null_ptr, 0, 0, 0, c_null_ptr, c_null_ptr, 0, 0, 0, 0, 0, 0)
    call c_info_of(self%handle, info)
  end function info_of

  pure function view_is_set(self) result(yes)
    class(hpk_view), intent(in) :: self
    logical :: yes
    yes = c_associated(c_object(self%handle))
  end function view_is_set

  pure function view_rank(self) result(rank)
    class(hpk_view), intent(in) :: self
    integer :: rank
    type(c_view_info) :: info
    info = info_of(self)
    rank = info%rank
  end function view_rank

  pure function view_shape(self) result(shape)
    class(hpk_view), intent(in) :: self
    integer(c_int64_t), allocatable :: shape(:)
    type(c_view_info) :: info
    info = info_of(self)
    shape = info%extents(1:info%rank)
  end function view_shape

  pure function view_strides(self) result(strides)
    class(hpk_view), intent(in) :: self
    integer(c_int64_t), allocatable :: strides(:)
    type(c_view_info) :: info
    info = info_of(self)
    strides = info%strides(1:info%rank)
  end function view_strides

  pure function view_size(self) result(size)
    class(hpk_view), intent(in) :: self
    integer(c_int64_t) :: size
    type(c_view_info) :: info
    info = info_of(self)
    size = info%size
  end function view_size

  pure function view_label(self) result(label)
    class(hpk_view), intent(in) :: self
    character(:), allocatable :: label
    type(c_view_info) :: info
    info = info_of(self)
    label = from_c(info%label)
  end function view_label

  pure function view_space(self) result(space)
    class(hpk_view), intent(in) :: self
    character(:), allocatable :: space
    type(c_view_info) :: info
    info = info_of(self)
    space = from_c(info%space)
  end function view_space

  pure function view_type(self) result(type)
    class(hpk_view), intent(in) :: self
    integer :: type
    type(c_view_info) :: info
    info = info_of(self)
    type = info%type
  end function view_type

  pure function view_type_name(self) result(name)
    class(hpk_view), intent(in) :: self
    character(:), allocatable :: name
    name = from_c(c_type_name(view_type(self)))
  end function view_type_name

  pure function view_layout(self) result(layout)
    class(hpk_view), intent(in) :: self
    integer :: layout
    type(c_view_info) :: info
    info = info_of(self)
    layout = info%layout
  end function view_layout

  pure function view_is_read_only(self) result(yes)
    class(hpk_view), intent(in) :: self
    logical :: yes
    type(c_view_info) :: info
    info = info_of(self)
    yes = info%read_only /= 0
  end function view_is_read_only

  pure function view_is_host_accessible(self) result(yes)
    class(hpk_view), intent(in) :: self
    logical :: yes
    type(c_view_info) :: info
    info = info_of(self)
    yes = info%host_accessible /= 0
  end function view_is_host_accessible

  pure function view_address(self) result(address)
    class(hpk_view), intent(in) :: self
    type(c_ptr) :: address
    address = c_object(self%handle)
  end function view_address

  ! ---- helpers -------------------------------------------------------------------------------------

  ! The C view; name is that of the procedure, for errors.
  subroutine view_pointer(view, name, address, status)
    type(hpk_view), intent(in) :: view
    character(*), intent(in) :: name
    type(c_ptr), intent(out) :: address
    integer(c_int), intent(out) :: status
    address = c_null_ptr
    status = c_view_of(view%handle, to_c(name), address)
  end subroutine view_pointer

  function view_handle(view) result(handle)
    type(hpk_view), intent(in) :: view
    type(hpk_handle) :: handle
    handle = view%handle
  end function view_handle

  ! Replaces a view by the object of a new handle.
  subroutine take_handle(view, handle)
    type(hpk_view), intent(inout) :: view
    type(hpk_handle), intent(in) :: handle
    call c_release(view%handle)
    view%handle = handle
  end subroutine take_handle

  ! Replaces a view by a new C view, unless there was an error.
  subroutine take(view, made, status, stat, errmsg)
    type(hpk_view), intent(inout) :: view
    type(c_ptr), intent(in) :: made
    integer(c_int), intent(in) :: status
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    if (status == 0) then
      call finish(c_take_view(made, view%handle), stat, errmsg)
    else
      call finish(status, stat, errmsg)
    end if
  end subroutine take

  ! The address of a text; null if the text was absent.
  function address_if(is_present, text) result(address)
    logical, intent(in) :: is_present
    character(kind=c_char, len=*), intent(in), target :: text
    type(c_ptr) :: address
    address = c_null_ptr
    if (is_present) address = c_loc(text)
  end function address_if

  impure elemental subroutine share_view(to, from)
    class(hpk_view), intent(inout) :: to
    type(hpk_view), intent(in) :: from
    type(hpk_handle) :: old
    old = to%handle
    call c_share(from%handle, to%handle)
    call c_release(old)
  end subroutine share_view

  impure elemental subroutine release_view(view)
    type(hpk_view), intent(inout) :: view
    call c_release(view%handle)
  end subroutine release_view

end module hpk_views
