// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graph: shapes of graphs, submits on several instances and from several threads, graphs in graphs,
// and errors.
#include <hpk/graph.hpp>

#include <support/spaces.hpp>

#include <array>
#include <thread>
#include <vector>

namespace {

template <class Exec>
using numbers = hpk::View<long*, Exec>;

// Sets to(i) = f(from(i)); the functions f of different steps do not commute.
template <class Exec>
struct step_kernel {
  numbers<Exec> values;
  long factor;
  HPK_FUNCTION void operator()(int i) const { values(i) = (values(i) * factor + i) % 1000003; }
};
template <class Exec>
struct add_kernel {
  numbers<Exec> to, a, b;
  HPK_FUNCTION void operator()(int i) const { to(i) = (3 * a(i) + b(i) + 1) & 0xffff; }
};
template <class Exec>
struct count_kernel {
  numbers<Exec> counts;
  int at;
  HPK_FUNCTION void operator()(int) const { hpk::atomic_add(&counts(at), 1L); }
};
template <class Exec>
struct total_kernel {
  numbers<Exec> values;
  HPK_FUNCTION void operator()(int i, long& sum) const { sum += values(i) % 7 + i; }
};

template <class Exec>
class Graph : public testing::Test {};
TYPED_TEST_SUITE(Graph, hpk_test::spaces, hpk_test::space_names);

// Node counts and sizes below and above the limit up to which one worker runs a whole node.
HPK_TYPED_TEST(Graph, diamond_runs_in_order_on_any_instance) {
  using Exec = TypeParam;
  for (const int n : {1, 100, 1024, 1025, 3000}) {
    const numbers<Exec> a("a", n), b("b", n), c("c", n), d("d", n);
    const hpk::Graph<Exec> graph("diamond");
    auto first = graph.root_node().then_parallel_for("first", n, step_kernel<Exec>{a, 3});
    auto left = first.then_parallel_for(n, add_kernel<Exec>{b, a, a});
    auto right = first.then_parallel_for("right", n, add_kernel<Exec>{c, a, d});
    hpk::when_all(left, right, left).then_parallel_for("last", n, add_kernel<Exec>{d, b, c});
    std::vector<long> wa(n), wb(n), wc(n), wd(n);
    for (const Exec& exec : hpk_test::instances<Exec>()) {
      for (int k = 0; k < 3; ++k) {
        graph.submit(exec);
        exec.fence();
        for (int i = 0; i < n; ++i) {
          const auto u = static_cast<std::size_t>(i);
          wa[u] = (wa[u] * 3 + i) % 1000003;
          wb[u] = (4 * wa[u] + 1) & 0xffff;
          wc[u] = (3 * wa[u] + wd[u] + 1) & 0xffff;
          wd[u] = (3 * wb[u] + wc[u] + 1) & 0xffff;
        }
      }
      const auto result = hpk_test::on_host(d);
      for (int i = 0; i < n; ++i) ASSERT_EQ(result(i), wd[static_cast<std::size_t>(i)]) << i;
    }
  }
}

HPK_TYPED_TEST(Graph, chains_and_wide_graphs_of_a_thousand_nodes) {
  using Exec = TypeParam;
  constexpr int n = 5;
  constexpr int nodes = 1000;
  const numbers<Exec> x("x", n), y("y", n), counts("counts", nodes);
  const hpk::Graph<Exec> graph;
  auto left = graph.root_node();
  auto right = graph.root_node();
  std::vector<hpk::GraphNodeRef<Exec>> all;
  for (int k = 0; k < nodes / 2; ++k) {
    left = left.then_parallel_for("left", n, step_kernel<Exec>{x, k % 5 + 1});
    right = right.then_parallel_for("right", n, step_kernel<Exec>{y, k % 3 + 1});
  }
  for (int k = 0; k < nodes; ++k)
    all.push_back(graph.root_node().then_parallel_for(n, count_kernel<Exec>{counts, k}));
  all.push_back(left);
  all.push_back(right);
  const hpk::View<long, Exec> sum("sum");
  hpk::when_all(all).then_parallel_reduce("sum", nodes, total_kernel<Exec>{counts}, sum);
  std::vector<long> wx(n), wy(n);
  long submits = 0;
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    graph.submit(exec);
    exec.fence();
    ++submits;
    for (int k = 0; k < nodes / 2; ++k) {
      for (int i = 0; i < n; ++i) {
        const auto u = static_cast<std::size_t>(i);
        wx[u] = (wx[u] * (k % 5 + 1) + i) % 1000003;
        wy[u] = (wy[u] * (k % 3 + 1) + i) % 1000003;
      }
    }
    const auto hx = hpk_test::on_host(x);
    const auto hy = hpk_test::on_host(y);
    for (int i = 0; i < n; ++i) {
      ASSERT_EQ(hx(i), wx[static_cast<std::size_t>(i)]);
      ASSERT_EQ(hy(i), wy[static_cast<std::size_t>(i)]);
    }
    const auto total = hpk_test::on_host(sum);
    ASSERT_EQ(total(), nodes * (submits * n % 7) + nodes * (nodes - 1L) / 2);
  }
}

HPK_TYPED_TEST(Graph, random_graphs_give_what_the_order_says) {
  using Exec = TypeParam;
  unsigned state = 12345;
  const auto next = [&](int below) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 8) % static_cast<unsigned>(below));
  };
  for (int round = 0; round < 6; ++round) {
    const hpk::Graph<Exec> graph;
    constexpr int rows = 40;
    std::vector<numbers<Exec>> views;
    std::vector<hpk::GraphNodeRef<Exec>> nodes;
    std::vector<int> sizes;
    std::vector<std::array<int, 2>> from;
    for (int k = 0; k < rows; ++k) {
      views.emplace_back("row", 2000);
      sizes.push_back(next(4) == 0 ? 1500 + next(400) : 1 + next(60));
      const int a = k == 0 ? 0 : next(k);
      const int b = k == 0 ? 0 : next(k);
      from.push_back({a, b});
      const add_kernel<Exec> kernel{views.back(), views[static_cast<std::size_t>(a)],
                                    views[static_cast<std::size_t>(b)]};
      auto before = k == 0 ? graph.root_node()
                           : hpk::when_all(nodes[static_cast<std::size_t>(a)],
                                           nodes[static_cast<std::size_t>(b)]);
      nodes.push_back(before.then_parallel_for(sizes.back(), kernel));
    }
    std::vector<std::vector<long>> model(rows, std::vector<long>(2000));
    for (const Exec& exec : hpk_test::instances<Exec>()) {
      graph.submit(exec);
      exec.fence();
      for (std::size_t k = 0; k < rows; ++k) {
        const auto& a = model[static_cast<std::size_t>(from[k][0])];
        const auto& b = model[static_cast<std::size_t>(from[k][1])];
        for (std::size_t i = 0; i < static_cast<std::size_t>(sizes[k]); ++i)
          model[k][i] = (3 * a[i] + b[i] + 1) & 0xffff;
        const auto row = hpk_test::on_host(views[k]);
        for (int i = 0; i < sizes[k]; ++i)
          ASSERT_EQ(row(i), model[k][static_cast<std::size_t>(i)]) << k << ' ' << i;
      }
    }
  }
}

HPK_TYPED_TEST(Graph, empty_graphs_and_nodes_without_work) {
  using Exec = TypeParam;
  const hpk::Graph<Exec> nothing = hpk::create_graph(Exec());
  nothing.instantiate();
  nothing.submit();
  const numbers<Exec> counts("counts", 1);
  const hpk::View<long, Exec> sum("sum");
  hpk::deep_copy(sum, 5);
  const hpk::Graph<Exec> graph("few");
  auto none = graph.root_node().then_parallel_for(0, count_kernel<Exec>{counts, 0});
  auto inner = hpk::when_all(graph.root_node(), none).then_graph("nothing", nothing);
  inner.then_parallel_reduce(0, total_kernel<Exec>{counts}, sum);
  inner.then_parallel_for(1, count_kernel<Exec>{counts, 0});
  graph.submit();
  EXPECT_EQ(hpk_test::on_host(sum)(), 0);
  EXPECT_EQ(hpk_test::on_host(counts)(0), 1);
  EXPECT_EQ(graph.label(), "few");
  EXPECT_EQ(graph.get_execution_space(), Exec());
}

// A graph that is a node of two others, in one of them twice.
HPK_TYPED_TEST(Graph, graphs_within_graphs) {
  using Exec = TypeParam;
  constexpr int n = 30;
  const numbers<Exec> x("x", n), y("y", n);
  hpk::Graph<Exec> outer("outer");
  {
    const hpk::Graph<Exec> inner("inner");
    inner.root_node()
        .then_parallel_for(n, step_kernel<Exec>{x, 2})
        .then_parallel_for(n, step_kernel<Exec>{x, 3});
    inner.root_node().then_parallel_for(n, step_kernel<Exec>{y, 5});
    outer.root_node()
        .then_graph("once", inner)
        .then_parallel_for(n, add_kernel<Exec>{x, x, y})
        .then_graph(inner)
        .then_parallel_for(n, add_kernel<Exec>{y, y, x});
  }
  std::vector<long> wx(n), wy(n);
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    outer.submit(exec);
    exec.fence();
    for (int i = 0; i < n; ++i) {
      long& a = wx[static_cast<std::size_t>(i)];
      long& b = wy[static_cast<std::size_t>(i)];
      const auto step = [i](long v, long f) { return (v * f + i) % 1000003; };
      const auto add = [](long v, long w) { return (3 * v + w + 1) & 0xffff; };
      a = add(step(step(a, 2), 3), b = step(b, 5));
      a = step(step(a, 2), 3);
      b = step(b, 5);
      b = add(b, a);
    }
    const auto hx = hpk_test::on_host(x);
    const auto hy = hpk_test::on_host(y);
    for (int i = 0; i < n; ++i) {
      ASSERT_EQ(hx(i), wx[static_cast<std::size_t>(i)]);
      ASSERT_EQ(hy(i), wy[static_cast<std::size_t>(i)]);
    }
  }
}

HPK_TYPED_TEST(Graph, many_threads_submit_one_graph_and_their_own) {
  using Exec = TypeParam;
  constexpr int threads = 16;
  constexpr int submits = 5;
  const numbers<Exec> counts("counts", threads + 3);
  const hpk::Graph<Exec> shared("shared");
  auto a = shared.root_node().then_parallel_for(7, count_kernel<Exec>{counts, threads});
  auto b = shared.root_node().then_parallel_for(5, count_kernel<Exec>{counts, threads + 1});
  hpk::when_all(a, b).then_parallel_for(2000, count_kernel<Exec>{counts, threads + 2});
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      const hpk::Graph<Exec> own;
      own.root_node().then_parallel_for(3, count_kernel<Exec>{counts, t});
      own.root_node().then_parallel_for(4, count_kernel<Exec>{counts, t});
      const Exec mine = t % 2 == 1 ? hpk_test::with_workers<Exec>(2) : Exec();
      for (int k = 0; k < submits; ++k) {
        shared.submit(mine);
        own.submit(mine);
      }
      mine.fence();
    });
  }
  for (std::thread& thread : all) thread.join();
  const auto result = hpk_test::on_host(counts);
  for (int t = 0; t < threads; ++t) EXPECT_EQ(result(t), 7 * submits);
  EXPECT_EQ(result(threads), 7 * submits * threads);
  EXPECT_EQ(result(threads + 1), 5 * submits * threads);
  EXPECT_EQ(result(threads + 2), 2000 * submits * threads);
}

HPK_TYPED_TEST(Graph, keeps_its_views_as_long_as_it_lives) {
  using Exec = TypeParam;
  hpk::View<long, Exec> sum("sum");
  {
    hpk::Graph<Exec> graph;
    {
      const numbers<Exec> x("x", 10);
      graph.root_node().then_parallel_reduce(10, total_kernel<Exec>{x}, sum);
      EXPECT_EQ(x.use_count(), 2);
    }
    EXPECT_EQ(sum.use_count(), 2);
    graph.submit();
    EXPECT_EQ(hpk_test::on_host(sum)(), 45);
  }
  hpk::fence();
  EXPECT_EQ(sum.use_count(), 1);
}

HPK_TYPED_TEST(Graph, create_graph_in_all_its_forms) {
  using Exec = TypeParam;
  const numbers<Exec> counts("counts", 1);
  const auto build = [&](auto root) { root.then_parallel_for(2, count_kernel<Exec>{counts, 0}); };
  auto a = hpk::create_graph<Exec>(build);
  auto b = hpk::Experimental::create_graph(Exec(), build);
  auto c = hpk::create_graph("c", Exec(), [&](hpk::GraphNodeRef<Exec>& root) { build(root); });
  auto d = hpk::create_graph<Exec>();
  build(d.root_node());
  for (const hpk::Graph<Exec>& graph : {a, b, c, d}) graph.submit(Exec());
  EXPECT_EQ(hpk_test::on_host(counts)(0), 8);
  EXPECT_EQ(a, hpk::Graph<Exec>(a));
  EXPECT_NE(a, b);
}

HPK_TYPED_TEST(Graph, nothing_is_added_later) {
  using Exec = TypeParam;
  const numbers<Exec> counts("counts", 1);
  const count_kernel<Exec> kernel{counts, 0};
  const hpk::Graph<Exec> graph("step");
  auto node = graph.root_node().then_parallel_for("first", 1, kernel);
  graph.instantiate();
  hpk_test::expect_error([&] { node.then_parallel_for("second", 1, kernel); },
                         {"hpk::Graph \"step\": a node \"second\" can't be added behind node 1 "
                          "\"first\" (graph.cpp:",
                          ") after instantiate() (graph.cpp:", "graph.cpp"});
  hpk_test::expect_error([&] { hpk::when_all(node, node); }, {"after instantiate()"});
  hpk_test::expect_error([&] { graph.instantiate(); },
                         {"hpk::Graph \"step\": instantiate() after instantiate() (graph.cpp:"});
  graph.submit();
  const hpk::Graph<Exec> other;
  other.root_node().then_graph(graph);
  other.submit();
  hpk_test::expect_error([&] { other.instantiate(); }, {"instantiate() after submit()"});
  hpk_test::expect_error(
      [&] { other.root_node().then_host([] {}); },
      {"hpk::Graph: a node can't be added behind node 0 \"root\"", "after submit()"});
  EXPECT_EQ(hpk_test::on_host(counts)(0), 2);
}

HPK_TYPED_TEST(Graph, no_graph_is_within_itself) {
  using Exec = TypeParam;
  const hpk::Graph<Exec> a("a"), b("b"), c("c");
  a.root_node().then_graph(b);
  b.root_node().then_graph(c);
  hpk_test::expect_error([&] { a.root_node().then_graph("self", a); },
                         {"hpk::Graph \"a\": a node \"self\" behind node 0 \"root\"",
                          "can't be the graph \"a\"", "it is a node of", "graph.cpp"});
  hpk_test::expect_error([&] { c.root_node().then_graph(a); },
                         {"hpk::Graph \"c\"", "can't be the graph \"a\"", "contains this one"});
  a.submit();
}

HPK_TYPED_TEST(Graph, handles_of_nothing) {
  using Exec = TypeParam;
  hpk::Graph<Exec> graph("moved");
  auto node = graph.root_node();
  const hpk::Graph<Exec> kept(std::move(graph));
  hpk_test::expect_error([&] { graph.submit(); },
                         {"hpk::Graph::submit: the graph was moved from", "graph.cpp"});
  hpk_test::expect_error([&] { static_cast<void>(graph.root_node()); },
                         {"hpk::Graph::root_node: the graph was moved from"});
  hpk_test::expect_error([&] { kept.root_node().then_graph(graph); },
                         {"hpk::Graph::then_graph: the graph was moved from"});
  const hpk::GraphNodeRef<Exec> empty;
  hpk_test::expect_error([&] { empty.then_host("late", [] {}); },
                         {"hpk::GraphNodeRef::then_host \"late\": the node is empty", "graph.cpp"});
  hpk_test::expect_error([&] { hpk::when_all(node, empty); }, {"hpk::when_all: the node is empty"});
  hpk_test::expect_error([&] { hpk::when_all(std::vector<hpk::GraphNodeRef<Exec>>()); },
                         {"hpk::when_all: the node is empty", "graph.cpp"});
  auto orphan = hpk::create_graph(Exec()).root_node();
  hpk_test::expect_error([&] { orphan.then_host([] {}); },
                         {"the graph of the node has ended; keep the hpk::Graph"});
  const hpk::Graph<Exec> other("other");
  hpk_test::expect_error(
      [&] { hpk::when_all(node, other.root_node().then_host("there", [] {})); },
      {"hpk::when_all: node 0 \"root\" (graph.cpp:", "is of hpk::Graph \"moved\"",
       "node 1 \"there\" (graph.cpp:", "of hpk::Graph \"other\""});
}

}  // namespace
