// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exponential integral E1 of real numbers, from host and device. Float arguments are computed
// in double and rounded once. docs/math.md states the accuracy.
#pragma once

#include <hpk/math/error_functions.hpp>

namespace hpk::detail {

HPK_INLINE_FUNCTION double expint1_of(double x) {
  if (x < 0) return -infinite<double>;
  if (x == 0) return infinite<double>;
  if (x < 1.5) {
    // -gamma - log(x) + x - x^2 / (2 2!) + ... (DLMF 6.6.2)
    double power = 1;
    double sum = 0;
    for (int k = 1; k < 24; ++k) {
      power *= -x / k;
      sum -= power / k;
    }
    return (sum - 0.577215664901532860607) - math::log(x);
  }
  // The even part of the continued fraction e^-x / (x + 1 - 1 / (x + 3 - 4 / (x + 5 - 9 / ...))),
  // evaluated from its end (DLMF 6.9.1).
  if (!(x < 800)) return x == x ? 0.0 : x;
  const int terms = 6 + static_cast<int>(90 / x);
  double below = x + (2 * terms + 1);
  for (int k = terms; k > 0; --k) below = x + (2 * k - 1) - static_cast<double>(k) * k / below;
  return math::exp(-x) / below;
}

}  // namespace hpk::detail

namespace hpk::Experimental {

/// The exponential integral: the integral of e^-t / t from x to infinity. Infinite at 0; -infinity
/// for negative numbers, as in Kokkos.
template <detail::special_real R>
HPK_FUNCTION detail::special_real_t<R> expint1(R x) {
  return static_cast<detail::special_real_t<R>>(detail::expint1_of(static_cast<double>(x)));
}

}  // namespace hpk::Experimental
