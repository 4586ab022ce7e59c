// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares error functions with reference values of many digits, and tests special values and
// identities.
#include <hpk/special_functions.hpp>

#include <support/numbers.hpp>
#include <support/spaces.hpp>
#include <support/special_values.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace base_error_functions_test {
namespace {

using hpk::complex;
using hpk::Experimental::erf;
using hpk::Experimental::erfcx;
using hpk_test::same;
using hpk_test::special;

template <class Exec>
class ErrorFunctions : public testing::Test {};
TYPED_TEST_SUITE(ErrorFunctions, hpk_test::spaces, hpk_test::space_names);

template <class T>
struct evaluate {
  HPK_FUNCTION complex<T> operator()(special function, T x, T y) const {
    if (function == special::erf) return erf(complex<T>(x, y));
    if (function == special::erfcx) return erfcx(complex<T>(x, y));
    return erfcx(x);
  }
};

HPK_TYPED_TEST(ErrorFunctions, are_those_of_many_digits) {
  hpk_test::compare_special_values<TypeParam, double>(special::erf, special::erfcx_real,
                                                      evaluate<double>());
}
HPK_TYPED_TEST(ErrorFunctions, of_float_are_rounded_once) {
  hpk_test::compare_special_values<TypeParam, float>(special::erf, special::erfcx_real,
                                                     evaluate<float>());
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

testing::AssertionResult is(const complex<double>& a, double re, double im) {
  if (same(a.real(), re) && same(a.imag(), im)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << a << " is not " << re << ", " << im;
}

TEST(ErrorFunctionsAtInfinity, have_their_limits) {
  EXPECT_TRUE(is(erf(complex<double>(infinity, 0.0)), 1, 0));
  EXPECT_TRUE(is(erf(complex<double>(-infinity, -0.0)), -1, -0.0));
  EXPECT_TRUE(is(erf(complex<double>(-infinity, 3.0)), -1, 0));
  EXPECT_TRUE(is(erf(complex<double>(0.0, -infinity)), 0, -infinity));
  EXPECT_TRUE(is(erf(complex<double>(1.0, infinity)), nan, nan));
  EXPECT_TRUE(is(erf(complex<double>(nan, 0.0)), nan, 0));
  EXPECT_TRUE(is(erf(complex<double>(1.0, nan)), nan, nan));
  EXPECT_TRUE(is(erfcx(complex<double>(infinity, 0.0)), 0, -0.0));
  EXPECT_TRUE(is(erfcx(complex<double>(infinity, -infinity)), 0, 0));
  EXPECT_TRUE(is(erfcx(complex<double>(-2.0, infinity)), 0, -0.0));
  EXPECT_TRUE(is(erfcx(complex<double>(-infinity, 0.0)), infinity, -0.0));
  EXPECT_TRUE(is(erfcx(complex<double>(-infinity, 1.0)), nan, nan));
  EXPECT_TRUE(is(erfcx(complex<double>(nan, 1.0)), nan, nan));
  EXPECT_EQ(erfcx(infinity), 0);
  EXPECT_EQ(erfcx(-infinity), infinity);
  EXPECT_EQ(erfcx(-27.0), infinity);
  EXPECT_TRUE(std::isnan(erfcx(nan)) && std::isnan(erfcx(static_cast<float>(nan))));
  EXPECT_EQ(erfcx(0), 1);
  EXPECT_EQ(erfcx(std::numeric_limits<double>::max()),
            0.56418958354775628 / std::numeric_limits<double>::max());
}

TEST(ErrorFunctionsAtZero, keep_signs_of_zeros) {
  EXPECT_TRUE(is(erf(complex<double>(0.0, -0.0)), 0, -0.0));
  EXPECT_TRUE(is(erf(complex<double>(-0.0, 0.0)), -0.0, 0));
  EXPECT_TRUE(is(erf(complex<double>(-0.0, 5e-324)), -0.0, 5e-324));
  EXPECT_TRUE(is(erfcx(complex<double>(0.0, 0.0)), 1, -0.0));
  // 2 / sqrt(pi) times the smallest numbers.
  EXPECT_TRUE(
      is(erf(complex<double>(1e-310, 1e-310)), 1.1283791670955126e-310, 1.1283791670955126e-310));
}

TEST(ErrorFunctionsAtOverflow, go_as_far_as_the_result_does) {
  // e^(26.7^2) overflows, e^(26.7^2) / (26.7 sqrt(pi)) does not.
  const complex<double> large = erf(complex<double>(0.0, 26.7));
  EXPECT_TRUE(std::isfinite(large.imag()) && large.imag() > 1e307);
  EXPECT_EQ(erf(complex<double>(0.0, 28.0)).imag(), infinity);
  EXPECT_EQ(erf(complex<double>(1e200, 1.0)), 1);
}

TEST(ErrorFunctionsEverywhere, are_odd_and_conjugate) {
  for (double x = -9; x < 9; x += 0.37) {
    for (double y = -9; y < 9; y += 0.41) {
      const complex<double> z(x, y);
      const complex<double> e = erf(z);
      ASSERT_EQ(erf(-z), -e) << z;
      ASSERT_EQ(erf(conj(z)), conj(e)) << z;
      ASSERT_EQ(erfcx(conj(z)), conj(erfcx(z))) << z;
      // erfcx(z) + erfcx(-z) = 2 e^(z^2)
      const complex<double> sum = erfcx(z) + erfcx(-z);
      const complex<double> whole = 2.0 * hpk::exp(z * z);
      ASSERT_LE(hpk::abs(sum - whole), 1e-13 * (hpk::abs(whole) + 1)) << z;
    }
  }
}

TEST(ErrorFunctionsEverywhere, of_real_numbers_are_those_of_the_standard_library) {
  double worst = 0;
  for (double x = -26; x < 26; x += 0.0137) {
    ASSERT_EQ(erf(complex<double>(x, 0.0)).real(), std::erf(x));
    const double product = erfcx(x) * std::exp(-x * x);
    // The error of the product is the error of x * x, which has an error in its last digit.
    worst = std::max(worst, std::abs(product / std::erfc(x) - 1) / (1 + x * x));
    ASSERT_NEAR(erfcx(complex<double>(x, 0.0)).real() / erfcx(x), 1, 1e-15);
  }
  EXPECT_LE(worst, 1e-15);
}

static_assert(std::is_same_v<decltype(erfcx(1.0f)), float>);
static_assert(std::is_same_v<decltype(erfcx(1)), double>);
static_assert(std::is_same_v<decltype(erfcx(complex<float>())), complex<float>>);
static_assert(std::is_same_v<decltype(erf(complex<float>())), complex<float>>);
// hpk::erf of half types, which are in hpk::Experimental too, still returns the half type.
using hpk::Experimental::half_t;
static_assert(std::is_same_v<decltype(hpk::erf(half_t())), half_t>);
template <class T>
concept has_erfcx = requires(T x) { hpk::Experimental::erfcx(x); };
static_assert(has_erfcx<short> && !has_erfcx<long double> && !has_erfcx<complex<long double>>,
              "GPUs have none, and double has fewer digits");

}  // namespace
}  // namespace base_error_functions_test
