// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the mathematical functions of half_t and bhalf_t for all values.
#include <hpk/math/half_math.hpp>

#include <support/halves.hpp>
#include <support/spaces.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

namespace base_half_math_test {
namespace {

using hpk::Experimental::bhalf_t;
using hpk::Experimental::half_t;
using hpk_test::half_of;

template <class T>
class HalfMath : public testing::Test {};
TYPED_TEST_SUITE(HalfMath, hpk_test::half_types);

/// The number of steps from a to b: 0 if they are equal or both are NaN, large if one is NaN.
template <class H>
int apart(H a, H b) {
  if (hpk::isnan(a) || hpk::isnan(b)) return hpk::isnan(a) && hpk::isnan(b) ? 0 : 1 << 20;
  const auto place = [](H x) {
    const int size = x.bits() & 0x7fff;
    return (x.bits() & 0x8000) != 0 ? -size : size;
  };
  return std::abs(place(a) - place(b));
}

TYPED_TEST(HalfMath, is_the_function_of_double_rounded) {
// The result is rounded twice, to float and to 16 bits. It may be one step off where the exact
// value is near the middle of two numbers. Functions that are exact in float are not.
#define CHECK(name, most)                                                              \
  for (int bits = 0; bits < 65536; ++bits) {                                           \
    const auto x = half_of<TypeParam>(bits);                                           \
    ASSERT_LE(apart(hpk::name(x), TypeParam(std::name(static_cast<double>(x)))), most) \
        << #name << ' ' << static_cast<float>(x);                                      \
  }                                                                                    \
  static_assert(std::is_same_v<decltype(hpk::name(TypeParam())), TypeParam>);
  CHECK(exp, 1);
  CHECK(exp2, 1);
  CHECK(expm1, 1);
  CHECK(log, 1);
  CHECK(log10, 1);
  CHECK(log2, 1);
  CHECK(log1p, 1);
  CHECK(cbrt, 1);
  CHECK(sin, 1);
  CHECK(cos, 1);
  CHECK(tan, 1);
  CHECK(asin, 1);
  CHECK(acos, 1);
  CHECK(atan, 1);
  CHECK(sinh, 1);
  CHECK(cosh, 1);
  CHECK(tanh, 1);
  CHECK(asinh, 1);
  CHECK(acosh, 1);
  CHECK(atanh, 1);
  CHECK(erf, 1);
  CHECK(erfc, 1);
  CHECK(tgamma, 1);
  CHECK(lgamma, 1);
  CHECK(sqrt, 0);
  CHECK(fabs, 0);
  CHECK(abs, 0);
  CHECK(ceil, 0);
  CHECK(floor, 0);
  CHECK(trunc, 0);
  CHECK(round, 0);
  CHECK(rint, 0);
  CHECK(nearbyint, 0);
  CHECK(logb, 0);
#undef CHECK
}

/// Any number. A NaN is quiet: for infinity and a signaling NaN the result would be a NaN.
template <class H>
H random_number(std::mt19937& random) {
  const H x = half_of<H>(static_cast<int>(random() & 0xffff));
  return hpk::isnan(x) ? std::numeric_limits<H>::quiet_NaN() : x;
}

TYPED_TEST(HalfMath, of_two_numbers_is_the_function_of_double_rounded) {
#define CHECK(name, most)                                                             \
  {                                                                                   \
    std::mt19937 random(5);                                                           \
    for (int k = 0; k < 100000; ++k) {                                                \
      const auto x = random_number<TypeParam>(random);                                \
      const auto y = random_number<TypeParam>(random);                                \
      const double exact = std::name(static_cast<double>(x), static_cast<double>(y)); \
      ASSERT_LE(apart(hpk::name(x, y), TypeParam(exact)), most)                       \
          << #name << ' ' << static_cast<float>(x) << ' ' << static_cast<float>(y);   \
    }                                                                                 \
  }
  CHECK(pow, 1);
  CHECK(hypot, 1);
  CHECK(atan2, 1);
  CHECK(fmod, 0);
  CHECK(remainder, 0);
  CHECK(fdim, 0);
#undef CHECK
}

TYPED_TEST(HalfMath, tells_kinds_of_numbers) {
  for (int bits = 0; bits < 65536; ++bits) {
    const auto x = half_of<TypeParam>(bits);
    const auto wide = static_cast<float>(x);
    ASSERT_EQ(hpk::isnan(x), std::isnan(wide));
    ASSERT_EQ(hpk::isinf(x), std::isinf(wide));
    ASSERT_EQ(hpk::isfinite(x), std::isfinite(wide));
    ASSERT_EQ(hpk::signbit(x), std::signbit(wide));
    const bool subnormal =
        wide != 0 && std::abs(wide) < static_cast<float>(std::numeric_limits<TypeParam>::min());
    ASSERT_EQ(hpk::isnormal(x), std::isfinite(wide) && wide != 0 && !subnormal);
    ASSERT_EQ(hpk::fpclassify(x), subnormal ? FP_SUBNORMAL : std::fpclassify(wide));
    ASSERT_EQ(hpk::copysign(x, TypeParam(-1)).bits(), bits | 0x8000);
    if (std::isfinite(wide) && std::abs(wide) < 1e9f) {
      ASSERT_EQ(hpk::lround(x), std::lround(wide));
      ASSERT_EQ(hpk::lrint(x), std::lrint(wide));
      ASSERT_EQ(hpk::llround(x), std::llround(wide));
      ASSERT_EQ(hpk::llrint(x), std::llrint(wide));
      ASSERT_EQ(hpk::ilogb(x), std::ilogb(wide));
    }
  }
}

// An integer operand is converted, as in an addition.
TYPED_TEST(HalfMath, takes_integers_beside_halves) {
  const TypeParam x(-2.5f);
  EXPECT_EQ(hpk::copysign(3, x), TypeParam(-3));
  EXPECT_EQ(hpk::copysign(x, 1), TypeParam(2.5f));
  EXPECT_EQ(hpk::nextafter(0, x).bits(), 0x8001);
  EXPECT_EQ(hpk::nextafter(x, -2), hpk::nextafter(x, TypeParam(-2)));
  EXPECT_EQ(hpk::pow(x, 2), TypeParam(6.25f));
  EXPECT_EQ(hpk::fmax(1, x), TypeParam(1));
  static_assert(std::is_same_v<decltype(hpk::copysign(3, x)), TypeParam>);
}

TYPED_TEST(HalfMath, steps_to_the_next_number) {
  const auto infinity = std::numeric_limits<TypeParam>::infinity();
  EXPECT_EQ(hpk::nextafter(TypeParam(0), TypeParam(1)).bits(), 1);
  EXPECT_EQ(hpk::nextafter(TypeParam(0), TypeParam(-1)).bits(), 0x8001);
  EXPECT_EQ(hpk::nextafter(half_of<TypeParam>(1), TypeParam(0)).bits(), 0);
  EXPECT_EQ(hpk::nextafter(TypeParam(2), TypeParam(2)), 2);
  for (int bits = 1; bits < static_cast<int>(infinity.bits()); ++bits) {
    const auto x = half_of<TypeParam>(bits);
    ASSERT_EQ(hpk::nextafter(x, infinity).bits(), bits + 1);
    ASSERT_EQ(hpk::nextafter(x, -infinity).bits(), bits - 1);
    ASSERT_EQ(hpk::nextafter(-x, -infinity).bits(), (bits + 1) | 0x8000);
  }
  EXPECT_TRUE(hpk::isnan(hpk::nextafter(std::numeric_limits<TypeParam>::quiet_NaN(), infinity)));
}

TYPED_TEST(HalfMath, fused_product_and_sum_is_rounded_once) {
  std::mt19937 random(3);
  int checked = 0;
  for (int k = 0; k < 400000; ++k) {
    const auto x = half_of<TypeParam>(static_cast<int>(random() & 0xffff));
    const auto y = half_of<TypeParam>(static_cast<int>(random() & 0xffff));
    const auto z = half_of<TypeParam>(static_cast<int>(random() & 0xffff));
    // If a long double holds the product and the sum exactly, the conversion rounds once.
    const auto product = static_cast<long double>(x) * static_cast<long double>(y);
    const auto sum = product + static_cast<long double>(z);
    if (!std::isfinite(sum) || sum - product != static_cast<long double>(z) ||
        sum - static_cast<long double>(z) != product)
      continue;
    ASSERT_EQ(apart(hpk::fma(x, y, z), TypeParam(sum)), 0);
    ++checked;
  }
  EXPECT_GT(checked, 10000);
  // 1 + 2^-11 + 2^-21: the nearest double would be the middle of 1 and the next half.
  const half_t tiny = half_t(std::ldexp(1.0, -24));
  EXPECT_EQ(hpk::fma(half_t(1 + std::ldexp(1.0, -10)), half_t(std::ldexp(1.0, -11)), half_t(1)),
            half_t(1 + std::ldexp(1.0, -10)));
  EXPECT_EQ(hpk::fma(tiny, tiny, half_t(1)), 1);
}

TYPED_TEST(HalfMath, has_the_other_functions) {
  const TypeParam x = 2.5;
  const TypeParam y = -1.5;
  EXPECT_EQ(hpk::pow(x, TypeParam(2)), 6.25);
  EXPECT_EQ(hpk::hypot(TypeParam(3), TypeParam(4)), 5);
  EXPECT_EQ(hpk::hypot(TypeParam(2), TypeParam(3), TypeParam(6)), 7);
  EXPECT_EQ(hpk::atan2(x, y), TypeParam(std::atan2(2.5f, -1.5f)));
  EXPECT_EQ(hpk::fmod(x, y), 1);
  EXPECT_EQ(hpk::remainder(x, y), -0.5);
  EXPECT_EQ(hpk::fmax(x, y), 2.5);
  EXPECT_EQ(hpk::fmin(x, y), -1.5);
  EXPECT_EQ(hpk::fdim(x, y), 4);
  EXPECT_TRUE(hpk::isgreater(x, y) && hpk::isgreaterequal(x, y) && hpk::islessgreater(x, y));
  EXPECT_FALSE(hpk::isless(x, y) || hpk::islessequal(x, y) || hpk::isunordered(x, y));
  int exponent = 0;
  EXPECT_EQ(hpk::frexp(x, &exponent), 0.625);
  EXPECT_EQ(exponent, 2);
  TypeParam whole = 0;
  EXPECT_EQ(hpk::modf(x, &whole), 0.5);
  EXPECT_EQ(whole, 2);
  EXPECT_EQ(hpk::ldexp(x, 2), 10);
  EXPECT_EQ(hpk::scalbn(x, 2), 10);
  EXPECT_EQ(hpk::scalbln(x, 2L), 10);
  EXPECT_EQ(hpk::remquo(x, y, &exponent), -0.5);
  EXPECT_EQ(exponent, -2);
  EXPECT_EQ(hpk::rcp(TypeParam(4)), 0.25);
  EXPECT_EQ(hpk::rsqrt(TypeParam(4)), 0.5);
  // Subnormal results, rounded once.
  const auto smallest = std::numeric_limits<TypeParam>::denorm_min();
  EXPECT_EQ(hpk::ldexp(smallest, -1), 0);
  EXPECT_EQ(hpk::ldexp(hpk::ldexp(smallest, 1), -1), smallest);
}

template <class Exec>
class HalfMathInKernel : public testing::Test {};
TYPED_TEST_SUITE(HalfMathInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(HalfMathInKernel, gives_what_the_host_has) {
  constexpr int n = 0x7c00;
  hpk::View<half_t*, TypeParam> roots("roots", n);
  hpk::parallel_for(
      "root", hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        const half_t x = half_t::from_bits(static_cast<std::uint16_t>(i));
        roots(i) = hpk::sqrt(x) + hpk::floor(x);
      });
  const auto there = hpk_test::on_host(roots);
  for (int i = 0; i < n; ++i) {
    const half_t x = half_t::from_bits(static_cast<std::uint16_t>(i));
    ASSERT_EQ(there(i).bits(), (hpk::sqrt(x) + hpk::floor(x)).bits());
  }
}

}  // namespace
}  // namespace base_half_math_test
