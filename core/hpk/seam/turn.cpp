// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/turn.hpp>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace hpk::seam {

namespace {
// Shared by all instances, because contention for an instance is rare.
struct sleepers {
  std::mutex guard;
  std::condition_variable wake;
};
sleepers& all_sleepers() {
  // Never destroyed, because destructors of static objects may launch.
  static sleepers& all = *new sleepers;
  return all;
}
}  // namespace

void turn_queue::wait_for(std::uint32_t mine) noexcept {
  const auto is_mine = [&] { return serving_.load(detail::memory_order::seq_cst) == mine; };
  // Yield first: most launches end before a sleeping thread would have woken up.
  constexpr int rounds = 100;
  for (int round = 0; round < rounds; ++round) {
    if (is_mine()) return;
    std::this_thread::yield();
  }
  std::unique_lock lock(all_sleepers().guard);
  all_sleepers().wake.wait(lock, is_mine);
}

void turn_queue::wake() noexcept {
  // A waiter holds the mutex between its last test and its sleep, so locking it here prevents a
  // lost wakeup.
  {
    const std::lock_guard lock(all_sleepers().guard);
  }
  all_sleepers().wake.notify_all();
}

}  // namespace hpk::seam
