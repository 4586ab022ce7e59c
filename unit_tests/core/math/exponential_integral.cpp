// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the exponential integral with reference values of many digits, and tests its special
// values.
#include <hpk/special_functions.hpp>

#include <support/spaces.hpp>
#include <support/special_values.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace base_exponential_integral_test {
namespace {

using hpk::complex;
using hpk::Experimental::expint1;
using hpk_test::special;

template <class Exec>
class ExponentialIntegral : public testing::Test {};
TYPED_TEST_SUITE(ExponentialIntegral, hpk_test::spaces, hpk_test::space_names);

template <class T>
struct evaluate {
  HPK_FUNCTION complex<T> operator()(special, T x, T) const { return expint1(x); }
};

HPK_TYPED_TEST(ExponentialIntegral, is_that_of_many_digits) {
  hpk_test::compare_special_values<TypeParam, double>(special::expint1, special::expint1,
                                                      evaluate<double>());
}
HPK_TYPED_TEST(ExponentialIntegral, of_float_is_rounded_once) {
  hpk_test::compare_special_values<TypeParam, float>(special::expint1, special::expint1,
                                                     evaluate<float>());
}

TEST(ExponentialIntegralAtEnds, has_its_limits) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(expint1(0.0), infinity);
  EXPECT_EQ(expint1(-0.0), infinity);
  EXPECT_EQ(expint1(-1), -infinity);
  EXPECT_EQ(expint1(-infinity), -infinity);
  EXPECT_EQ(expint1(infinity), 0);
  EXPECT_EQ(expint1(1e300), 0);
  EXPECT_TRUE(std::isnan(expint1(std::nan(""))));
  // Subnormal results and arguments.
  EXPECT_NEAR(expint1(738.0) / 5.7e-324, 1, 1);
  EXPECT_NEAR(expint1(5e-324), -0.5772156649015329 - std::log(5e-324), 1e-12);
}

TEST(ExponentialIntegralEverywhere, has_the_derivative_of_an_integral) {
  // E1(a) - E1(b) by Simpson's rule.
  for (double x = 0.05; x < 40; x *= 1.01) {
    const double b = x + 0.002 * std::min(x, 1.0);
    const double m = (x + b) / 2;
    const double area = (b - x) / 6 * (std::exp(-x) / x + 4 * std::exp(-m) / m + std::exp(-b) / b);
    ASSERT_NEAR((expint1(x) - expint1(b)) / area, 1, 1e-11) << x;
  }
}

static_assert(std::is_same_v<decltype(expint1(1.0f)), float>);
static_assert(std::is_same_v<decltype(expint1(1)), double>);

}  // namespace
}  // namespace base_exponential_integral_test
