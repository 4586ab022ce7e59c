// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference values of special functions at some hundred points, computed with many digits
// (special_values.py), and their comparison with the results of kernels.
#pragma once

#include <support/spaces.hpp>

#include <hpk/complex.hpp>

#include <cmath>
#include <vector>

namespace hpk_test {

enum class special {
  j0,
  j1,
  y0,
  y1,
  i0,
  i1,
  k0,
  k1,
  h10,
  h11,
  h20,
  h21,
  erf,
  erfcx,
  erfcx_real,
  expint1
};

/// A value at x + iy, and the size by which its error is measured.
struct special_value {
  special function;
  double x, y;
  double re, im;
  double size;
};

/// Returns the values of the functions from `first` to `last`.
inline std::vector<special_value> special_values(special first, special last) {
  using enum special;
  static constexpr special_value all[] = {
#include <support/special_values.inc>
  };
  std::vector<special_value> found;
  for (const special_value& value : all) {
    if (value.function >= first && value.function <= last) found.push_back(value);
  }
  return found;
}

/// Checks the largest error of kernels of Exec that compute in T, in units of the promised error.
/// evaluate(function, x, y) returns complex<T>.
template <class Exec, class T, class Evaluate>
void compare_special_values(special first, special last, Evaluate evaluate) {
  // For float the only additional error is one rounding.
  constexpr double promised = std::is_same_v<T, double> ? 1e-14 : 6e-8;
  const std::vector<special_value> values = special_values(first, last);
  ASSERT_FALSE(values.empty());
  const int n = static_cast<int>(values.size());
  hpk::View<special_value*, Exec> points("points", values.size());
  hpk::View<hpk::complex<T>*, Exec> results("results", values.size());
  hpk::deep_copy(points, hpk::as_view(values));
  hpk::parallel_for(
      "special", hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i) {
        const special_value& point = points(i);
        results(i) = evaluate(point.function, static_cast<T>(point.x), static_cast<T>(point.y));
      });
  const auto computed = on_host(results);
  for (int i = 0; i < n; ++i) {
    const special_value& value = values[i];
    const double size = std::hypot(value.re, value.im);
    if (std::is_same_v<T, float> && (value.size > 1e38 || size < 1e-36)) continue;
    const double error = std::hypot(static_cast<double>(computed(i).real()) - value.re,
                                    static_cast<double>(computed(i).imag()) - value.im);
    EXPECT_LE(error / value.size, promised)
        << "function " << static_cast<int>(value.function) << " of " << value.x << ", " << value.y
        << " is " << computed(i).real() << ", " << computed(i).imag() << ", not " << value.re
        << ", " << value.im;
    // On an axis, zero parts are exactly zero.
    if (value.x != 0 && value.y != 0) continue;
    EXPECT_TRUE(value.re != 0 || computed(i).real() == 0) << value.x << ' ' << value.y;
    EXPECT_TRUE(value.im != 0 || computed(i).imag() == 0) << value.x << ' ' << value.y;
  }
}

}  // namespace hpk_test
