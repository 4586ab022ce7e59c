// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits for other threads. No result depends on timing: a deadline turns a hang into a failure, and
// a pause only gives an error time to appear.
#pragma once

#include <chrono>
#include <thread>

namespace hpk_test {

/// Waits until the condition holds. Returns false after a minute, so that a hang fails the test.
template <class Condition>
bool wait_until(const Condition& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

/// Counts the caller and waits for the others. Returns false if fewer than `expected` arrive.
template <class Counter>
bool wait_for_all(Counter& arrived, int expected) {
  ++arrived;
  return wait_until([&] { return arrived >= expected; });
}

/// Gives other threads time to do something forbidden. Tests are correct without it.
inline void let_others_run(int milliseconds = 3) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

/// Repeats a call for at least this time, for times that the library measures.
template <class Call>
void repeat_for(std::chrono::microseconds time, const Call& call) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) call();
}

}  // namespace hpk_test
