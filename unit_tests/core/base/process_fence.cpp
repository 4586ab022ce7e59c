// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fence that one thread executes for the whole process: of two threads that store and then read,
// at least one sees the other's store, although one thread has no fence.
#include <hpk/base/process_fence.hpp>
#include <hpk/core.hpp>

#include <support/fork.hpp>
#include <support/test.hpp>

#include <thread>

namespace base_process_fence_test {
namespace {

using hpk::detail::atomic_word;
using hpk::detail::can_fence_process;
using hpk::detail::fence_process;
using hpk::detail::memory_order;

TEST(ProcessFence, works_as_often_as_it_was_promised_to) {
  const bool promised = can_fence_process();
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(fence_process(), promised);
    EXPECT_EQ(can_fence_process(), promised);
  }
}

TEST(ProcessFence, works_in_a_copy_of_the_process) {
  if constexpr (hpk_test::may_fork) {
    const int works = hpk_test::result_in_child([] { return fence_process() ? 1 : 0; });
    EXPECT_EQ(works, can_fence_process() ? 1 : 0);
  }
}

// In each round both threads store, then read the word of the other thread.
TEST(ProcessFence, orders_the_accesses_of_a_thread_that_has_no_fence) {
  if (!can_fence_process()) GTEST_SKIP() << "this system has no such fence";
  constexpr int rounds = 2000;
  struct alignas(64) line {
    atomic_word<int> value{0};
  };
  line often, rarely, began, ended;
  int seen_often = 0;
  std::thread other([&] {
    for (int round = 1; round <= rounds; ++round) {
      while (began.value.load(memory_order::acquire) != round) std::this_thread::yield();
      often.value.store(round, memory_order::relaxed);
      __atomic_signal_fence(__ATOMIC_SEQ_CST);
      seen_often = rarely.value.load(memory_order::relaxed);
      ended.value.store(round, memory_order::release);
    }
  });
  int both_missed = 0;
  for (int round = 1; round <= rounds; ++round) {
    began.value.store(round, memory_order::release);
    rarely.value.store(round, memory_order::relaxed);
    fence_process();
    const int seen_rarely = often.value.load(memory_order::relaxed);
    while (ended.value.load(memory_order::acquire) != round) std::this_thread::yield();
    both_missed += seen_rarely != round && seen_often != round ? 1 : 0;
  }
  other.join();
  EXPECT_EQ(both_missed, 0);
}

}  // namespace
}  // namespace base_process_fence_test
