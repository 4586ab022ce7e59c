// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How host spaces and Emu replay a graph: independent nodes run at the same time, tools are called,
// and failures leave the graph usable.
#include <hpk/graph.hpp>

#include <support/spaces.hpp>
#include <support/wait.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

template <class Exec>
class GraphReplay : public testing::Test {};
TYPED_TEST_SUITE(GraphReplay, hpk_test::cpu_spaces, hpk_test::space_names);

template <class Exec>
struct touch {
  hpk::View<int*, Exec> x;
  int at;
  HPK_FUNCTION void operator()(int) const { hpk::atomic_add(&x(at), 1); }
};

std::vector<std::string>* told = nullptr;
void begins(const char* name, std::uint32_t, std::uint64_t*) { told->push_back(name); }

// Each of two nodes waits for the other.
HPK_TYPED_TEST(GraphReplay, independent_nodes_run_at_the_same_time) {
  using Exec = TypeParam;
  if constexpr (hpk_test::is_host<Exec> && hpk_test::has_workers<Exec>) {
    std::atomic<int> came{0};
    const auto meet = [&](int) { hpk_test::wait_for_all(came, 2); };
    const hpk::Graph<Exec> graph;
    auto a = graph.root_node().then_parallel_for(1, meet);
    auto b = graph.root_node().then_parallel_for(1, meet);
    bool met = false;
    hpk::when_all(a, b).then_host([&] { met = came == 2; });
    graph.submit(Exec(2));
    EXPECT_TRUE(met);
  }
}

HPK_TYPED_TEST(GraphReplay, tools_hear_of_nodes_or_of_the_submit) {
  using Exec = TypeParam;
  const hpk::View<int*, Exec> x("x", 3);
  std::vector<std::string> names;
  told = &names;
  const auto listen = [&](const hpk::Graph<Exec>& graph, const Exec& exec) {
    names.clear();
    hpk::Tools::Experimental::set_begin_parallel_for_callback(begins);
    graph.submit(exec);
    exec.fence();
    hpk::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
  };
  const hpk::Graph<Exec> chain("chain");
  chain.root_node()
      .then_parallel_for("first", 1, touch<Exec>{x, 0})
      .then_parallel_for("second", 1, touch<Exec>{x, 1});
  listen(chain, Exec());
  EXPECT_EQ(names, (std::vector<std::string>{"first", "second"}));
  const hpk::Graph<Exec> wide("wide");
  auto a = wide.root_node().then_parallel_for("a", 1, touch<Exec>{x, 0});
  auto b = wide.root_node().then_parallel_for("b", 1, touch<Exec>{x, 1});
  hpk::when_all(a, b).then_parallel_for("large", 2000, touch<Exec>{x, 2});
  if constexpr (hpk_test::has_workers<Exec>) {
    listen(wide, Exec(2));
    EXPECT_EQ(names, (std::vector<std::string>{"hpk::Graph::submit [wide]", "large"}));
    listen(wide, Exec(1));
  } else {
    listen(wide, Exec());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "large"}));
}

HPK_TYPED_TEST(GraphReplay, a_failure_reaches_the_caller_and_the_next_submit_runs) {
  using Exec = TypeParam;
  if constexpr (hpk_test::is_host<Exec>) {
    for (const Exec& exec : hpk_test::instances<Exec>()) {
      const hpk::View<int*, Exec> x("x", 1);
      bool fails = true;
      const hpk::Graph<Exec> graph("fails");
      auto a = graph.root_node().then_parallel_for("a", 3, touch<Exec>{x, 0});
      auto b = graph.root_node().then_parallel_for("b", 3, [&](int i) {
        if (fails && i == 1) hpk::raise(hpk::error_message() << "node " << i << " fails");
      });
      auto c = graph.root_node().then_parallel_for("c", 3, touch<Exec>{x, 0});
      hpk::when_all(a, b, c).then_parallel_for("last", 3, touch<Exec>{x, 0});
      for (int k = 0; k < 3; ++k)
        hpk_test::expect_error([&] { graph.submit(exec); },
                               {"node 1 fails", "\"b\"", "replay.cpp"});
      fails = false;
      const int before = x(0);
      EXPECT_LE(before, 18);
      graph.submit(exec);
      EXPECT_EQ(x(0), before + 9);
      bool host_fails = true;
      const hpk::Graph<Exec> host;
      host.root_node().then_host([&] {
        if (host_fails) throw std::runtime_error("host");
      });
      EXPECT_THROW(host.submit(exec), std::runtime_error);
      host_fails = false;
      host.submit(exec);
    }
  }
}

HPK_TYPED_TEST(GraphReplay, submit_within_itself_and_in_kernels) {
  using Exec = TypeParam;
  const hpk::Graph<Exec> graph("self");
  const hpk::Graph<Exec> other("other");
  int calls = 0;
  other.root_node().then_host([&] { ++calls; });
  graph.root_node().then_host([&] {
    other.submit();
    graph.submit();
  });
  hpk_test::expect_error([&] { graph.submit(); },
                         {"hpk::Graph \"self\": submit() inside of a node of the graph"});
  EXPECT_EQ(calls, 1);
  if constexpr (hpk_test::is_host<Exec>) {
    hpk_test::expect_error(
        [&] { hpk::parallel_for(hpk::RangePolicy<Exec>(0, 1), [=](int) { other.submit(); }); },
        {"hpk::Graph::submit", "replay.cpp"});
  }
}

}  // namespace
