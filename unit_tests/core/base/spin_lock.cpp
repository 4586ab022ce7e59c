// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock of one word.
#include <hpk/base/spin_lock.hpp>

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

namespace base_spin_lock_test {
namespace {

TEST(SpinLock, lets_one_thread_at_a_time_in) {
  hpk::detail::spin_lock guard;
  int count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 10000; ++k) {
        const std::lock_guard lock(guard);
        ++count;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(count, 40000);
}

}  // namespace
}  // namespace base_spin_lock_test
