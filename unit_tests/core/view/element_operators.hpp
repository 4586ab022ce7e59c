// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operators of elements that a memory trait reaches through an object.
#pragma once

#include <cstdint>

#include <hpk/core.hpp>

#include <gtest/gtest.h>

#include <type_traits>

namespace hpk_test {

/// Expects that every operator of an element gives what it gives for a T.
template <class T, class Traits>
void check_element_operators() {
  const hpk::View<T*, hpk::HostSpace, Traits> v("v", 2);
  EXPECT_EQ(v(0) = T(5), T(5));
  EXPECT_EQ(v(0), T(5));
  EXPECT_EQ(v(0).load(), T(5));
  EXPECT_EQ(v(0) += T(3), T(8));
  EXPECT_EQ(v(0) -= T(2), T(6));
  EXPECT_EQ(v(0) *= T(4), T(24));
  EXPECT_EQ(v(0) /= T(3), T(8));
  EXPECT_EQ(v(0)++, T(8));
  EXPECT_EQ(++v(0), T(10));
  EXPECT_EQ(v(0)--, T(10));
  EXPECT_EQ(--v(0), T(8));
  v(0).inc();
  v(0).inc();
  v(0).dec();
  EXPECT_EQ(v(0), T(9));
  v(1) = v(0);
  EXPECT_EQ(v[1], T(9));
  EXPECT_TRUE(v(1) == v(0) && v(1) >= T(9) && !(v(1) < T(9)));
  if constexpr (std::is_integral_v<T>) {
    EXPECT_EQ(v(0) %= T(5), T(4));
    EXPECT_EQ(v(0) |= T(3), T(7));
    EXPECT_EQ(v(0) &= T(6), T(6));
    EXPECT_EQ(v(0) ^= T(5), T(3));
    EXPECT_EQ(v(0) <<= T(3), T(24));
    EXPECT_EQ(v(0) >>= T(2), T(6));
  }
}

/// Checks the operators of elements of every kind of number.
template <class Traits>
void check_element_operators_of_numbers() {
  check_element_operators<signed char, Traits>();
  check_element_operators<unsigned short, Traits>();
  check_element_operators<int, Traits>();
  check_element_operators<std::int64_t, Traits>();
  check_element_operators<std::uint64_t, Traits>();
  check_element_operators<float, Traits>();
  check_element_operators<double, Traits>();
  check_element_operators<long double, Traits>();
}

}  // namespace hpk_test
