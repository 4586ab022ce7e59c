// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits for other threads. No result hangs on how long they take: a deadline turns a hang into a
// failure, and a pause only gives an error time to show.
#pragma once

#include <chrono>
#include <thread>

namespace hpk_test {

/// Waits until the condition holds. False after a minute, so that what would wait for ever fails.
template <class Condition>
bool wait_until(const Condition& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

/// Counts the caller and waits for the others: false if fewer than `expected` ever come.
template <class Counter>
bool meet(Counter& arrived, int expected) {
  ++arrived;
  return wait_until([&] { return arrived >= expected; });
}

/// Gives other threads time to do what they must not do yet; right without it, too.
inline void let_others_run(int milliseconds = 3) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

/// Repeats a call for at least so long: for what the library itself measures.
template <class Call>
void repeat_for(std::chrono::microseconds time, const Call& call) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) call();
}

}  // namespace hpk_test
