// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lane of a group of one: its properties, and its collective operations, which are constant
// expressions (law L5).
#include <hpk/backends/host/lane.hpp>

#include <gtest/gtest.h>

namespace hpk_test::lane_cases {

using hpk::host::lane;

static_assert(lane::single);
static_assert(lane::lane_index() == 0 && lane::lanes() == 1);
static_assert(lane::shuffle(42, 0) == 42);
static_assert(lane::any(true) && !lane::any(false));
static_assert((lane::barrier(), true));

TEST(HostLane, knows_its_group_scratch_and_position) {
  std::byte scratch[2] = {};
  lane l(3, 8, &scratch[0], &scratch[1]);
  EXPECT_EQ(l.group(), 3);
  EXPECT_EQ(l.groups(), 8);
  EXPECT_EQ(l.scratch(0), &scratch[0]);
  EXPECT_EQ(l.scratch(1), &scratch[1]);
  EXPECT_EQ(l.position(), 3);
  l.at(77);
  EXPECT_EQ(l.position(), 77);
}

}  // namespace hpk_test::lane_cases
