// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs and expected results for reductions of half types.
#pragma once

#include <hpk/core.hpp>

namespace hpk_test {

/// A View of n elements of one value.
template <class T, class Exec>
hpk::View<T*, Exec> filled(int n, T value) {
  const hpk::View<T*, Exec> data("data", n);
  hpk::deep_copy(data, value);
  return data;
}

/// The sum of n halves of 0.1, rounded once: it is exact in double.
template <class H>
H sum_of_tenths(int n) {
  return H(n * static_cast<double>(H(0.1f)));
}

}  // namespace hpk_test
