// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/address_translation.hpp>
#include <hpk/backends/emu/detectors/host_access_detector.hpp>
#include <hpk/backends/emu/detectors/plain_pointers.hpp>
#include <hpk/backends/emu/fork.hpp>
#include <hpk/backends/emu/options.hpp>
#include <hpk/backends/emu/queue.hpp>
#include <hpk/seam/turn.hpp>

#include <chrono>

namespace hpk::emu {

constinit thread_local queue* queue::current_queue = nullptr;
constinit std::atomic<std::uint64_t> queue::unfinished{0};

namespace {

// Polls a condition for a while and returns whether the condition has become true. It either
// becomes true soon, or takes so long that the time to wake up does not matter.
template <class Condition>
bool spin_until(Condition condition) {
  if (condition()) return true;
  constexpr auto spin_time = std::chrono::microseconds(50);
  const auto start = std::chrono::steady_clock::now();
  while (!condition()) {
    if (std::chrono::steady_clock::now() - start > spin_time) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace

queue::queue(int device) : device_(device), thread_([this] { serve(); }) { watch_forks(); }

queue::~queue() {
  request_stop();
  thread_.join();
  host_access_detector::on_host_wait();
}

void queue::request_stop() {
  const std::lock_guard lock(guard_);
  stop_requested_ = true;
  wake_.notify_all();
}

void queue::submit_or_run(std::unique_ptr<task> work) {
  if (current_queue == nullptr) {
    submit(std::move(work));
  } else {
    current_queue->run(*work);
    work->complete();
  }
}

void queue::submit(std::unique_ptr<task> work) {
  if (on_own_thread()) {
    run(*work);
    work->complete();
    return;
  }
  expect_not_forked();
  const std::lock_guard lock(guard_);
  tasks_.push_back(std::move(work));
  unfinished.fetch_add(1);
  submitted_.fetch_add(1);
  wake_.notify_one();
}

void queue::drain() {
  if (is_forked()) return;  // the parent runs the tasks
  if (current_queue != nullptr) {
    if (!on_own_thread() || !between_tasks_) return;
    std::unique_lock lock(guard_);
    while (!tasks_.empty()) finish_next(lock);
    return;
  }
  const auto is_done = [this, wanted = submitted_.load()] { return done_.load() >= wanted; };
  if (!spin_until(is_done)) {
    std::unique_lock lock(guard_);
    idle_.wait(lock, is_done);
  }
  host_access_detector::on_host_wait();
}

bool queue::is_idle() const noexcept {
  bool idle;
  {
    const std::lock_guard lock(guard_);
    idle = done_.load() == submitted_.load();
  }
  if (idle) host_access_detector::on_host_wait();
  return idle;
}

void queue::run(task& work) {
  if (current_options().delay)
    std::this_thread::sleep_for(std::chrono::microseconds(number_ * 7919 % 3000));
  work.run(number_++);
  close_blocks();
}

void queue::serve() {
  current_device = device_;
  current_queue = this;
  // The end of a task's Views may launch kernels. They take no turn, because a thread that waits
  // for this task may hold it.
  const seam::working_scope working;
  std::unique_lock lock(guard_);
  for (;;) {
    if (tasks_.empty()) {
      lock.unlock();
      spin_until([this] { return submitted_.load() != done_.load(); });
      lock.lock();
      wake_.wait(lock, [this] { return stop_requested_ || !tasks_.empty(); });
    }
    if (tasks_.empty()) return;
    finish_next(lock);
  }
}

void queue::finish_next(std::unique_lock<std::mutex>& lock) {
  std::unique_ptr<task> work = std::move(tasks_.front());
  tasks_.pop_front();
  lock.unlock();
  between_tasks_ = false;
  run(*work);
  // Ends the task before it counts as done: its kernel may own the last copies of Views, and the
  // last handle of this queue.
  between_tasks_ = true;
  if (!work->completes()) work.reset();
  lock.lock();
  // The lock makes these changes visible together.
  if (work != nullptr) work->complete();
  done_.fetch_add(1);
  unfinished.fetch_sub(1);
  idle_.notify_all();
}

}  // namespace hpk::emu
