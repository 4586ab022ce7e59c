// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/elements.hpp>
#include <support/spaces.hpp>

#include <hpk/base/unfused_product.hpp>

#include <hpk/core.hpp>

namespace hpk_test::unfused_product_cases {

template <class Exec>
class UnfusedProduct : public testing::Test {};
TYPED_TEST_SUITE(UnfusedProduct, hpk_test::spaces, hpk_test::space_names);

// The product minus `near`, without and with the rounding error of the product.
template <class T, class Exec>
void check(T x, T near, T rest) {
  const hpk::View<T*, Exec> found("found", 2);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, 1), HPK_LAMBDA(int) {
        const T product = hpk::detail::unfused_product(x, x);
        const T error = hpk::fma(x, x, -product);
        found(0) = product - near;
        found(1) = (product - near) + error;
      });
  EXPECT_EQ(hpk_test::value_at(found, 0), T(0));
  EXPECT_EQ(hpk_test::value_at(found, 1), rest);
}

HPK_TYPED_TEST(UnfusedProduct, is_rounded_before_something_is_added) {
  // (1 + e)^2 is 1 + 2 e + e^2. Rounding drops e^2.
  check<double, TypeParam>(1 + 0x1p-30, 1 + 0x1p-29, 0x1p-60);
  check<float, TypeParam>(1 + 0x1p-13f, 1 + 0x1p-12f, 0x1p-26f);
}

}  // namespace hpk_test::unfused_product_cases
