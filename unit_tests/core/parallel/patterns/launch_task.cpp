// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches as objects: submitted repeatedly, on other instances, by several threads, and as nodes
// of graphs.
#include <hpk/graph.hpp>
#include <hpk/launch_task.hpp>

#include <support/elements.hpp>

#include <string>
#include <thread>
#include <vector>

namespace parallel_launch_task_test {
namespace {

using hpk::make_reduce_task;
using hpk::make_scan_task;
using hpk::make_task;

template <class Exec>
class LaunchTask : public testing::Test {};
TYPED_TEST_SUITE(LaunchTask, hpk_test::spaces, hpk_test::space_names);

template <class View>
struct add {
  HPK_FUNCTION void operator()(int amount, const View& to, int i) const { to(i) += amount * i; }
};

HPK_TYPED_TEST(LaunchTask, runs_as_often_as_it_is_submitted) {
  using vector = hpk::View<long*, TypeParam>;
  const vector x("x", 1000);
  const auto task =
      make_task("add", hpk::RangePolicy<TypeParam>(0, 1000), hpk::with_args(add<vector>(), 2, x));
  EXPECT_EQ(task.label(), "add");
  EXPECT_EQ(task.policy().end(), 1000);
  EXPECT_EQ(hpk_test::on_host(x)(999), 0);
  for (int round = 0; round < 3; ++round) task.submit();
  const TypeParam other = hpk_test::new_instance<TypeParam>();
  hpk::fence();
  task.submit(other);
  other.fence();
  const auto copy = task;
  copy.submit();
  EXPECT_EQ(hpk_test::on_host(x)(999), 5 * 2 * 999);
}

HPK_TYPED_TEST(LaunchTask, may_be_of_any_pattern_and_policy) {
  const hpk::View<long*, TypeParam> x("x", 100);
  const hpk::View<long, TypeParam> sum("sum");
  const hpk::View<long, TypeParam> most("most");
  const hpk::RangePolicy<TypeParam> range(0, 100);
  const auto set = make_task(range, HPK_LAMBDA(int i) { x(i) = i; });
  const auto scan = make_scan_task(
      "scan", range, HPK_LAMBDA(int i, long& s, bool last) {
        s += x(i);
        if (last) x(i) = s;
      });
  const auto reduce =
      make_reduce_task("sum", range, HPK_LAMBDA(int i, long& s) { s += x(i); }, sum);
  const auto largest = make_reduce_task(
      "most", range,
      HPK_LAMBDA(int i, long& m) {
        if (x(i) > m) m = x(i);
      },
      hpk::Max<long, TypeParam>(most));
  const auto teams = make_task(
      hpk::TeamPolicy<TypeParam>(100, 2),
      HPK_LAMBDA(const typename hpk::TeamPolicy<TypeParam>::member_type& team) {
        if (team.team_rank() == 0) x(team.league_rank()) += 1;
      });
  const auto box = make_task(
      hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>({0, 0}, {10, 10}),
      HPK_LAMBDA(int i, int j) { x(10 * i + j) += 1; });
  for (int round = 0; round < 2; ++round) {
    set.submit();
    scan.submit();
    teams.submit();
    box.submit();
    reduce.submit();
    largest.submit();
    EXPECT_EQ(hpk_test::on_host(sum)(), 166650 + 200);
    EXPECT_EQ(hpk_test::on_host(most)(), 4950 + 2);
  }
}

HPK_TYPED_TEST(LaunchTask, may_be_a_node_of_a_graph) {
  const hpk::View<long*, TypeParam> x("x", 50);
  const hpk::View<long, TypeParam> sum("sum");
  const hpk::RangePolicy<TypeParam> range(0, 50);
  const auto set = make_task("set", range, HPK_LAMBDA(int i) { x(i) += i; });
  const auto reduce =
      make_reduce_task("sum", range, HPK_LAMBDA(int i, long& s) { s += x(i); }, sum);
  hpk::Graph<TypeParam> graph;
  reduce.append_to(set.append_to(graph.root_node()));
  for (int round = 1; round <= 3; ++round) {
    graph.submit();
    EXPECT_EQ(hpk_test::on_host(sum)(), 1225L * round);
  }
  // The tasks can still be submitted alone.
  set.submit();
  reduce.submit();
  EXPECT_EQ(hpk_test::on_host(sum)(), 1225L * 4);
}

HPK_TYPED_TEST(LaunchTask, may_be_submitted_by_many_threads) {
  const hpk::View<int*, TypeParam> x("x", 10);
  const auto task = make_task(
      "count", hpk::RangePolicy<TypeParam>(0, 10), HPK_LAMBDA(int i) { hpk::atomic_inc(&x(i)); });
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t)
    threads.emplace_back([&] {
      for (int k = 0; k < 10; ++k) task.submit();
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(hpk_test::on_host(x)(9), 160);
}

struct does_nothing {
  HPK_FUNCTION void operator()(int) const {}
};

TEST(LaunchTaskOfACount, runs_on_the_default_space_and_names_itself_in_errors) {
  using exec = hpk::DefaultHostExecutionSpace;
  const auto task = make_task("throws", hpk::RangePolicy<exec>(0, 3), [](int i) {
    if (i == 1) hpk::raise(hpk::error_message() << "no");
  });
  EXPECT_TRUE(hpk_test::contains(hpk_test::error_of([&] { task.submit(); }), "no"));
  const auto counted = make_task(5, does_nothing());
  static_assert(std::is_same_v<decltype(counted)::execution_space, hpk::DefaultExecutionSpace>);
  counted.submit();
}

}  // namespace
}  // namespace parallel_launch_task_test
