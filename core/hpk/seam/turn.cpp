// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

// Every mark, for queues that end.
struct mark_list {
  std::mutex guard;
  std::vector<turn_mark*> all;
};
mark_list& all_marks() {
  static mark_list& list = *new mark_list;
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

turn_queue::~turn_queue() {
  mark_list& marks = all_marks();
  const std::lock_guard lock(marks.guard);
  for (turn_mark* mark : marks.all) {
    if (mark->queue_ == this) mark->queue_ = nullptr;
  }
}

void turn_queue::wait_for(std::uint64_t mine) noexcept {
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

turn_mark::turn_mark(turn_queue& queue) : queue_(&queue), number_(queue.next()) {
  mark_list& marks = all_marks();
  const std::lock_guard lock(marks.guard);
  marks.all.push_back(this);
}

turn_mark::~turn_mark() {
  mark_list& marks = all_marks();
  const std::lock_guard lock(marks.guard);
  std::erase(marks.all, this);
}

bool turn_mark::is_past() const noexcept {
  const std::lock_guard lock(all_marks().guard);
  return queue_ == nullptr || queue_->is_past(number_);
}

void turn_mark::wait() const noexcept {
  for (int round = 0; !is_past(); ++round) pause_between_polls(round);
}

}  // namespace hpk::seam
