// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order within and between instances, with graphs, and with the vendor's null stream.
#include <checks.hpp>

#include <hpk/graph.hpp>

#include <atomic>
#include <string>
#include <thread>

namespace gpu_checks {
namespace {

template <class Exec>
constexpr bool has_stream =
    requires(const Exec& e) { e.cuda_stream(); } || requires(const Exec& e) { e.hip_stream(); };

struct add_one {
  hpk::View<double*, space> view;
  HPK_FUNCTION void operator()(int i) const { view(i) += 1; }
};
struct add_up {
  hpk::View<double*, space> view;
  HPK_FUNCTION void operator()(int i, double& sum) const { sum += view(i); }
};
struct increment {
  array view;
  HPK_FUNCTION void operator()(int) const { view(0) += 1; }
};

// The vendor's null stream reads the results of earlier kernels of the default instance without a
// fence, as programs for Kokkos do through libraries.
template <class Exec>
int unfinished_elements_on_null_stream(int n) {
  if constexpr (has_stream<Exec>) {
    const array view("view", n);
    const Exec null(nullptr);
    const hpk::View<int, space> unfinished("unfinished");
    hpk::parallel_for(
        range(n), HPK_LAMBDA(int i) {
          int x = 1;
          for (int k = 0; k < 2000; ++k) x = x * 5 + k;
          view(i) = x == 123'456'789 ? 2 : 1;
        });
    hpk::parallel_reduce(
        hpk::RangePolicy<Exec>(null, 0, n), HPK_LAMBDA(int i, int& sum) { sum += view(i) != 1; },
        unfinished);
    int count = 0;
    null.fence();
    hpk::deep_copy(count, unfinished);
    return count;
  }
  return 0;
}

}  // namespace

void instances() {
  const space first{hpk::NewInstance{}};
  const space second{hpk::NewInstance{}};
  const array view("view", 1);
  for (int k = 0; k < 200; ++k) {
    const space& now = k % 2 == 0 ? first : second;
    const space& next = k % 2 == 0 ? second : first;
    hpk::parallel_for(hpk::RangePolicy<space>(now, 0, 1), increment{view});
    next.wait(now.record());
  }
  hpk::fence();
  expect_equal("the counter of two instances in turns", on_host(view)(0), 200);
}

void many_launches() {
  const int n = on_gpu(200'000, 200);
  const space exec{hpk::NewInstance{}};
  const array view("view", 1);
  for (int k = 0; k < n; ++k)
    hpk::parallel_for(hpk::RangePolicy<space>(exec, 0, 1), increment{view});
  exec.fence();
  expect_equal("the counter of many launches", on_host(view)(0), n);
}

void null_stream() {
  for (int k = 0; k < 5; ++k)
    expect_equal("the number of elements that the null stream saw too early",
                 unfinished_elements_on_null_stream<space>(1 << 24), 0);
}

void graph() {
  const int n = on_gpu(100'000, 500);
  const int times = on_gpu(100, 5);
  const hpk::View<double*, space> view("view", n);
  const hpk::View<double, space> sum("sum");
  const hpk::Graph<space> graph("graph");
  graph.root_node()
      .then_parallel_for("add one", range(n), add_one{view})
      .then_parallel_reduce("add up", range(n), add_up{view}, sum);
  for (int k = 0; k < times; ++k) graph.submit(space());
  hpk::fence();
  double found = 0;
  hpk::deep_copy(found, sum);
  if (found != static_cast<double>(n) * times) fail("the sum is %g", found);
}

// One thread frees Views, which waits for the device, while another records graphs, during which
// the vendors forbid waits.
void graph_while_freeing() {
  std::atomic<bool> stop{false};
  std::string error_of_other;
  std::thread other([&] {
    try {
      while (!stop) const array view("view", 1000);
    } catch (const std::exception& caught) {
      error_of_other = caught.what();
    }
  });
  int failed = 0;
  std::string error;
  for (int k = 0; k < on_gpu(100, 3); ++k) {
    try {
      const hpk::View<double*, space> view("view", 1000);
      const hpk::Graph<space> graph("graph");
      auto node = graph.root_node().then_parallel_for(range(1000), add_one{view});
      for (int more = 0; more < 30; ++more)
        node = node.then_parallel_for(range(1000), add_one{view});
      graph.submit(space());
      space().fence();
    } catch (const std::exception& caught) {
      ++failed;
      error = caught.what();
    }
  }
  stop = true;
  other.join();
  if (failed != 0) fail("%d graphs failed: %s", failed, error.c_str());
  if (!error_of_other.empty()) fail("the other thread failed: %s", error_of_other.c_str());
}

}  // namespace gpu_checks
