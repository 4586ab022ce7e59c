// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of devices reach the program as hpk::error with the names of kernels, once at a global
// fence. They do not affect hosts, other devices and destructors.
#include <hpk/device.hpp>
#include <hpk/graph.hpp>
#include <hpk/tasks.hpp>
#include <hpk/tools/started_backends.hpp>

#include <gpu/pretend/support.hpp>
#include <support/fork.hpp>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace hpk_test::pretend_error_cases {

using exec_policy = hpk::RangePolicy<gpu_space>;

struct kernel {
  HPK_FUNCTION void operator()(int) const {}
};
// Launches a kernel with a label; returns "errors.cpp:<line>" of the launch.
std::string launch(const std::string& label, const gpu_space& exec) {
  hpk::parallel_for(label, exec_policy(exec, 0, 10), kernel{});
  return "errors.cpp:" + std::to_string(__LINE__ - 1);
}
std::string launch_failing(const std::string& label, const gpu_space& exec) {
  pretend::fail_kernel();
  return launch(label, exec);
}

void use_host() {
  const hpk::View<int*, hpk::HostSpace> host("host", 100);
  const hpk::View<int*, hpk::HostSpace> other("other", 100);
  hpk::parallel_for(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 100),
                    [=](int i) { host(i) = i; });
  hpk::deep_copy(other, host);
  hpk::fence();
  EXPECT_EQ(other(99), 99);
}

/// Returns the text that `call` writes to stderr.
template <class Call>
std::string stderr_of(const Call& call) {
  testing::internal::CaptureStderr();
  call();
  return testing::internal::GetCapturedStderr();
}

constexpr const char* failure = "failed: unspecified launch failure";

using Errors = Pretend;

TEST_F(Errors, name_the_failed_kernel_at_the_fence_of_its_instance) {
  const gpu_space exec(hpk::NewInstance{});
  const std::string where = launch_failing("gives up", exec);
  const std::string text = error_of([&] { exec.fence(); });
  EXPECT_TRUE(contains(text, std::string(prefix) + "StreamSynchronize " + failure));
  EXPECT_TRUE(contains(text, ", in parallel_for \"gives up\" (at "));
  EXPECT_TRUE(contains(text, where));
  // The instance's work did not finish, so each of its fences throws.
  expect_error([&] { exec.fence(); }, {"\"gives up\""});
  use_host();
}

TEST_F(Errors, name_the_failed_kernel_at_a_fence_of_everything_once) {
  const gpu_space exec(hpk::NewInstance{});
  const std::string where = launch_failing("gives up", exec);
  const std::string text = error_of([] { hpk::fence(); });
  EXPECT_TRUE(contains(text, std::string(prefix) + "DeviceSynchronize " + failure));
  EXPECT_TRUE(contains(text, "in parallel_for \"gives up\" (at "));
  EXPECT_TRUE(contains(text, where));
  EXPECT_NO_THROW(hpk::fence());
  use_host();
  pretend::break_device(0, pretend::success);
  EXPECT_NO_THROW(hpk::fence());
  // After a repair, a device may fail again.
  launch_failing("again", exec);
  expect_error([] { hpk::fence(); }, {"in parallel_for \"again\""});
}

TEST_F(Errors, are_not_thrown_again_by_a_fence_of_everything) {
  const gpu_space exec(hpk::NewInstance{});
  launch_failing("gives up", exec);
  expect_error([&] { exec.fence(); }, {"\"gives up\""});
  EXPECT_NO_THROW(hpk::fence());
}

TEST_F(Errors, name_the_last_kernel_of_each_stream_that_may_have_failed) {
  const gpu_space done(hpk::NewInstance{});
  const gpu_space first(hpk::NewInstance{});
  const gpu_space second(hpk::NewInstance{});
  const gpu_space unused(hpk::NewInstance{});
  launch("done", done);
  done.fence();
  launch("first", first);
  EXPECT_TRUE(first.idle());
  launch("one", first);
  launch_failing("two", second);
  // Any stream reports the failure, since the whole device fails.
  const std::string text = error_of([&] { unused.fence(); });
  EXPECT_TRUE(contains(text, "in one of these: parallel_for \"one\" (at "));
  EXPECT_TRUE(contains(text, ", parallel_for \"two\" (at "));
  EXPECT_EQ(text.find("done"), std::string::npos);
  EXPECT_EQ(text.find("\"first\""), std::string::npos);
}

// All errors with which the libraries report a failed kernel.
TEST_F(Errors, of_each_kind_that_kernels_have_name_the_kernel) {
  for (const int error : {214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721}) {
    SCOPED_TRACE(error);
    const gpu_space exec(hpk::NewInstance{});
    pretend::fail_kernel(1, error);
    launch("gives up", exec);
    expect_error([&] { exec.fence(); },
                 {"StreamSynchronize failed: ", "in parallel_for \"gives up\" (at "});
    pretend::break_device(0, pretend::success);
  }
}

TEST_F(Errors, name_a_few_kernels_of_many) {
  std::vector<gpu_space> all;
  for (int k = 0; k < 7; ++k) {
    all.emplace_back(hpk::NewInstance{});
    launch("kernel " + std::to_string(k), all.back());
  }
  pretend::break_device(0);
  const std::string text = error_of([] { hpk::fence(); });
  EXPECT_TRUE(contains(text, "\"kernel 3\" (at "));
  EXPECT_EQ(text.find("\"kernel 4\""), std::string::npos);
  EXPECT_TRUE(text.ends_with(" and 3 more"));
}

TEST_F(Errors, name_the_failed_kernel_in_every_later_call) {
  const gpu_space exec(hpk::NewInstance{});
  const hpk::View<int*, device_space> view(hpk::view_alloc(exec, "view"), 10);
  const hpk::View<int*, hpk::HostSpace> host("host", 10);
  const hpk::Event before = exec.record();
  launch_failing("gives up", exec);
  const hpk::Event event = exec.record();
  pretend::break_device(0);
  const std::initializer_list<const char*> named = {failure, "in parallel_for \"gives up\""};
  expect_error([&] { event.wait(); }, named);
  expect_error([&] { static_cast<void>(event.ready()); }, named);
  expect_error([&] { before.wait(); }, named);
  expect_error([&] { static_cast<void>(exec.idle()); }, named);
  expect_error([&] { static_cast<void>(exec.record()); }, named);
  expect_error([&] { exec.wait(event); }, named);
  expect_error([&] { hpk::deep_copy(exec, host, view); }, named);
  expect_error([&] { hpk::deep_copy(exec, view, host); }, named);
  expect_error([&] { hpk::deep_copy(exec, view, 0); }, named);
  expect_error([&] { const hpk::View<int*, device_space> next("next", 10); }, named);
  expect_error([&] { const hpk::View<int*, managed_space> next("next", 10); }, named);
  expect_error([&] { const hpk::View<int*, pinned_space> next("next", 10); }, named);
  expect_error([&] { const gpu_space next(hpk::NewInstance{}); }, named);
  expect_error([&] { hpk::host_task(exec, [] {}); }, named);
  // A launch that gets the error has not caused it.
  const std::string text = error_of([&] { launch("innocent", exec); });
  EXPECT_TRUE(contains(text, "LaunchKernel " + std::string(failure)));
  EXPECT_TRUE(contains(text, "in parallel_for \"gives up\""));
  EXPECT_EQ(text.find("innocent"), std::string::npos);
  use_host();
}

TEST_F(Errors, name_the_kernel_that_cannot_be_launched) {
  const gpu_space exec(hpk::NewInstance{});
  pretend::fail("LaunchKernel", 1, pretend::invalid_value);
  std::string where = "errors.cpp:" + std::to_string(__LINE__ + 2);
  const std::string text =
      error_of([&] { hpk::parallel_for("too large", exec_policy(exec, 0, 10), kernel{}); });
  EXPECT_TRUE(contains(text, "LaunchKernel failed: invalid argument"));
  EXPECT_TRUE(contains(text, ", in parallel_for \"too large\" (at "));
  EXPECT_TRUE(contains(text, where));
  launch("next", exec);
  EXPECT_NO_THROW(exec.fence());
}

TEST_F(Errors, reach_the_launch_itself_on_a_blocking_instance) {
  const gpu_space exec(hpk::NewInstance{.blocking = true});
  expect_error([&] { launch_failing("gives up", exec); }, {failure, "\"gives up\""});
}

TEST_F(Errors, name_the_graph_whose_kernel_failed) {
  const gpu_space exec(hpk::NewInstance{});
  const auto graph = hpk::create_graph("steps", exec, [](auto root) {
    root.then_parallel_for("node", exec_policy(0, 10), kernel{});
  });
  graph.submit(exec);
  exec.fence();
  pretend::fail_kernel();
  graph.submit(exec);
  expect_error([&] { exec.fence(); },
               {failure, "in a graph that ends with parallel_for \"node\" (at ", "errors.cpp:"});
}

TEST_F(Errors, of_one_device_leave_the_others_alone) {
  uses_devices(2);
  const gpu_space broken(hpk::NewInstance{.device = 1});
  const gpu_space whole(hpk::NewInstance{.device = 2});
  launch_failing("gives up", broken);
  pretend::hold();
  launch("other", whole);
  const std::string text = error_of([] { hpk::fence(); });
  EXPECT_TRUE(contains(text, "in parallel_for \"gives up\""));
  EXPECT_EQ(text.find("other"), std::string::npos);
  EXPECT_TRUE(whole.idle());
  pretend::release();
  const hpk::View<int*, device_space> view(hpk::view_alloc(whole, "view"), 10);
  EXPECT_NO_THROW(whole.fence());
  EXPECT_NO_THROW(hpk::fence());
  expect_error([&] { broken.fence(); }, {"\"gives up\""});
}

TEST_F(Errors, of_a_backend_do_not_keep_a_fence_from_the_others) {
  static int fences = 0;
  const gpu_space exec(hpk::NewInstance{});
  hpk::seam::register_backend([] { ++fences; });
  const int before = fences;
  launch_failing("gives up", exec);
  expect_error([] { hpk::fence(); }, {"\"gives up\""});
  EXPECT_EQ(fences, before + 1);
}

TEST_F(Errors, that_nothing_has_thrown_are_written_when_the_instance_ends) {
  EXPECT_EQ(stderr_of([] { const gpu_space exec(hpk::NewInstance{}); }), "");
  const std::string text = stderr_of([] {
    const gpu_space exec(hpk::NewInstance{});
    launch_failing("gives up", exec);
  });
  EXPECT_TRUE(contains(text, "hpk: an instance ends with an error: hpk::"));
  EXPECT_TRUE(contains(text, "in parallel_for \"gives up\""));
  // An error that was written to stderr is not thrown later.
  EXPECT_NO_THROW(hpk::fence());
  pretend::reset();
  EXPECT_NO_THROW(hpk::fence());
  // An unrelated error has been thrown.
  pretend::fail("StreamCreateWithFlags", 1, pretend::invalid_value);
  EXPECT_THROW(gpu_space(hpk::NewInstance{}), hpk::error);
  EXPECT_TRUE(contains(stderr_of([] {
                         const gpu_space exec(hpk::NewInstance{});
                         launch_failing("second", exec);
                       }),
                       "in parallel_for \"second\""));
}

TEST_F(Errors, that_were_thrown_are_not_written) {
  EXPECT_EQ(stderr_of([] {
              const gpu_space exec(hpk::NewInstance{});
              const gpu_space other(hpk::NewInstance{});
              launch_failing("gives up", exec);
              EXPECT_THROW(exec.fence(), hpk::error);
            }),
            "");
}

struct resource {
  HPK_FUNCTION resource() {}
  HPK_FUNCTION ~resource() {}
};

TEST_F(Errors, do_not_end_the_program_with_the_views) {
  {
    const gpu_space exec(hpk::NewInstance{});
    const hpk::View<int*, device_space> device("device", 10);
    const hpk::View<int*, managed_space> managed("managed", 10);
    const hpk::View<int*, pinned_space> pinned("pinned", 10);
    std::optional<hpk::View<resource*, device_space>> resources(std::in_place, "resources", 10);
    launch_failing("gives up", exec);
    EXPECT_THROW(exec.fence(), hpk::error);
    const std::string text = stderr_of([&] { resources.reset(); });
    EXPECT_TRUE(contains(text, "the elements of View \"resources\" were not destroyed"));
  }
  EXPECT_NO_THROW(hpk::fence());
}

TEST_F(Errors, end_the_default_instance_with_a_reset) {
  launch_failing("gives up", gpu_space());
  const auto stream = stream_of(gpu_space());
  expect_error([] { hpk::reset<gpu_space>(); }, {"\"gives up\""});
  pretend::reset();
  const gpu_space next(hpk::NewInstance{});
  EXPECT_NE(stream_of(gpu_space()), nullptr);
  launch("works", gpu_space());
  EXPECT_NO_THROW(gpu_space().fence());
  EXPECT_NO_THROW(hpk::reset<gpu_space>());
  static_cast<void>(stream);
}

TEST_F(Errors, in_a_node_end_the_recording) {
  const gpu_space exec(hpk::NewInstance{});
  const auto record = [&](auto&& node) {
    const auto graph = hpk::create_graph("steps", exec, [&](auto root) {
      root.then_parallel_for("before", exec_policy(0, 10), kernel{});
      node(root);
    });
    graph.submit(exec);
  };
  const auto check = [&] {
    EXPECT_EQ(pretend::alive().captures, 0);
    // The turn is released: other threads may wait for the device, and record.
    std::thread([&] { EXPECT_NO_THROW(hpk::fence()); }).join();
    EXPECT_NO_THROW(record([](auto) {}));
    EXPECT_NO_THROW(exec.fence());
  };
  expect_error(
      [&] {
        record([](auto root) {
          pretend::fail("LaunchKernel", 2, pretend::invalid_value);
          root.then_parallel_for("bad", exec_policy(0, 10), kernel{});
        });
      },
      {"LaunchKernel failed", "in parallel_for \"bad\""});
  check();
  // The program throws while it records.
  expect_error(
      [&] {
        record([](auto root) {
          root.capture([](const gpu_space&) { hpk::detail::raise("of the program"); });
        });
      },
      {"of the program"});
  check();
  // A fence aborts the recording.
  expect_error(
      [&] {
        record(
            [](auto root) { root.capture([](const gpu_space& recorder) { recorder.fence(); }); });
      },
      {"StreamSynchronize failed: operation not permitted when stream is capturing"});
  check();
  expect_error(
      [&] {
        record([](auto root) {
          root.capture([](const gpu_space&) {
            try {
              hpk::fence();
            } catch (const hpk::error&) {
            }
          });
        });
      },
      {"operation failed due to a previous error during capture"});
  check();
  // A View destroyed during the recording is freed afterwards.
  const int blocks = pretend::alive().blocks;
  EXPECT_NO_THROW(record([&](auto root) {
    auto view = std::make_shared<hpk::View<int*, device_space>>("view", 10);
    root.capture([view](const gpu_space&) { *view = {}; });
  }));
  EXPECT_EQ(pretend::alive().blocks, blocks);
}

TEST_F(Errors, of_another_layout_on_the_device_name_the_kernel) {
  const gpu_space exec(hpk::NewInstance{});
  pretend::set_argument_bytes(24);
  const auto check = [&] {
    gpu_runtime::expect_argument(
        exec.instance().stream(), &exec, 16,
        {.pattern = "parallel_for", .label = "odd", .where = std::source_location::current()});
  };
  if (std::string(prefix) == "hip") {
    EXPECT_NO_THROW(check());  // one compiler has one layout
  } else {
    expect_error(check, {"remove [[no_unique_address]]", "\"odd\"", "24 bytes", "errors.cpp:"});
  }
}

TEST_F(Errors, of_a_stream_that_is_none_are_those_of_the_library) {
  pretend::fail("StreamGetDevice", 1, pretend::invalid_value);
  expect_error([] { const gpu_space exec(stream_of(gpu_space())); },
               {"StreamGetDevice failed: invalid argument"});
}

TEST_F(Errors, of_host_tasks_are_theirs) {
  const gpu_space exec(hpk::NewInstance{});
  hpk::host_task("task", exec, [] { hpk::detail::raise("of the task"); });
  expect_error([&] { exec.fence(); }, {"of the task"});
  launch_failing("kernel", exec);
  hpk::host_task("task", exec, [] {});
  const std::string text = error_of([&] { exec.fence(); });
  EXPECT_TRUE(contains(text, "in parallel_for \"kernel\""));
  // A task that cannot be queued releases its captures.
  const auto captured = std::make_shared<int>(0);
  EXPECT_THROW(hpk::host_task(exec, [captured] {}), hpk::error);
  EXPECT_EQ(captured.use_count(), 1);
}

TEST_F(Errors, do_not_come_in_the_child_of_a_fork) {
  if (!may_fork) return;  // ThreadSanitizer
  const gpu_space exec(hpk::NewInstance{});
  auto event = std::make_optional(exec.record());
  std::optional<gpu_space> own(std::in_place, hpk::NewInstance{});
  std::optional<hpk::View<int*, device_space>> view(std::in_place, "view", 10);
  const auto graph = hpk::create_graph(
      exec, [](auto root) { root.then_parallel_for("node", exec_policy(0, 10), kernel{}); });
  graph.submit(exec);
  exec.fence();
  EXPECT_EQ(result_in_child([&] {
              pretend::clear_calls();
              hpk::fence();
              view.reset();
              event.reset();
              own.reset();
              const int made = static_cast<int>(pretend::calls().size());
              bool failed = false;
              try {
                exec.fence();
              } catch (const hpk::error&) {
                failed = true;
              }
              return made + (failed ? 0 : 50);
            }),
            0);
}

TEST(ErrorsDeathTest, do_not_come_in_the_first_process_that_uses_a_device) {
  if (!may_fork) return;  // ThreadSanitizer
  expect_in_new_process([] {
    gpu_machine::stop();  // as initialization does
    EXPECT_EQ(result_in_child([] {
                {
                  const hpk::View<int*, device_space> view("view", 10);
                  launch("kernel", gpu_space());
                  hpk::fence();
                }
                return pretend::alive().blocks + (pretend::count("DeviceSynchronize") > 0 ? 0 : 50);
              }),
              0);
  });
}

TEST(ErrorsDeathTest, without_a_device_have_the_reason_of_the_library) {
  expect_in_new_process([] {
    pretend::set_devices(0, pretend::insufficient_driver);
    EXPECT_EQ(hpk::num_devices<gpu_space>(), 0);
    for (int k = 0; k < 2; ++k) {
      expect_error([] { gpu_space().fence(); },
                   {"there is no device to run on (", "GetDeviceCount: driver is insufficient)"});
      expect_error([] { gpu_space{hpk::NewInstance{}}; }, {"there is no device to run on"});
      expect_error([] { hpk::View<int*, device_space>("view", 10); },
                   {"there is no device to run on"});
      expect_error([] { hpk::View<int*, pinned_space>("view", 10); },
                   {"there is no device to run on"});
    }
    use_host();
    EXPECT_EQ(pretend::last_error(), pretend::success);
  });
}

TEST(ErrorsDeathTest, do_not_come_at_the_end_of_the_program) {
  expect_in_new_process([] {
    static const gpu_space exec(hpk::NewInstance{});
    static const hpk::View<int*, device_space> device("device", 10);
    static const hpk::View<int*, managed_space> managed("managed", 10);
    static const hpk::View<int*, pinned_space> pinned("pinned", 10);
    static const hpk::Event event = exec.record();
    static const auto graph = hpk::create_graph(
        exec, [](auto root) { root.then_parallel_for("node", exec_policy(0, 10), kernel{}); });
    graph.submit(exec);
    std::atexit([] { pretend::unload(); });
  });
}

TEST(ErrorsDeathTest, do_not_end_a_scope_guard) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        {
          const hpk::ScopeGuard guard;
          launch_failing("gives up", gpu_space());
        }
        std::exit(hpk::is_finalized() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "hpk::finalize: hpk::.* failed: .*in parallel_for \"gives up\"");
  EXPECT_EXIT(
      {
        hpk::initialize();
        launch_failing("gives up", gpu_space());
        EXPECT_THROW(gpu_space().fence(), hpk::error);
        hpk::finalize();
        hpk::initialize();
        use_host();
        hpk::finalize();
        std::exit(testing::Test::HasFailure() ? 1 : 0);
      },
      testing::ExitedWithCode(0), "^$");
}

}  // namespace hpk_test::pretend_error_cases
