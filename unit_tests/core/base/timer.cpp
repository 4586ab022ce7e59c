// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timer counts seconds of the steady clock since construction or reset.
#include <hpk/base/timer.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <type_traits>

namespace base_timer_test {
namespace {

using clock = std::chrono::steady_clock;

double seconds_between(clock::time_point begin, clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

static_assert(!std::is_copy_constructible_v<hpk::Timer>);

// Clock readings just outside and just inside bound the result of the timer, even on slow machines.
TEST(Timer, counts_seconds_since_construction) {
  const auto before = clock::now();
  const hpk::Timer timer;
  const auto started = clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto stopping = clock::now();
  const double seconds = timer.seconds();
  const auto after = clock::now();
  // One nanosecond for the rounding of the conversion.
  EXPECT_GE(seconds, seconds_between(started, stopping) - 1e-9);
  EXPECT_LE(seconds, seconds_between(before, after) + 1e-9);
}

TEST(Timer, starts_again_at_reset) {
  hpk::Timer timer;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto before = clock::now();
  timer.reset();
  const double seconds = timer.seconds();
  EXPECT_LE(seconds, seconds_between(before, clock::now()) + 1e-9);
}

TEST(Timer, never_runs_backwards) {
  const hpk::Timer timer;
  double last = 0;
  for (int k = 0; k < 10000; ++k) {
    const double now = timer.seconds();
    ASSERT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace base_timer_test
