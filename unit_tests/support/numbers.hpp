// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments for the tests of functions of numbers, and a comparison of results.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace hpk_test {

/// Appends the numbers with the other sign.
template <class T>
std::vector<T> with_negatives(std::vector<T> values) {
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  return values;
}

/// Whether two numbers are equal, with the signs of zeros, or both are NaN.
template <class T>
bool same(T a, T b) {
  if (a != a || b != b) return a != a && b != b;
  return a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace hpk_test
