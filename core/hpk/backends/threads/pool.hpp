// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pool of threads that runs one launch at a time on several of them; the calling thread takes
// part as rank 0. Each worker waits for its own signal: it spins for a set time, then sleeps, so
// that an idle process uses no CPU. Signals travel along the trees of signal_plan. In the child of
// a fork() a pool starts its workers again when it needs them.
#pragma once

#include <hpk/backends/host/machine.hpp>
#include <hpk/backends/host/placement.hpp>
#include <hpk/backends/threads/signal_plan.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

namespace hpk::threads {

/// The pool. Any thread may call run(), one at a time (rule "one instance, one launch at a time").
class pool {
 public:
  /// Starts workers - 1 threads, bound to CPUs if `pin`. A waiting worker or caller spins for
  /// `spin` before it sleeps; with more workers than CPUs it sleeps at once. Throws
  /// std::system_error, and leaves no thread behind, when a thread can't be started.
  pool(int workers, bool pin, std::chrono::microseconds spin);
  ~pool();
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  /// Runs the launch on as many workers as it has groups, or on all workers if it has more groups;
  /// the calling thread is one of them. Returns when all are done. Not from inside a kernel.
  void run(const host::erased_launch& launched);
  /// Returns whether a worker sleeps and a short launch should not wake it; false in every 16th
  /// call. Called by the thread that may call run().
  bool let_sleep() noexcept;
  /// Returns the rank of the calling thread in its pool; 0 for threads of no pool.
  static int rank_of_thread() noexcept;
  /// Whether all workers were bound to a CPU.
  bool pinned() const noexcept { return pinned_.load(std::memory_order_relaxed); }

 private:
  // Signal and launch share one cache line, so that a worker fetches only this one. The worker's
  // part of the plan follows, away from data that other threads write.
  struct alignas(64) mailbox {
    std::atomic<std::uint32_t> signal{0};
    host::erased_launch launch;  // no groups: the worker ends
    std::thread thread;
    std::span<const int> far;  // the ranks that it wakes, except the last
    int near = 0;              // the last rank that it wakes; 0: none
    int gate = signal_plan::last_gate;
  };

  // The number of arrivals at a gate of signal_plan.
  struct alignas(64) gate {
    std::atomic<std::uint32_t> arrivals{0};
  };

  class list;  // the list of all pools

  void start();
  void start_again();
  void forget_workers() noexcept;
  bool bind(int rank) const noexcept;
  void serve(int rank) noexcept;
  int participants(const host::erased_launch& launched) const noexcept;
  void wake(int rank, const host::erased_launch& launched) noexcept;
  void wake_others(const mailbox& box, int participants,
                   const host::erased_launch& launched) noexcept;
  void arrive(int gate, int participants) noexcept;
  void stop() noexcept;

  const std::chrono::microseconds spin_;
  const bool pin_;
  const std::vector<host::core>
      cores_;  // the cores to which workers are bound; empty if they are not
  const signal_plan signals_;
  const int all_arrivals_;         // arrivals at the last gate in a launch for all workers
  bool workers_are_lost_ = false;  // set in the child of a fork()
  std::vector<mailbox> boxes_;     // boxes_[0] belongs to the caller, which gets no signal
  std::vector<gate> gates_;        // all except the last one
  std::atomic<bool> pinned_;
  int left_asleep_ = 0;  // calls of let_sleep() since the last false
  alignas(64) std::atomic<int> asleep_{0};
  alignas(64) std::atomic<std::uint32_t> unfinished_{0};  // arrivals to come at the last gate
};

}  // namespace hpk::threads
