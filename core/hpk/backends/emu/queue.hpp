// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue of an instance: a thread that does what it was given, in that order, while the program
// goes on. A program that forgets a fence sees it.
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

/// Runs tasks one after another on a thread of its own. Thread-safe.
class queue {
 public:
  explicit queue(int device = 0);
  /// Waits for all tasks.
  ~queue();
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;

  /// The device whose work it does.
  int device() const noexcept { return device_; }
  /// Returns at once. From a task of this queue: does it now.
  void submit(std::unique_ptr<task> work);
  /// The same, but from a task of any queue does it now, there: what ends the Views of a kernel
  /// waits for no other queue, which may wait for this one.
  void submit_or_run(std::unique_ptr<task> work);
  /// Waits until all that was submitted is done. From a task of a queue: nothing to wait for; when
  /// that is done and what it captured ends, does the rest of that queue, if it is this one.
  void drain();
  /// Ends once all tasks are done, of which the caller is one.
  void end_later();
  /// Whether all that was submitted is done.
  bool is_idle() const noexcept;
  /// Whether the calling thread is that of a queue, and no host code.
  static bool is_served_here() noexcept { return served != nullptr; }
  /// Whether the calling thread is that of this queue.
  bool on_own_thread() const noexcept { return served == this; }

  /// What a fence has to wait for: the tasks of all queues, and the queues that end themselves.
  static HPK_EXPORT constinit std::atomic<std::uint64_t> unfinished;

 private:
  static HPK_EXPORT constinit thread_local queue* served;

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
  bool ending_ = false;
  bool between_tasks_ = false;  // used by its own thread only
  std::thread thread_;
};

}  // namespace hpk::emu
