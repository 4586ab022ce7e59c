// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/c/detail/numbers.hpp>
#include <hpk/c/detail/reductions.hpp>

#include <string_view>

using namespace hpk::detail::c;

hpk_status hpk_reduce(const hpk_view* view, const char* operation, const hpk_instance* on,
                      hpk_scalar* result) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_reduce";
    expect_view_argument(function, view, "view");
    expect_pointer(function, operation, "operation");
    expect_pointer(function, result, "result");
    const std::string_view name = operation;
    with_dense(function, *view, [&](const hpk_view& x) {
      if (name == "sum") {
        *result = sum_of(function, x, on);
      } else if (name == "prod") {
        *result = product_of(function, x, on);
      } else if (name == "min" || name == "max") {
        if (x.info.size == 0)
          fail_argument(hpk::error_message() << function << " \"" << view->info.label << "\": the "
                                             << name << " of no elements does not exist");
        *result = name == "min" ? minimum_of(function, x, on) : maximum_of(function, x, on);
      } else if (name == "count") {
        *result = scalar_of(count_of_nonzero(function, x, on));
      } else if (name == "any") {
        *result = scalar_of(count_of_nonzero(function, x, on) != 0);
      } else if (name == "all") {
        *result = scalar_of(count_of_nonzero(function, x, on) == x.info.size);
      } else {
        fail_argument(hpk::error_message()
                      << function << " \"" << view->info.label << "\": there is no reduction '" << name
                      << "'; write sum, prod, min, max, all, any or count");
      }
    });
  });
}

hpk_status hpk_dot(const hpk_view* x, const hpk_view* y, const hpk_instance* on, hpk_scalar* result) {
  return hpk::call_from_c([&] {
    const char* const function = "hpk_dot";
    expect_view_argument(function, x, "x");
    expect_view_argument(function, y, "y");
    expect_pointer(function, result, "result");
    expect_same(function, *x, *y);
    expect_same_space(function, *x, *y);
    if (is_dense(x->info) && is_dense(y->info) && x->info.layout == y->info.layout) {
      *result = dot_of(function, *x, *y, on);
    } else {
      const owned_view first(make_dense(function, *x, HPK_LAYOUT_RIGHT));
      const owned_view second(make_dense(function, *y, HPK_LAYOUT_RIGHT));
      *result = dot_of(function, *first.get(), *second.get(), on);
    }
  });
}
