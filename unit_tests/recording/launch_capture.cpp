// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of HPK_CAPTURE, the copy of a kernel and its Views, and the choice of the captured
// launch.
#include <hpk/recording/launch_capture.hpp>

#include <hpk/core.hpp>

#include <support/spaces.hpp>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <thread>

namespace launch_capture_test {
namespace {

using hpk::detail::capture_request;
using hpk::detail::captured_launch;
using hpk::detail::kernel_snapshot;
using hpk::detail::read_capture_request;
using exec = hpk::DefaultHostExecutionSpace;
template <class T>
using host_view = hpk::View<T, hpk::HostSpace>;

void expect_request(std::string_view text, std::string_view label, std::uint64_t nth,
                    std::string_view path) {
  capture_request found;
  EXPECT_TRUE(read_capture_request(text, found)) << text;
  EXPECT_EQ(found.label, label);
  EXPECT_EQ(found.nth, nth);
  EXPECT_EQ(found.path, path);
}

TEST(CaptureRequest, has_label_number_and_path) {
  expect_request("update:17:update.capture", "update", 17, "update.capture");
  expect_request(":17:dir/file", "", 17, "dir/file");
  expect_request("a::b: c:1:f", "a::b: c", 1, "f");
  expect_request("main()::<lambda(int)>:2:f", "main()::<lambda(int)>", 2, "f");
  expect_request(" :3: f g", " ", 3, " f g");
  expect_request("x:18446744073709551615:f", "x", std::numeric_limits<std::uint64_t>::max(), "f");
}

TEST(CaptureRequest, is_refused_if_it_is_not_valid) {
  capture_request found;
  for (const char* const text : {"",        ":",
                                 "::",      ":::",
                                 "x",       "x:1",
                                 ":1",      "1:f",
                                 "x:f",     "x:1:",
                                 ":1:",     "x:0:f",
                                 "x:-1:f",  "x:+1:f",
                                 "x: 1:f",  "x:1 :f",
                                 "x:1x:f",  "x:one:f",
                                 "x::f",    "x:1.5:f",
                                 "x:0x1:f", "x:18446744073709551616:f",
                                 "x:1:f:g"})
    EXPECT_FALSE(read_capture_request(text, found)) << '"' << text << '"';
}

struct kernel {
  char small;  // followed by padding
  host_view<double*> x;
  double factor;
  host_view<const double*> same;
  hpk::View<double**, hpk::LayoutLeft, hpk::HostSpace> box;
  hpk::View<int*, hpk::HostSpace, hpk::MemoryTraits<hpk::Unmanaged>> borrowed;
  host_view<float> one;
  host_view<int[3]> none;
  void operator()(int) const {}
};

template <class T, class Kernel>
std::ptrdiff_t offset_in(const T& member, const Kernel& in) {
  return reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(&in);
}
template <class View>
void expect_view(const hpk::detail::seen_view& seen, const View& view, const kernel& in) {
  EXPECT_EQ(seen.facts.data, view.data());
  EXPECT_EQ(seen.offset, offset_in(view, in));
  EXPECT_EQ(seen.facts.object_bytes, sizeof(View));
}

TEST(KernelSnapshot, finds_views_and_their_offsets) {
  const host_view<double*> x("x", 10);
  int numbers[4] = {};
  const decltype(kernel::box) box("box", 3, 4);
  const decltype(kernel::borrowed) borrowed(numbers, 4);
  const kernel given{'a', x, 2.5, x, box, borrowed, host_view<float>("one"), {}};
  using policy = hpk::RangePolicy<exec>;
  const policy range(3, 40);
  const kernel_snapshot seen(&hpk::detail::launched<kernel, policy>, {&given, &range});
  EXPECT_EQ(seen.types.functor, hpk::type_name<kernel>());
  EXPECT_EQ(seen.policy.count, 3);
  EXPECT_EQ(seen.policy.values[1], 40);
  EXPECT_EQ(seen.align, alignof(kernel));
  ASSERT_EQ(seen.bytes.size(), sizeof(kernel));
  double factor = 0;
  std::memcpy(&factor, seen.bytes.data() + offset_in(given.factor, given), sizeof factor);
  EXPECT_EQ(factor, 2.5);
  for (std::size_t at = 1; at != alignof(kernel); ++at)
    EXPECT_EQ(seen.bytes[at], std::byte{0}) << "padding";
  ASSERT_EQ(seen.views.size(), 6u);
  expect_view(seen.views[0], given.x, given);
  expect_view(seen.views[1], given.same, given);
  expect_view(seen.views[2], given.box, given);
  expect_view(seen.views[3], given.borrowed, given);
  expect_view(seen.views[4], given.one, given);
  EXPECT_EQ(seen.views[5].facts.data, nullptr);
  EXPECT_TRUE(seen.views[1].facts.type->is_const);
  EXPECT_EQ(x.use_count(), 3) << "the copy is gone";
}

// Views of different sizes may share one memory: the larger View must not replace the smaller.
struct kernel_of_two {
  std::int64_t number = 0;
  hpk::View<double, hpk::HostSpace, hpk::MemoryTraits<hpk::Unmanaged>> small;
  hpk::View<double*, hpk::HostSpace, hpk::MemoryTraits<hpk::Unmanaged>> large;
  void operator()(int) const {}
};
TEST(KernelSnapshot, tells_views_of_other_sizes_of_one_memory_apart) {
  double numbers[4] = {};
  const kernel_of_two given{4, decltype(kernel_of_two::small)(numbers),
                            decltype(kernel_of_two::large)(numbers, 4)};
  ASSERT_LT(sizeof given.small, sizeof given.large);
  using policy = hpk::RangePolicy<exec>;
  const policy range(0, 1);
  const kernel_snapshot seen(&hpk::detail::launched<kernel_of_two, policy>, {&given, &range});
  ASSERT_EQ(seen.views.size(), 2u);
  EXPECT_EQ(seen.views[0].offset, offset_in(given.small, given));
  EXPECT_EQ(seen.views[1].offset, offset_in(given.large, given));
}

TEST(KernelSnapshot, finds_views_of_views) {
  const host_view<host_view<double*>*> all(hpk::view_alloc("all", hpk::SequentialHostInit), 2);
  all(1) = host_view<double*>("inner", 5);
  const auto given = [all](int) {};
  using policy = hpk::RangePolicy<exec>;
  const policy range(0, 1);
  const kernel_snapshot seen(&hpk::detail::launched<decltype(given), policy>, {&given, &range});
  ASSERT_EQ(seen.views.size(), 3u);
  EXPECT_EQ(seen.views[0].facts.data, all.data());
  EXPECT_EQ(seen.views[0].offset, 0);
  EXPECT_EQ(seen.views[1].facts.data, nullptr);
  EXPECT_EQ(seen.views[2].facts.data, all(1).data());
  EXPECT_EQ(seen.views[2].offset, -1);
}

TEST(KernelSnapshot, of_no_kernel_or_one_that_is_not_copied_is_empty) {
  struct only_one {
    only_one() = default;
    only_one(const only_one&) = delete;
    void operator()(int) const {}
  };
  using policy = hpk::RangePolicy<exec>;
  const policy range(0, 7);
  const only_one given;
  EXPECT_TRUE(
      kernel_snapshot(&hpk::detail::launched<only_one, policy>, {&given, &range}).bytes.empty());
  EXPECT_TRUE(kernel_snapshot(&hpk::detail::launched<only_one, policy>, {}).bytes.empty());
}

void add(int, double& sum) { sum += 1; }
TEST(KernelSnapshot, of_a_function_is_its_address) {
  using policy = hpk::RangePolicy<exec>;
  using function = void (*)(int, double&);
  const policy range(0, 7);
  const function given = add;
  const kernel_snapshot seen(&hpk::detail::launched<function, policy>, {&given, &range});
  ASSERT_EQ(seen.bytes.size(), sizeof given);
  EXPECT_EQ(std::memcmp(seen.bytes.data(), &given, sizeof given), 0);
}

// Captures into a file while `work` runs.
class LaunchCapture : public testing::Test {
 protected:
  LaunchCapture() {
    path_ = (std::filesystem::temp_directory_path() /
             ("hpk_launch_capture_" + std::to_string(getpid())))
                .string();
  }
  ~LaunchCapture() override { std::filesystem::remove(path_); }
  template <class Work>
  std::string capture(const std::string& label, std::uint64_t nth, const Work& work) {
    std::filesystem::remove(path_);
    testing::internal::CaptureStderr();
    hpk::detail::set_observer(&hpk::detail::make_capture({label, nth, path_}, nullptr));
    work();
    hpk::detail::set_observer(nullptr);
    hpk::detail::end_capture();
    return testing::internal::GetCapturedStderr();
  }
  captured_launch read() const { return hpk::detail::read_capture(path_); }
  bool is_there() const { return std::filesystem::exists(path_); }

 private:
  std::string path_;
};

TEST_F(LaunchCapture, takes_the_launch_that_is_named) {
  const host_view<int*> x("x", 3);
  const auto work = [&] {
    for (int k = 1; k < 4; ++k) {
      hpk::parallel_for("count", hpk::RangePolicy<exec>(0, 3), [=](int i) { x(i) = 10 * k + i; });
      hpk::deep_copy(x, 7);
    }
  };
  capture("count", 2, work);
  const captured_launch found = read();
  EXPECT_EQ(found.label, "count");
  EXPECT_EQ(found.nth, 2u);
  EXPECT_EQ(found.number, 3u);
  EXPECT_EQ(found.pattern, "parallel_for");
  EXPECT_EQ(found.space, exec::name());
  ASSERT_EQ(found.views.size(), 1u);
  const int before[] = {7, 7, 7};
  const int after[] = {20, 21, 22};
  EXPECT_EQ(std::memcmp(found.views[0].before.data(), before, sizeof before), 0);
  EXPECT_EQ(std::memcmp(found.views[0].after.data(), after, sizeof after), 0);
  EXPECT_TRUE(found.runs_alone);
  EXPECT_NE(found.replay.place, 0u);
  ASSERT_FALSE(found.modules.empty());
  EXPECT_EQ(found.modules[0].path, found.replay.module);
  EXPECT_NE(found.modules[0].build, "");
  // By its number among all launches, including fills.
  capture("", 5, work);
  EXPECT_EQ(read().nth, 3u);
  EXPECT_TRUE(
      hpk_test::contains(capture("", 4, work), "number 4 is not among them or has no kernel"));
  EXPECT_FALSE(is_there());
  EXPECT_TRUE(hpk_test::contains(capture("count", 4, work), "fewer than 4"));
}

TEST_F(LaunchCapture, has_results) {
  const host_view<double*> x("x", 4);
  const host_view<double> sum("sum");
  double most = 0;
  const auto work = [&] {
    hpk::deep_copy(x, 3);
    hpk::parallel_reduce(
        "both", hpk::RangePolicy<exec>(0, 4),
        [=](int i, double& u, double& v) {
          u += x(i);
          v = x(i) > v ? x(i) : v;
        },
        sum, hpk::Max<double>(most));
  };
  capture("both", 1, work);
  const captured_launch found = read();
  ASSERT_EQ(found.results.size(), 2u);
  for (const auto& [at, expected] : {std::pair(0, 12.0), std::pair(1, 3.0)}) {
    double value = 0;
    ASSERT_EQ(found.results[std::size_t(at)].after.size(), sizeof value);
    std::memcpy(&value, found.results[std::size_t(at)].after.data(), sizeof value);
    EXPECT_EQ(value, expected);
  }
  EXPECT_EQ(found.results[0].label, "sum");
}

TEST_F(LaunchCapture, writes_the_file_when_the_launch_is_done) {
  const host_view<double*> x("x", 4);
  const hpk::RangePolicy<exec> range(0, 4);
  double sum = 0;
  double most = 0;
  const host_view<double> total("total");
  const auto add = [=](int i, double& u) { u += x(i); };
  capture("for", 1, [&] {
    hpk::parallel_for("for", range, [=](int i) { x(i) = i; });
    EXPECT_TRUE(is_there());
  });
  capture("sum", 1, [&] {
    hpk::parallel_reduce("sum", range, add, sum);
    EXPECT_TRUE(is_there());
    EXPECT_EQ(read().results.size(), 1u);
  });
  capture("view", 1, [&] {
    hpk::parallel_reduce("view", range, add, total);
    EXPECT_TRUE(is_there());
    EXPECT_EQ(read().results.size(), 1u);
  });
  capture("both", 1, [&] {
    hpk::parallel_reduce(
        "both", range, [=](int i, double& u, double& v) { u += x(i), v = x(i) > v ? x(i) : v; },
        sum, hpk::Max<double>(most));
    EXPECT_TRUE(is_there());
    EXPECT_EQ(read().results.size(), 2u);
  });
  const auto prefix = [=](int i, double& u, bool) { u += x(i); };
  capture("scan", 1, [&] {
    hpk::parallel_scan("scan", range, prefix);
    EXPECT_TRUE(is_there());
  });
  capture("total", 1, [&] {
    hpk::parallel_scan("total", range, prefix, sum);
    EXPECT_TRUE(is_there());
    EXPECT_EQ(read().results.size(), 1u);
  });
}

// The program ends between a launch and its result.
TEST_F(LaunchCapture, is_written_without_results_when_the_program_ends_early) {
  const host_view<int*> x("x", 3);
  const auto given = [=](int i) { x(i) = i; };
  using policy = hpk::RangePolicy<exec>;
  const policy range(0, 3);
  capture("early", 1, [&] {
    hpk::detail::launch_observer& observer = *hpk::detail::current_observer();
    const hpk::seam::launch_info info{
        .pattern = "parallel_reduce", .label = "early", .where = {}, .results = 1};
    const std::uint64_t token =
        observer.begin({.info = info,
                        .kernel_types = &hpk::detail::launched<decltype(given), policy>,
                        .objects = {&given, &range},
                        .space = exec::name(),
                        .workers = 1});
    hpk::detail::flush_capture();
    EXPECT_FALSE(is_there()) << "the launch is not done";
    observer.end(token, false);
    EXPECT_FALSE(is_there());
    hpk::detail::flush_capture();
    EXPECT_TRUE(is_there());
  });
  EXPECT_EQ(read().views.size(), 1u);
  EXPECT_EQ(read().results.size(), 0u);
}

TEST_F(LaunchCapture, refuses_addresses_of_other_memory) {
  const host_view<double*> x("x", 4);
  double factor = 3;
  const std::string said = capture("scale", 1, [&] {
    hpk::parallel_for("scale", hpk::RangePolicy<exec>(0, 4),
                      [x, &factor](int i) { x(i) *= factor; });
  });
  EXPECT_TRUE(hpk_test::contains(said, "is the address of memory that belongs to no View"));
  EXPECT_TRUE(hpk_test::contains(said, "launch 1 of \"scale\" can't be captured"));
  EXPECT_FALSE(is_there());
}

// Launches of another thread begin and end while the captured launch runs.
std::atomic<int> step = 0;
TEST_F(LaunchCapture, is_not_ended_by_another_thread) {
  const host_view<int*> x("x", 2);
  step = 0;
  capture("slow", 1, [&] {
    // Each thread counts its launches from 1.
    std::thread slow([&] {
      const hpk::RangePolicy<exec> once(hpk_test::new_instance<exec>(), 0, 1);
      hpk::parallel_for("slow", once, [x](int) {
        x(0) = 1;
        step = 1;
        while (step != 2) std::this_thread::yield();
        x(1) = 2;
      });
    });
    std::thread quick([] {
      while (step != 1) std::this_thread::yield();
      const hpk::RangePolicy<exec> once(hpk_test::new_instance<exec>(), 0, 1);
      for (int k = 0; k < 3; ++k) hpk::parallel_for("quick", once, [](int) {});
      step = 2;
    });
    slow.join();
    quick.join();
  });
  ASSERT_TRUE(is_there());
  const captured_launch found = read();
  ASSERT_EQ(found.views.size(), 1u);
  const int after[] = {1, 2};
  ASSERT_EQ(found.views[0].after.size(), sizeof after);
  EXPECT_EQ(std::memcmp(found.views[0].after.data(), after, sizeof after), 0);
}

}  // namespace
}  // namespace launch_capture_test
