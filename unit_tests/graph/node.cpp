// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GraphNodeRef: every member over every policy, and the errors of their arguments.
#include <hpk/graph.hpp>

#include <support/spaces.hpp>

#include <string>
#include <vector>

namespace {

template <class Exec>
using values = hpk::View<double*, Exec>;
struct weighted {};

template <class Exec>
struct fill_kernel {
  values<Exec> x;
  HPK_FUNCTION void operator()(int i) const { x(i) = i; }
  HPK_FUNCTION void operator()(weighted, int i) const { x(i) = 2 * i; }
  HPK_FUNCTION void operator()(int i, int j) const { x(4 * i + j) = 10 * i + j; }
  HPK_FUNCTION void operator()(const typename hpk::TeamPolicy<Exec>::member_type& team) const {
    hpk::parallel_for(hpk::TeamThreadRange(team, 5), inner{x, team.league_rank()});
  }
  struct inner {
    values<Exec> x;
    int row;
    HPK_FUNCTION void operator()(int j) const { x(5 * row + j) = row; }
  };
  HPK_FUNCTION void operator()() const { x(0) += 7; }
  HPK_FUNCTION void operator()(weighted) const { x(1) += 8; }
};
template <class Exec>
struct sum_kernel {
  values<Exec> x;
  HPK_FUNCTION void operator()(int i, double& sum) const { sum += x(i) * 0.1; }
  HPK_FUNCTION void operator()(int i, int j, double& sum) const { sum += x(4 * i + j) * 0.1; }
  HPK_FUNCTION void operator()(const typename hpk::TeamPolicy<Exec>::member_type& team,
                               double& sum) const {
    if (team.team_rank() == 0) sum += x(team.league_rank());
  }
};
template <class Exec>
struct prefix_kernel {
  values<Exec> x;
  HPK_FUNCTION void operator()(int i, double& sum, bool final) const {
    sum += x(i);
    if (final) x(i) = sum;
  }
};
template <class Exec>
struct most_kernel {
  values<Exec> x;
  HPK_FUNCTION void operator()(int i, double& most) const { most = x(i) > most ? x(i) : most; }
};
template <class Exec>
struct pair_sums {
  using value_type = double[];
  values<Exec> x;
  int value_count = 2;
  HPK_FUNCTION void operator()(int i, double* sums) const { sums[i % 2] += x(i); }
};

template <class Exec>
class GraphNode : public testing::Test {};
TYPED_TEST_SUITE(GraphNode, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(GraphNode, parallel_for_over_every_policy) {
  using Exec = TypeParam;
  const values<Exec> a("a", 50), b("b", 50), c("c", 40), d("d", 50), e("e", 3000);
  const hpk::Graph<Exec> graph;
  auto root = graph.root_node();
  root.then_parallel_for("a", 50, fill_kernel<Exec>{a})
      .then_parallel_for(hpk::RangePolicy<Exec, weighted>(40, 50), fill_kernel<Exec>{a});
  root.then_parallel_for("b", hpk::RangePolicy<Exec, hpk::Schedule<hpk::Dynamic>>(1, 49),
                         fill_kernel<Exec>{b});
  root.then_parallel_for(hpk::MDRangePolicy<Exec, hpk::Rank<2>>({0, 0}, {10, 4}),
                         fill_kernel<Exec>{c});
  root.then_parallel_for("d", hpk::TeamPolicy<Exec>(10, hpk::AUTO), fill_kernel<Exec>{d});
  root.then_parallel_for("e", 3000, fill_kernel<Exec>{e});
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    for (const auto& view : {a, b, c, d, e}) hpk::deep_copy(view, -1);
    graph.submit(exec);
    exec.fence();
    const auto ha = hpk_test::on_host(a), hb = hpk_test::on_host(b), hc = hpk_test::on_host(c),
               hd = hpk_test::on_host(d), he = hpk_test::on_host(e);
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(ha(i), i < 40 ? i : 2 * i);
      EXPECT_EQ(hb(i), i == 0 || i == 49 ? -1 : i);
      EXPECT_EQ(hc(i % 40), 10 * (i % 40 / 4) + i % 4);
      EXPECT_EQ(hd(i), i / 5);
      EXPECT_EQ(he(60 * i), 60 * i);
    }
  }
}

// Nodes have the bits of a launch, in a batch or not.
HPK_TYPED_TEST(GraphNode, reductions_and_scans_have_the_bits_of_launches) {
  using Exec = TypeParam;
  for (const int n : {0, 1, 37, 1000, 5000}) {
    const values<Exec> x("x", n + 40), up("up", n), down("down", n);
    hpk::parallel_for(hpk::RangePolicy<Exec>(0, n + 40), fill_kernel<Exec>{x});
    hpk::View<double, Exec> want[4], got[6];
    for (auto& v : want) v = hpk::View<double, Exec>("want");
    for (auto& v : got) v = hpk::View<double, Exec>("got");
    const hpk::View<double*, Exec> pairs("pairs", 2);
    const sum_kernel<Exec> kernel{x};
    const hpk::MDRangePolicy<Exec, hpk::Rank<2>> box({0, 0}, {n / 4, 4});
    const hpk::TeamPolicy<Exec> teams(n, 1);
    hpk::parallel_reduce(hpk::RangePolicy<Exec>(0, n), kernel, want[0]);
    hpk::parallel_reduce(box, kernel, want[1]);
    hpk::parallel_reduce(teams, kernel, want[2]);
    const hpk::Graph<Exec> graph;
    auto root = graph.root_node();
    root.then_parallel_reduce("range", n, kernel, got[0]);
    root.then_parallel_reduce(box, kernel, got[1]);
    root.then_parallel_reduce("teams", teams, kernel, got[2]);
    root.then_parallel_reduce(hpk::RangePolicy<Exec>(0, n), most_kernel<Exec>{x},
                              hpk::Max<double, Exec>(got[3]));
    root.then_parallel_reduce(n, pair_sums<Exec>{x}, pairs);
    root.then_parallel_for(n, fill_kernel<Exec>{up})
        .then_parallel_scan("up", n, prefix_kernel<Exec>{up}, got[4]);
    root.then_parallel_for(n, fill_kernel<Exec>{down})
        .then_parallel_scan(hpk::backward(hpk::RangePolicy<Exec>(0, n)), prefix_kernel<Exec>{down});
    for (const Exec& exec : hpk_test::instances<Exec>()) {
      graph.submit(exec);
      exec.fence();
      for (int k = 0; k < 3; ++k)
        EXPECT_EQ(hpk_test::on_host(got[k])(), hpk_test::on_host(want[k])()) << k << ' ' << n;
      const double total = n * (n - 1.0) / 2;
      EXPECT_EQ(hpk_test::on_host(got[3])(),
                n == 0 ? hpk::reduction_identity<double>::max() : n - 1.0);
      EXPECT_EQ(hpk_test::on_host(got[4])(), total);
      const auto sums = hpk_test::on_host(pairs);
      EXPECT_EQ(sums(0) + sums(1), total);
      const auto hu = hpk_test::on_host(up), hd = hpk_test::on_host(down);
      for (int i = 0; i < n; ++i) {
        ASSERT_EQ(hu(i), i * (i + 1.0) / 2);
        ASSERT_EQ(hd(i), total - i * (i - 1.0) / 2);
      }
    }
  }
}

HPK_TYPED_TEST(GraphNode, then_calls_once_in_a_kernel) {
  using Exec = TypeParam;
  const values<Exec> x("x", 2);
  const fill_kernel<Exec> kernel{x};
  const hpk::Graph<Exec> graph;
  graph.root_node()
      .then(kernel)
      .then("labelled", kernel)
      .then("on an instance", Exec(), kernel)
      .then(hpk::ThenPolicy<weighted>(), kernel)
      .then("tag", hpk::ThenPolicy<weighted>(), kernel);
  graph.submit();
  const auto result = hpk_test::on_host(x);
  EXPECT_EQ(result(0), 21);
  EXPECT_EQ(result(1), 16);
}

// On GPUs a host node may not throw, and a capture records the graph once.
HPK_TYPED_TEST(GraphNode, tells_its_kind) {
  using kind = hpk::GraphNodeKind;
  const values<TypeParam> x("x", 4);
  hpk::Graph<TypeParam> graph;
  const auto root = graph.root_node();
  EXPECT_EQ(root.get_node_kind(), kind::Aggregate);
  const auto kernel = root.then_parallel_for(4, fill_kernel<TypeParam>{x});
  EXPECT_EQ(kernel.get_node_kind(), kind::Kernel);
  EXPECT_EQ(root.then(fill_kernel<TypeParam>{x}).get_node_kind(), kind::Kernel);
  EXPECT_EQ(kernel.then_host([] {}).get_node_kind(), kind::Host);
  EXPECT_EQ(kernel.capture([](const TypeParam&) {}).get_node_kind(), kind::Capture);
  EXPECT_EQ(hpk::when_all(root, kernel).get_node_kind(), kind::Aggregate);
  EXPECT_EQ(root.then_graph(hpk::Graph<TypeParam>()).get_node_kind(), kind::Graph);
  const hpk::GraphNodeRef<TypeParam> none;
  EXPECT_TRUE(hpk_test::contains(hpk_test::error_of([&] { none.get_node_kind(); }),
                                 "GraphNodeRef::get_node_kind"));
}

HPK_TYPED_TEST(GraphNode, host_nodes_and_captures_run_at_their_place) {
  using Exec = TypeParam;
  const values<Exec> x("x", 50);
  const hpk::View<double, Exec> sum("sum");
  int calls = 0;
  std::vector<double> seen;
  const hpk::Graph<Exec> graph("host nodes");
  graph.root_node()
      .then_parallel_for(50, fill_kernel<Exec>{x})
      .then_host("count", [&, k = 0]() mutable { calls = ++k; })
      .capture("launches",
               [=](const Exec& exec) {
                 hpk::parallel_for(hpk::RangePolicy<Exec, weighted>(exec, 0, 50),
                                   fill_kernel<Exec>{x});
               })
      .then_parallel_reduce(50, sum_kernel<Exec>{x}, sum)
      .capture([](const Exec&) {})
      .then_host([&] {
        if constexpr (hpk_test::is_on_cpu<Exec>) seen.push_back(hpk_test::on_host(sum)());
      });
  for (int k = 1; k <= 3; ++k) {
    graph.submit();
    hpk::fence();
    EXPECT_EQ(calls, k);
    EXPECT_NEAR(hpk_test::on_host(sum)(), 245, 1e-9);
  }
  EXPECT_EQ(seen.size(), hpk_test::is_on_cpu<Exec> ? 3u : 0u);
}

HPK_TYPED_TEST(GraphNode, results_that_would_not_last) {
  using Exec = TypeParam;
  const values<Exec> x("x", 2);
  const hpk::Graph<Exec> graph;
  auto root = graph.root_node();
  double sum = 0;
  hpk_test::expect_error(
      [&] { root.then_parallel_reduce("most", 2, most_kernel<Exec>{x}, hpk::Max<double>(sum)); },
      {"hpk::GraphNodeRef::then_parallel_reduce \"most\": the reducer refers to a variable",
       "node.cpp"});
  hpk_test::expect_error(
      [&] { root.then_parallel_reduce("none", 2, sum_kernel<Exec>{x}, hpk::View<double, Exec>()); },
      {"hpk::parallel_reduce \"none\": the result View is not allocated", "node.cpp"});
  hpk_test::expect_error(
      [&] {
        root.then_parallel_scan("none", 2, prefix_kernel<Exec>{x}, hpk::View<double, Exec>());
      },
      {"hpk::parallel_scan \"none\": the result View is not allocated", "node.cpp"});
}

}  // namespace
