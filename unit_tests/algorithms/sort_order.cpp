// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/sort_order.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace {

using hpk::detail::sorting::key_order;
using hpk::detail::sorting::reverse_order;

// Conversion to bits and back preserves all bits, also of NaNs, and bits order numbers as operator<
// does.
template <class T>
void expect_order() {
  using order = key_order<T>;
  using bits = typename order::bits;
  std::mt19937_64 random(5);
  for (int k = 0; k < 20000; ++k) {
    const auto number = static_cast<bits>(random());
    EXPECT_EQ(order::to_bits(order::from_bits(number)), number);
    EXPECT_EQ(reverse_order<order>::to_bits(reverse_order<order>::from_bits(number)), number);
    const auto other = static_cast<bits>(random());
    const T a = order::from_bits(number);
    const T b = order::from_bits(other);
    if (a < b) {
      EXPECT_LT(number, other);
    }
    if (b < a) {
      EXPECT_LT(other, number);
    }
    if (a != a && b == b) {
      EXPECT_GT(number, other);
    }
  }
}

TEST(SortOrder, keeps_bits_and_order) {
  expect_order<std::int8_t>();
  expect_order<std::uint16_t>();
  expect_order<int>();
  expect_order<long>();
  expect_order<unsigned long long>();
  expect_order<float>();
  expect_order<double>();
  expect_order<hpk::Experimental::half_t>();
  expect_order<hpk::Experimental::bhalf_t>();
}

TEST(SortOrder, only_numbers_have_one) {
  EXPECT_TRUE(key_order<char>::by_bits);
  EXPECT_TRUE(key_order<bool>::by_bits);
  EXPECT_FALSE(key_order<long double>::by_bits);
  EXPECT_FALSE(key_order<const char*>::by_bits);
  struct any_less {};
  using hpk::detail::sorting::order_of_t;
  EXPECT_FALSE((order_of_t<int, any_less>::by_bits));
  EXPECT_TRUE((order_of_t<int, hpk::less<int>>::by_bits));
  EXPECT_EQ((order_of_t<unsigned, hpk::greater<unsigned>>::to_bits(1)), ~1u);
}

}  // namespace
