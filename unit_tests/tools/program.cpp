// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program whose events the tests compare: program [bare | late | layer | callbacks [bare | late]
// | fail | leak | gpu [bare | uncaught] | regions | settings TOOL | tune | uncaught | signal NUMBER
// | flags of hpk]. bare does not initialize, late launches before it initializes, layer also
// accepts the options of Kokkos.
#include <hpk/core.hpp>
#include <hpk/profiling.hpp>
#include <hpk/runtime/compat_layer.hpp>
#include <hpk/seam/device_profile.hpp>
#include <hpk/tasks.hpp>

#include <support/wait.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>

struct Tag {};
struct Functor {
  hpk::View<double*, hpk::HostSpace> x;
  void operator()(Tag, int i) const { x(i) += 1; }
};

static void work() {
  using exec = hpk::Serial;
  using range = hpk::RangePolicy<exec>;
  {
    const hpk::Tools::ScopedRegion region("outer");
    const hpk::View<double*, hpk::HostSpace> x(
        hpk::view_alloc("x", exec(), hpk::WithoutInitializing), 100);
    const hpk::View<double*, hpk::HostSpace> y(
        hpk::view_alloc("y", exec(), hpk::WithoutInitializing), 100);
    hpk::parallel_for("fill", range(0, 100), [=](int i) {
      x(i) = i;
      // Calls inside a kernel cause no events.
      hpk::parallel_for("nested", range(0, 1), [=](int) { y(i) = 0; });
    });
    hpk::parallel_for(hpk::RangePolicy<exec, Tag>(0, 100), Functor{x});
    double sum = 0;
    hpk::parallel_reduce("sum", range(0, 100), [=](int i, double& s) { s += x(i); }, sum);
    double low = 0;
    double high = 0;
    hpk::parallel_reduce(
        "ends", range(0, 100),
        [=](int i, double& l, double& h) {
          l = x(i) < l ? x(i) : l;
          h = x(i) > h ? x(i) : h;
        },
        hpk::Min<double>(low), hpk::Max<double>(high));
    hpk::parallel_scan("scan", range(0, 100), [=](int i, double& s, bool last) {
      s += x(i);
      if (last) y(i) = s;
    });
    hpk::parallel_for("teams", hpk::TeamPolicy<exec>(2, 1), [=](const auto&) {});
    hpk::parallel_for("box", hpk::MDRangePolicy<exec, hpk::Rank<2>>({0, 0}, {2, 2}),
                      [=](int, int) {});
    hpk::deep_copy(exec(), y, x);
    exec().fence("mine");
  }
  hpk::Tools::markEvent("fence now");
  hpk::Tools::declareMetadata("mine", "yes");
  {
    hpk::Tools::ProfilingSection section("s");
    section.start();
    section.stop();
  }
}

struct Fail {
  void operator()(int) const { throw std::runtime_error("kernel failed"); }
  void operator()(int i, double&) const { (*this)(i); }
};
struct Nothing {
  HPK_FUNCTION void operator()(int) const {}
};

// Prints the errors of a call and of the following fence.
template <class Exec, class F>
static void print_errors(const char* what, const F& call) {
  std::printf("%s:", what);
  try {
    call();
  } catch (const std::exception& failed) {
    std::printf(" %s", failed.what());
  }
  try {
    Exec().fence();
  } catch (const std::exception& failed) {
    std::printf(", at the fence %s", failed.what());
  }
  std::printf("\n");
}

// Fails in kernels, and in tasks of a machine that runs them later, whose errors the next fence
// reports.
static void fail() {
  using range = hpk::RangePolicy<hpk::Serial>;
  print_errors<hpk::Serial>("for", [] { hpk::parallel_for("fails", range(0, 1), Fail()); });
  print_errors<hpk::Serial>("reduce", [] {
    double sum = 0;
    hpk::parallel_reduce("fails", range(0, 1), Fail(), sum);
  });
  hpk::for_each_space([](auto space) {
    using exec = decltype(space);
    if constexpr (std::string_view(exec::name()) == "Emu") {
      const auto task = [] { throw std::runtime_error("task failed"); };
      print_errors<exec>("task and kernel", [&] {
        hpk::host_task("fails", exec(), task);
        hpk::parallel_for("behind it", hpk::RangePolicy<exec>(0, 1), Nothing());
      });
      print_errors<exec>("region", [&] {
        const hpk::Tools::ScopedRegion region("of a task");
        hpk::host_task("fails", exec(), task);
      });
      print_errors<exec>("region left by an error", [&] {
        const hpk::Tools::ScopedRegion region("of a task");
        hpk::host_task("fails", exec(), task);
        throw std::runtime_error("the first error");
      });
    }
  });
}

// Often enough for the tuner to finish.
static void launch_often() {
  using box = hpk::MDRangePolicy<hpk::Serial, hpk::Rank<2>>;
  const hpk::View<double**, hpk::HostSpace> x("x", 32, 32);
  for (int k = 0; k < 200; ++k) {
    hpk::parallel_for("twice", box({0, 0}, {32, 32}), [=](int i, int j) { x(i, j) += 1; });
    hpk::parallel_for("given", box({0, 0}, {32, 32}, {4, 4}), [=](int, int) {});
  }
  hpk::parallel_for("once", box({0, 0}, {32, 32}), [=](int i, int j) { x(i, j) += 1; });
  double sum = 0;
  hpk::parallel_reduce(
      "sum", box({0, 0}, {32, 32}), [=](int i, int j, double& s) { s += x(i, j); }, sum);
  if (sum != 201 * 32 * 32) hpk::abort("wrong");
}

// Registers the program's own callbacks.
static hpk::Tools::Experimental::ToolProgrammingInterface callable;
static bool has_initialize = true;
static void print_start_and_end() {
  namespace tools = hpk::Tools::Experimental;
  tools::set_init_callback([](int sequence, std::uint64_t version, std::uint32_t devices,
                              hpk::detail::tool_device* device) {
    std::printf("init %d %d %u %s\n", sequence, static_cast<int>(version), devices,
                device == nullptr ? "null" : "?");
    if (has_initialize) hpk::Serial().fence("of init");
  });
  tools::set_finalize_callback([] { std::puts("finalize"); });
  tools::set_request_tool_settings_callback([](std::uint32_t n, tools::ToolSettings* settings) {
    std::printf("settings %u fencing %d\n", n, int{settings->requires_global_fencing});
  });
  tools::set_provide_tool_programming_interface_callback(
      [](std::uint32_t n, tools::ToolProgrammingInterface given) {
        std::printf("interface %u\n", n);
        callable = given;
      });
  tools::set_begin_fence_callback([](const char* name, std::uint32_t, std::uint64_t*) {
    if (std::strncmp(name, "hpk::", 5) != 0) std::printf("fence %s\n", name);
  });
}
static int run_callbacks(std::string_view how) {
  if (how == "late") hpk::Serial().fence();
  print_start_and_end();
  if (how == "bare") {
    has_initialize = false;
    hpk::Serial().fence("first");
    return 0;
  }
  for (int k = 0; k < 2; ++k) {
    const hpk::ScopeGuard guard;
    // Causes no event.
    callable.fence(0);
    hpk::Serial().fence("mine");
  }
  return 0;
}

static std::string_view explain_nothing(std::string_view) { return {}; }
static void hear_nothing(hpk::detail::compat_event) {}
static constexpr hpk::detail::compat_layer layer{"--kokkos-", "KOKKOS_", &explain_nothing,
                                                 nullptr,     nullptr,   &hear_nothing};

// Ends the program by a signal while another thread works.
[[noreturn]] static void end_by_signal(int signal) {
  hpk::parallel_for("before", hpk::RangePolicy<hpk::Serial>(0, 1), Nothing());
  // Longer than the delay before events are written.
  hpk_test::let_others_run(150);
  hpk::parallel_for("last", hpk::RangePolicy<hpk::Serial>(0, 1), Nothing());
  std::raise(signal);
  for (;;) hpk_test::let_others_run();
}

// Sends the counts of an emulated device.
static void count_on_device() {
  const auto* const profile =
      hpk::seam::current_device_profile.load(hpk::detail::memory_order::acquire);
  hpk::seam::access_counts a;
  a.file = "kernels.cpp";
  a.line = 7;
  a.label = "x";
  a.layout = "LayoutRight";
  a.rank = 2;
  a.lane_index = 0;
  a.read_only = true;
  a.element_bytes = 4;
  a.accesses = a.full_accesses = 3200;
  a.requests = 100;
  a.used_bytes = 12800;
  a.sectors = 3200;
  a.ideal_sectors = 400;
  hpk::seam::launch_counts launch;
  launch.pattern = "parallel_for";
  launch.label = "a \"quoted\" kernel";
  launch.groups = 100;
  launch.lanes = launch.subgroup = 32;
  launch.accesses = {a};
  for (int k = 0; k < 3; ++k) profile->on_launch(launch);
  hpk::seam::copy_counts copy;
  copy.to_device = true;
  copy.bytes = 4096;
  profile->on_copy(copy);
  copy.is_repeated = true;
  profile->on_copy(copy);
}

int main(int argc, char* argv[]) {
  if (argc > 1 && std::strcmp(argv[1], "bare") == 0) {
    hpk::Serial().fence("first");
    hpk::Tools::markEvent("bare");
    return 0;
  }
  if (argc > 1 && std::strcmp(argv[1], "callbacks") == 0)
    return run_callbacks(argc > 2 ? argv[2] : "");
  if (argc > 1 && std::strcmp(argv[1], "layer") == 0) hpk::detail::set_compat_layer(&layer);
  if (argc > 2 && std::strcmp(argv[1], "settings") == 0) {
    const hpk::ScopeGuard guard(
        hpk::InitializationSettings().set_tools_libs(argv[2]).set_tools_args("of the program"));
    hpk::Tools::markEvent("by settings");
    return 0;
  }
  if (argc > 1 && std::strcmp(argv[1], "late") == 0) {
    for (int k = 0; k < 2; ++k)
      hpk::parallel_for("before", hpk::RangePolicy(hpk::Serial(), 0, 1), [](int) {});
  }
  const bool counts = argc > 1 && std::strcmp(argv[1], "gpu") == 0;
  if (counts && argc > 2 && std::strcmp(argv[2], "bare") == 0) {
    hpk::Serial().fence("first");
    count_on_device();
    std::puts("worked");
    return 0;
  }
  const hpk::ScopeGuard guard(argc, argv);
  if (counts) {
    count_on_device();
    if (argc > 2) throw std::runtime_error("nobody catches this");
    std::puts("worked");
    return 0;
  }
  if (argc > 2 && std::strcmp(argv[1], "signal") == 0) end_by_signal(std::atoi(argv[2]));
  if (argc > 1 && std::strcmp(argv[1], "uncaught") == 0) {
    hpk::parallel_for("before", hpk::RangePolicy<hpk::Serial>(0, 1), Nothing());
    throw std::runtime_error("nobody catches this");
  }
  static hpk::View<double*, hpk::HostSpace> forgotten;
  if (argc > 1 && std::strcmp(argv[1], "leak") == 0) {
    const hpk::Tools::ScopedRegion region("setup");
    forgotten = hpk::View<double*, hpk::HostSpace>("forgotten", 100);
    return 0;
  }
  if (argc > 1 && std::strcmp(argv[1], "regions") == 0) {
    hpk::Tools::popRegion();
    hpk::Tools::pushRegion("outer");
    hpk::Tools::pushRegion("<inner>");
    return 0;
  }
  if (argc > 1 && std::strcmp(argv[1], "fail") == 0) {
    fail();
    return 0;
  }
  if (argc > 1 && std::strcmp(argv[1], "tune") == 0) {
    launch_often();
    return 0;
  }
  work();
}
