! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Mirrors, instances, algorithms and regions, on every execution space.
program devices
  use, intrinsic :: iso_c_binding
  use hpk
  use checks
  implicit none
  character(hpk_name_length), allocatable :: spaces(:)
  integer :: k

  call check(.not. hpk_is_initialized(), "not started")
  call hpk_initialize(num_threads=2)
  call check(hpk_is_initialized(), "started")
  spaces = hpk_spaces()
  call hpk_push_region("spaces")
  do k = 1, size(spaces)
    call mirrors(trim(spaces(k)))
    call algorithms(trim(spaces(k)))
  end do
  call hpk_pop_region()
  call device_memory()
  call results()
  call hpk_fence()
  call hpk_fence("the end")
  deallocate (spaces)
  call hpk_finalize()
  call check(.not. hpk_is_initialized(), "finalized")
  call end_checks()

contains

  subroutine mirrors(space)
    character(*), intent(in) :: space
    real(c_double), target :: a(5, 3)
    real(c_double) :: total, back(5, 3)
    type(hpk_view) :: v, mirror, host
    integer :: j
    a = reshape([(real(j, c_double), j=1, 15)], [5, 3])
    call hpk_wrap(v, a, "a")
    call hpk_mirror(mirror, v, space=space)
    call check(mirror%space() == hpk_memory_space(space), "space of a mirror on "//space)
    call hpk_sum(mirror, total)
    call check(total == sum(a), "sum on "//space)
    call hpk_fill(mirror, 2.5d0)
    call hpk_deep_copy(back, mirror)
    call check(all(back == 2.5d0), "copy from "//space)
    call hpk_mirror(host, mirror)
    call check(host%is_host_accessible(), "a mirror on the host of "//space)
    call hpk_mirror(mirror, v, space=space, copy=.false.)
    call hpk_deep_copy(mirror, back)
    call hpk_sum(mirror, total)
    call check(total == 37.5d0, "copy to "//space)
  end subroutine mirrors

  subroutine algorithms(space)
    character(*), intent(in) :: space
    type(hpk_instance) :: on, other
    type(hpk_view) :: x, y, keys
    integer(c_int64_t) :: n, smallest
    real(c_double) :: total, dot
    real(c_double) :: values(1000)
    integer(c_int32_t) :: numbers(1000), positions(1000)
    logical :: yes
    integer :: j
    call hpk_create_instance(on, space)
    other = on
    call check(other%space() == space .and. other%concurrency() > 0, "instance of "//space)
    call hpk_create(x, hpk_float64, [1000], "x", space=space)
    call hpk_create(y, hpk_float64, [1000], "y", space=space)
    call hpk_fill(x, 2, on=on)
    call hpk_random_uniform(y, seed=5, low=1d0, high=2d0, on=other)
    call hpk_fence(on, "filled")
    call hpk_deep_copy(values, y)
    call check(minval(values) >= 1 .and. maxval(values) < 2 .and. values(1) /= values(2), "random on "//space)
    call hpk_dot_product(x, y, dot, on=on)
    call hpk_sum(y, total, on=on)
    call check(abs(dot - 2*total) < 1d-9 .and. abs(total - sum(values)) < 1d-9, "dot product on "//space)
    call hpk_minval(y, dot, on=on)
    call check(dot == minval(values), "minval on "//space)
    call hpk_maxval(y, dot, on=on)
    call check(dot == maxval(values), "maxval on "//space)
    call hpk_sort(y, descending=.true., on=on)
    call hpk_deep_copy(values, y)
    call check(all(values(1:999) >= values(2:1000)), "sort on "//space)
    call hpk_scan(y, x, on=on)
    call hpk_deep_copy(values, y)
    call check(values(1) == 2 .and. values(1000) == 2000, "scan on "//space)
    call hpk_scan(y, x, "max", exclusive=.true., on=on)
    call hpk_random_normal(y, mean=10d0, deviation=0d0, on=on)
    call hpk_deep_copy(values, y)
    call check(all(values == 10), "normal on "//space)

    call hpk_create(keys, hpk_int32, [1000], "keys", space=space)
    call hpk_create(x, hpk_int32, [1000], "positions", space=space)
    numbers = [(mod(7*j, 1000), j=1, 1000)]
    positions = [(j, j=1, 1000)]
    call hpk_deep_copy(keys, numbers)
    call hpk_deep_copy(x, positions)
    call hpk_sort_by_key(keys, x, on=on)
    call hpk_deep_copy(positions, x)
    call check(all(numbers(positions) == [(j, j=0, 999)]), "sort_by_key on "//space)
    call hpk_count(keys, n, on=on)
    call check(n == 999, "count on "//space)
    call hpk_all(keys, yes, on=on)
    call check(.not. yes, "all on "//space)
    call hpk_any(keys, yes, on=on)
    call check(yes, "any on "//space)
    call hpk_minval(keys, smallest, on=on)
    call check(smallest == 0, "minval of integers on "//space)
  end subroutine algorithms

  ! Memory that Fortran code can't access.
  subroutine device_memory()
    type(hpk_view) :: v
    type(hpk_instance) :: host
    real(c_double), pointer :: p(:)
    real(c_double) :: total
    character(300) :: errmsg
    integer :: stat
    if (.not. any(spaces == "Emu")) return
    call hpk_create(v, hpk_float64, [3], "pressure", space="Emu")
    call hpk_pointer(v, p, stat=stat, errmsg=errmsg)
    call check_error(stat, hpk_type_mismatch, errmsg, 'hpk_pointer: View "pressure" is in memory of Emu, which '// &
                     'host code can''t access; make a mirror by hpk_mirror')
    call check(.not. hpk_is_host_accessible("Emu") .and. .not. v%is_host_accessible(), "memory of Emu")
    call hpk_create_instance(host, hpk_default_host_space(), is_default=.true.)
    call hpk_sum(v, total, on=host, stat=stat, errmsg=errmsg)
    call check(stat /= 0 .and. index(errmsg, "pressure") /= 0, "an instance of the host: "//trim(errmsg))
    call hpk_create_instance(host, "Moon", stat=stat, errmsg=errmsg)
    call check(stat /= 0 .and. index(errmsg, "'Moon'") /= 0 .and. host%concurrency() > 0, "an unknown space")
  end subroutine device_memory

  ! Results in variables of other types.
  subroutine results()
    type(hpk_view) :: v
    integer(c_int8_t) :: small
    integer(c_int16_t) :: medium
    real(c_float) :: single
    complex(c_double_complex) :: z, zero(1) = 0
    character(200) :: errmsg
    integer :: stat, number
    call hpk_create(v, hpk_int32, [100], "ones")
    call hpk_fill(v, 3_c_int8_t)
    call hpk_sum(v, medium)
    call check(medium == 300, "an int16")
    call hpk_sum(v, single)
    call check(single == 300, "a real")
    call hpk_sum(v, z)
    call check(z == 300, "a complex number")
    call hpk_sum(v, small, stat=stat, errmsg=errmsg)
    call check_error(stat, hpk_type_mismatch, errmsg, "hpk_sum: the result 300 does not fit an integer of 1 bytes")
    call hpk_fill(v, 0.5, stat=stat)
    call check(stat /= 0, "a fraction for integers")
    call hpk_sum(v, zero, stat=stat, errmsg=errmsg)
    call check_error(stat, hpk_invalid_argument, errmsg, "hpk_sum: the number is not a scalar")
    call hpk_create(v, hpk_complex128, [10], "z")
    call hpk_fill(v, (1d0, 2d0))
    call hpk_dot_product(v, v, z)
    call check(z == 50, "a complex dot product")
    call hpk_sum(v, number, stat=stat)
    call check(stat == hpk_type_mismatch, "a complex number in an integer")
    call hpk_maxval(v, z, stat=stat)
    call check(stat /= 0, "the largest complex number")
    call hpk_create(v, hpk_bool, [10], "flags")
    call hpk_fill(v, .true._c_bool)
    call hpk_count(v, number)
    call check(number == 10, "count")
  end subroutine results

end program devices
