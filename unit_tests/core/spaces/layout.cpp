// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout tags and the layout objects that describe extents and strides at run time.
#include <hpk/spaces/layout.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace seam_layout_test {
namespace {

using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;

static_assert(hpk::is_array_layout_v<LayoutLeft> && hpk::is_array_layout_v<const LayoutRight> &&
              hpk::is_array_layout_v<LayoutStride>);
static_assert(!hpk::is_array_layout_v<int> && !hpk::is_array_layout_v<LayoutLeft&>);
static_assert(hpk::ArrayLayout<LayoutLeft> && hpk::ArrayLayout<const LayoutStride>);
static_assert(!hpk::ArrayLayout<int> && !hpk::ArrayLayout<LayoutLeft&> && !hpk::ArrayLayout<char*>);
static_assert(hpk::unspecified_extent == ~std::size_t{0} && hpk::unspecified_extent == SIZE_MAX);
static_assert(LayoutLeft::is_extent_constructible && LayoutRight::is_extent_constructible &&
              !LayoutStride::is_extent_constructible);

template <class Layout>
constexpr bool keeps_extents() {
  const Layout given(1, 2, 3, 4, 5, 6, 7, 8);
  const Layout some(9, 10);
  bool right = true;
  for (std::size_t r = 0; r < 8; ++r) {
    right = right && given.dimension[r] == r + 1;
    right = right && Layout().dimension[r] == hpk::unspecified_extent;
    right = right && some.dimension[r] == (r < 2 ? 9 + r : hpk::unspecified_extent);
  }
  return right && given == Layout(1, 2, 3, 4, 5, 6, 7, 8) && !(given == some);
}
static_assert(keeps_extents<LayoutLeft>() && keeps_extents<LayoutRight>());

static_assert(LayoutStride(2, 10, 3, 1).dimension[1] == 3 &&
              LayoutStride(2, 10, 3, 1).stride[0] == 10);
static_assert(LayoutStride(2, 10, 3, 1) == LayoutStride(2, 10, 3, 1));
static_assert(!(LayoutStride(2, 10, 3, 1) == LayoutStride(2, 11, 3, 1)), "strides count");
static_assert(!(LayoutStride(2, 10, 3, 1) == LayoutStride(4, 10, 3, 1)), "extents count");

constexpr LayoutStride ordered(int a, int b, int c) {
  const int order[] = {a, b, c};
  const std::size_t extents[] = {2, 3, 5};
  return LayoutStride::order_dimensions(3, order, extents);
}
static_assert(ordered(0, 1, 2) == LayoutStride(2, 1, 3, 2, 5, 6), "as LayoutLeft");
static_assert(ordered(2, 1, 0) == LayoutStride(2, 15, 3, 5, 5, 1), "as LayoutRight");
static_assert(ordered(1, 0, 2) == LayoutStride(2, 3, 3, 1, 5, 6));
static_assert(ordered(1, 2, 0) == LayoutStride(2, 15, 3, 1, 5, 3), "1 is the fastest");
static_assert(ordered(0, 0, 2) == LayoutStride(), "no permutation");
static_assert(ordered(0, 1, 3) == LayoutStride(), "no permutation");
static_assert(ordered(-1, 0, 1) == LayoutStride(), "no permutation");

TEST(LayoutStride, every_order_of_dimensions_is_compact) {
  short order[] = {0, 1, 2, 3};
  const unsigned extents[] = {2, 3, 4, 5};
  do {
    const auto layout = LayoutStride::order_dimensions(4, order, extents);
    // From the fastest dimension to the slowest: each stride is the product of the faster extents.
    std::size_t below = 1;
    for (int position = 0; position < 4; ++position) {
      const auto k = static_cast<std::size_t>(order[position]);
      ASSERT_EQ(layout.dimension[k], extents[k]);
      ASSERT_EQ(layout.stride[k], below);
      below *= extents[k];
    }
    ASSERT_EQ(below, 120u);
  } while (std::next_permutation(order, order + 4));
}

}  // namespace
}  // namespace seam_layout_test
