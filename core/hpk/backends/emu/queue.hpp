// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue of an instance: a thread that does what it was given, in that order, while the program
// goes on. A program that forgets a fence sees it.
#pragma once

#include <hpk/backends/emu/task.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace hpk::emu {

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
  /// Waits until all that was submitted is done. From a task of this queue: nothing to wait for.
  void drain();
  /// Whether all that was submitted is done.
  bool is_idle() const noexcept;
  /// Whether the calling thread is that of a queue, and no host code.
  static bool is_served_here() noexcept { return serves_here; }

 private:
  static inline thread_local bool serves_here = false;

  void serve();
  void run(task& work);
  bool on_own_thread() const { return std::this_thread::get_id() == thread_.get_id(); }

  const int device_;
  std::mutex guard_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::deque<std::unique_ptr<task>> tasks_;
  std::atomic<std::uint64_t> submitted_{0};
  std::atomic<std::uint64_t> done_{0};
  std::uint64_t number_ = 0;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace hpk::emu
