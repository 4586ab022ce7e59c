// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half_t and bhalf_t: every conversion, every rule of mixed arithmetic, and the numeric traits.
#include <hpk/base/half.hpp>
#include <hpk/numeric_traits.hpp>

#include <support/halves.hpp>
#include <support/spaces.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>

namespace base_half_test {
namespace {

using hpk::Experimental::bhalf_t;
using hpk::Experimental::half_t;
using hpk_test::half_of;

template <class T>
class Half : public testing::Test {};
TYPED_TEST_SUITE(Half, hpk_test::half_types);

/// The value of the 16 bits by the standard, as a double.
template <class H>
double meaning(int bits) {
  constexpr int mantissa = std::numeric_limits<H>::digits - 1;
  constexpr int bias = std::numeric_limits<H>::max_exponent - 1;
  const int exponent = (bits & 0x7fff) >> mantissa;
  const int fraction = bits & ((1 << mantissa) - 1);
  double size = 0;
  if (exponent == 2 * bias + 1) {
    size = fraction == 0 ? std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    size = std::ldexp(fraction, 1 - bias - mantissa);
  } else {
    size = std::ldexp((1 << mantissa) + fraction, exponent - bias - mantissa);
  }
  return (bits & 0x8000) != 0 ? -size : size;
}

TYPED_TEST(Half, means_what_the_standard_says) {
  for (int bits = 0; bits < 65536; ++bits) {
    const double value = meaning<TypeParam>(bits);
    const auto h = half_of<TypeParam>(bits);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(static_cast<float>(h))) << bits;
      ASSERT_EQ(std::signbit(static_cast<float>(h)), (bits & 0x8000) != 0) << bits;
      const int again = TypeParam(static_cast<float>(h)).bits();
      ASSERT_TRUE(std::isnan(meaning<TypeParam>(again)) && ((bits ^ again) & 0x8000) == 0) << bits;
      continue;
    }
    ASSERT_EQ(static_cast<double>(h), value) << bits;
    ASSERT_EQ(std::signbit(static_cast<float>(h)), std::signbit(value)) << bits;
    ASSERT_EQ(TypeParam(static_cast<float>(value)).bits(), bits);
    ASSERT_EQ(TypeParam(value).bits(), bits);
    ASSERT_EQ(TypeParam(static_cast<long double>(value)).bits(), bits);
  }
}

TYPED_TEST(Half, rounds_to_nearest_and_ties_to_even) {
  constexpr int largest = static_cast<int>(std::numeric_limits<TypeParam>::max().bits());
  for (int bits = 0; bits <= largest; ++bits) {
    const double low = meaning<TypeParam>(bits);
    // After the largest number, the next step would have the exponent of infinity.
    const double high =
        bits == largest ? low + (low - meaning<TypeParam>(bits - 1)) : meaning<TypeParam>(bits + 1);
    const double middle = (low + high) / 2;
    const int even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(TypeParam(middle).bits(), even) << bits;
    ASSERT_EQ(TypeParam(-middle).bits(), even | 0x8000) << bits;
    ASSERT_EQ(TypeParam(std::nextafter(middle, 0)).bits(), bits);
    ASSERT_EQ(TypeParam(std::nextafter(middle, high)).bits(), bits + 1);
    const auto wide = static_cast<long double>(middle);
    ASSERT_EQ(TypeParam(std::nextafter(wide, 0.0L)).bits(), bits);
    ASSERT_EQ(TypeParam(std::nextafter(wide, static_cast<long double>(high))).bits(), bits + 1);
    const auto single = static_cast<float>(middle);
    if (static_cast<double>(single) == middle) {
      ASSERT_EQ(TypeParam(single).bits(), even) << bits;
      ASSERT_EQ(TypeParam(std::nextafter(single, 0.0f)).bits(), bits);
      ASSERT_EQ(TypeParam(std::nextafter(single, std::numeric_limits<float>::infinity())).bits(),
                bits + 1);
    }
  }
}

TYPED_TEST(Half, agrees_between_float_and_double_on_all_floats) {
  for (std::uint64_t i = 0; i < std::uint64_t{1} << 32; i += 4099) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(i));
    ASSERT_EQ(TypeParam(value).bits(), TypeParam(static_cast<double>(value)).bits()) << value;
  }
}

TYPED_TEST(Half, comes_from_integers_with_one_rounding) {
  EXPECT_EQ(TypeParam(0).bits(), 0);
  std::mt19937_64 random(1);
  for (int k = 0; k < 200000; ++k) {
    const auto shift = static_cast<int>(random() % 64);
    // Few bits are set, so that many values are near the middle of two numbers.
    const std::uint64_t value = (random() & random() & random() & random()) >> shift;
    ASSERT_EQ(TypeParam(value).bits(), TypeParam(static_cast<long double>(value)).bits()) << value;
    const auto negative = -static_cast<std::int64_t>(value >> 1);
    ASSERT_EQ(TypeParam(negative).bits(), TypeParam(static_cast<long double>(negative)).bits());
    const auto small = static_cast<int>(value);
    ASSERT_EQ(TypeParam(small).bits(), TypeParam(static_cast<double>(small)).bits());
  }
  EXPECT_EQ(TypeParam(std::numeric_limits<std::int64_t>::min()), TypeParam(-std::ldexp(1.0, 63)));
  EXPECT_EQ(TypeParam(true), 1);
  EXPECT_EQ(static_cast<int>(TypeParam(3.75)), 3);
  EXPECT_EQ(static_cast<unsigned char>(TypeParam(200)), 200);
  EXPECT_TRUE(static_cast<bool>(TypeParam(0.5)));
  EXPECT_FALSE(static_cast<bool>(-TypeParam()));
}

TYPED_TEST(Half, operations_are_the_exact_ones_rounded_once) {
  std::mt19937 random(7);
  for (int k = 0; k < 300000; ++k) {
    const auto a = half_of<TypeParam>(static_cast<int>(random() & 0xffff));
    const auto b = half_of<TypeParam>(static_cast<int>(random() & 0xffff));
    const auto x = static_cast<long double>(a);
    const auto y = static_cast<long double>(b);
    if (std::isnan(x) || std::isnan(y)) continue;
    const auto same = [](TypeParam result, long double exact) {
      return std::isnan(exact) ? std::isnan(static_cast<float>(result))
                               : result.bits() == TypeParam(exact).bits();
    };
    // A sum may have more digits than a long double, but the lost digits do not change the
    // rounding.
    ASSERT_TRUE(same(a + b, x + y)) << static_cast<float>(a) << " + " << static_cast<float>(b);
    ASSERT_TRUE(same(a - b, x - y)) << static_cast<float>(a) << " - " << static_cast<float>(b);
    ASSERT_TRUE(same(a * b, x * y)) << static_cast<float>(a) << " * " << static_cast<float>(b);
    ASSERT_TRUE(same(a / b, x / y)) << static_cast<float>(a) << " / " << static_cast<float>(b);
    ASSERT_EQ(a < b, x < y);
    ASSERT_EQ(a <= b, x <= y);
    ASSERT_EQ(a > b, x > y);
    ASSERT_EQ(a >= b, x >= y);
    ASSERT_EQ(a == b, x == y);
    ASSERT_EQ(a != b, x != y);
  }
}

template <class H>
constexpr bool has_the_types_of_mixed_arithmetic =
    std::is_same_v<decltype(H() + H()), H> && std::is_same_v<decltype(H() * 1), H> &&
    std::is_same_v<decltype(1ul / H()), H> && std::is_same_v<decltype(H() - 1.0f), float> &&
    std::is_same_v<decltype(1.0f - H()), float> && std::is_same_v<decltype(H() * 1.0), double> &&
    std::is_same_v<decltype(1.0L + H()), long double>;
static_assert(has_the_types_of_mixed_arithmetic<half_t>);
static_assert(has_the_types_of_mixed_arithmetic<bhalf_t>);
static_assert(std::is_convertible_v<double, half_t> && std::is_convertible_v<int, half_t>);
static_assert(!std::is_convertible_v<bool, half_t> && std::is_constructible_v<half_t, bool>);
static_assert(!std::is_convertible_v<half_t, float> && std::is_constructible_v<int, half_t>);
static_assert(!std::is_convertible_v<half_t, bhalf_t> && std::is_constructible_v<half_t, bhalf_t>);
static_assert(sizeof(half_t) == 2 && alignof(half_t) == 2);
static_assert(std::is_trivially_copyable_v<half_t> && std::is_trivially_copyable_v<bhalf_t>);

TYPED_TEST(Half, mixes_with_other_numbers) {
  TypeParam h = 1.5;
  h += 1;
  EXPECT_EQ(h, 2.5);
  h *= 2.0f;
  h -= 1.0;
  h /= TypeParam(2);
  EXPECT_EQ(h, 2);
  float sum = 0.25f;
  sum += h;
  sum *= h;
  EXPECT_EQ(sum, 4.5f);
  double wide = 1;
  wide -= h;
  EXPECT_EQ(wide, -1);
  EXPECT_EQ(h++, 2);
  EXPECT_EQ(++h, 4);
  EXPECT_EQ(h--, 4);
  EXPECT_EQ(--h, 2);
  EXPECT_EQ(+h, 2);
  EXPECT_EQ(-h, -2);
  EXPECT_TRUE(h && !TypeParam());
  EXPECT_TRUE(1 < h && 3 > h && 2.0 <= h && 2.0f >= h && 2 == h && 3 != h);
  // Integers are compared without rounding.
  EXPECT_NE(TypeParam(2048), 2049);
  EXPECT_LT(TypeParam(2048), 2049);
}

TEST(HalfTraits, are_those_of_binary16) {
  using hpk::Experimental::half_t;
  EXPECT_EQ(hpk::finite_max_v<half_t>, 65504);
  EXPECT_EQ(hpk::finite_min_v<half_t>, -65504);
  EXPECT_EQ(hpk::epsilon_v<half_t>, std::ldexp(1.0, -10));
  EXPECT_EQ(hpk::norm_min_v<half_t>, std::ldexp(1.0, -14));
  EXPECT_EQ(hpk::denorm_min_v<half_t>, std::ldexp(1.0, -24));
  EXPECT_EQ(hpk::round_error_v<half_t>, 0.5);
  EXPECT_EQ(hpk::digits_v<half_t>, 11);
  EXPECT_EQ(hpk::digits10_v<half_t>, 3);
  EXPECT_EQ(hpk::max_digits10_v<half_t>, 5);
  EXPECT_EQ(hpk::min_exponent_v<half_t>, -13);
  EXPECT_EQ(hpk::max_exponent_v<half_t>, 16);
  EXPECT_EQ(hpk::min_exponent10_v<half_t>, -4);
  EXPECT_EQ(hpk::max_exponent10_v<half_t>, 4);
  EXPECT_EQ(static_cast<float>(hpk::infinity_v<half_t>), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(static_cast<float>(hpk::quiet_NaN_v<half_t>)));
  EXPECT_TRUE(std::isnan(static_cast<float>(hpk::signaling_NaN_v<half_t>)));
}

TEST(HalfTraits, are_those_of_bfloat16) {
  using hpk::Experimental::bhalf_t;
  EXPECT_EQ(hpk::finite_max_v<bhalf_t>, std::ldexp(255.0, 120));
  EXPECT_EQ(hpk::epsilon_v<bhalf_t>, std::ldexp(1.0, -7));
  EXPECT_EQ(hpk::norm_min_v<bhalf_t>, std::numeric_limits<float>::min());
  EXPECT_EQ(hpk::denorm_min_v<bhalf_t>, std::ldexp(1.0, -133));
  EXPECT_EQ(hpk::round_error_v<bhalf_t>, 0.5);
  EXPECT_EQ(hpk::digits_v<bhalf_t>, 8);
  EXPECT_EQ(hpk::digits10_v<bhalf_t>, 2);
  EXPECT_EQ(hpk::max_digits10_v<bhalf_t>, 4);
  EXPECT_EQ(hpk::min_exponent_v<bhalf_t>, -125);
  EXPECT_EQ(hpk::max_exponent_v<bhalf_t>, 128);
  EXPECT_EQ(hpk::min_exponent10_v<bhalf_t>, -37);
  EXPECT_EQ(hpk::max_exponent10_v<bhalf_t>, 38);
}

TEST(HalfCasts, convert_by_name) {
  namespace x = hpk::Experimental;
  EXPECT_EQ(x::cast_from_half<int>(x::cast_to_half(3.5)), 3);
  EXPECT_EQ(x::cast_from_bhalf<double>(x::cast_to_bhalf(257)), 256);
  EXPECT_EQ(static_cast<bhalf_t>(half_t(2.5)), 2.5);
}

TEST(HalfStreams, write_and_read_as_float) {
  std::stringstream stream;
  stream << half_t(0.1) << ' ' << bhalf_t(-3);
  EXPECT_EQ(stream.str(), "0.0999756 -3");
  half_t read;
  stream >> read;
  EXPECT_EQ(read, half_t(0.1));
}

// Constant expressions.
static_assert(half_t(65519.996f) == hpk::finite_max_v<half_t>);
static_assert(half_t(65520.0f) == hpk::infinity_v<half_t>);
static_assert(half_t(1) / 3 == half_t(0x1.554p-2) && half_t(0x1p-25) == 0);

template <class Exec>
class HalfInKernel : public testing::Test {};
TYPED_TEST_SUITE(HalfInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(HalfInKernel, has_the_bits_of_the_host) {
  constexpr int n = 65536;
  // x is exact: a device compiler may round product and difference in one step.
  hpk::View<half_t*, TypeParam> halves("halves", n);
  hpk::View<bhalf_t*, TypeParam> bhalves("bhalves", n);
  hpk::parallel_for(
      "compute", hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        const float x = static_cast<float>(i) * 0.375f - 9000.0f;
        halves(i) = half_t(x) * half_t(0.3) + x / 16;
        bhalves(i) = bhalf_t(x) / 7 - 1.5;
      });
  const auto half_there = hpk_test::on_host(halves);
  const auto bhalf_there = hpk_test::on_host(bhalves);
  for (int i = 0; i < n; ++i) {
    const float x = static_cast<float>(i) * 0.375f - 9000.0f;
    const half_t a = half_t(x) * half_t(0.3) + x / 16;
    const bhalf_t b = bhalf_t(x) / 7 - 1.5;
    ASSERT_EQ(half_there(i).bits(), a.bits()) << i;
    ASSERT_EQ(bhalf_there(i).bits(), b.bits()) << i;
  }
}

}  // namespace
}  // namespace base_half_test
