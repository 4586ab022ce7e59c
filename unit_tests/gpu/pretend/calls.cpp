// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each call of the vendor's library by hpk fails once, at each place that makes it: the program
// gets an hpk::error or no error, leaks nothing, and everything works afterwards. The test searches
// hpk's source for calls that this program does not make.
#include <hpk/device.hpp>
#include <hpk/graph.hpp>
#include <hpk/tasks.hpp>
#include <hpk/timed_event.hpp>

#include <gpu/pretend/support.hpp>
#include <support/environment.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

namespace hpk_test::pretend_call_cases {

using exec_policy = hpk::RangePolicy<gpu_space>;

struct small_kernel {
  HPK_FUNCTION void operator()(int) const {}
};
struct large_kernel {
  double numbers[1000];
  HPK_FUNCTION void operator()(int) const {}
};
struct team_kernel {
  template <class Member>
  HPK_FUNCTION void operator()(const Member&) const {}
};

struct own_stream {
  HPK_PRETEND(Stream_t) handle = nullptr;
  own_stream() { static_cast<void>(HPK_PRETEND(StreamCreate)(&handle)); }
  ~own_stream() { static_cast<void>(HPK_PRETEND(StreamDestroy)(handle)); }
  own_stream(const own_stream&) = delete;
  own_stream& operator=(const own_stream&) = delete;
};

// Returns a device that no test has used.
int fresh_device() {
  static int last = 1000;
  return ++last;
}

// Turns memory pools of devices on or off during its lifetime.
class pools_option {
 public:
  explicit pools_option(bool on)
      : value_(prefix == std::string("hip") ? "HPK_HIP_ASYNC_MALLOC" : "HPK_CUDA_ASYNC_MALLOC",
               on ? "1" : "0") {
    gpu_machine::stop();
  }
  ~pools_option() { gpu_machine::stop(); }

 private:
  variable value_;
};

// Uses two new devices that access each other's memory.
void start(bool pools) {
  const pools_option from_pools(pools);
  const int device = fresh_device();
  const int other = fresh_device();
  pretend::set_peers(device, other, true);
  pretend::set_peers(other, device, true);
  const gpu_space peer(hpk::NewInstance{.device = other});
  const hpk::View<int*, device_space> there(hpk::view_alloc(peer, "there"), 10);
  const gpu_space exec(hpk::NewInstance{.device = device});
  hpk::View<int*, device_space> first(hpk::view_alloc(exec, "first"), 10);
  hpk::TeamPolicy<gpu_space> teams(exec, 4, 32);
  hpk::parallel_for("scratch", teams.set_scratch_size(0, hpk::PerTeam(60'000)), team_kernel{});
  exec.fence();
}
void start_with_pools() { start(true); }
void start_without_pools() { start(false); }

void copy_and_launch(const gpu_space& exec) {
  const hpk::View<int*, device_space> view(hpk::view_alloc(exec, "view"), 100);
  const hpk::View<int*, managed_space> managed(hpk::view_alloc(exec, "managed"), 100);
  const hpk::View<int*, pinned_space> pinned("pinned", 100);
  const hpk::View<int*, hpk::HostSpace> host("host", 100);
  hpk::deep_copy(exec, view, host);
  hpk::deep_copy(exec, managed, view);
  hpk::deep_copy(exec, pinned, view);
  hpk::deep_copy(exec, host, view);
  hpk::deep_copy(exec, view, 0);
  hpk::parallel_for("small", exec_policy(exec, 0, 10), small_kernel{});
  hpk::parallel_for("large", exec_policy(exec, 0, 10), large_kernel{});
  exec.fence();
  double sum = 0;
  hpk::parallel_reduce("sum", exec_policy(exec, 0, 10), HPK_LAMBDA(int, double&){}, sum);
  hpk::TeamPolicy<gpu_space> teams(exec, 4, 32);
  hpk::parallel_for("scratch", teams.set_scratch_size(0, hpk::PerTeam(60'000)), team_kernel{});
  hpk::parallel_for(
      "more",
      teams.set_scratch_size(0, hpk::PerTeam(60'000)).set_scratch_size(1, hpk::PerTeam(1000)),
      team_kernel{});
  gpu_runtime::expect_argument(exec.instance().stream(), &exec, 8,
                               {.pattern = "parallel_for", .label = "argument", .where = {}});
  void* const aligned =
      gpu_runtime::allocate(hpk::gpu::memory_kind::device, exec.instance().stream(), 100, 4096);
  if (aligned != nullptr) gpu_runtime::deallocate(hpk::gpu::memory_kind::device, aligned, 4096);
}

void order(const gpu_space& exec) {
  const gpu_space urgent(hpk::NewInstance{.device = device_of(exec), .priority = 1});
  const hpk::Event before = hpk::record_timed(exec);
  hpk::parallel_for(exec_policy(exec, 0, 10), small_kernel{});
  pretend::hold();
  const hpk::Event after = hpk::record_timed(exec);
  urgent.wait(after);
  EXPECT_TRUE(urgent.idle());
  pretend::release();
  after.wait();
  EXPECT_TRUE(after.ready());
  EXPECT_GT(hpk::elapsed_seconds(before, after), 0);
  bool ran = false;
  hpk::host_task(exec, [&] { ran = true; });
  exec.fence();
  EXPECT_TRUE(ran);
  const hpk::View<int*, hpk::HostSpace> host("host", 10);
  const hpk::View<int*, device_space> view(hpk::view_alloc(exec, "view"), 10);
  hpk::deep_copy(exec, view, host);
  exec.fence();
}

void record_graph(const gpu_space& exec) {
  const hpk::Graph<gpu_space> graph = hpk::create_graph(exec, [](auto root) {
    auto first = root.then_parallel_for("first", exec_policy(0, 10), small_kernel{});
    first.then_parallel_for("second", exec_policy(0, 10), large_kernel{}).then_host([] {});
  });
  graph.submit(exec);
  exec.fence();
}

void ask(const gpu_space& exec) {
  EXPECT_EQ(hpk::device_properties(exec).device, device_of(exec));
  static int symbol = 0;
  EXPECT_NE(exec.instance().address_of_symbol(&symbol), nullptr);
}

void describe() {
  pretend::set_devices(3);
  std::ostringstream text;
  gpu_space().print_configuration(text);
  EXPECT_NE(text.str(), "");
}

// Makes all calls in one program.
void tour() {
  {
    const own_stream stream;
    if (stream.handle != nullptr) gpu_space(stream.handle).fence();
  }
  hpk::parallel_for("default instance", exec_policy(0, 10), small_kernel{});
  for (const int device : {0, 1}) {
    const gpu_space exec(hpk::NewInstance{.device = device});
    copy_and_launch(exec);
    order(exec);
    record_graph(exec);
    ask(exec);
  }
  {
    const pools_option from_pools(true);
    copy_and_launch(gpu_space());
    pretend::set_pageable_access(true);
    copy_and_launch(gpu_space(hpk::NewInstance{}));
    // Pools return their free memory to the device before an allocation fails.
    pretend::set_limit(pretend::memory::pool, 1000);
    try {
      const hpk::View<double*, device_space> large("large", 1000);
    } catch (const std::bad_alloc&) {
    }
    pretend::set_limit(pretend::memory::pool, SIZE_MAX);
    pretend::set_pageable_access(false);
  }
  hpk::fence();
}

void check_hosts() {
  const hpk::View<int*, hpk::HostSpace> host("host", 100);
  hpk::parallel_for(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 100),
                    [=](int i) { host(i) = i; });
  hpk::DefaultHostExecutionSpace().fence();
  EXPECT_EQ(host(99), 99);
}

using Calls = Pretend;

// The first change of devices looks up a function of the driver.
TEST(CallsDeathTest, may_fail_to_find_a_function) {
  expect_in_new_process([] {
    pretend::fail("GetDriverEntryPointByVersion", 1, pretend::invalid_value);
    EXPECT_NO_THROW(tour());
    EXPECT_EQ(pretend::last_error(), pretend::success);
  });
}

TEST_F(Calls, a_whole_program_makes_them) {
  uses_devices(1);
  EXPECT_NO_THROW(tour());
  EXPECT_NO_THROW(tour());
}

// Returns the calls of a program and their counts.
std::map<std::string, int> calls_of(void (*program)()) {
  pretend::clear_calls();
  program();
  std::map<std::string, int> found;
  for (const pretend::call& call : pretend::calls()) ++found[std::string(call.function)];
  return found;
}

// Runs the program with a failing call. A thrown error must name the call, unless memory ran out.
void run_with_failure(void (*program)(), int new_devices, const std::string& function, int at,
                      int error) {
  SCOPED_TRACE(function + ", call " + std::to_string(at) + ", error " + std::to_string(error));
  const pretend::living before = pretend::alive();
  pretend::fail(function, at, error);
  std::string text;
  testing::internal::CaptureStderr();
  try {
    program();
  } catch (const hpk::error& thrown) {
    text = thrown.what();
  }
  if (error == pretend::invalid_value && !text.empty()) {
    EXPECT_TRUE(contains(text, prefix + function + " failed: ") ||
                contains(text, std::string("there is no device to run on (") + prefix + function));
  }
  if (error == pretend::launch_failure && !text.empty()) {
    EXPECT_TRUE(contains(text, "unspecified launch failure"));
  }
  pretend::reset();
  EXPECT_EQ(pretend::last_error(), pretend::success);
  gpu_machine::stop();
  static_cast<void>(testing::internal::GetCapturedStderr());
  pretend::living after = pretend::alive();
  // Each device keeps one stream that orders allocations.
  if (after.streams <= before.streams + new_devices) after.streams = before.streams;
  EXPECT_EQ(after, before);
}

// Makes each call of a program fail once in each way. The program uses `new_devices` devices for
// the first time.
void fail_each_call(void (*program)(), int new_devices) {
  gpu_machine::stop();
  const auto calls = calls_of(program);
  gpu_machine::stop();
  for (const auto& [function, times] : calls) {
    // A new device requests access to each device in use.
    const int most = function == "DeviceCanAccessPeer" ? std::min(times, 4) : times;
    for (int at = 1; at <= most; ++at) {
      run_with_failure(program, new_devices, function, at, pretend::invalid_value);
      run_with_failure(program, new_devices, function, at, pretend::launch_failure);
      if (function.find("alloc") != std::string::npos ||
          function.find("Alloc") != std::string::npos)
        run_with_failure(program, new_devices, function, at, pretend::out_of_memory);
    }
  }
  pretend::reset();
  EXPECT_NO_THROW(program());
  check_hosts();
}

TEST_F(Calls, may_fail_one_at_a_time) {
  uses_devices(1);
  tour();
  fail_each_call(&tour, 0);
}

TEST_F(Calls, may_fail_one_at_a_time_in_a_description) { fail_each_call(&describe, 0); }

TEST_F(Calls, may_fail_one_at_a_time_on_a_new_device) {
  uses_devices(pretend::all_devices);
  fail_each_call(&start_with_pools, 2);
  fail_each_call(&start_without_pools, 2);
}

// Returns the functions that the library's header declares and a file of hpk calls:
// HPK_GPU(Name)(...), HPK_GPU_CALL(A, origin, Name, ...), and cudaName(...) or hipName(...).
std::set<std::string> calls_in(const std::string& source) {
  const auto is_letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const auto word_at = [&](std::size_t at) {
    std::size_t end = at;
    while (end < source.size() && is_letter(source[end])) ++end;
    return source.substr(at, end - at);
  };
  std::set<std::string> found;
  for (std::size_t at = 0; at < source.size(); ++at) {
    if (at > 0 && is_letter(source[at - 1])) continue;
    const std::string word = word_at(at);
    if (word == "HPK_GPU") {
      const std::string name = word_at(at + 8);
      const std::size_t behind = source.find_first_not_of(" \n", at + 8 + name.size() + 1);
      if (behind != std::string::npos && source[behind] == '(') found.insert(name);
    } else if (word == "HPK_GPU_CALL") {
      const std::size_t first = source.find(',', at);
      const std::size_t second = source.find(',', first + 1);
      found.insert(word_at(source.find_first_not_of(" \n", second + 1)));
    } else if (word.starts_with(prefix) && source[at + word.size()] == '(') {
      const std::string name = word.substr(std::string_view(prefix).size());
      if (!name.empty() && std::isupper(static_cast<unsigned char>(name[0])) != 0)
        found.insert(name);
    }
    if (!word.empty()) at += word.size() - 1;
  }
  found.erase("Name");  // in the macro
  return found;
}

// Calls that hpk makes only with older or newer versions of the library than the pretended one.
const std::set<std::string> of_other_versions = {"StreamGetCaptureInfo_v2", "GetDriverEntryPoint",
                                                 "StreamAddCallback"};
// Calls for the text and name of an error cannot fail.
const std::set<std::string> never_fails = {"GetErrorString", "GetErrorName", "GetLastError"};

TEST_F(Calls, of_hpk_are_all_tested) {
  uses_devices(5);
  std::set<std::string> made = {"GetDriverEntryPointByVersion"};  // once per process, see below
  for (const auto program : {&start_with_pools, &start_without_pools, &tour, &describe})
    for (const auto& [function, times] : calls_of(program)) made.insert(function);
  std::set<std::string> written;
  const std::filesystem::path folder = HPK_TEST_SOURCES;
  std::vector<std::filesystem::path> files = {folder / prefix / (std::string(prefix) + ".cpp")};
  for (const auto& entry : std::filesystem::directory_iterator(folder / "gpu"))
    if (entry.path().string().ends_with("_calls.hpp")) files.push_back(entry.path());
  EXPECT_GE(files.size(), 5u);
  for (const auto& file : files) {
    std::ifstream in(file);
    written.merge(calls_in(std::string(std::istreambuf_iterator<char>(in), {})));
  }
  EXPECT_GE(written.size(), 40u);
  for (const std::string& name : written) {
    EXPECT_TRUE(made.contains(name) || of_other_versions.contains(name) ||
                never_fails.contains(name))
        << name << " is called by hpk and by no program of this file";
  }
}

}  // namespace hpk_test::pretend_call_cases
