! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! The algorithms of module hpk: they run on `on`, an instance that can access the memory of the view;
! by default on the default host space, or on the device whose memory it is. Results are there when
! the procedure returns, elements after hpk_fence or hpk_deep_copy.
module hpk_algorithms
  use, intrinsic :: iso_c_binding
  use hpk_c
  use hpk_errors
  use hpk_runtime
  use hpk_views
  implicit none
  private
  public :: hpk_fill, hpk_sum, hpk_product, hpk_minval, hpk_maxval, hpk_all, hpk_any, hpk_count
  public :: hpk_dot_product, hpk_scan, hpk_sort, hpk_sort_by_key, hpk_random_uniform
  public :: hpk_random_normal

contains

  ! Sets all elements to a number. An error if the element type can't represent it.
  subroutine hpk_fill(view, value, on, stat, errmsg)
    type(hpk_view), intent(in) :: view
    type(*), dimension(..), intent(in) :: value
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: c_view, instance
    integer(c_int) :: status
    call view_pointer(view, "hpk_fill", c_view, status)
    call instance_pointer(on, "hpk_fill", instance, status)
    if (status == 0) status = c_fill(c_view, value, instance)
    call finish(status, stat, errmsg)
  end subroutine hpk_fill

  ! The sum of all elements, with the same bits for any number of threads. The result is a number
  ! that can represent it: integers become real or complex, real numbers become complex.
  subroutine hpk_sum(view, sum, on, stat, errmsg)
    type(hpk_view), intent(in) :: view
    type(*), dimension(..), intent(inout) :: sum
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call reduce(view, "sum", "hpk_sum", sum, on, stat, errmsg)
  end subroutine hpk_sum

  ! The product of all elements.
  subroutine hpk_product(view, product, on, stat, errmsg)
    type(hpk_view), intent(in) :: view
    type(*), dimension(..), intent(inout) :: product
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call reduce(view, "prod", "hpk_product", product, on, stat, errmsg)
  end subroutine hpk_product

  ! The smallest element. An error if there is none, and for complex numbers.
  subroutine hpk_minval(view, smallest, on, stat, errmsg)
    type(hpk_view), intent(in) :: view
    type(*), dimension(..), intent(inout) :: smallest
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call reduce(view, "min", "hpk_minval", smallest, on, stat, errmsg)
  end subroutine hpk_minval

  ! The largest element. An error if there is none, and for complex numbers.
  subroutine hpk_maxval(view, largest, on, stat, errmsg)
    type(hpk_view), intent(in) :: view
    type(*), dimension(..), intent(inout) :: largest
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call reduce(view, "max", "hpk_maxval", largest, on, stat, errmsg)
  end subroutine hpk_maxval

  ! Whether all elements are true, or not 0.
  subroutine hpk_all(view, all, on, stat, errmsg)
    type(hpk_view), intent(in) :: view
    logical, intent(out) :: all
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    logical(c_bool) :: result_value
    result_value = .false.
    call reduce(view, "all", "hpk_all", result_value, on, stat, errmsg)
    all = result_value
  end subroutine hpk_all

  ! Whether an element is true, or not 0.
  subroutine hpk_any(view, any, on, stat, errmsg)
    type(hpk_view), intent(in) :: view
    logical, intent(out) :: any
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    logical(c_bool) :: result_value
    result_value = .false.
    call reduce(view, "any", "hpk_any", result_value, on, stat, errmsg)
    any = result_value
  end subroutine hpk_any

  ! The number of elements that are true, or not 0.
  subroutine hpk_count(view, count, on, stat, errmsg)
    type(hpk_view), intent(in) :: view
    type(*), dimension(..), intent(inout) :: count
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call reduce(view, "count", "hpk_count", count, on, stat, errmsg)
  end subroutine hpk_count

  ! The sum of x*y, or of conjg(x)*y, over all elements of two views of one type and shape.
  subroutine hpk_dot_product(x, y, product, on, stat, errmsg)
    type(hpk_view), intent(in) :: x, y
    type(*), dimension(..), intent(inout) :: product
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: c_x, c_y, instance
    integer(c_int) :: status
    c_y = c_null_ptr
    call view_pointer(x, "hpk_dot_product", c_x, status)
    if (status == 0) call view_pointer(y, "hpk_dot_product", c_y, status)
    call instance_pointer(on, "hpk_dot_product", instance, status)
    if (status == 0) status = c_dot(c_x, c_y, instance, product)
    call finish(status, stat, errmsg)
  end subroutine hpk_dot_product

  ! Scans views of rank 1: to(i) is the sum of from(1:i), or from(1:i-1) if exclusive. operation:
  ! "sum" (the default), "prod", "min" or "max". `to` may be `from`.
  subroutine hpk_scan(to, from, operation, exclusive, on, stat, errmsg)
    type(hpk_view), intent(in) :: to, from
    character(*), intent(in), optional :: operation
    logical, intent(in), optional :: exclusive
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char, len=:), allocatable :: c_operation
    type(c_ptr) :: c_to, c_from, instance
    integer(c_int) :: status
    c_operation = to_c("sum")
    if (present(operation)) c_operation = to_c(operation)
    c_from = c_null_ptr
    call view_pointer(to, "hpk_scan", c_to, status)
    if (status == 0) call view_pointer(from, "hpk_scan", c_from, status)
    call instance_pointer(on, "hpk_scan", instance, status)
    if (status == 0) status = c_scan(c_to, c_from, c_operation, is_true(exclusive), instance)
    call finish(status, stat, errmsg)
  end subroutine hpk_scan

  ! Sorts a view of rank 1, from the smallest element, or with descending from the largest.
  subroutine hpk_sort(view, descending, on, stat, errmsg)
    type(hpk_view), intent(in) :: view
    logical, intent(in), optional :: descending
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: c_view, instance
    integer(c_int) :: status
    call view_pointer(view, "hpk_sort", c_view, status)
    call instance_pointer(on, "hpk_sort", instance, status)
    if (status == 0) status = c_sort(c_view, is_true(descending), instance)
    call finish(status, stat, errmsg)
  end subroutine hpk_sort

  ! Sorts keys, of rank 1, and applies the permutation to values.
  subroutine hpk_sort_by_key(keys, values, descending, on, stat, errmsg)
    type(hpk_view), intent(in) :: keys, values
    logical, intent(in), optional :: descending
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: c_keys, c_values, instance
    integer(c_int) :: status
    c_values = c_null_ptr
    call view_pointer(keys, "hpk_sort_by_key", c_keys, status)
    if (status == 0) call view_pointer(values, "hpk_sort_by_key", c_values, status)
    call instance_pointer(on, "hpk_sort_by_key", instance, status)
    if (status == 0) status = c_sort_by_key(c_keys, c_values, is_true(descending), instance)
    call finish(status, stat, errmsg)
  end subroutine hpk_sort_by_key

  ! Fills a view with random numbers in [low, high), by default in [0, 1). They depend on the seed
  ! and the position of the element alone.
  subroutine hpk_random_uniform(view, seed, low, high, on, stat, errmsg)
    type(hpk_view), intent(in) :: view
    integer, intent(in), optional :: seed
    real(c_double), intent(in), optional :: low, high
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call fill_random(view, "uniform", "hpk_random_uniform", seed, number(low, 0d0), &
                     number(high, 1d0), on, stat, errmsg)
  end subroutine hpk_random_uniform

  ! The same with the normal distribution, by default of mean 0 and deviation 1.
  subroutine hpk_random_normal(view, seed, mean, deviation, on, stat, errmsg)
    type(hpk_view), intent(in) :: view
    integer, intent(in), optional :: seed
    real(c_double), intent(in), optional :: mean, deviation
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    call fill_random(view, "normal", "hpk_random_normal", seed, number(mean, 0d0), &
                     number(deviation, 1d0), on, stat, errmsg)
  end subroutine hpk_random_normal

  subroutine reduce(view, operation, name, result_value, on, stat, errmsg)
    type(hpk_view), intent(in) :: view
    character(*), intent(in) :: operation, name
    type(*), dimension(..), intent(inout) :: result_value
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: c_view, instance
    integer(c_int) :: status
    call view_pointer(view, name, c_view, status)
    call instance_pointer(on, name, instance, status)
    if (status == 0) status = c_reduce(c_view, to_c(operation), instance, result_value, to_c(name))
    call finish(status, stat, errmsg)
  end subroutine reduce

  subroutine fill_random(view, distribution, name, seed, a, b, on, stat, errmsg)
    type(hpk_view), intent(in) :: view
    character(*), intent(in) :: distribution, name
    integer, intent(in), optional :: seed
    real(c_double), intent(in) :: a, b
    type(hpk_instance), intent(in), optional :: on
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: c_view, instance
    integer(c_int) :: status
    integer(c_int64_t) :: c_seed
    c_seed = 0
    if (present(seed)) c_seed = seed
    call view_pointer(view, name, c_view, status)
    call instance_pointer(on, name, instance, status)
    if (status == 0) status = c_fill_random(c_view, to_c(distribution), c_seed, a, b, instance)
    call finish(status, stat, errmsg)
  end subroutine fill_random

  function is_true(flag) result(number)
    logical, intent(in), optional :: flag
    integer(c_int) :: number
    number = 0
    if (present(flag)) number = merge(1, 0, flag)
  end function is_true

  function number(given, default) result(chosen)
    real(c_double), intent(in), optional :: given
    real(c_double), intent(in) :: default
    real(c_double) :: chosen
    chosen = default
    if (present(given)) chosen = given
  end function number

end module hpk_algorithms
