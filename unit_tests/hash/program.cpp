// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program whose hash files check.py checks: program CASE SPACE [flags of hpk]. The case bare does
// not initialize. All numbers are integers, so that sums do not depend on their order.
#include <hpk/core.hpp>
#include <hpk/graph.hpp>
#include <hpk/profiling.hpp>
#if HPK_TEST_CONTAINERS
#include <hpk/containers.hpp>
#endif

#include <support/wait.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sys/mman.h>

namespace {

template <class Exec>
using numbers = hpk::View<double*, Exec>;
template <class Exec>
using range = hpk::RangePolicy<Exec>;

template <class Exec>
struct unlabelled {
  numbers<Exec> x;
  hpk::View<const double*, Exec> y;
  HPK_FUNCTION void operator()(int i) const { x(i) = y(i) + 1; }
};

template <class Exec>
void run_loops() {
  const numbers<Exec> x("x", 4), y("y", 4);
  const hpk::View<double**, hpk::LayoutRight, Exec> right("right", 2, 3);
  const hpk::View<double**, hpk::LayoutLeft, Exec> left("left", 2, 3);
  const hpk::View<const double*, Exec> read_only = x;
  hpk::parallel_for("range", range<Exec>(0, 4), [=](int i) { x(i) = i + 1; });
  hpk::parallel_for("box", hpk::MDRangePolicy<Exec, hpk::Rank<2>>({0, 0}, {2, 3}),
                    [=](int i, int j) { right(i, j) = left(i, j) = 10 * i + j; });
  hpk::parallel_for("teams", hpk::TeamPolicy<Exec>(4, 1),
                    [=](const typename hpk::TeamPolicy<Exec>::member_type& team) {
                      y(team.league_rank()) = read_only(team.league_rank()) * 2;
                    });
  hpk::parallel_for(range<Exec>(0, 4), unlabelled<Exec>{x, y});
  const auto part = hpk::subview(right, hpk::ALL, 1);
  hpk::parallel_for("range", range<Exec>(0, 2), [=](int i) { part(i) = -1; });
  // A kernel without Views and without a result.
  hpk::parallel_for("nothing", range<Exec>(0, 2), [=](int) {});
  hpk::parallel_for("tab\tand\\line\n", range<Exec>(0, 2), [=](int) {});
}

struct histogram {
  using value_type = double[];
  int value_count = 2;
  HPK_FUNCTION void operator()(int i, double* sums) const { sums[i % 2] += i; }
};

template <class Exec>
void run_results() {
  const numbers<Exec> x("x", 4);
  const hpk::View<double, Exec> result("result");
  const hpk::View<double*, Exec> bins("bins", 2);
  double sum = 0, most = 0, row[2] = {};
  const auto add = [=](int i, double& s) { s += i; };
  hpk::parallel_reduce("variable", range<Exec>(0, 4), add, sum);
  hpk::parallel_reduce("view", range<Exec>(0, 4), add, result);
  hpk::parallel_reduce(
      "reducer", range<Exec>(0, 4), [=](int i, double& m) { m = i > m ? i : m; },
      hpk::Max<double>(most));
  hpk::parallel_reduce("array", range<Exec>(0, 4), histogram(), row);
  hpk::parallel_reduce("bins", range<Exec>(0, 4), histogram(), bins);
  hpk::parallel_reduce(
      "two", range<Exec>(0, 4),
      [=](int i, double& s, double& m) {
        s += i;
        m = i > m ? i : m;
        x(i) = i;
      },
      sum, hpk::Max<double>(most));
  const auto prefix = [=](int i, double& s, bool last) {
    s += i;
    if (last) x(i) = s;
  };
  hpk::parallel_scan("scan", range<Exec>(0, 4), prefix);
  hpk::parallel_scan("total", range<Exec>(0, 4), prefix, sum);
}

template <class Exec>
void run_copies() {
  const numbers<Exec> x("x", 3), y("y", 3);
  const hpk::View<float*, Exec> as_float("as_float", 3);
  const hpk::View<double**, hpk::LayoutRight, Exec> right("right", 2, 3);
  const hpk::View<double**, hpk::LayoutLeft, Exec> left("left", 2, 3);
  const hpk::View<double, Exec> one("one");
  double variable = 0;
  hpk::deep_copy(x, 7.0);
  hpk::deep_copy(y, x);
  hpk::deep_copy(Exec(), as_float, y);
  hpk::deep_copy(right, 2.0);
  hpk::deep_copy(left, right);
  hpk::deep_copy(hpk::subview(left, hpk::ALL, 1), 0.0);
  hpk::deep_copy(one, 5.0);
  hpk::deep_copy(variable, one);
  const auto mirror = hpk::create_mirror(x);
  hpk::deep_copy(mirror, x);
}

// The kernel writes the inner Views of a View of Views.
void run_nested() {
  using inner = hpk::View<double*, hpk::HostSpace>;
  const hpk::View<inner*, hpk::HostSpace> outer("outer", 2);
  for (int k = 0; k < 2; ++k) outer(k) = inner(k == 0 ? "first" : "second", 2 + k);
  hpk::parallel_for("nested", range<hpk::DefaultHostExecutionSpace>(0, 2), [=](int i) {
    for (std::size_t k = 0; k < outer(i).extent(0); ++k) outer(i)(k) = 10.0 * i;
  });
  // Memory in which no View was constructed, and a View that its own elements own.
  const hpk::View<inner*, hpk::HostSpace> raw(hpk::view_alloc("raw", hpk::WithoutInitializing), 2);
  const inner x("x", 2);
  hpk::parallel_for("raw", range<hpk::DefaultHostExecutionSpace>(0, 2),
                    [=](int i) { x(i) = raw.data() == nullptr ? 0 : i; });
  struct node {
    inner leaf;
    hpk::View<node*, hpk::HostSpace> all;
  };
  const hpk::View<node*, hpk::HostSpace> tree("tree", 2);
  for (int k = 0; k < 2; ++k) tree(k) = {inner(k == 0 ? "one" : "two", 1), tree};
  hpk::parallel_for("tree", range<hpk::DefaultHostExecutionSpace>(0, 2),
                    [=](int i) { tree(i).leaf(0) = i; });
  for (int k = 0; k < 2; ++k) tree(k).all = {};
}

template <class Exec>
void run_dual() {
#if HPK_TEST_CONTAINERS
  hpk::DualView<double*, Exec> dual("dual", 3);
  dual.modify_device();
  const auto there = dual.view_device();
  hpk::parallel_for("device", range<Exec>(0, 3), [=](int i) { there(i) = i; });
  dual.sync_host();
  dual.modify_host();
  const auto here = dual.view_host();
  hpk::parallel_for("host", range<hpk::DefaultHostExecutionSpace>(0, 3),
                    [=](int i) { here(i) += 1; });
#endif
}

template <class Exec>
void run_graph() {
  const numbers<Exec> x("x", 2), y("y", 2);
  const hpk::Graph<Exec> graph("graph");
  auto first = graph.root_node().then_parallel_for("first", range<Exec>(0, 2),
                                                   [=](int i) { x(i) += i + 1; });
  first.then_parallel_for("second", range<Exec>(0, 2), [=](int i) { y(i) = 2 * x(i); });
  for (int k = 0; k < 2; ++k) {
    graph.submit(Exec());
    Exec().fence();
  }
}

// Six launches with the labels a and b, in two regions; Views of 16 and 8000 bytes.
template <class Exec>
void run_options() {
  const numbers<Exec> small("small", 2), large("large", 1000);
  for (int k = 0; k < 3; ++k) {
    const hpk::Tools::ScopedRegion outer("step");
    hpk::parallel_for("a", range<Exec>(0, 2), [=](int i) { small(i) += i; });
    const hpk::Tools::ScopedRegion inner("inner");
    hpk::parallel_for("b", range<Exec>(0, 1000), [=](int i) { large(i) += i; });
  }
}

// Memory written in a region is freed when the region ends, or belongs to another View.
void run_freed() {
  using exec = hpk::DefaultHostExecutionSpace;
  const numbers<exec> one("one", 1);
  const hpk::Tools::ScopedRegion region("region");
  {
    constexpr std::size_t page = 4096;
    void* const memory =
        mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const hpk::View<double*, exec, hpk::MemoryUnmanaged> outside(static_cast<double*>(memory), 2);
    for (int k = 1; k < 3; ++k)
      hpk::parallel_for("outside", range<exec>(0, 2), [=](int i) { outside(i) = k * i; });
    munmap(memory, page);
  }
  for (int k = 0; k < 2; ++k) {
    const numbers<exec> again("again", 2);
    if (k == 0) hpk::parallel_for("again", range<exec>(0, 2), [=](int i) { again(i) = i; });
  }
  double variable = 0;
  hpk::deep_copy(variable, hpk::subview(one, 0));
  hpk::parallel_for("one", range<exec>(0, 1), [=](int i) { one(i) = 5; });
}

// Leaves half of the elements unset.
template <class T, class Exec>
void write_half(const char* label) {
  const hpk::View<T*, Exec> x(hpk::view_alloc(label, hpk::WithoutInitializing), 40);
  hpk::parallel_for("half", range<Exec>(0, 20), [=](int i) { x(2 * i) = T(); });
}
struct padded {
  char c = 0;
  double x = 0;
};
template <class Exec>
void run_unset() {
  write_half<int, Exec>("int");
  write_half<double, Exec>("double");
  write_half<char, Exec>("char");
  write_half<hpk::Array<int, 3>, Exec>("array");
  write_half<hpk::complex<double>, Exec>("complex");
  write_half<padded, Exec>("padded");
}

void run_threads() {
  const auto work = [](const char* label) {
    const numbers<hpk::Serial> x(label, 3);
    for (int k = 0; k < 100; ++k)
      hpk::parallel_for(label, range<hpk::Serial>(0, 3), [=](int i) { x(i) += i; });
  };
  std::thread one(work, "one"), two(work, "two");
  one.join();
  two.join();
}

// Threads end while the program finalizes.
void run_ending() {
  std::atomic<int> launched = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < 100; ++k) {
    threads.emplace_back([&launched] {
      const numbers<hpk::Serial> x("x", 3);
      hpk::parallel_for("ending", range<hpk::Serial>(0, 3), [=](int i) { x(i) += i; });
      ++launched;
    });
  }
  while (launched < 50) hpk_test::let_others_run();
  hpk::finalize();
  for (std::thread& one : threads) one.join();
}

void run_failing() {
  const numbers<hpk::Serial> x("x", 2);
  try {
    hpk::parallel_for("fails", range<hpk::Serial>(0, 2), [=](int i) {
      x(i) = 1;
      throw std::runtime_error("the kernel failed");
    });
  } catch (const std::runtime_error&) {
  }
  hpk::parallel_for("works", range<hpk::Serial>(0, 2), [=](int i) { x(i) = 2; });
}

// A View large enough for many workers, with values that do not depend on the worker.
template <class Exec>
void run_large() {
  const hpk::View<double**, Exec> table("table", 300, 200);
  const hpk::View<long*, Exec> counts("counts", 7);
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    hpk::parallel_for("fill", hpk::MDRangePolicy<Exec, hpk::Rank<2>>({0, 0}, {300, 200}),
                      [=](int i, int j) { table(i, j) += i * j + k; });
    hpk::parallel_reduce(
        "sum", range<Exec>(0, 300), [=](int i, double& s) { s += table(i, i % 200); }, sum);
    hpk::parallel_for("count", range<Exec>(0, 700),
                      [=](int i) { hpk::atomic_add(&counts(i % 7), 1L); });
  }
}

// Ends while lines may still be queued for the file.
[[noreturn]] void run_until_signal(int signal) {
  const numbers<hpk::Serial> x("x", 2);
  for (int k = 0; k < 3; ++k) {
    hpk::parallel_for("slow", range<hpk::Serial>(0, 2), [=](int i) { x(i) += 1; });
    // Longer than the delay before lines are written.
    hpk_test::let_others_run(150);
  }
  for (int k = 0; k < 1000; ++k)
    hpk::parallel_for("fast", range<hpk::Serial>(0, 2), [=](int i) { x(i) += 1; });
  std::raise(signal);
  for (;;) hpk_test::let_others_run();
}

template <class Exec>
void run_case(std::string_view which) {
  if (which == "loops" || which == "bare") run_loops<Exec>();
  if (which == "results") run_results<Exec>();
  if (which == "copies") run_copies<Exec>();
  if (which == "dual") run_dual<Exec>();
  if (which == "graph") run_graph<Exec>();
  if (which == "options") run_options<Exec>();
  if (which == "unset") run_unset<Exec>();
  if (which == "large") run_large<Exec>();
}

void run(std::string_view which, std::string_view space) {
  hpk::for_each_space([&](auto each) {
    using exec = decltype(each);
    if (space == exec::name()) run_case<exec>(which);
  });
  if (which == "nested") run_nested();
  if (which == "freed") run_freed();
  if (which == "threads") run_threads();
  if (which == "failing") run_failing();
  if (which == "terminated") run_until_signal(SIGTERM);
  if (which == "killed") run_until_signal(SIGKILL);
  if (which == "uncaught") {
    run_failing();
    throw std::runtime_error("nobody catches this");
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc < 3) return 2;
  const std::string which = argv[1], space = argv[2];
  if (which == "spaces") {
    hpk::for_each_space([](auto each) { std::puts(std::string(decltype(each)::name()).c_str()); });
    return 0;
  }
  if (which == "bare") {
    run(which, space);
    return 0;
  }
  if (which == "ending") {
    hpk::initialize(argc, argv);
    run_ending();
    return 0;
  }
  const hpk::ScopeGuard guard(argc, argv);
  run(which, space);
  std::printf("%d arguments left\n", argc - 3);
}
