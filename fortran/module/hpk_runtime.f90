! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! The run time of module hpk: start and end, spaces, instances, fences, regions of the profile.
module hpk_runtime
  use, intrinsic :: iso_c_binding
  use hpk_c
  use hpk_errors
  implicit none
  private
  public :: hpk_instance, hpk_initialize, hpk_finalize, hpk_is_initialized, hpk_fence
  public :: hpk_version, hpk_configuration, hpk_push_region, hpk_pop_region
  public :: hpk_spaces, hpk_default_space, hpk_default_host_space, hpk_memory_space
  public :: hpk_is_host_accessible, hpk_create_instance, hpk_name_length, instance_pointer

  ! The length of names of spaces.
  integer, parameter :: hpk_name_length = 32

  ! An instance of an execution space: launches on one instance run in order. An assignment shares
  ! the instance; the last variable that has it destroys it.
  type :: hpk_instance
    private
    type(hpk_handle) :: handle
  contains
    ! The name of the execution space; "" without an instance.
    procedure :: space => instance_space
    ! The number of threads that the instance runs at once.
    procedure :: concurrency => instance_concurrency
    ! The address of the C object, const hpk_instance*; null without an instance.
    procedure :: c_instance => instance_address
    procedure, private :: share => share_instance
    generic :: assignment(=) => share
    final :: release_instance
  end type hpk_instance

  ! Waits for all work: hpk_fence(), hpk_fence("label"); or for that of one instance:
  ! hpk_fence(instance).
  interface hpk_fence
    procedure :: fence_all, fence_instance
  end interface hpk_fence

contains

  ! Starts hpk, which starts by itself at first use. Without arguments the number of threads and the
  ! device are those of environment variables and of the machine.
  subroutine hpk_initialize(num_threads, device_id, stat, errmsg)
    integer, intent(in), optional :: num_threads, device_id
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: threads, device
    threads = 0
    if (present(num_threads)) threads = num_threads
    device = -1
    if (present(device_id)) device = device_id
    call finish(c_initialize(threads, device), stat, errmsg)
  end subroutine hpk_initialize

  ! Ends hpk, as the end of the program does.
  subroutine hpk_finalize(stat, errmsg)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call finish(c_finalize(), stat, errmsg)
  end subroutine hpk_finalize

  ! Whether hpk has started and is not finalized.
  function hpk_is_initialized() result(yes)
    logical :: yes
    yes = c_is_initialized() /= 0
  end function hpk_is_initialized

  ! The version of hpk, "0.1.0".
  function hpk_version() result(text)
    character(:), allocatable :: text
    text = from_c(c_version())
  end function hpk_version

  ! The configuration as text of several lines.
  function hpk_configuration(verbose) result(text)
    logical, intent(in), optional :: verbose
    character(:), allocatable :: text
    character(kind=c_char) :: none(1)
    character(kind=c_char), allocatable :: letters(:)
    integer(c_int) :: more
    integer(c_size_t) :: length, k
    more = 0
    if (present(verbose)) more = merge(1, 0, verbose)
    length = c_configuration(none, 1_c_size_t, more)
    allocate (letters(length + 1))
    length = c_configuration(letters, length + 1, more)
    allocate (character(length) :: text)
    do k = 1, length
      text(k:k) = letters(k)
    end do
  end function hpk_configuration

  ! Opens a region of the profile (HPK_PROFILE) and of tools.
  subroutine hpk_push_region(name, stat, errmsg)
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call finish(c_push_region(to_c(name)), stat, errmsg)
  end subroutine hpk_push_region

  ! Closes the region that was opened last.
  subroutine hpk_pop_region(stat, errmsg)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call finish(c_pop_region(), stat, errmsg)
  end subroutine hpk_pop_region

  subroutine fence_all(label, stat, errmsg)
    character(*), intent(in), optional :: label
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call finish(c_fence(to_c(label)), stat, errmsg)
  end subroutine fence_all

  subroutine fence_instance(instance, label, stat, errmsg)
    type(hpk_instance), intent(in) :: instance
    character(*), intent(in), optional :: label
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: c_instance
    integer(c_int) :: status
    c_instance = c_null_ptr
    status = c_instance_of(instance%handle, to_c("hpk_fence"), c_instance)
    if (status == 0) status = c_instance_fence(c_instance, to_c(label))
    call finish(status, stat, errmsg)
  end subroutine fence_instance

  ! The names of the execution spaces of this hpk.
  function hpk_spaces() result(names)
    character(hpk_name_length), allocatable :: names(:)
    integer :: k
    allocate (names(c_space_count()))
    do k = 1, size(names)
      names(k) = from_c(c_space_name(int(k - 1, c_int)))
    end do
  end function hpk_spaces

  ! The name of the default execution space.
  function hpk_default_space() result(name)
    character(:), allocatable :: name
    name = from_c(c_default_space())
  end function hpk_default_space

  ! The name of the default execution space of the host.
  function hpk_default_host_space() result(name)
    character(:), allocatable :: name
    name = from_c(c_default_host_space())
  end function hpk_default_host_space

  ! The name of the memory space of an execution space; "" for an unknown name.
  function hpk_memory_space(space) result(name)
    character(*), intent(in) :: space
    character(:), allocatable :: name
    name = from_c(c_memory_space(to_c(space)))
  end function hpk_memory_space

  ! Whether Fortran code may access a memory space. .false. for an unknown name.
  function hpk_is_host_accessible(memory_space) result(yes)
    character(*), intent(in) :: memory_space
    logical :: yes
    yes = c_is_host_accessible(to_c(memory_space)) == 1
  end function hpk_is_host_accessible

  ! Makes a new instance of an execution space, or with is_default its default instance.
  subroutine hpk_create_instance(instance, space, is_default, stat, errmsg)
    type(hpk_instance), intent(inout) :: instance
    character(*), intent(in) :: space
    logical, intent(in), optional :: is_default
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: default
    default = 0
    if (present(is_default)) default = merge(1, 0, is_default)
    call finish(c_create_instance(to_c(space), default, instance%handle), stat, errmsg)
  end subroutine hpk_create_instance

  pure function instance_space(self) result(name)
    class(hpk_instance), intent(in) :: self
    character(:), allocatable :: name
    name = from_c(c_instance_space(c_object(self%handle)))
  end function instance_space

  pure function instance_concurrency(self) result(count)
    class(hpk_instance), intent(in) :: self
    integer :: count
    count = 0
    if (c_associated(c_object(self%handle))) count = c_instance_concurrency(c_object(self%handle))
  end function instance_concurrency

  pure function instance_address(self) result(address)
    class(hpk_instance), intent(in) :: self
    type(c_ptr) :: address
    address = c_object(self%handle)
  end function instance_address

  ! The C instance of an optional argument; null if it is absent.
  subroutine instance_pointer(on, name, address, status)
    type(hpk_instance), intent(in), optional :: on
    character(*), intent(in) :: name
    type(c_ptr), intent(out) :: address
    integer(c_int), intent(inout) :: status
    address = c_null_ptr
    if (status == 0 .and. present(on)) status = c_instance_of(on%handle, to_c(name), address)
  end subroutine instance_pointer

  impure elemental subroutine share_instance(to, from)
    class(hpk_instance), intent(inout) :: to
    type(hpk_instance), intent(in) :: from
    type(hpk_handle) :: old
    old = to%handle
    call c_share(from%handle, to%handle)
    call c_release(old)
  end subroutine share_instance

  impure elemental subroutine release_instance(instance)
    type(hpk_instance), intent(inout) :: instance
    call c_release(instance%handle)
  end subroutine release_instance

end module hpk_runtime
