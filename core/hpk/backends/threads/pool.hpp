// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pool of threads that runs one job at a time on several of them. The calling thread takes part
// as rank 0. Workers wait for a signal of their own: they spin briefly, then sleep in the kernel,
// so an idle process uses no CPU. Signals travel down a binary tree, so a wide pool starts in log
// time.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace hpk::threads {

/// The pool. run() may be called from any thread. A caller that finds the pool busy does its job
/// alone: it gets on with it, where waiting would leave its CPU idle, and a kernel that waits for
/// another thread's launch can't deadlock (R6).
class pool {
 public:
  /// Starts workers - 1 threads. When a thread can't be started the pool throws std::system_error
  /// and leaves none behind.
  pool(int workers, bool pin);
  ~pool();
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  /// Calls work(context, rank) for rank 0 .. participants - 1, rank 0 on the calling thread, and
  /// returns when all have returned; all of them on the calling thread when the pool is busy.
  /// 1 <= participants <= workers. Not from inside work.
  void run(int participants, void (*work)(void*, int) noexcept, void* context);
  /// Whether all workers were bound to a CPU.
  bool pinned() const noexcept { return pinned_.load(std::memory_order_relaxed); }

 private:
  struct alignas(64) mailbox {
    std::atomic<std::uint32_t> signal{0};
    std::thread thread;
  };

  void serve(int rank, bool pin) noexcept;
  void wake(int rank) noexcept;
  void wake_children(int rank) noexcept;
  void stop() noexcept;

  std::mutex turn_;
  const bool spin_;
  std::vector<mailbox> boxes_;  // boxes_[0] belongs to the caller and stays unused
  std::atomic<bool> pinned_;

  // The job; written before the first signal, read by participants only.
  alignas(64) int participants_ = 0;
  void (*work_)(void*, int) noexcept = nullptr;
  void* context_ = nullptr;
  alignas(64) std::atomic<std::uint32_t> unfinished_{0};
};

}  // namespace hpk::threads
