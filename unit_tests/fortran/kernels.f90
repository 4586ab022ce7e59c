! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Calls of C++ kernels: each kind of argument, sections, errors, threads.
program kernels
  use, intrinsic :: iso_c_binding
  use hpk
  use test_kernels
  use checks
  implicit none
  call all_scalars()
  call all_arrays()
  call sections()
  call errors()
  call views()
  call threads()
  call end_checks()

contains

  subroutine all_scalars()
    real(c_double) :: sum
    complex(c_double_complex) :: z
    sum = 0
    z = 0
    call scalars(1_c_int8_t, 2_c_int16_t, 3, 4_c_int64_t, 5.0, 6d0, (7.0, 0.0), (0d0, 8d0), .true._c_bool, sum, 2d0, z)
    call check(sum == 2072 .and. z == (1d0, 2072d0), "scalars")
    call check(answer() == 42, "a function without arguments")
    call check(logical(is_hello("hello   ")), "a text with blanks")
    call check(.not. logical(is_hello("hello!")), "a text")
    call check(.not. logical(is_hello("")), "an empty text")
  end subroutine all_scalars

  subroutine all_arrays()
    integer(c_int8_t) :: a(2)
    integer(c_int16_t) :: b(2)
    integer(c_int32_t) :: c(2)
    integer(c_int64_t) :: d(2)
    real(c_float) :: e(2)
    real(c_double) :: f(2), x7(2, 1, 2, 1, 2, 1, 2)
    complex(c_float_complex) :: g(2)
    complex(c_double_complex) :: h(2)
    logical(c_bool) :: i(2)
    a = 0; b = 0; c = 0; d = 0; e = 0; f = 0; g = 0; h = 0; i = .false.
    call arrays(a, b, c, d, e, f, g, h, i)
    call check(all([int(a(1)), int(b(1)), c(1), int(d(1))] == [1, 2, 3, 4]), "integers")
    call check(e(1) == 5 .and. f(1) == 6 .and. g(1) == (7, 8) .and. h(1) == (9, 10), "numbers")
    call check(i(1) .and. .not. i(2), "logical")
    x7 = 0.5d0
    call check(sum_of_rank_7(x7) == 8, "rank 7")
  end subroutine all_arrays

  subroutine sections()
    real(c_double), target :: x(4, 6), y(8)
    integer(c_int32_t) :: a(4, 6), b(6, 4)
    integer(c_int64_t) :: address, stride
    integer :: k
    x = reshape([(real(k, c_double), k=1, 24)], [4, 6])
    address = 0
    stride = 0
    ! LayoutStride: the array itself.
    call where(x, address, stride)
    call check(address == loc(x) .and. stride == 1, "a whole array")
    call where(x(2::2, 3:), address, stride)
    call check(address == loc(x(2, 3)) .and. stride == 2, "a section")
    ! LayoutLeft: the array itself if it is contiguous, else a copy that is copied back.
    call where_left(x, address)
    call check(address == loc(x) .and. x(1, 1) == -1, "a contiguous array")
    call where_left(x(:, 2:3), address)
    call check(address == loc(x(1, 2)) .and. x(1, 2) == -1, "contiguous columns")
    call where_left(x(2:3, 3:4), address)
    call check(address /= loc(x(2, 3)) .and. x(2, 3) == -1, "a section that is copied")
    call where_left(x(2:1, :), address)
    call check(x(2, 1) == 2, "a section of nothing")
    a = reshape([(k, k=1, 24)], [4, 6])
    b = 0
    call transpose_into(a, b)
    call check(all(b == transpose(a)), "a transpose")
    b = 0
    call transpose_into(a(::3, 2:6:2), b(2:6:2, 3:4))
    call check(all(b(2:6:2, 3:4) == transpose(a(::3, 2:6:2))) .and. b(1, 1) == 0, "a transpose of sections")
    y = 1
    call axpy(2d0, [1d0, 2d0, 3d0, 4d0], y(1:7:2))
    call check(all(y == [3, 1, 5, 1, 7, 1, 9, 1]), "axpy of a section")
  end subroutine sections

  subroutine errors()
    real(c_double) :: x(4, 3), y(3)
    integer(c_int32_t) :: a(4, 6), b(6, 4)
    integer(c_int) :: stat
    character(kind=c_char, len=300) :: errmsg
    character(kind=c_char, len=12) :: short
    integer(c_int32_t) :: code
    x = 0
    y = 0
    stat = -1
    errmsg = "unchanged"
    call three_columns(x, stat, errmsg)
    call check(stat == 0 .and. errmsg == "unchanged" .and. x(1, 3) == 3, "no error")
    call three_columns(x(:, 1:2), stat, errmsg)
    call check_error(stat, hpk_type_mismatch, errmsg, &
                     "three_columns: argument x: dimension 2 of the array has extent 2; the View has extent 3")
    call transpose_into(a, b(6:1:-1, :), stat, errmsg)
    call check_error(stat, hpk_invalid_argument, errmsg, "transpose_into: argument to: dimension 1 of the array "// &
                     "has a negative stride; pass the array in the order of its memory, x(1:n) instead of "// &
                     "x(n:1:-1), or a copy")
    code = 0
    call fails("this ", code, stat, errmsg)
    call check_error(stat, hpk_error, errmsg, "fails: text 'this' is wrong")
    call fails("this ", code, stat, short)
    call check_error(stat, hpk_error, short, "fails: text ")
    code = 1
    call fails("", code, stat)
    call check(stat == hpk_out_of_memory, "out of memory")
    code = 7
    call reads_outside(y, code, stat, errmsg)
    call check(stat == hpk_error .and. index(errmsg, "reads_outside: ") == 1 .and. index(errmsg, "7") /= 0, &
               "a wrong index: "//trim(errmsg))
  end subroutine errors

  subroutine views()
    type(hpk_view) :: v, empty
    type(hpk_instance) :: on
    character(hpk_name_length), allocatable :: spaces(:)
    real(c_double) :: x(5)
    integer(c_int) :: stat
    character(kind=c_char, len=300) :: errmsg
    integer :: k
    spaces = hpk_spaces()
    do k = 1, size(spaces)
      call hpk_create_instance(on, trim(spaces(k)))
      call hpk_create(v, hpk_float64, [5], "v", space=trim(spaces(k)))
      call increment(v, on)
      call increment(v, on)
      call hpk_deep_copy(x, v)
      call check(all(x == 2), "a kernel on "//trim(spaces(k)))
      call check(extent_of(v) == 5, "any space")
    end do
    call hpk_create(v, hpk_float32, [5], "v")
    call check(extent_of(v, stat, errmsg) == 0 .and. stat == hpk_type_mismatch .and. &
               index(errmsg, "extent_of: argument x: ") == 1, "another type: "//trim(errmsg))
    call check(extent_of(empty, stat, errmsg) == 0 .and. stat /= 0, "an empty view: "//trim(errmsg))
  end subroutine views

  ! Threads of the program may call kernels at the same time.
  subroutine threads()
    integer, parameter :: n = 64
    real(c_double) :: x(100, n)
    integer :: j, wrong
    integer(c_int) :: stat
    character(kind=c_char, len=100) :: errmsg
    x = 1
    wrong = 0
    !$omp parallel do num_threads(4) schedule(dynamic, 1) private(stat, errmsg) reduction(+:wrong)
    do j = 1, n
      call axpy(real(j, c_double), x(:, j), x(:, j))
      call fails("thread", 2, stat, errmsg)
      if (errmsg /= "fails: text 'thread' is wrong") wrong = wrong + 1
    end do
    !$omp end parallel do
    do j = 1, n
      if (any(x(:, j) /= 1 + j)) wrong = wrong + 1
    end do
    call check(wrong == 0, "threads")
  end subroutine threads

end program kernels
