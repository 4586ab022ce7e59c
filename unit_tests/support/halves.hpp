// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The half types and their numbers, with inputs and expected results of reductions.
#pragma once

#include <hpk/core.hpp>
#include <hpk/half.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace hpk_test {

/// Both half types, for typed suites.
using half_types = testing::Types<hpk::Experimental::half_t, hpk::Experimental::bhalf_t>;

/// The number with these 16 bits.
template <class H>
H half_of(int bits) {
  return H::from_bits(static_cast<std::uint16_t>(bits));
}

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
