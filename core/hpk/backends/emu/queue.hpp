// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue of an instance: a thread that runs tasks in the order of submission while the program
// continues. A program that forgets a fence sees the effect.
#pragma once

#include <hpk/backends/emu/task.hpp>
#include <hpk/base/macros.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace hpk::emu {

/// Calls a function object.
template <class Function>
class function_task : public task {
 public:
  explicit function_task(Function f) : function_(std::move(f)) {}
  void run(std::uint64_t) override { function_(); }

 private:
  Function function_;
};
template <class Function>
std::unique_ptr<task> make_task(Function f) {
  return std::make_unique<function_task<Function>>(std::move(f));
}

/// Runs tasks in order on a separate thread. Thread-safe.
class queue {
 public:
  explicit queue(int device = 0);
  /// Waits for all tasks.
  ~queue();
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;

  /// Returns the device of the queue.
  int device() const noexcept { return device_; }
  /// Adds a task and returns at once. Called from a task of this queue, it runs the new task before
  /// it returns.
  void submit(std::unique_ptr<task> work);
  /// Like submit(), but called from a task of any queue it runs the new task at once on the calling
  /// thread, so that the destruction of a kernel's Views never waits for another queue, which may
  /// wait for this one.
  void submit_or_run(std::unique_ptr<task> work);
  /// Waits until all submitted tasks are done. Called from a task of any queue it does not wait.
  /// While the captures of this queue's finished task are destroyed, it runs the remaining tasks.
  void drain();
  /// Asks the thread to end once all tasks are done, and returns at once. A task may call it.
  void request_stop();
  /// Returns whether all submitted tasks are done.
  bool is_idle() const noexcept;
  /// Whether the calling thread is the thread of a queue.
  static bool is_queue_thread() noexcept { return current_queue != nullptr; }
  /// Whether the calling thread is the thread of this queue.
  bool on_own_thread() const noexcept { return current_queue == this; }

  /// Number of unfinished tasks of all queues, plus queues that end on their own thread: a fence
  /// waits for both.
  static HPK_EXPORT constinit std::atomic<std::uint64_t> unfinished;

 private:
  static HPK_EXPORT constinit thread_local queue* current_queue;

  void serve();
  void run(task& work);
  void finish_next(std::unique_lock<std::mutex>& lock);

  const int device_;
  mutable std::mutex guard_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::deque<std::unique_ptr<task>> tasks_;
  std::atomic<std::uint64_t> submitted_{0};
  std::atomic<std::uint64_t> done_{0};
  std::uint64_t number_ = 0;
  bool stop_requested_ = false;
  bool between_tasks_ = false;  // used only by the thread of the queue
  std::thread thread_;
};

}  // namespace hpk::emu
