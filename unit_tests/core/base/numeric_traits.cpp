// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares numeric traits with numeric_limits.
#include <hpk/base/numeric_traits.hpp>

#include <support/spaces.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace base_numeric_traits_test {
namespace {

template <class T>
concept has_infinity = requires { hpk::infinity<T>::value; };
template <class T>
concept has_digits = requires { hpk::digits<T>::value; };

static_assert(has_infinity<float> && has_infinity<const double> && has_infinity<long double>);
static_assert(!has_infinity<int> && !has_infinity<bool> && !has_infinity<std::string>);
static_assert(has_digits<int> && has_digits<bool> && has_digits<float> && !has_digits<void*>);
static_assert(std::is_same_v<decltype(hpk::finite_max<volatile short>::value), const short>);
static_assert(hpk::finite_min_v<double> == -hpk::finite_max_v<double>);
static_assert(hpk::finite_min_v<int> == std::numeric_limits<int>::min());
static_assert(hpk::Experimental::finite_max_v<float> == hpk::finite_max_v<float>);

template <class T>
class NumericTraits : public testing::Test {};
using floating = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(NumericTraits, floating);

TYPED_TEST(NumericTraits, are_those_of_numeric_limits) {
  using limits = std::numeric_limits<TypeParam>;
  static_assert(hpk::infinity_v<TypeParam> == limits::infinity());
  static_assert(hpk::finite_max_v<TypeParam> == limits::max());
  static_assert(hpk::finite_min_v<TypeParam> == limits::lowest());
  static_assert(hpk::epsilon_v<TypeParam> == limits::epsilon());
  static_assert(hpk::round_error_v<TypeParam> == limits::round_error());
  static_assert(hpk::norm_min_v<TypeParam> == limits::min());
  static_assert(hpk::denorm_min_v<TypeParam> == limits::denorm_min());
  static_assert(hpk::digits_v<TypeParam> == limits::digits);
  static_assert(hpk::digits10_v<TypeParam> == limits::digits10);
  static_assert(hpk::max_digits10_v<TypeParam> == limits::max_digits10);
  static_assert(hpk::radix_v<TypeParam> == limits::radix);
  static_assert(hpk::min_exponent_v<TypeParam> == limits::min_exponent);
  static_assert(hpk::max_exponent_v<TypeParam> == limits::max_exponent);
  static_assert(hpk::min_exponent10_v<TypeParam> == limits::min_exponent10);
  static_assert(hpk::max_exponent10_v<TypeParam> == limits::max_exponent10);
  EXPECT_TRUE(std::isnan(hpk::quiet_NaN_v<TypeParam>));
  EXPECT_TRUE(std::isnan(hpk::signaling_NaN_v<TypeParam>));
}

template <class Exec>
class NumericTraitsInKernel : public testing::Test {};
TYPED_TEST_SUITE(NumericTraitsInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(NumericTraitsInKernel, are_values) {
  hpk::View<double*, TypeParam> values("values", 3);
  hpk::parallel_for(
      "traits", hpk::RangePolicy<TypeParam>(0, 1), HPK_LAMBDA(int) {
        values(0) = hpk::infinity_v<double>;
        values(1) = hpk::finite_min<float>::value;
        values(2) = hpk::epsilon_v<double> * hpk::digits_v<int>;
      });
  const auto there = hpk_test::on_host(values);
  EXPECT_EQ(there(0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(there(1), std::numeric_limits<float>::lowest());
  EXPECT_EQ(there(2), std::numeric_limits<double>::epsilon() * 31);
}

}  // namespace
}  // namespace base_numeric_traits_test
