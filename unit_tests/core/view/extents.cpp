// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// extents, as in the standard.
#include <hpk/view/extents.hpp>

#include <gtest/gtest.h>

namespace view_extents_test {
namespace {

using hpk::dynamic_extent;
using mixed = hpk::extents<int, dynamic_extent, 3, dynamic_extent>;
static_assert(mixed::rank() == 3 && mixed::rank_dynamic() == 2);
static_assert(mixed::static_extent(0) == dynamic_extent && mixed::static_extent(1) == 3);
static_assert(std::is_same_v<mixed::index_type, int> &&
              std::is_same_v<mixed::size_type, unsigned int>);
static_assert(hpk::extents<int>::rank() == 0 && hpk::extents<int>() == hpk::extents<int>());

TEST(Extents, hold_the_run_time_ones) {
  const int values[] = {5, 3, 7};
  const mixed shape = mixed::from(values);
  EXPECT_EQ(shape.extent(0), 5);
  EXPECT_EQ(shape.extent(1), 3);
  EXPECT_EQ(shape.extent(2), 7);
  EXPECT_TRUE(shape == mixed::from(values));
  EXPECT_FALSE(shape == mixed());
  EXPECT_TRUE(shape == mixed(5, 7));
  EXPECT_TRUE(shape == mixed(5, 3, 7));
  EXPECT_EQ(mixed().extent(1), 3);
  EXPECT_EQ(mixed().extent(2), 0);
}

}  // namespace
}  // namespace view_extents_test
