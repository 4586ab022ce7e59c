// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the lanes of many groups share iterations: each iteration runs once, whatever the machine
// prefers, and groups have the promised number and length.
#include <support/spaces.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace hpk_test::lanes_cases {

using hpk::index_t;
using hpk::detail::index_range;
using hpk::detail::lane_chunk;
using hpk::detail::lane_plan;
using hpk::detail::plan_lanes;

hpk::seam::machine_properties machine_of(index_t workers, int lanes, index_t lane_iterations) {
  hpk::seam::machine_properties p;
  p.workers = workers;
  p.preferred_lanes = lanes;
  p.lane_iterations = lane_iterations;
  return p;
}

template <class Visit>
void for_each_machine(Visit visit) {
  for (const index_t workers : {1, 4, 132}) {
    for (const int lanes : {1, 32, 256}) {
      for (const index_t lane_iterations : {1, 3, 64}) {
        SCOPED_TRACE(testing::Message() << workers << " workers, " << lanes << " lanes, "
                                        << lane_iterations << " iterations each");
        visit(machine_of(workers, lanes, lane_iterations));
      }
    }
  }
}

// Sizes near multiples of the number of lanes of a machine.
std::vector<index_t> sizes_for(const hpk::seam::machine_properties& machine) {
  std::vector<index_t> sizes = {1, 2};
  const index_t lanes = machine.preferred_lanes;
  for (const index_t rows : {index_t{1}, index_t{2}, 2 * machine.workers, 4 * machine.workers,
                             2 * machine.workers * machine.lane_iterations}) {
    for (const index_t off : {-1, 0, 1}) sizes.push_back(std::max<index_t>(1, rows * lanes + off));
  }
  return sizes;
}

// One lane of the groups of a plan. With Neighbours it takes consecutive iterations.
template <bool Neighbours>
struct one_lane {
  static constexpr bool takes_neighbours = Neighbours;
  const lane_plan& plan;
  index_t group_;
  int lane_;
  index_t group() const { return group_; }
  int lane_index() const { return lane_; }
  int lanes() const { return plan.shape.lanes; }
};

template <bool Neighbours>
std::vector<int> visits_of(const lane_plan& plan, int begin) {
  std::vector<int> visits(static_cast<std::size_t>(plan.n));
  const auto note = [&visits, begin](int i) { ++visits[static_cast<std::size_t>(i - begin)]; };
  const hpk::detail::for_lanes_kernel<void, hpk::detail::range_walk<int>, decltype(note)> body{
      note, hpk::detail::range_walk(begin), plan.n, plan.part};
  const hpk::seam::launch_info launch{.pattern = "test", .label = {}, .where = {}};
  const hpk::seam::kernel_scope inside(launch);
  for (index_t group = 0; group < plan.shape.groups; ++group) {
    for (int lane = 0; lane < plan.shape.lanes; ++lane) {
      one_lane<Neighbours> self{plan, group, lane};
      body(self);
    }
  }
  return visits;
}

TEST(Lanes, run_every_iteration_once) {
  for_each_machine([](const auto& machine) {
    for (const index_t n : sizes_for(machine)) {
      if (n > 300000) continue;
      const lane_plan plan = plan_lanes(machine, n);
      EXPECT_EQ(plan.n, n);
      const std::vector<int> once(static_cast<std::size_t>(n), 1);
      EXPECT_TRUE(visits_of<true>(plan, -5) == once) << n << " by neighbours";
      EXPECT_TRUE(visits_of<false>(plan, -5) == once) << n << " in turn";
    }
  });
}

// A lane with at most one iteration.
struct single_lane {
  index_t group_;
  int lane_;
  int lanes_;
  index_t group() const { return group_; }
  int lane_index() const { return lane_; }
  int lanes() const { return lanes_; }
};

// Runs the launches of a range with a limited number of groups.
template <class I>
void expect_each_index_once(I begin, index_t n, int lanes, index_t most_groups) {
  SCOPED_TRACE(testing::Message() << n << " from " << +begin << " on, " << lanes << " lanes, "
                                  << most_groups << " groups");
  std::vector<int> visits(static_cast<std::size_t>(n));
  const auto note = [&visits, begin](I i) {
    const auto at = static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(begin);
    ASSERT_LT(at, visits.size());
    ++visits[at];
  };
  const hpk::seam::launch_info launch{.pattern = "test", .label = {}, .where = {}};
  const hpk::seam::kernel_scope inside(launch);
  using body = hpk::detail::for_range_kernel<void, I, decltype(note)>;
  using index = typename body::index;
  hpk::detail::for_launches(begin, n, lanes, most_groups,
                            [&](index first, index last, index_t groups, int wide) {
                              EXPECT_LE(wide, lanes);
                              EXPECT_LE(groups, most_groups);
                              for (index_t group = 0; group < groups; ++group) {
                                for (int lane = 0; lane < wide; ++lane) {
                                  single_lane self{group, lane, wide};
                                  body{note, first, last}(self);
                                }
                              }
                            });
  EXPECT_TRUE(visits == std::vector<int>(static_cast<std::size_t>(n), 1));
}
template <class I>
void expect_ranges() {
  constexpr I low = std::numeric_limits<I>::min();
  constexpr I high = std::numeric_limits<I>::max();
  for (const int lanes : {1, 32, 96, 256}) {
    for (const index_t n : {1, 31, 32, 33, 96, 97, 127}) {
      for (const index_t most : {index_t{1}, index_t{3}, hpk::detail::most_groups}) {
        expect_each_index_once<I>(low, n, lanes, most);
        expect_each_index_once<I>(static_cast<I>(3), n - 3 > 0 ? n - 3 : 1, lanes, most);
        expect_each_index_once<I>(static_cast<I>(high - static_cast<I>(n)), n, lanes, most);
        expect_each_index_once<I>(static_cast<I>(high - static_cast<I>(n) - 30),
                                  n - 3 > 0 ? n - 3 : 1, lanes, most);
      }
    }
  }
}
TEST(Lanes, with_one_iteration_run_each_index_once) {
  expect_ranges<signed char>();
  expect_ranges<unsigned char>();
  expect_ranges<short>();
  expect_ranges<int>();
  expect_ranges<unsigned>();
  expect_ranges<index_t>();
  expect_ranges<std::uint64_t>();
}
// Ranges that are too large to run.
TEST(Lanes, with_one_iteration_share_huge_ranges) {
  const auto count = [](auto begin, index_t n) {
    int launches = 0;
    index_t points = 0;
    hpk::detail::for_launches(begin, n, 256, hpk::detail::most_groups,
                              [&](auto first, auto last, index_t groups, int wide) {
                                ++launches;
                                const auto size =
                                    static_cast<index_t>(static_cast<std::uint64_t>(last) -
                                                         static_cast<std::uint64_t>(first));
                                points += size;
                                EXPECT_LE(groups, hpk::detail::most_groups);
                                EXPECT_GE(groups * wide, size);
                                EXPECT_LT((groups - 1) * wide, size);
                              });
    EXPECT_EQ(points, n);
    return launches;
  };
  constexpr index_t most = std::numeric_limits<index_t>::max();
  EXPECT_EQ(count(0, 0x7fff'fe00), 1);
  EXPECT_EQ(count(0, 0x7fff'ffff), 2);  // the end is the highest index
  EXPECT_EQ(count(std::numeric_limits<int>::min(), 0xffff'ffff), 2);
  EXPECT_EQ(count(0u, 0xffff'ff00), 1);  // no lane lies behind the end
  EXPECT_EQ(count(0u, 0xffff'ff01), 2);
  EXPECT_EQ(count(index_t{0}, index_t{1} << 33), 1);
  EXPECT_EQ(count(index_t{0}, index_t{0x7fff'ffff} * 256), 1);
  EXPECT_EQ(count(index_t{0}, index_t{0x7fff'ffff} * 256 + 1), 2);
  EXPECT_EQ(count(index_t{-5}, index_t{1} << 50), (1 << 11) + 1);
  EXPECT_EQ(count(most - 1000, 1000), 2);
}

// The launch respects the bounds that the GPU compiler relies on.
TEST(Lanes, keep_the_launch_bounds) {
  struct kernel {
    void operator()(int) const {}
  };
  using hpk::detail::for_lanes_kernel;
  using usual = for_lanes_kernel<void, hpk::detail::range_walk<int>, kernel>;
  static_assert(usual::most_lanes == 256 && usual::least_groups == 1);
  using bound =
      for_lanes_kernel<void, hpk::detail::range_walk<int>, kernel, hpk::LaunchBounds<96, 4>>;
  static_assert(bound::most_lanes == 96 && bound::least_groups == 4);
  using range = hpk::detail::for_range_kernel<void, int, kernel, hpk::LaunchBounds<96, 4>>;
  static_assert(range::most_lanes == 96 && range::least_groups == 4);
  EXPECT_EQ(plan_lanes(machine_of(4, 256, 1), 1000).shape.lanes, 256);
  EXPECT_EQ(plan_lanes(machine_of(4, 1024, 1), 1000).shape.lanes, 256);
  EXPECT_EQ(plan_lanes(machine_of(4, 256, 1), 1000, bound::most_lanes).shape.lanes, 96);
  EXPECT_EQ(plan_lanes(machine_of(4, 256, 1), 1000, bound::most_lanes).part, 96);
  EXPECT_EQ(plan_lanes(machine_of(4, 32, 1), 1000, bound::most_lanes).shape.lanes, 32);
}

TEST(Lanes, have_as_much_to_do_as_the_machine_likes) {
  for_each_machine([](const auto& machine) {
    const index_t lanes = machine.preferred_lanes;
    for (const index_t n : sizes_for(machine)) {
      SCOPED_TRACE(n);
      const lane_plan plan = plan_lanes(machine, n);
      EXPECT_EQ(plan.shape.lanes, lanes);
      EXPECT_EQ(plan.part % lanes, 0);
      EXPECT_GE(plan.part, lanes);
      EXPECT_LE(plan.part, lanes * machine.lane_iterations);
      EXPECT_LT((plan.shape.groups - 1) * plan.part, n);
      EXPECT_GE(plan.shape.groups * plan.part, n);
      // Two groups per worker take precedence over long groups.
      EXPECT_GE(plan.shape.groups, std::min((n + lanes - 1) / lanes, 2 * machine.workers));
      if (n >= 2 * machine.workers * lanes * machine.lane_iterations) {
        EXPECT_EQ(plan.part, lanes * machine.lane_iterations);
      }
    }
  });
}

TEST(Lanes, do_not_overflow_near_the_largest_count) {
  constexpr index_t most = std::numeric_limits<index_t>::max();
  for (const index_t n : {most, most - 1, most - 1000}) {
    const lane_plan plan = plan_lanes(machine_of(4, 256, most / 256), n);
    EXPECT_GT(plan.part, 0);
    EXPECT_LT((plan.shape.groups - 1), n / plan.part + 1);
    EXPECT_LT(n - (plan.shape.groups - 1) * plan.part, plan.part + 1);
  }
}

constexpr bool same(index_range a, index_range b) { return a.begin == b.begin && a.end == b.end; }
static_assert(same(lane_chunk(10, 100, 16, 0), {10, 26}));
static_assert(same(lane_chunk(10, 100, 16, 5), {90, 100}));
static_assert(same(lane_chunk(10, 100, 16, 6), {100, 100}));
static_assert(same(lane_chunk(10, 100, 16, 255), {100, 100}));
static_assert(same(lane_chunk(10, 90, 16, 4), {74, 90}) &&
              same(lane_chunk(10, 90, 16, 5), {90, 90}));
static_assert(same(lane_chunk(7, 7, 16, 0), {7, 7}) && same(lane_chunk(0, 3, 0, 2), {0, 0}));
constexpr index_t last = std::numeric_limits<index_t>::max();
static_assert(same(lane_chunk(last - 20, last, 16, 1), {last - 4, last}));
static_assert(same(lane_chunk(last - 20, last, 16, 255), {last, last}));

// A functor without Views that has an array of classes before padding.
template <class Exec>
struct scatter_points {
  struct point {
    float x, y, z;
  };
  double* to;
  point points[9];
  int last;
  std::int64_t after;
  HPK_FUNCTION void operator()(int i) const {
    const point& p = points[i % 9];
    to[i] = static_cast<double>(p.x + p.y + p.z) + last + static_cast<double>(after);
  }
};

template <class Exec>
class FunctorBytes : public testing::Test {};
TYPED_TEST_SUITE(FunctorBytes, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(FunctorBytes, reach_the_kernel) {
  const hpk::View<double*, TypeParam> to("to", 18);
  scatter_points<TypeParam> functor{to.data(), {}, 1000, 2000};
  for (int k = 0; k < 9; ++k) {
    const auto x = static_cast<float>(10 * k + 1);
    functor.points[k] = {x, x + 1, x + 2};
  }
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 18), functor);
  const auto found = hpk_test::on_host(to);
  for (int i = 0; i < 18; ++i) EXPECT_EQ(found(i), 3000 + 3 * (10 * (i % 9) + 2)) << i;
}

}  // namespace hpk_test::lanes_cases
