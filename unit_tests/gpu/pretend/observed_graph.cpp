// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A native graph runs its kernels one by one if there is an observer, which then sees each.
#include <hpk/graph.hpp>

#include <gpu/pretend/support.hpp>

#include <string>
#include <vector>

namespace hpk_test::observed_graph_cases {

using exec_policy = hpk::RangePolicy<gpu_space>;

struct small_kernel {
  HPK_FUNCTION void operator()(int) const {}
};

// Records the labels of launches during its lifetime.
class reader_of_labels final : public hpk::detail::launch_observer {
 public:
  reader_of_labels() { hpk::detail::set_observer(this); }
  ~reader_of_labels() { hpk::detail::set_observer(nullptr); }
  std::uint64_t begin(const hpk::detail::launch_event& launch) override {
    labels.emplace_back(launch.info.label);
    return 0;
  }
  void end(std::uint64_t, bool) override {}
  void stored(const hpk::seam::view_facts&) override {}
  void wrote(const hpk::seam::launch_info&, bool, const hpk::seam::view_facts&) override {}
  void begin_region(std::string_view) override {}
  void end_region() override {}

  std::vector<std::string> labels;
};

using ObservedGraph = Pretend;

TEST_F(ObservedGraph, runs_its_nodes_one_by_one) {
  const gpu_space exec(hpk::NewInstance{});
  std::vector<std::string> called;
  const hpk::Graph<gpu_space> graph = hpk::create_graph("steps", exec, [&](auto root) {
    auto first = root.then_parallel_for("first", exec_policy(0, 10), small_kernel{});
    first.then_host([&] { called.push_back("host"); })
        .then_parallel_for("second", exec_policy(0, 10), small_kernel{});
  });
  const std::vector<std::string> nodes = {"first", "second"};
  for (int k = 0; k < 2; ++k) {
    const reader_of_labels observer;
    graph.submit(exec);
    exec.fence();
    EXPECT_EQ(observer.labels, nodes);
  }
  EXPECT_EQ(called.size(), 2u);
  graph.submit(exec);
  exec.fence();
  EXPECT_EQ(called.size(), 3u);
}

}  // namespace hpk_test::observed_graph_cases
