// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constants of the C library. math.cpp tests its functions.
#include <hpk/math/c_math.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace base_c_math_test {
namespace {

TEST(CMath, knows_the_classes_of_numbers) {
  EXPECT_EQ(hpk::detail::fp_nan, std::fpclassify(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(hpk::detail::fp_infinite, std::fpclassify(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(hpk::detail::fp_zero, std::fpclassify(0.0));
  EXPECT_EQ(hpk::detail::fp_subnormal, std::fpclassify(std::numeric_limits<double>::denorm_min()));
  EXPECT_EQ(hpk::detail::fp_normal, std::fpclassify(1.0));
}

TEST(CMath, calls_the_functions) {
  volatile double x = 0.5;
  EXPECT_EQ(HPK_DETAIL_C_MATH(sin)(x), std::sin(0.5));
}

}  // namespace
}  // namespace base_c_math_test
