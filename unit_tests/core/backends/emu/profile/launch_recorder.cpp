// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emu's counts of a launch against formulas: what each request of a sub-group moves is known
// before.
#include "support/environment.hpp"
#include "support/spaces.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <hpk/backends/emu/profile/launch_recorder.hpp>

namespace hpk_test::launch_recorder_cases {

using hpk::Emu;
using hpk::View;
using hpk::seam::access_counts;
using hpk::seam::access_kind;
using hpk::seam::copy_counts;
using hpk::seam::launch_counts;

std::vector<launch_counts> launches;
std::vector<copy_counts> copies;

// Counts launches and copies of Emu, as long as it lives.
class counting {
 public:
  explicit counting(int seed = 0, int threads = 1) {
    launches.clear();
    copies.clear();
    profile_.on_launch = [](const launch_counts& c) { launches.push_back(c); };
    profile_.on_copy = [](const copy_counts& c) { copies.push_back(c); };
    hpk::seam::current_device_profile.store(&profile_, hpk::detail::memory_order::release);
    guard_.emplace(
        hpk::InitializationSettings().set_num_threads(threads).set_option("emu-seed", seed));
  }
  ~counting() {
    guard_.reset();
    hpk::seam::current_device_profile.store(nullptr, hpk::detail::memory_order::release);
  }

 private:
  const clean_environment none_;
  hpk::seam::device_profile profile_;
  std::optional<hpk::ScopeGuard> guard_;
};

const launch_counts& launch_of(const std::string& label) {
  Emu().fence();
  const auto found = std::find_if(launches.rbegin(), launches.rend(),
                                  [&](const launch_counts& c) { return c.label == label; });
  if (found == launches.rend()) hpk::abort(("no launch " + label).c_str());
  return *found;
}
// All accesses of a launch to a View.
access_counts accesses_of(const std::string& kernel, const std::string& view) {
  access_counts sum;
  for (const access_counts& a : launch_of(kernel).accesses) {
    if (a.label != view) continue;
    access_counts s = a;
    s.accesses += sum.accesses;
    s.requests += sum.requests;
    s.full_accesses += sum.full_accesses;
    s.used_bytes += sum.used_bytes;
    s.sectors += sum.sectors;
    s.ideal_sectors += sum.ideal_sectors;
    s.bank_cycles += sum.bank_cycles;
    s.ideal_bank_cycles += sum.ideal_bank_cycles;
    s.serial_atomics += sum.serial_atomics;
    sum = s;
  }
  return sum;
}

constexpr int n = 1024;
constexpr std::uint64_t requests = n / 32;

// x(first + stride * i).
template <class T>
access_counts strided(int stride, int first = 0) {
  const View<T*, Emu> x("x", n * stride + first);
  hpk::parallel_for(
      "strided", hpk::RangePolicy<Emu>(0, n), HPK_LAMBDA(int i) { x(first + stride * i) = T{}; });
  return accesses_of("strided", "x");
}

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

template <class Layout>
access_counts box() {
  const View<double**, Layout, Emu> a("a", 64, 64);
  hpk::parallel_for(
      "box", hpk::MDRangePolicy<Emu, hpk::Rank<2, hpk::Iterate::Left>>({0, 0}, {64, 64}),
      HPK_LAMBDA(int i, int j) { a(i, j) = i; });
  return accesses_of("box", "a");
}
TEST(LaunchRecorder, counts_layouts_of_boxes) {
  const counting on;
  EXPECT_EQ(box<hpk::LayoutLeft>().sectors, 64 * 64 / 32 * 8u);
  EXPECT_EQ(box<hpk::LayoutRight>().sectors, 64 * 64u);
  EXPECT_EQ(box<hpk::LayoutLeft>().lane_index, 0);
  EXPECT_EQ(box<hpk::LayoutRight>().ideal_sectors, 64 * 64 / 32 * 8u);
}

// Each team sums a row up.
template <class Layout>
access_counts rows() {
  const View<double**, Layout, Emu> a("a", 8, 256);
  const View<double*, Emu> sums("sums", 8);
  using policy = hpk::TeamPolicy<Emu>;
  hpk::parallel_for(
      "rows", policy(8, 64), HPK_LAMBDA(const policy::member_type& team) {
        const int row = team.league_rank();
        double sum = 0;
        hpk::parallel_reduce(
            hpk::TeamThreadRange(team, 256), [&](int k, double& s) { s += a(row, k); }, sum);
        hpk::single(hpk::PerTeam(team), [&] { sums(row) = sum; });
      });
  return accesses_of("rows", "a");
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
}

// A tile of 32 x 32 floats is written by rows and read by columns.
access_counts tile(int padded) {
  using policy = hpk::TeamPolicy<Emu>;
  using member = policy::member_type;
  using tile_view =
      View<float**, hpk::LayoutRight, member::scratch_memory_space, hpk::MemoryUnmanaged>;
  const View<float*, Emu> out("out", 1024);
  hpk::parallel_for(
      "tile", policy(1, 32).set_scratch_size(0, hpk::PerTeam(tile_view::shmem_size(32, 64))),
      HPK_LAMBDA(const member& team) {
        const tile_view part(team.team_scratch(0), 32, padded);
        const int column = team.team_rank();
        for (int row = 0; row < 32; ++row) part(row, column) = 1;
        team.team_barrier();
        for (int row = 0; row < 32; ++row) out(row * 32 + column) = part(column, row);
      });
  return accesses_of("tile", "scratch");
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

access_counts histogram(int bins) {
  const View<int*, Emu> counts("counts", bins);
  hpk::parallel_for(
      "histogram", hpk::RangePolicy<Emu>(0, 4096),
      HPK_LAMBDA(int i) { hpk::atomic_add(&counts(i % bins), 1); });
  return accesses_of("histogram", "counts");
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

// Views of atomic elements do the same.
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

// Loops of lanes: the k-th turns are one request, also where some lanes leave early.
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
  // In turn k the lanes from k on take part; eight of them share a sector.
  std::uint64_t sectors = 0;
  for (std::uint64_t k = 0; k < 32; ++k) sectors += 4 - k / 8;
  EXPECT_EQ(a.sectors, 2 * sectors);
}

// Groups that read the same twice, and each other's elements.
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

TEST(LaunchRecorder, counts_copies_and_repeated_ones) {
  const counting on;
  const View<double*, Emu> x("x", 100);
  const auto mirror = hpk::create_mirror_view(x);
  mirror(3) = 1;
  copies.clear();
  hpk::deep_copy(x, mirror);
  hpk::deep_copy(x, mirror);
  mirror(3) = 2;
  hpk::deep_copy(x, mirror);
  hpk::deep_copy(mirror, x);
  ASSERT_EQ(copies.size(), 4u);
  EXPECT_EQ(copies[0].to, "x");
  EXPECT_EQ(copies[0].from, "x_mirror");
  EXPECT_TRUE(copies[0].to_device);
  EXPECT_FALSE(copies[0].from_device);
  EXPECT_EQ(copies[0].bytes, 800u);
  EXPECT_FALSE(copies[0].is_repeated);
  EXPECT_TRUE(copies[1].is_repeated);
  EXPECT_FALSE(copies[2].is_repeated);
  EXPECT_FALSE(copies[3].to_device);
  EXPECT_FALSE(copies[3].is_repeated);
}

// The counts of a kernel with all kinds of accesses, as text.
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
           {a.accesses, a.requests, a.full_accesses, a.used_bytes, a.sectors, a.ideal_sectors,
            a.bank_cycles, a.ideal_bank_cycles, a.serial_atomics}) {
        add(value);
      }
      add(a.lane_index);
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
