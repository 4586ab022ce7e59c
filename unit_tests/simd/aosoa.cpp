// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes.hpp"

#include <hpk/error.hpp>

#include <set>

namespace {

TEST(simd_aosoa, places) {
  using array = hpk::simd_aosoa<float, 3, 4>;
  static_assert(array::required_span(0) == 0 && array::required_span(1) == 12 &&
                array::required_span(9) == 36);
  alignas(64) float numbers[36] = {};
  const array a(numbers, 9);
  std::set<const float*> places;
  for (int i = 0; i < 9; ++i)
    for (int m = 0; m < 3; ++m) {
      a(i, m) = static_cast<float>(10 * i + m);
      EXPECT_EQ(&a(i, m) - numbers, (i / 4 * 3 + m) * 4 + i % 4);
      places.insert(&a(i, m));
    }
  EXPECT_EQ(places.size(), 27u);
}

TEST(simd_aosoa, vectors) {
  alignas(64) double numbers[hpk::simd_aosoa<double, 2>::required_span(21)] = {};
  const hpk::simd_aosoa<double, 2> a(numbers, 21);
  const hpk::simd_aosoa<const double, 2> c(numbers, 21);
  constexpr int n = hpk::simd_aosoa<double, 2>::block();
  for (int i = 0; i < 21; ++i) a(i, 0) = i;
  // Whole blocks, then both treatments of the rest.
  hpk::simd_for<n>(0, 21, [=](auto i) { a(i, 1) = c(i, 0) * 2; }, hpk::simd_masked_rest);
  for (int i = 0; i < 21; ++i) EXPECT_EQ(a(i, 1), 2 * i);
  for (std::ptrdiff_t i = 0; i < 21; ++i) a(hpk::simd_index<1>(i), 1) += 1;
  for (int i = 0; i < 21; ++i) EXPECT_EQ(c(i, 1), 2 * i + 1);
#if HPK_CHECKS
  EXPECT_THROW(static_cast<void>(a(21, 0)), hpk::error);
#endif
}

}  // namespace
