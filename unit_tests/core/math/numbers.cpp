// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical constants on hosts and in kernels.
#include <hpk/math/numbers.hpp>

#include <support/spaces.hpp>

#include <cmath>

namespace base_numbers_test {
namespace {

namespace numbers = hpk::numbers;

TEST(Numbers, are_what_their_names_say) {
  EXPECT_DOUBLE_EQ(numbers::e, std::exp(1.0));
  EXPECT_DOUBLE_EQ(numbers::log2e, std::log2(numbers::e));
  EXPECT_DOUBLE_EQ(numbers::log10e, std::log10(numbers::e));
  EXPECT_DOUBLE_EQ(numbers::pi, std::acos(-1.0));
  EXPECT_DOUBLE_EQ(numbers::inv_pi * numbers::pi, 1.0);
  EXPECT_DOUBLE_EQ(numbers::inv_sqrtpi, 1 / std::sqrt(numbers::pi));
  EXPECT_DOUBLE_EQ(numbers::ln2, std::log(2.0));
  EXPECT_DOUBLE_EQ(numbers::ln10, std::log(10.0));
  EXPECT_DOUBLE_EQ(numbers::sqrt2, std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(numbers::sqrt3, std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(numbers::inv_sqrt3, 1 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(numbers::phi, (1 + std::sqrt(5.0)) / 2);
  double harmonic = 0;
  for (int k = 1; k <= 1000; ++k) harmonic += 1.0 / k;
  EXPECT_NEAR(numbers::egamma, harmonic - std::log(1000.0) - 1 / 2000.0, 1e-7);
  static_assert(numbers::pi_v<float> == static_cast<float>(numbers::pi));
}

template <class Exec>
class NumbersInKernel : public testing::Test {};
TYPED_TEST_SUITE(NumbersInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(NumbersInKernel, are_values) {
  double sum = 0;
  hpk::parallel_reduce(
      "sum", hpk::RangePolicy<TypeParam>(0, 4),
      HPK_LAMBDA(int i, double& update) { update += i * numbers::pi + numbers::e_v<float>; }, sum);
  EXPECT_DOUBLE_EQ(sum, 6 * numbers::pi + 4.0 * numbers::e_v<float>);
}

}  // namespace
}  // namespace base_numbers_test
