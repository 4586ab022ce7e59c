// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time between two events is the time of the work between them: on one instance, across
// instances, and between Emu and hosts. Some events have no time.
#include <hpk/timed_event.hpp>

#include <support/elements.hpp>

#include <chrono>
#include <string>
#include <thread>

namespace seam_timed_event_test {
namespace {

using hpk::elapsed_seconds;
using hpk::record_timed;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

template <class Exec>
class TimedEvent : public testing::Test {};
TYPED_TEST_SUITE(TimedEvent, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(TimedEvent, tells_how_long_the_work_took) {
  const TypeParam exec = hpk_test::new_instance<TypeParam>();
  const hpk::View<double*, TypeParam> view("view", 1000);
  exec.fence();
  const auto begin = std::chrono::steady_clock::now();
  const hpk::Event first = record_timed(exec);
  for (int round = 0; round < 3; ++round)
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, 1000), HPK_LAMBDA(int i) {
          for (int k = 0; k < 200; ++k) view(i) = view(i) * 0.5 + k;
        });
  const hpk::Event second = record_timed(exec);
  const double took = elapsed_seconds(first, second);
  EXPECT_TRUE(second.ready());
  EXPECT_GT(took, 0.0);
  EXPECT_LE(took, seconds_since(begin));
  EXPECT_EQ(elapsed_seconds(second, first), -took);
  EXPECT_EQ(elapsed_seconds(second, second), 0.0);
}

HPK_TYPED_TEST(TimedEvent, is_an_event_like_others) {
  const TypeParam exec = hpk_test::new_instance<TypeParam>();
  const TypeParam other = hpk_test::new_instance<TypeParam>();
  const hpk::View<int, TypeParam> view("view");
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 1), HPK_LAMBDA(int) { view() = 1; });
  const hpk::Event written = record_timed(exec);
  other.wait(written);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(other, 0, 1), HPK_LAMBDA(int) { view() *= 5; });
  EXPECT_GE(elapsed_seconds(written, record_timed(other)), 0.0);
  EXPECT_EQ(hpk_test::on_host(view)(), 5);
}

template <class Exec>
class TimedEventOnCpu : public testing::Test {};
TYPED_TEST_SUITE(TimedEventOnCpu, hpk_test::cpu_spaces, hpk_test::space_names);

TYPED_TEST(TimedEventOnCpu, has_the_time_of_its_own_work) {
  const TypeParam exec = hpk_test::new_instance<TypeParam>();
  const hpk::Event first = record_timed(exec);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 1),
                    [](int) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
  const hpk::Event second = record_timed(exec);
  second.wait();
  // Neither later work nor the time of the query counts.
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  const hpk::Event third = record_timed(exec);
  EXPECT_GE(elapsed_seconds(first, second), 0.019);
  EXPECT_GE(elapsed_seconds(second, third), 0.029);
  EXPECT_NEAR(elapsed_seconds(first, second) + elapsed_seconds(second, third),
              elapsed_seconds(first, third), 1e-9);
  // Emu and hosts use the same clock.
  EXPECT_GT(elapsed_seconds(first, record_timed(hpk::DefaultHostExecutionSpace())), 0.04);
}

TEST(AnEventWithoutTime, is_an_error_that_says_what_to_write) {
  const hpk::DefaultHostExecutionSpace exec;
  const hpk::Event timed = record_timed(exec);
  for (const auto& [from, to] : {std::pair(hpk::Event(), timed), std::pair(timed, hpk::Event())}) {
    const std::string text =
        hpk_test::error_of([&] { static_cast<void>(elapsed_seconds(from, to)); });
    EXPECT_TRUE(hpk_test::contains(text, "hpk::elapsed_seconds: the events have no times on one"));
    EXPECT_TRUE(hpk_test::contains(text, "write hpk::record_timed(exec)"));
    EXPECT_TRUE(hpk_test::contains(text, "timed_event.cpp:"));
  }
}

template <class Exec>
class TimedEventOnHost : public testing::Test {};
TYPED_TEST_SUITE(TimedEventOnHost, hpk_test::host_spaces, hpk_test::space_names);

TYPED_TEST(TimedEventOnHost, is_not_recorded_in_a_kernel) {
  const std::string text = hpk_test::error_of([] {
    hpk::parallel_for("inner", hpk::RangePolicy<TypeParam>(0, 1),
                      [](int) { record_timed(TypeParam()); });
  });
  EXPECT_TRUE(hpk_test::contains(text, "hpk::record_timed"));
  EXPECT_TRUE(hpk_test::contains(text, "inner"));
}

}  // namespace
}  // namespace seam_timed_event_test
