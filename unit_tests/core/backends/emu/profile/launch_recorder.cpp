// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares Emu's counts of a launch with formulas: the traffic of each request of a sub-group is
// known in advance.
#include <support/emu_counting.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace hpk_test::launch_recorder_cases {

using namespace emu_counts;
using hpk::Emu;
using hpk::View;
using hpk::seam::access_counts;
using hpk::seam::access_kind;
using hpk::seam::launch_counts;

struct four_floats {
  float of[4];
};

template <class T>
void expect_strides() {
  for (const int stride : {1, 2, 8, 32}) {
    const access_counts a = strided<T>(stride);
    const std::uint64_t step = sizeof(T) * static_cast<std::uint64_t>(stride);
    EXPECT_EQ(a.accesses, n);
    EXPECT_EQ(a.requests, requests);
    EXPECT_EQ(a.full_accesses, n);
    EXPECT_EQ(a.used_bytes, n * sizeof(T));
    EXPECT_EQ(a.runs, stride == 1 ? requests : n);
    EXPECT_EQ(a.lane_stride, stride);
    EXPECT_EQ(a.ideal_sectors, requests * sizeof(T));
    EXPECT_EQ(a.sectors, requests * std::min<std::uint64_t>(step, 32)) << "stride " << stride;
    EXPECT_EQ(a.element_bytes, sizeof(T));
    EXPECT_EQ(a.kind, access_kind::plain);
  }
}

TEST(LaunchRecorder, counts_sectors_of_strides) {
  const counting on;
  expect_strides<float>();
  expect_strides<double>();
  expect_strides<four_floats>();
}

TEST(LaunchRecorder, counts_the_sector_behind_an_offset) {
  const counting on;
  EXPECT_EQ(strided<float>(1, 1).sectors, requests * 5);
  EXPECT_EQ(strided<double>(1, 1).sectors, requests * 9);
  EXPECT_EQ(strided<four_floats>(1, 1).sectors, requests * 17);
  EXPECT_EQ(strided<float>(1, 8).sectors, requests * 4);
}

TEST(LaunchRecorder, names_line_label_layout_and_kernel) {
  const counting on;
  const View<const double**, hpk::LayoutRight, Emu> a =
      View<double**, hpk::LayoutRight, Emu>("a", 64, 64);
  const View<double*, Emu> sum("sum", 64);
  const int line = __LINE__ + 1;
  hpk::parallel_for("named", hpk::RangePolicy<Emu>(0, 64), HPK_LAMBDA(int i) { sum(i) = a(i, 3); });
  const launch_counts& c = launch_of("named");
  EXPECT_EQ(c.pattern, "parallel_for");
  EXPECT_TRUE(std::string(c.file).ends_with("launch_recorder.cpp"));
  EXPECT_EQ(c.lanes, 256);
  EXPECT_EQ(c.groups, 1);
  EXPECT_EQ(c.subgroup, 32);
  const access_counts read = accesses_of("named", "a");
  EXPECT_TRUE(std::string(read.file).ends_with("launch_recorder.cpp"));
  EXPECT_EQ(read.line, line);
  EXPECT_STREQ(read.layout, "LayoutRight");
  EXPECT_EQ(read.rank, 2);
  EXPECT_TRUE(read.read_only);
  EXPECT_EQ(read.lane_index, 0);
  EXPECT_FALSE(accesses_of("named", "sum").read_only);
}

TEST(LaunchRecorder, counts_layouts_of_boxes) {
  const counting on;
  EXPECT_EQ(box<hpk::LayoutLeft>().sectors, 64 * 64 / 32 * 8u);
  EXPECT_EQ(box<hpk::LayoutRight>().sectors, 64 * 64u);
  EXPECT_EQ(box<hpk::LayoutLeft>().lane_index, 0);
  EXPECT_EQ(box<hpk::LayoutRight>().ideal_sectors, 64 * 64 / 32 * 8u);
}

TEST(LaunchRecorder, counts_layouts_of_teams) {
  const counting on;
  EXPECT_EQ(rows<hpk::LayoutRight>().sectors, 8 * 256 / 32 * 8u);
  EXPECT_EQ(rows<hpk::LayoutRight>().lane_index, 1);
  EXPECT_EQ(rows<hpk::LayoutLeft>().sectors, 8 * 256u);
}

TEST(LaunchRecorder, counts_a_broadcast_as_one_sector) {
  const counting on;
  const View<double*, Emu> x("x", n);
  const View<double*, Emu> factor("factor", 1);
  hpk::parallel_for("scale", hpk::RangePolicy<Emu>(0, n), HPK_LAMBDA(int i) { x(i) = factor(0); });
  const access_counts a = accesses_of("scale", "factor");
  EXPECT_EQ(a.accesses, n);
  EXPECT_EQ(a.sectors, requests);
  EXPECT_EQ(a.used_bytes, requests * 8);
  EXPECT_EQ(a.lane_index, -1);
}

TEST(LaunchRecorder, counts_a_gather) {
  const counting on;
  const View<float*, Emu> x("x", n);
  const View<float*, Emu> y("y", n);
  hpk::parallel_for(
      "gather", hpk::RangePolicy<Emu>(0, n), HPK_LAMBDA(int i) { y(i) = x(i * 37 % n); });
  std::uint64_t sectors = 0;
  for (int first = 0; first < n; first += 32) {
    std::set<int> seen;
    for (int i = first; i < first + 32; ++i) seen.insert(i * 37 % n / 8);
    sectors += seen.size();
  }
  EXPECT_EQ(accesses_of("gather", "x").sectors, sectors);
  EXPECT_EQ(accesses_of("gather", "y").sectors, requests * 4);
  EXPECT_EQ(accesses_of("gather", "x").lane_stride, 37);  // except at 36 wraps of the range
  hpk::parallel_for(
      "squares", hpk::RangePolicy<Emu>(0, n), HPK_LAMBDA(int i) { y(i) = x(i * i % n); });
  EXPECT_EQ(accesses_of("squares", "x").lane_stride, 0);
  EXPECT_EQ(accesses_of("squares", "x").lane_index, 0);
}

TEST(LaunchRecorder, counts_conflicts_in_banks_of_scratch) {
  const counting on;
  const access_counts plain = tile(32);
  EXPECT_EQ(plain.requests, 64u);
  EXPECT_EQ(plain.bank_cycles, 32 + 32 * 32u);
  EXPECT_EQ(plain.ideal_bank_cycles, 64u);
  EXPECT_EQ(plain.kind, access_kind::scratch);
  EXPECT_EQ(plain.sectors, 0u);
  EXPECT_EQ(tile(33).bank_cycles, 64u);
  EXPECT_EQ(launch_of("tile").barriers, 1u);
  EXPECT_GE(launch_of("tile").scratch_bytes[0], 32u * 64 * 4);
}

TEST(LaunchRecorder, counts_atomics_on_one_element) {
  const counting on;
  const access_counts one = histogram(1);
  EXPECT_EQ(one.kind, access_kind::atomic);
  EXPECT_EQ(one.requests, 128u);
  EXPECT_EQ(one.serial_atomics, 4096u);
  ASSERT_EQ(launch_of("histogram").hot.size(), 1u);
  EXPECT_EQ(launch_of("histogram").hot[0].operations, 4096u);
  EXPECT_EQ(launch_of("histogram").hot[0].label, "counts");
  EXPECT_EQ(histogram(32).serial_atomics, 128u);
  EXPECT_EQ(launch_of("histogram").hot[0].operations, 128u);
  EXPECT_EQ(histogram(4096).serial_atomics, 128u);
  ASSERT_EQ(launch_of("histogram").hot.size(), 10u);
  EXPECT_EQ(launch_of("histogram").hot[9].operations, 1u);
  EXPECT_EQ(launch_of("histogram").hot[9].byte, 36u);
}

// Views of atomic elements are counted in the same way.
TEST(LaunchRecorder, counts_atomic_views) {
  const counting on;
  const View<double*, Emu> x("x", 4);
  const View<double*, Emu, hpk::MemoryTraits<hpk::Atomic>> added = x;
  hpk::parallel_for("add", hpk::RangePolicy<Emu>(0, n), HPK_LAMBDA(int i) { added(i % 4) += 1; });
  EXPECT_EQ(accesses_of("add", "x").kind, access_kind::atomic);
  EXPECT_EQ(accesses_of("add", "x").serial_atomics, requests * 8);
}

TEST(LaunchRecorder, counts_divergence) {
  const counting on;
  const View<float*, Emu> x("x", n);
  for (const int each : {2, 32}) {
    hpk::parallel_for(
        "diverge", hpk::RangePolicy<Emu>(0, n), HPK_LAMBDA(int i) {
          if (i % each == 0) x(i) = 1;
        });
    const access_counts a = accesses_of("diverge", "x");
    EXPECT_EQ(a.accesses * static_cast<std::uint64_t>(each), a.full_accesses);
    EXPECT_EQ(a.requests, requests);
  }
}

// Loops in lanes: the k-th iterations form one request, even if some lanes leave the loop early.
TEST(LaunchRecorder, matches_turns_of_loops) {
  const counting on;
  const View<float**, hpk::LayoutLeft, Emu> x("x", 64, 32);
  hpk::parallel_for(
      "loop", hpk::RangePolicy<Emu>(0, 64), HPK_LAMBDA(int i) {
        for (int k = 0; k <= i % 32; ++k) x(i, k) = 1;
      });
  const access_counts a = accesses_of("loop", "x");
  EXPECT_EQ(a.requests, 2 * 32u);
  EXPECT_EQ(a.accesses, 2 * 32 * 33 / 2u);
  // In iteration k the lanes from k on take part. Eight of them share a sector.
  std::uint64_t sectors = 0;
  for (std::uint64_t k = 0; k < 32; ++k) sectors += 4 - k / 8;
  EXPECT_EQ(a.sectors, 2 * sectors);
}

// Lanes whose iterations have different lengths wait for each other at the end of an iteration.
TEST(LaunchRecorder, matches_iterations_of_reductions) {
  const counting on;
  constexpr int all = 640;
  const View<const float*, Emu> x(View<float*, Emu>("x", all));
  // Iteration i runs in lane i % 64, with 32 lanes to a request.
  double sum = 0;
  hpk::parallel_reduce(
      "pairs", hpk::RangePolicy<Emu>(0, all),
      HPK_LAMBDA(int i, double& part) {
        for (int j = i; j < all; ++j) part += x(j);
      },
      sum);
  std::uint64_t sectors = 0;
  std::uint64_t turns = 0;
  for (int first = 0; first < all; first += 32) {
    for (int k = first; k < all; ++k, ++turns) {
      const int last = std::min(k + 31, all - 1);
      sectors += static_cast<std::uint64_t>(last / 8 - k / 8 + 1);
    }
  }
  EXPECT_EQ(accesses_of("pairs", "x").requests, turns);
  EXPECT_EQ(accesses_of("pairs", "x").sectors, sectors);
}

// Groups that read an element twice and read elements of other groups.
TEST(LaunchRecorder, counts_sectors_of_launch_and_groups) {
  const counting on;
  const View<double*, Emu> x("x", n);
  const View<double*, Emu> y("y", n);
  hpk::parallel_for(
      "twice", hpk::RangePolicy<Emu>(0, n),
      HPK_LAMBDA(int i) { y(i) = x(i) + x((i + 256) % n) + x(i); });
  for (const hpk::seam::view_counts& v : launch_of("twice").views) {
    EXPECT_EQ(v.bytes, n * sizeof(double));
    EXPECT_EQ(v.sectors, n / 4u);
    EXPECT_EQ(v.sectors_of_groups, v.label == "x" ? 2 * n / 4u : n / 4u);
  }
  EXPECT_EQ(launch_of("twice").views.size(), 2u);
}

TEST(LaunchRecorder, counts_accesses_beyond_the_limit_apart) {
  const counting on;
  const View<float*, Emu> x("x", 1);
  constexpr int most = 1 << 16;
  hpk::parallel_for(
      "long", hpk::RangePolicy<Emu>(0, 1), HPK_LAMBDA(int) {
        for (int k = 0; k < most + 10; ++k) hpk::atomic_add(&x(0), 1.0f);
      });
  EXPECT_EQ(accesses_of("long", "x").accesses, most);
  EXPECT_EQ(launch_of("long").unseen_accesses, 10u);
}

// The counts of kernels with all kinds of accesses, as text.
std::string everything(int seed, int threads) {
  const counting on(seed, threads);
  tile(32);
  histogram(32);
  rows<hpk::LayoutLeft>();
  box<hpk::LayoutRight>();
  Emu().fence();
  std::string all;
  const auto add = [&](auto value) { all += std::to_string(value) + ' '; };
  for (const launch_counts& c : launches) {
    all += "\n" + c.label + ": ";
    add(c.barriers);
    add(c.syncs);
    for (const access_counts& a : c.accesses) {
      all += a.label + ' ';
      add(static_cast<int>(a.kind));
      for (const std::uint64_t value :
           {a.accesses, a.requests, a.full_accesses, a.used_bytes, a.runs, a.sectors,
            a.ideal_sectors, a.bank_cycles, a.ideal_bank_cycles, a.serial_atomics}) {
        add(value);
      }
      add(a.lane_index);
      add(a.lane_stride);
    }
    for (const auto& v : c.views) {
      add(v.sectors);
      add(v.sectors_of_groups);
    }
    for (const auto& h : c.hot) add(h.operations);
  }
  return all;
}
TEST(LaunchRecorder, counts_the_same_for_any_seed_and_number_of_threads) {
  const std::string plain = everything(0, 1);
  EXPECT_NE(plain.find("histogram"), plain.npos);
  EXPECT_EQ(everything(0, 4), plain);
  for (const int seed : {1, 2, 77}) EXPECT_EQ(everything(seed, 2), plain);
}

}  // namespace hpk_test::launch_recorder_cases
