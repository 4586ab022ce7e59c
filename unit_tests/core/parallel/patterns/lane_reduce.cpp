// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions on machines of many lanes: how groups divide blocks, and the group that finishes last.
// reduce_shape.cpp tests the bits.
#include <support/spaces.hpp>

#include <hpk/graph.hpp>

#include <array>
#include <limits>
#include <thread>
#include <vector>

namespace hpk_test::lane_reduce_cases {

using hpk::detail::divide_blocks;
using hpk::detail::finish_plan;
using hpk::detail::folding_lanes;
using hpk::detail::lane_blocks;

template <int Bytes>
using bytes = std::array<char, Bytes>;
static_assert(folding_lanes<char>() == 256 && folding_lanes<double>() == 256);
static_assert(folding_lanes<bytes<128>>() == 256 && folding_lanes<bytes<129>>() == 128);
static_assert(folding_lanes<bytes<300>>() == 64 && folding_lanes<bytes<4096>>() == 8);
static_assert(folding_lanes<bytes<32768>>() == 1 && folding_lanes<bytes<1000000>>() == 1);

// The blocks of a sum of doubles over n iterations.
constexpr lane_blocks sum_of(hpk::index_t n, hpk::index_t chunk = 0) {
  using operations = hpk::detail::reducer_operations<hpk::Sum<double>>;
  return divide_blocks<operations>(hpk::detail::plan_reduce<double, true>(0, n, chunk), 32);
}
// One iteration per block: each lane has a block.
static_assert(sum_of(64).width == 1 && sum_of(64).groups == 1 && sum_of(64).finish.count == 64);
// One segment per block: half a warp shares a block.
static_assert(sum_of(1 << 20).width == 16 && sum_of(1 << 20).groups == 64);
static_assert(sum_of(1 << 20).segments[0] == 1 && sum_of(1 << 20).finish.count == 1024);
// Several segments, with fewer in the last block.
static_assert(sum_of(3 << 20).width == 64 && sum_of(3 << 20).segments[0] == 3);
static_assert(sum_of((1 << 24) + 1).segments[0] == 16 && sum_of((1 << 24) + 1).width == 256);
static_assert(sum_of((1 << 24) + 1).segments[1] < 16);
static_assert(sum_of(std::numeric_limits<hpk::index_t>::max()).finish.count <= 1024);
static_assert(sum_of(0).groups == 1 && sum_of(0).finish.count == 0);

// Each lane of the last group first joins a power of two of blocks.
static_assert(finish_plan::of(1024, 256).each == 4 && finish_plan::of(1024, 256).left == 256);
static_assert(finish_plan::of(65, 256).each == 1 && finish_plan::of(65, 256).left == 65);
static_assert(finish_plan::of(1000, 8).each == 128 && finish_plan::of(1000, 8).left == 8);

template <class Exec>
class LaneReduce : public testing::Test {};
TYPED_TEST_SUITE(LaneReduce, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
std::int64_t count_to(const Exec& exec, std::int64_t n) {
  std::int64_t sum = -1;
  hpk::parallel_reduce(
      hpk::RangePolicy<Exec>(exec, 0, n), HPK_LAMBDA(std::int64_t i, std::int64_t& s) { s += i; },
      sum);
  return sum;
}

// Each launch resets the counter of groups.
HPK_TYPED_TEST(LaneReduce, comes_again_with_any_number_of_groups) {
  const TypeParam exec;
  for (const std::int64_t n : {100000L, 3L, 5000000L, 70001L, 100000L, 1L << 20, 20000L}) {
    EXPECT_EQ(count_to(exec, n), n * (n - 1) / 2) << n;
    EXPECT_EQ(count_to(exec, n), n * (n - 1) / 2) << n;
  }
}

HPK_TYPED_TEST(LaneReduce, of_several_threads_on_one_instance_are_apart) {
  const TypeParam exec;
  std::vector<std::thread> threads;
  std::array<std::int64_t, 4> found{};
  for (std::size_t t = 0; t < found.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int k = 0; k < 20; ++k)
        found[t] += count_to(exec, 200000 + static_cast<std::int64_t>(t));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < found.size(); ++t) {
    const std::int64_t n = 200000 + static_cast<std::int64_t>(t);
    EXPECT_EQ(found[t], 20 * (n * (n - 1) / 2)) << t;
  }
}

// Launches into Views, which do not wait for each other.
HPK_TYPED_TEST(LaneReduce, into_views_follow_one_another) {
  using view = hpk::View<std::int64_t, TypeParam>;
  const TypeParam exec;
  std::vector<view> results;
  for (int k = 0; k < 20; ++k) {
    results.emplace_back("result");
    const std::int64_t n = 150000 + k;
    hpk::parallel_reduce(
        hpk::RangePolicy<TypeParam>(exec, 0, n),
        HPK_LAMBDA(std::int64_t i, std::int64_t& s) { s += i; }, results.back());
  }
  for (int k = 0; k < 20; ++k) {
    const std::int64_t n = 150000 + k;
    std::int64_t found = -1;
    hpk::deep_copy(found, results[static_cast<std::size_t>(k)]);
    EXPECT_EQ(found, n * (n - 1) / 2);
  }
}

HPK_TYPED_TEST(LaneReduce, in_a_graph_comes_again_with_each_submit) {
  using view = hpk::View<std::int64_t, TypeParam>;
  const view first("first");
  const view second("second");
  const auto add = HPK_LAMBDA(std::int64_t i, std::int64_t& s) { s += i; };
  auto graph = hpk::create_graph<TypeParam>([&](const auto& root) {
    root.then_parallel_reduce(hpk::RangePolicy<TypeParam>(0, 300000), add, first);
    root.then_parallel_reduce(hpk::RangePolicy<TypeParam>(0, 100000), add, second);
  });
  for (int k = 0; k < 3; ++k) {
    hpk::deep_copy(first, -1);
    hpk::deep_copy(second, -1);
    hpk::fence();
    graph.submit();
    hpk::fence();
    std::int64_t found = -1;
    hpk::deep_copy(found, first);
    EXPECT_EQ(found, 300000L * 299999 / 2);
    hpk::deep_copy(found, second);
    EXPECT_EQ(found, 100000L * 99999 / 2);
  }
}

}  // namespace hpk_test::lane_reduce_cases
