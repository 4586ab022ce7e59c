// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lane of a GPU forwards to functions of its runtime and models lane_context for any runtime.
#include <support/spaces.hpp>

#include <hpk/backends/gpu/lane.hpp>

namespace hpk_test::gpu_lane_cases {

struct spelled {
  static constexpr bool takes_neighbours = false;
  static int lane_index() { return 5; }
  static int lanes() { return 64; }
  static int subgroup() { return 32; }
  static void barrier() { ++barriers; }
  static std::byte* scratch() { return fast; }
  template <class T>
  static T shuffle(T value, int from, int width) {
    return value + static_cast<T>(from + 100 * width);
  }
  static bool any(bool flag) { return !flag; }
  static std::uint64_t ballot(bool flag) { return flag ? 6 : 9; }
  static void sync(int width) { met = width; }
  static inline int met = 0;
  static inline int barriers = 0;
  static inline std::byte fast[4];
};

using lane = hpk::gpu::lane<spelled>;
static_assert(hpk::seam::lane_context<lane> && !lane::single && !lane::takes_neighbours);

TEST(GpuLane, speaks_for_its_runtime) {
  std::byte large[8];
  lane l(3, 7, large);
  EXPECT_EQ(l.group(), 3);
  EXPECT_EQ(l.groups(), 7);
  EXPECT_EQ(l.lane_index(), 5);
  EXPECT_EQ(l.lanes(), 64);
  EXPECT_EQ(l.subgroup(), 32);
  l.barrier();
  EXPECT_EQ(spelled::barriers, 1);
  EXPECT_EQ(l.scratch(0), spelled::fast);
  EXPECT_EQ(l.scratch(1), large);
  EXPECT_EQ(l.shuffle(10.5, 2), 3212.5);
  EXPECT_EQ(l.shuffle(10.5, 2, 4), 412.5);
  EXPECT_EQ(l.ballot(true), 6u);
  l.sync(8);
  EXPECT_EQ(spelled::met, 8);
  EXPECT_FALSE(l.any(true));
}

}  // namespace hpk_test::gpu_lane_cases
