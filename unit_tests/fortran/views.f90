! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Views of arrays and pointers to views: types, ranks, sections, lifetimes, wrong arguments. Pointers are
! nullified first because gfortran reads them before a call that sets them, which valgrind reports.
program views
  use, intrinsic :: iso_c_binding
  use hpk
  use checks
  implicit none
  type :: pair
    real(c_double) :: x
    integer(c_int32_t) :: k
  end type pair
  type :: field
    type(hpk_view) :: values
    integer :: steps = 0
  end type field

  call types()
  call ranks()
  call sections()
  call nothing()
  call wrong_arrays()
  call wrong_pointers()
  call lifetimes()
  call components()
  call descriptions()
  call parts()
  call end_checks()

contains

  ! Each type: the view has the array's elements, and a pointer to the view is the array.
  subroutine types()
    integer(c_int8_t), target :: i8(3) = [1_c_int8_t, -2_c_int8_t, 3_c_int8_t]
    integer(c_int16_t), target :: i16(3) = 2_c_int16_t
    integer(c_int32_t), target :: i32(3) = 3
    integer(c_int64_t), target :: i64(3) = 4
    real(c_float), target :: r4(3) = 5
    real(c_double), target :: r8(3) = 6
    complex(c_float_complex), target :: c4(3) = (7, 8)
    complex(c_double_complex), target :: c8(3) = (9, 10)
    logical(c_bool), target :: b(3) = [.true._c_bool, .false._c_bool, .true._c_bool]
    integer(c_int8_t), pointer :: p_i8(:)
    integer(c_int16_t), pointer :: p_i16(:)
    integer(c_int32_t), pointer :: p_i32(:)
    integer(c_int64_t), pointer :: p_i64(:)
    real(c_float), pointer :: p_r4(:)
    real(c_double), pointer :: p_r8(:)
    complex(c_float_complex), pointer :: p_c4(:)
    complex(c_double_complex), pointer :: p_c8(:)
    logical(c_bool), pointer :: p_b(:)
    type(hpk_view) :: v, w

    nullify (p_i8, p_i16, p_i32, p_i64, p_r4, p_r8, p_c4, p_c8, p_b)
    call hpk_wrap(v, i8, "i8"); call hpk_pointer(v, p_i8)
    call check(associated(p_i8, i8) .and. v%element_type() == hpk_int8, "int8")
    call hpk_wrap(v, i16); call hpk_pointer(v, p_i16)
    call check(associated(p_i16, i16) .and. v%element_type() == hpk_int16, "int16")
    call hpk_wrap(v, i32); call hpk_pointer(v, p_i32)
    call check(associated(p_i32, i32) .and. v%element_type() == hpk_int32, "int32")
    call hpk_wrap(v, i64); call hpk_pointer(v, p_i64)
    call check(associated(p_i64, i64) .and. v%element_type() == hpk_int64, "int64")
    call hpk_wrap(v, r4); call hpk_pointer(v, p_r4)
    call check(associated(p_r4, r4) .and. v%element_type() == hpk_float32, "float32")
    call hpk_wrap(v, r8); call hpk_pointer(v, p_r8)
    call check(associated(p_r8, r8) .and. v%element_type() == hpk_float64, "float64")
    call hpk_wrap(v, c4); call hpk_pointer(v, p_c4)
    call check(associated(p_c4, c4) .and. v%element_type() == hpk_complex64, "complex64")
    call hpk_wrap(v, c8); call hpk_pointer(v, p_c8)
    call check(associated(p_c8, c8) .and. v%element_type() == hpk_complex128, "complex128")
    call hpk_wrap(v, b); call hpk_pointer(v, p_b)
    call check(associated(p_b, b) .and. v%element_type() == hpk_bool, "bool")

    ! Copies of each type, into a view and back.
    call hpk_create(v, hpk_int8, [3]); call hpk_deep_copy(v, i8); i8 = 0
    call hpk_deep_copy(i8, v); call check(all(i8 == [1, -2, 3]), "copies of int8")
    call hpk_create(v, hpk_int16, [3]); call hpk_deep_copy(v, i16); i16 = 0
    call hpk_deep_copy(i16, v); call check(all(i16 == 2), "copies of int16")
    call hpk_create(v, hpk_int32, [3]); call hpk_deep_copy(v, i32); i32 = 0
    call hpk_deep_copy(i32, v); call check(all(i32 == 3), "copies of int32")
    call hpk_create(v, hpk_int64, [3]); call hpk_deep_copy(v, i64); i64 = 0
    call hpk_deep_copy(i64, v); call check(all(i64 == 4), "copies of int64")
    call hpk_create(v, hpk_float32, [3]); call hpk_deep_copy(v, r4); r4 = 0
    call hpk_deep_copy(r4, v); call check(all(r4 == 5), "copies of float32")
    call hpk_create(v, hpk_float64, [3]); call hpk_deep_copy(v, r8); r8 = 0
    call hpk_deep_copy(r8, v); call check(all(r8 == 6), "copies of float64")
    call hpk_create(v, hpk_complex64, [3]); call hpk_deep_copy(v, c4); c4 = 0
    call hpk_deep_copy(c4, v); call check(all(c4 == (7, 8)), "copies of complex64")
    call hpk_create(v, hpk_complex128, [3]); call hpk_deep_copy(v, c8); c8 = 0
    call hpk_deep_copy(c8, v); call check(all(c8 == (9, 10)), "copies of complex128")
    call hpk_create(v, hpk_bool, [3]); call hpk_deep_copy(v, b); b = .false.
    call hpk_create(w, hpk_bool, [3_c_int64_t]); call hpk_deep_copy(w, v)
    call hpk_deep_copy(b, w)
    call check(b(1) .and. .not. b(2) .and. b(3), "copies of bool")
  end subroutine types

  ! Each rank, 0 to 7: the pointer to a view of the array is the array.
  subroutine ranks()
    real(c_double), target :: a0, a1(2), a2(2, 3), a3(2, 3, 2), a4(2, 3, 2, 3), a5(2, 3, 2, 3, 2)
    real(c_double), target :: a6(2, 3, 2, 3, 2, 3), a7(2, 3, 2, 3, 2, 3, 2)
    real(c_double), pointer :: p0, p1(:), p2(:, :), p3(:, :, :), p4(:, :, :, :), p5(:, :, :, :, :)
    real(c_double), pointer :: p6(:, :, :, :, :, :), p7(:, :, :, :, :, :, :)
    type(hpk_view) :: v
    integer :: k
    nullify (p0, p1, p2, p3, p4, p5, p6, p7)
    a0 = 1
    call hpk_wrap(v, a0); call hpk_pointer(v, p0)
    call check(associated(p0, a0) .and. v%rank() == 0, "rank 0")
    a1 = 1
    call hpk_wrap(v, a1); call hpk_pointer(v, p1)
    call check(associated(p1, a1) .and. v%rank() == 1, "rank 1")
    call hpk_wrap(v, a2); call hpk_pointer(v, p2)
    call check(associated(p2, a2) .and. v%rank() == 2, "rank 2")
    call hpk_wrap(v, a3); call hpk_pointer(v, p3)
    call check(associated(p3, a3) .and. v%rank() == 3, "rank 3")
    call hpk_wrap(v, a4); call hpk_pointer(v, p4)
    call check(associated(p4, a4) .and. v%rank() == 4, "rank 4")
    call hpk_wrap(v, a5); call hpk_pointer(v, p5)
    call check(associated(p5, a5) .and. v%rank() == 5, "rank 5")
    call hpk_wrap(v, a6); call hpk_pointer(v, p6)
    call check(associated(p6, a6) .and. v%rank() == 6, "rank 6")
    a7 = reshape([(real(k, c_double), k=1, size(a7))], shape(a7))
    call hpk_wrap(v, a7); call hpk_pointer(v, p7)
    call check(associated(p7, a7) .and. v%rank() == 7, "rank 7")
    call check(all(p7 == a7) .and. is_contiguous(p7), "elements of rank 7")
    call check(all(v%shape() == shape(a7)) .and. v%layout() == hpk_layout_left, "shape of rank 7")

    ! The pointer to a view of C's layout has the same indices.
    call hpk_create(v, hpk_float64, [2, 3], layout=hpk_layout_right)
    call hpk_pointer(v, p2)
    call check(all(shape(p2) == [2, 3]) .and. .not. is_contiguous(p2), "LayoutRight")
    call check(all(v%strides() == [3, 1]), "strides of LayoutRight")
    a2 = reshape([1d0, 2d0, 3d0, 4d0, 5d0, 6d0], [2, 3])
    call hpk_deep_copy(v, a2)
    call check(all(p2 == a2), "elements of LayoutRight")
    p2(2, 1) = 20
    call hpk_deep_copy(a2, v)
    call check(a2(2, 1) == 20 .and. a2(1, 2) == 3, "an element set by the pointer")
  end subroutine ranks

  ! Sections and components are wrapped without a copy.
  subroutine sections()
    real(c_double), target :: a(6, 8)
    complex(c_double_complex), target :: z(4)
    type(pair), target :: pairs(3)
    real(c_double), pointer :: p(:, :), p1(:)
    integer(c_int32_t), pointer :: k(:)
    real(c_double) :: total
    type(hpk_view) :: v
    integer :: j
    nullify (p, p1)
    a = reshape([(real(j, c_double), j=1, size(a))], shape(a))
    call hpk_wrap(v, a(1:6:2, 2:8:3), "section")
    call hpk_pointer(v, p)
    call check(associated(p, a(1:6:2, 2:8:3)) .and. v%layout() == hpk_layout_stride, "a section")
    call check(all(v%strides() == [2, 18]) .and. all(v%shape() == [3, 3]), "strides of a section")
    call hpk_sum(v, total)
    call check(total == sum(a(1:6:2, 2:8:3)), "the sum of a section")
    call hpk_fill(v, -1)
    call check(all(a(1:6:2, 2:8:3) == -1) .and. a(2, 2) == 8, "a section that is filled")
    call hpk_wrap(v, a(3, :))
    call hpk_pointer(v, p1)
    call check(associated(p1, a(3, :)), "a row")
    z = (1, 2)
    p1 => z%im ! gfortran 12 crashes if z%im is the argument
    call hpk_wrap(v, p1)
    call check(all(v%strides() == [2]), "strides of the imaginary parts")
    call hpk_sum(v, total)
    call check(total == 8, "the imaginary parts")
    pairs%k = 5
    k => pairs%k ! gfortran 12 passes the address of the first component if pairs%k is the argument
    call hpk_wrap(v, k)
    nullify (k)
    call hpk_pointer(v, k)
    ! associated() of gfortran compares descriptors, which may differ for the same elements.
    call check(all(k == 5) .and. c_associated(c_loc(k(3)), c_loc(pairs(3)%k)), "a component")
  end subroutine sections

  subroutine nothing()
    real(c_double), allocatable, target :: a(:, :), none(:)
    real(c_double), pointer :: p(:, :)
    real(c_double), target :: b(4)
    type(hpk_view) :: v, w
    real(c_double) :: total
    character(200) :: errmsg
    integer :: stat
    nullify (p)
    allocate (a(3, 0))
    call hpk_wrap(v, a, "empty")
    call hpk_pointer(v, p)
    call check(all(v%shape() == [3, 0]) .and. v%size() == 0 .and. size(p) == 0, "a zero extent")
    call check(associated(p), "a pointer to nothing")
    call hpk_sum(v, total)
    call check(total == 0, "the sum of nothing")
    call hpk_create(w, hpk_float64, [3, 0])
    call hpk_pointer(w, p)
    call check(associated(p) .and. all(shape(p) == [3, 0]), "a view of nothing")
    call hpk_deep_copy(w, a)
    call hpk_deep_copy(a, w)
    call hpk_deep_copy(w, a(1:3:2, :), stat)
    call check(stat /= 0, "nothing of another shape")
    call hpk_wrap(v, b(3:2), "no elements")
    call check(v%size() == 0, "a section of nothing")
    call hpk_wrap(v, none, stat=stat, errmsg=errmsg)
    call check_error(stat, hpk_invalid_argument, errmsg, "the array is absent or not allocated")
  end subroutine nothing

  subroutine wrong_arrays()
    real(c_double), target :: a(5)
    type(hpk_view) :: v, w
    character(400) :: errmsg
    integer :: stat, k
    a = 1
    call hpk_wrap(v, a, "before")
    errmsg = "unchanged"
    call hpk_wrap(w, a, stat=stat, errmsg=errmsg)
    call check(stat == hpk_ok .and. errmsg == "unchanged", "success changes no errmsg")
    call hpk_wrap(v, a(5:1:-1), stat=stat, errmsg=errmsg)
    call check_error(stat, hpk_invalid_argument, errmsg, "dimension 1 of the array has a negative stride; pass "// &
                     "the array in the order of its memory, x(1:n) instead of x(n:1:-1), or a copy")
    call check(v%label() == "before", "an error changes no view")
    call hpk_create(v, hpk_float64, [(2, k=1, 9)], stat=stat)
    call check(stat == hpk_invalid_argument, "rank 9")
    call hpk_create(v, hpk_float64, [3], space="Moon", stat=stat, errmsg=errmsg)
    call check(stat == hpk_invalid_argument .and. index(errmsg, "'Moon'") /= 0, "a space: "//trim(errmsg))
    call assumed_size(a)
    call hpk_create(v, hpk_float64, [4], "four")
    call hpk_deep_copy(v, a, stat, errmsg)
    call check(stat /= 0 .and. index(errmsg, "four") /= 0, "a copy of another shape: "//trim(errmsg))
    call hpk_create(w, hpk_float32, [4], "narrow")
    call hpk_deep_copy(v, w, stat, errmsg)
    call check(stat == hpk_type_mismatch, "a copy of another type: "//trim(errmsg))
    call hpk_release(w)
    call hpk_sort(w, stat=stat, errmsg=errmsg)
    call check_error(stat, hpk_invalid_argument, errmsg, &
                     "hpk_sort: the view is empty: no hpk_create or other call has set it")
  end subroutine wrong_arrays

  subroutine assumed_size(a)
    real(c_double), target :: a(*)
    type(hpk_view) :: v
    call hpk_wrap(v, a(1:4))
    call check(v%size() == 4, "a section of an assumed size")
  end subroutine assumed_size

  subroutine wrong_pointers()
    real(c_double), target :: a(5)
    real(c_double), pointer :: p(:), p2(:, :)
    real(c_float), pointer :: q(:)
    type(hpk_view) :: v
    character(200) :: errmsg
    integer :: stat
    nullify (p, p2, q)
    call hpk_wrap(v, a, "five")
    call hpk_pointer(v, p2, stat=stat, errmsg=errmsg)
    call check_error(stat, hpk_type_mismatch, errmsg, &
                     'hpk_pointer: View "five" has rank 1; the pointer has rank 2')
    call check(.not. associated(p2), "a pointer after an error")
    call hpk_pointer(v, q, stat=stat, errmsg=errmsg)
    call check_error(stat, hpk_type_mismatch, errmsg, 'hpk_pointer: View "five" has elements of float64; '// &
                     'the pointer is a real(c_float)')
    call hpk_wrap(v, a, "constants", read_only=.true.)
    call check(v%is_read_only(), "read-only")
    call hpk_pointer(v, p, stat=stat, errmsg=errmsg)
    call check_error(stat, hpk_type_mismatch, errmsg, 'hpk_pointer: View "constants" is read-only; write '// &
                     'read_only=.true. for a pointer through which nothing is written')
    call hpk_pointer(v, p, read_only=.true.)
    call check(associated(p, a), "a pointer to constants")
    call hpk_fill(v, 0, stat=stat)
    call check(stat /= 0, "constants are not filled")
  end subroutine wrong_pointers

  ! Views share memory; the last one frees it.
  subroutine lifetimes()
    type(hpk_view) :: v, w, all_of_them(3)
    type(hpk_view), allocatable :: more(:)
    real(c_double), pointer :: p(:)
    nullify (p)
    call hpk_create(v, hpk_float64, [1000], "shared")
    call hpk_fill(v, 7)
    w = v
    v = v
    call hpk_release(v)
    call check(.not. v%is_set() .and. w%is_set(), "released")
    call hpk_pointer(w, p)
    call check(all(p == 7), "the other view keeps the memory")
    all_of_them = w
    allocate (more(2))
    more = all_of_them(1:2)
    call hpk_release(w)
    call hpk_release(all_of_them)
    call check(more(2)%label() == "shared" .and. all(p == 7), "views in arrays")
    w = more(1)
    deallocate (more)
    call check(w%size() == 1000 .and. all(p == 7), "the last view")
    call hpk_create(w, hpk_float64, [3])
    call check(w%size() == 3, "a view that is replaced")
    w = v
    call check(.not. w%is_set() .and. w%rank() == 0 .and. w%label() == "", "an empty view is assigned")
  end subroutine lifetimes

  ! A component of a derived type that is assigned as a whole. gfortran 12 finalizes a temporary copy
  ! of it: the view is then gone, which is reported, and nothing is freed twice.
  subroutine components()
    type(field) :: a, b
    character(200) :: errmsg
    integer :: stat
    call hpk_create(a%values, hpk_float64, [5], "values")
    b = a
    call check(b%values%label() == "values", "a component of a copy")
    call assign_field(b, a)
    call hpk_fill(b%values, 1, stat=stat, errmsg=errmsg)
    if (stat /= 0) call check_error(stat, hpk_invalid_argument, errmsg, "hpk_fill: the view was released. gfortran "// &
                     "releases it too early if it is a component of a derived type that was assigned as a "// &
                     "whole; assign the component")
    b%values = a%values
    call hpk_fill(b%values, 1)
    call check(a%values%is_set() .and. b%values%is_set(), "components that are assigned")
  end subroutine components

  subroutine assign_field(to, from)
    type(field), intent(inout) :: to
    type(field), intent(in) :: from
    to = from
  end subroutine assign_field

  subroutine descriptions()
    type(hpk_view) :: v
    call hpk_create(v, hpk_uint16, [4, 5], "picture", space=hpk_default_host_space())
    call check(v%label() == "picture" .and. v%type_name() == "uint16", "label and type")
    call check(v%space() == hpk_memory_space(hpk_default_host_space()), "the space of a view")
    call check(v%is_host_accessible() .and. .not. v%is_read_only(), "a view of the host")
    call check(hpk_is_host_accessible(v%space()) .and. .not. hpk_is_host_accessible("Moon"), "spaces")
    call check(c_associated(v%c_view()), "the C view")
    call check(all(v%strides() == [1, 4]) .and. v%layout() == hpk_layout_left, "the default layout")
    call check(any(hpk_spaces() == hpk_default_space()), "the default space")
    call check(index(hpk_configuration(), "hpk") /= 0 .and. len(hpk_version()) > 0, "the configuration")
  end subroutine descriptions

  subroutine parts()
    integer(c_int32_t), target :: a(4, 6)
    integer(c_int32_t), pointer :: p(:, :), p1(:)
    type(hpk_view) :: v, part
    character(200) :: errmsg
    integer :: stat, k
    nullify (p, p1)
    a = reshape([(k, k=1, size(a))], shape(a))
    call hpk_wrap(v, a, "a")
    call hpk_subview(part, v, [2, 1], [4, 6], [2, 3])
    call hpk_pointer(part, p)
    call check(associated(p, a(2:4:2, 1:6:3)), "a subview")
    call hpk_subview(part, v, [3, 3], [2, 3])
    call check(part%size() == 0, "an empty subview")
    call hpk_subview(part, v, [1], [2], stat=stat, errmsg=errmsg)
    call check_error(stat, hpk_invalid_argument, errmsg, &
                     'hpk_subview: View "a": first and last need an index for each dimension')
    call hpk_subview(part, v, [1, 1], [5, 6], stat=stat)
    call check(stat /= 0, "a subview that is too large")
    call hpk_permute(part, v, [2, 1])
    call hpk_pointer(part, p)
    call check(all(p == transpose(a)), "a transpose")
    call hpk_reshape(part, v, [24])
    call hpk_pointer(part, p1)
    call check(all(p1 == [(k, k=1, 24)]), "another shape")
    call hpk_reshape(part, v, [25], stat=stat)
    call check(stat /= 0, "a shape of another size")
  end subroutine parts

end program views
