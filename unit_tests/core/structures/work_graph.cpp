// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work graphs: every item runs once, after all its predecessors, on every space and repeatedly.
// Cycles and invalid graphs are reported, and workers without items sleep.
#include <hpk/structures/work_graph.hpp>

#include <support/sleepers.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace view_work_graph_test {
namespace {

using hpk_test::contains;
using hpk_test::error_of;

using rows = std::vector<std::vector<int>>;

template <class Exec, class I = int>
using graph_of = hpk::Crs<I, Exec, void, I>;
template <class Exec>
using policy_of = hpk::WorkGraphPolicy<Exec, int>;

template <class Exec, class I = int>
graph_of<Exec, I> make_graph(const rows& all) {
  std::size_t entries = 0;
  for (const auto& row : all) entries += row.size();
  graph_of<Exec, I> graph;
  graph.row_map = typename graph_of<Exec, I>::row_map_type("row_map", all.size() + 1);
  graph.entries = typename graph_of<Exec, I>::entries_type("entries", entries);
  const auto map = hpk::create_mirror_view(graph.row_map);
  const auto to = hpk::create_mirror_view(graph.entries);
  I k = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    map(i) = k;
    for (const int behind : all[i]) to(k++) = static_cast<I>(behind);
  }
  map(all.size()) = k;
  hpk::deep_copy(graph.row_map, map);
  hpk::deep_copy(graph.entries, to);
  return graph;
}

rows chain(int n) {
  rows all(static_cast<std::size_t>(n));
  for (int i = 0; i + 1 < n; ++i) all[static_cast<std::size_t>(i)] = {i + 1};
  return all;
}
// Item i precedes item i - 1.
rows reversed_chain(int n) {
  rows all(static_cast<std::size_t>(n));
  for (int i = 1; i < n; ++i) all[static_cast<std::size_t>(i)] = {i - 1};
  return all;
}
rows fork_and_join(int n) {
  rows all(static_cast<std::size_t>(n));
  for (int i = 1; i + 1 < n; ++i) {
    all[0].push_back(i);
    all[static_cast<std::size_t>(i)] = {n - 1};
  }
  return all;
}
// Each item precedes some later ones, some of them twice.
rows tangle(int n, unsigned seed) {
  rows all(static_cast<std::size_t>(n));
  unsigned state = seed;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    for (unsigned k = 0; k < (state >> 20) % 5; ++k) {
      state = state * 1664525u + 1013904223u;
      const int behind = i + 1 + static_cast<int>((state >> 16) % 50u);
      if (behind < n) all[static_cast<std::size_t>(i)].push_back(behind);
    }
  }
  return all;
}
// A wavefront over a square.
rows square(int side) {
  rows all(static_cast<std::size_t>(side * side));
  for (int i = 0; i < side; ++i) {
    for (int k = 0; k < side; ++k) {
      auto& row = all[static_cast<std::size_t>(i * side + k)];
      if (i + 1 < side) row.push_back((i + 1) * side + k);
      if (k + 1 < side) row.push_back(i * side + k + 1);
    }
  }
  return all;
}

std::vector<rows> graphs() {
  std::vector<rows> all{rows(),
                        rows(1),
                        rows(2),
                        rows(1000),
                        chain(2),
                        chain(700),
                        reversed_chain(300),
                        fork_and_join(3),
                        fork_and_join(2000),
                        square(1),
                        square(25)};
  for (const unsigned seed : {1u, 2u, 3u}) all.push_back(tangle(1500, seed));
  return all;
}

// The length of the longest path to each item.
std::vector<int> depths(const rows& all) {
  std::vector<int> before(all.size());
  for (const auto& row : all) {
    for (const int behind : row) ++before[static_cast<std::size_t>(behind)];
  }
  std::vector<int> ready, depth(all.size(), 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (before[i] == 0) ready.push_back(static_cast<int>(i));
  }
  while (!ready.empty()) {
    const auto i = static_cast<std::size_t>(ready.back());
    ready.pop_back();
    for (const int behind : all[i]) {
      const auto b = static_cast<std::size_t>(behind);
      depth[b] = std::max(depth[b], depth[i] + 1);
      if (--before[b] == 0) ready.push_back(behind);
    }
  }
  return depth;
}

// Computes the depth of each item from the depths of its predecessors, by plain loads and stores.
template <class Exec>
struct find_depth {
  graph_of<Exec> before;  // transposed
  hpk::View<int*, Exec> depth;
  hpk::View<int*, Exec> calls;
  HPK_FUNCTION void operator()(int i) const {
    int deepest = 0;
    for (int k = before.row_map(i); k < before.row_map(i + 1); ++k) {
      const int one = depth(before.entries(k)) + 1;
      if (one > deepest) deepest = one;
    }
    depth(i) = deepest;
    hpk::atomic_inc(&calls(i));
  }
};
template <class Exec>
find_depth<Exec> make_finder(const graph_of<Exec>& graph) {
  graph_of<Exec> before;
  hpk::transpose_crs(before, graph);
  const int n = graph.numRows();
  return {before, hpk::View<int*, Exec>("depth", n), hpk::View<int*, Exec>("calls", n)};
}
template <class Exec>
void expect_found(const find_depth<Exec>& finder, const rows& all, int runs) {
  const auto depth = hpk_test::on_host(finder.depth);
  const auto calls = hpk_test::on_host(finder.calls);
  const std::vector<int> wanted = depths(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(calls(i), runs) << "item " << i << " of " << all.size();
    ASSERT_EQ(depth(i), wanted[i]) << "item " << i << " of " << all.size();
  }
}

template <class Exec>
class WorkGraph : public testing::Test {};
TYPED_TEST_SUITE(WorkGraph, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(WorkGraph, runs_each_item_behind_those_before_it_and_again) {
  for (const rows& all : graphs()) {
    const auto graph = make_graph<TypeParam>(all);
    const auto finder = make_finder<TypeParam>(graph);
    int runs = 0;
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      const policy_of<TypeParam> policy(exec, graph);
      EXPECT_EQ(policy.size(), static_cast<hpk::index_t>(all.size()));
      EXPECT_TRUE(policy.space() == exec);
      for (int round = 0; round < 2; ++round) {
        hpk::deep_copy(finder.depth, -5);
        hpk::parallel_for("depths", policy, finder);
        expect_found(finder, all, ++runs);
      }
      const policy_of<TypeParam> copy = policy;
      hpk::parallel_for(copy, finder);
      expect_found(finder, all, ++runs);
    }
  }
}

struct twice {};
template <class Exec>
struct tagged {
  hpk::View<long*, Exec> sums;
  HPK_FUNCTION void operator()(twice, long i) const { sums(i) += 2 * i; }
  HPK_FUNCTION void operator()(int) const { hpk::abort("without the tag"); }
};

HPK_TYPED_TEST(WorkGraph, takes_arguments_in_any_order_and_wide_items) {
  const auto wide = make_graph<TypeParam, hpk::index_t>(square(7));
  const tagged<TypeParam> kernel{hpk::View<long*, TypeParam>("sums", 49)};
  hpk::parallel_for(hpk::WorkGraphPolicy<twice, TypeParam, hpk::Schedule<hpk::Dynamic>>(wide),
                    kernel);
  const auto seen = hpk_test::on_host(kernel.sums);
  for (long i = 0; i < 49; ++i) EXPECT_EQ(seen(i), 2 * i);
  const auto narrow = make_graph<TypeParam>(square(3));
  const hpk::WorkGraphPolicy deduced(narrow);
  static_assert(std::is_same_v<typename decltype(deduced)::index_type, int>);
  static_assert(std::is_same_v<typename decltype(deduced)::execution_space, TypeParam>);
  static_assert(hpk::is_execution_policy_v<policy_of<TypeParam>>);
  using unsigned_policy = hpk::WorkGraphPolicy<TypeParam, hpk::IndexType<unsigned>>;
  const auto others = make_graph<TypeParam, unsigned>(chain(5));
  const hpk::View<int, TypeParam> count("count");
  hpk::parallel_for(
      unsigned_policy(others),
      HPK_LAMBDA(unsigned i) { hpk::atomic_add(&count(), static_cast<int>(i)); });
  EXPECT_EQ(hpk_test::on_host(count)(), 10);
}

template <class Exec>
void count_items(const policy_of<Exec>& policy, const hpk::View<int, Exec>& count) {
  hpk::parallel_for("count", policy, HPK_LAMBDA(int) { hpk::atomic_inc(&count()); });
}

// The other items run, and the message counts the items that never become ready.
HPK_TYPED_TEST(WorkGraph, names_the_items_of_a_cycle) {
  const auto expect_never = [](const rows& all, int never) {
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      const policy_of<TypeParam> policy(exec, make_graph<TypeParam>(all));
      const hpk::View<int, TypeParam> count("count");
      for (int round = 1; round <= 2; ++round) {
        const std::string text = error_of([&] { count_items<TypeParam>(policy, count); });
        EXPECT_TRUE(contains(text, "parallel_for \"count\""));
        EXPECT_TRUE(contains(text, std::to_string(never) + " of " + std::to_string(all.size()) +
                                       " items never became ready"));
        EXPECT_TRUE(contains(text, "work_graph.cpp"));
        const auto size = static_cast<int>(all.size());
        EXPECT_EQ(hpk_test::on_host(count)(), round * (size - never));
      }
    }
  };
  expect_never({{0}}, 1);
  expect_never({{1}, {0}}, 2);
  expect_never({{1}, {2}, {3, 1}, {4}, {}}, 4);  // 3 and 4 wait for the cycle of 1 and 2
  rows ring = chain(500);
  ring[499] = {250};
  expect_never(ring, 250);
}

HPK_TYPED_TEST(WorkGraph, refuses_graphs_that_are_none) {
  const auto message = [](const graph_of<TypeParam>& graph) {
    return error_of([&] { const policy_of<TypeParam> policy(graph); });
  };
  EXPECT_TRUE(contains(message(make_graph<TypeParam>({{1}, {2}, {1, 3}})),
                       "item 2 comes before item 3, but there are items 0 to 2"));
  EXPECT_TRUE(contains(message(make_graph<TypeParam>({{}, {0, -4}, {7}})),
                       "item 1 comes before item -4, but there are items 0 to 2"));
  graph_of<TypeParam> graph = make_graph<TypeParam>({{1}, {2}, {}});
  const auto map = hpk::create_mirror_view(graph.row_map);
  hpk::deep_copy(map, graph.row_map);
  map(1) = 7;
  hpk::deep_copy(graph.row_map, map);
  const std::string text = message(graph);
  EXPECT_TRUE(contains(text, "row 0 of the graph is [0, 7), but there are 2 entries"));
  EXPECT_TRUE(contains(text, "work_graph.cpp"));
}

HPK_TYPED_TEST(WorkGraph, is_run_by_several_threads_at_once) {
  const rows all = tangle(400, 9);
  const auto graph = make_graph<TypeParam>(all);
  const policy_of<TypeParam> policy(graph);
  std::vector<std::thread> threads;
  for (int t = 0; t < 5; ++t) {
    threads.emplace_back([&] {
      const auto finder = make_finder<TypeParam>(graph);
      for (int round = 1; round <= 5; ++round) {
        hpk::parallel_for(policy, finder);
        expect_found(finder, all, round);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

template <class Exec>
class WorkGraphOnHost : public testing::Test {};
TYPED_TEST_SUITE(WorkGraphOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(WorkGraphOnHost, gives_the_callers_exception_and_runs_again) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const rows all = chain(50);
    const policy_of<TypeParam> policy(exec, make_graph<TypeParam>(all));
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> calls = 0;
      const int caught = hpk_test::thrown_by([&] {
        hpk::parallel_for(policy, [&](int i) {
          ++calls;
          if (i == 20 + round) throw i;
        });
      });
      EXPECT_EQ(caught, 20 + round);
      EXPECT_EQ(calls, 21 + round);
      calls = 0;
      hpk::parallel_for(policy, [&](int) { ++calls; });
      EXPECT_EQ(calls, 50);
    }
  }
}

HPK_TYPED_TEST(WorkGraphOnHost, runs_inside_of_kernels) {
  const rows all = square(6);
  const policy_of<TypeParam> policy(make_graph<TypeParam>(all));
  std::atomic<int> calls = 0;
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 9), [&](int) {
    hpk::parallel_for(policy, [&](int) {
      hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 2), [&](int) { ++calls; });
    });
  });
  EXPECT_EQ(calls, 9 * 36 * 2);
}

// The first item makes three others ready, which wait for each other: each worker must run one of
// them, though two workers were asleep.
HPK_TYPED_TEST(WorkGraphOnHost, keeps_all_workers_at_work) {
  if constexpr (hpk_test::has_workers<TypeParam>) {
    const TypeParam exec(3);
    const policy_of<TypeParam> policy(exec, make_graph<TypeParam>({{1, 2, 3}, {}, {}, {}}));
    for (int round = 0; round < 5; ++round) {
      std::atomic<int> arrived = 0;
      std::atomic<int> met = 0;
      std::atomic<bool> slept = round == 0;
      hpk::parallel_for(policy, [&](int i) {
        if (i != 0) {
          met += hpk_test::wait_for_all(arrived, 3) ? 1 : 0;
        } else if (round != 0) {
          slept = hpk_test::wait_until_others_sleep();
        }
      });
      EXPECT_TRUE(slept);
      EXPECT_EQ(met, 3);
    }
  }
}

HPK_TYPED_TEST(WorkGraphOnHost, lets_workers_without_items_sleep) {
  if constexpr (hpk_test::has_workers<TypeParam>) {
    const TypeParam exec(4);
    const policy_of<TypeParam> policy(exec, make_graph<TypeParam>(chain(2)));
    std::atomic<int> alone = 0;
    hpk::parallel_for(policy, [&](int) { alone += hpk_test::wait_until_others_sleep() ? 1 : 0; });
    EXPECT_EQ(alone, 2);
  }
}

}  // namespace
}  // namespace view_work_graph_test
