// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/fork.hpp>
#include <hpk/seam/turn.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

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

// All queues, to repair them after forks, and all marks, to detach them from destroyed queues.
struct turn_list {
  std::mutex guard;
  std::vector<turn_queue*> queues;
  std::vector<turn_mark*> marks;
};
turn_list& all_turns();

void repair_turns() {
  make_anew(all_sleepers());
  make_anew(all_turns().guard);
  for (turn_queue* queue : all_turns().queues) queue->end_turns_of_others();
}

turn_list& all_turns() {
  static turn_list& list = *[] {
    on_fork(&repair_turns);
    return new turn_list;
  }();
  return list;
}
}  // namespace

void pause_between_polls(int round) noexcept {
  if (round < 100) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

turn_queue* enter(turn_queue& queue) noexcept {
  if (load_occupation() != occupation::none) return nullptr;
  queue.take();
  store_occupation(occupation::submits);
  return &queue;
}

void leave(turn_queue& queue) noexcept {
  store_occupation(occupation::none);
  queue.give();
}

turn_queue::turn_queue() {
  turn_list& list = all_turns();
  const std::lock_guard lock(list.guard);
  list.queues.push_back(this);
}

turn_queue::~turn_queue() {
  turn_list& list = all_turns();
  const std::lock_guard lock(list.guard);
  std::erase(list.queues, this);
  for (turn_mark* mark : list.marks) {
    if (mark->queue_ == this) mark->queue_ = nullptr;
  }
}

void turn_queue::end_turns_of_others() noexcept {
  if (is_free()) return;
  if (load_occupation() == occupation::none) {
    serving_.store(next(), detail::memory_order::relaxed);
  } else {
    next_.store(serving_.load(detail::memory_order::relaxed) + 1, detail::memory_order::relaxed);
  }
}

void turn_queue::wait_for(std::uint64_t ticket) noexcept {
  const auto is_served = [&] { return serving_.load(detail::memory_order::seq_cst) == ticket; };
  // Yield first: most launches end before a sleeping thread would have woken up.
  constexpr int rounds = 100;
  for (int round = 0; round < rounds; ++round) {
    if (is_served()) return;
    std::this_thread::yield();
  }
  std::unique_lock lock(all_sleepers().guard);
  all_sleepers().wake.wait(lock, is_served);
}

void turn_queue::wake() noexcept {
  // A waiter holds the mutex between its last test and its sleep, so locking it here prevents a
  // lost wakeup.
  {
    const std::lock_guard lock(all_sleepers().guard);
  }
  all_sleepers().wake.notify_all();
}

turn_mark::turn_mark(turn_queue& queue) : queue_(&queue), number_(queue.next()) {
  turn_list& list = all_turns();
  const std::lock_guard lock(list.guard);
  list.marks.push_back(this);
}

turn_mark::~turn_mark() {
  turn_list& list = all_turns();
  const std::lock_guard lock(list.guard);
  std::erase(list.marks, this);
}

bool turn_mark::is_past() const noexcept {
  const std::lock_guard lock(all_turns().guard);
  return queue_ == nullptr || queue_->is_past(number_);
}

void turn_mark::wait() const noexcept {
  for (int round = 0; !is_past(); ++round) pause_between_polls(round);
}

}  // namespace hpk::seam
