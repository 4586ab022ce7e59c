// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of a kernel on several OS threads: every lane runs once, in order or in an order that the
// seed determines. Scratch is poisoned and bounded, and exchanges work in groups of changing
// widths.
#include <support/environment.hpp>
#include <support/spaces.hpp>

#include <hpk/backends/emu/multiprocessors.hpp>

#include <cstring>
#include <numeric>
#include <vector>

namespace hpk_test::emu_multiprocessors_cases {

using lane_type = hpk::seam::machine<hpk::Emu>::lane;
using hpk::index_t;

constexpr hpk::seam::launch_info info{.pattern = "test", .label = "multiprocessors", .where = {}};

// The order in which one worker ran the lanes of one group, or groups of one lane each.
std::vector<int> order_of_runs(long seed, int groups, int lanes) {
  const clean_environment none;
  const hpk::ScopeGuard guard(
      hpk::InitializationSettings().set_num_threads(1).set_option("emu-seed", seed));
  const int runs = groups * lanes;
  const hpk::View<int*, hpk::EmuManagedSpace> order("order", runs + 1);
  hpk::Emu().instance().launch(
      {.groups = groups, .lanes = lanes},
      [=](lane_type& lane) {
        order(1 + hpk::atomic_fetch_add(&order(0), 1)) =
            static_cast<int>(lane.group()) + lane.lane_index();
      },
      info);
  hpk::fence();
  return {order.data() + 1, order.data() + 1 + runs};
}
std::vector<int> order_of_lanes(long seed, int lanes) { return order_of_runs(seed, 1, lanes); }
std::vector<int> order_of_groups(long seed, int groups) { return order_of_runs(seed, groups, 1); }

TEST(EmuMultiprocessors, runs_lanes_in_the_order_of_the_seed) {
  std::vector<int> plain(100);
  std::iota(plain.begin(), plain.end(), 0);
  EXPECT_EQ(order_of_lanes(0, 100), plain);
  const std::vector<int> shuffled = order_of_lanes(5, 100);
  EXPECT_NE(shuffled, plain);
  EXPECT_EQ(order_of_lanes(5, 100), shuffled);
  EXPECT_NE(order_of_lanes(6, 100), shuffled);
  std::vector<int> sorted = shuffled;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, plain);
}

TEST(EmuMultiprocessors, runs_groups_in_the_order_of_the_seed) {
  std::vector<int> plain(100);
  std::iota(plain.begin(), plain.end(), 0);
  EXPECT_EQ(order_of_groups(0, 100), plain);
  const std::vector<int> shuffled = order_of_groups(5, 100);
  EXPECT_NE(shuffled, plain);
  EXPECT_EQ(order_of_groups(5, 100), shuffled);
  EXPECT_NE(order_of_groups(6, 100), shuffled);
  std::vector<int> sorted = shuffled;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, plain);
}

TEST(EmuMultiprocessors, poisons_scratch_before_every_group) {
  const hpk::View<int*, hpk::EmuManagedSpace> zeros("zeros", 50);
  hpk::Emu().instance().launch(
      {.groups = 50, .lanes = 2, .scratch = {64, 32}},
      [=](lane_type& lane) {
        if (lane.lane_index() != 0) return;
        int found = 0;
        for (int k = 0; k < 64; ++k) found += lane.scratch(0)[k] == std::byte{};
        for (int k = 0; k < 32; ++k) found += lane.scratch(1)[k] == std::byte{};
        zeros(lane.group()) = found;
        std::memset(lane.scratch(0), 0, 64);
        std::memset(lane.scratch(1), 0, 32);
      },
      info);
  hpk::fence();
  for (int g = 0; g < 50; ++g) EXPECT_EQ(zeros(g), 0);
}

// A group with an odd number of exchanges must not leave the next group one step behind.
TEST(EmuMultiprocessors, exchanges_in_groups_of_changing_width) {
  const hpk::View<int, hpk::EmuManagedSpace> wrong("wrong");
  auto& machine = hpk::Emu().instance();
  for (const int lanes : {48, 64, 33, 1024, 7, 64}) {
    machine.launch(
        {.groups = 5, .lanes = lanes},
        [=](lane_type& lane) {
          const int width = lane.subgroup();
          const int first = lane.lane_index() / width * width;
          const int last = first + width < lane.lanes() ? first + width : lane.lanes();
          for (int round = 0; round < 3; ++round) {
            const int seen = lane.shuffle(lane.lane_index() * 10 + round, last - first - 1);
            if (seen != (last - 1) * 10 + round) wrong() = 1;
          }
        },
        info);
  }
  machine.fence();
  EXPECT_EQ(wrong(), 0);
}

// Blocks of several widths, each with a different number of exchanges before the exchanges of the
// wider blocks.
TEST(EmuMultiprocessors, exchanges_in_blocks_of_every_width) {
  const hpk::View<int, hpk::EmuManagedSpace> wrong("wrong");
  auto& machine = hpk::Emu().instance();
  for (const int lanes : {1, 33, 64, 256}) {
    machine.launch(
        {.groups = 3, .lanes = lanes},
        [=](lane_type& lane) {
          const int me = lane.lane_index();
          for (int phase = 0; phase < 6; ++phase) {
            for (int width = 1; width <= lane.subgroup(); width *= 2) {
              const int first = me / width * width;
              const int there = lane.lanes() - first < width ? lane.lanes() - first : width;
              for (int round = 0; round <= (me / width + phase) % 3; ++round) {
                const int from = (me - first + 1) % there;
                const int seen = lane.shuffle(me * 100 + round, from, width);
                if (seen != (first + from) * 100 + round) wrong() = 1;
                lane.sync(width);
              }
            }
            const int first = me / lane.subgroup() * lane.subgroup();
            std::uint64_t odd = 0;
            for (int k = first; k < lane.lanes() && k < first + lane.subgroup(); ++k) {
              if (k % 3 == 1) odd |= std::uint64_t{1} << (k - first);
            }
            if (lane.ballot(me % 3 == 1) != odd) wrong() = 1;
          }
        },
        info);
  }
  machine.fence();
  EXPECT_EQ(wrong(), 0);
}

struct large {
  double values[10];
};
TEST(EmuMultiprocessors, exchanges_large_values) {
  const hpk::View<double*, hpk::EmuManagedSpace> seen("seen", 64);
  hpk::Emu().instance().launch(
      {.groups = 1, .lanes = 64},
      [=](lane_type& lane) {
        large value{};
        value.values[9] = lane.lane_index();
        seen(lane.lane_index()) = lane.shuffle(value, 0).values[9];
      },
      info);
  hpk::fence();
  const int width = hpk::Emu().instance().properties().subgroup;
  for (int k = 0; k < 64; ++k) EXPECT_EQ(seen(k), k / width * width);
}

TEST(EmuMultiprocessors, runs_more_groups_than_threads) {
  const hpk::View<int*, hpk::EmuManagedSpace> runs("runs", 10000);
  hpk::Emu().instance().launch(
      {.groups = 10000, .lanes = 1}, [=](lane_type& lane) { ++runs(lane.group()); }, info);
  hpk::fence();
  for (int g = 0; g < 10000; ++g) EXPECT_EQ(runs(g), 1);
}

}  // namespace hpk_test::emu_multiprocessors_cases
