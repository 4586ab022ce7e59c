// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of operations. Integers wrap in every width.
#include <hpk/atomic/atomic_operation.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace base_atomic_operation_test {
namespace {

using namespace hpk::detail;

template <class T>
void check_wrapping() {
  constexpr T low = std::numeric_limits<T>::min();
  constexpr T high = std::numeric_limits<T>::max();
  EXPECT_EQ(applied<add_operation>(high, T(1)), low);
  EXPECT_EQ(applied<sub_operation>(low, T(1)), high);
  EXPECT_EQ(applied<mul_operation>(high, T(2)), static_cast<T>(-2));
  EXPECT_EQ(applied<mul_operation>(high, high), T(1));
  EXPECT_EQ(applied<nand_operation>(high, high), low == 0 ? T(0) : low);
}

// -fsanitize=undefined would report an overflow.
TEST(AtomicOperation, wraps_integers) {
  check_wrapping<signed char>();
  check_wrapping<short>();
  check_wrapping<int>();
  check_wrapping<long>();
  check_wrapping<std::uint8_t>();
  check_wrapping<std::uint16_t>();
  check_wrapping<unsigned>();
  check_wrapping<std::uint64_t>();
}

TEST(AtomicOperation, is_that_of_the_language) {
  EXPECT_EQ(applied<add_operation>(1.5, 2.0), 3.5);
  EXPECT_EQ(applied<div_operation>(7, -2), -3);
  EXPECT_EQ(applied<mod_operation>(7, 4), 3);
  EXPECT_EQ(applied<max_operation>(-1.0, 2.0), 2.0);
  EXPECT_EQ(applied<min_operation>(-1, 2), -1);
  EXPECT_EQ(applied<and_operation>(12u, 10u), 8u);
  EXPECT_EQ(applied<or_operation>(12u, 10u), 14u);
  EXPECT_EQ(applied<xor_operation>(12u, 10u), 6u);
  EXPECT_EQ(applied<nand_operation>(12u, 10u), ~8u);
  EXPECT_EQ(applied<lshift_operation>(3, 2), 12);
  EXPECT_EQ(applied<rshift_operation>(12, 2), 3);
  EXPECT_TRUE(applied<nand_operation>(true, false));
  EXPECT_FALSE(applied<nand_operation>(true, true));
}

TEST(AtomicOperation, counts_around) {
  EXPECT_EQ(applied<inc_mod_operation>(1u, 2u), 2u);
  EXPECT_EQ(applied<inc_mod_operation>(2u, 2u), 0u);
  EXPECT_EQ(applied<inc_mod_operation>(7u, 2u), 0u);
  EXPECT_EQ(applied<dec_mod_operation>(1u, 2u), 0u);
  EXPECT_EQ(applied<dec_mod_operation>(0u, 2u), 2u);
  EXPECT_EQ(applied<dec_mod_operation>(7u, 2u), 2u);
}

}  // namespace
}  // namespace base_atomic_operation_test
