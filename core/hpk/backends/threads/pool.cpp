// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/threads/pool.hpp>

#include <hpk/backends/host/topology.hpp>
#include <hpk/backends/threads/shared_cpu.hpp>
#include <hpk/base/compiler.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>

namespace hpk::threads {

namespace {

using clock = std::chrono::steady_clock;

// A waiting thread pauses for a few microseconds, then yields for a while, then sleeps. To wake up
// a thread whose CPU sleeps too takes about 0.1 ms on a virtual machine. A worker waits longer than
// that for its next job: otherwise a caller and a worker that have once missed each other would
// wake each other up at every launch from then on. A caller goes to sleep sooner: a worker that
// just woke up may be waiting for the caller's CPU, and yielding does not always hand it over.
constexpr int pause_rounds = 50;
constexpr std::chrono::microseconds time_for_a_job{500};
constexpr std::chrono::microseconds time_for_workers{100};

void relax() noexcept {
#if HPK_HAS_X86_PAUSE
  __builtin_ia32_pause();
#endif
}

// Returns once value differs from `old`: spins for a while, then sleeps.
std::uint32_t await_change(const std::atomic<std::uint32_t>& value, std::uint32_t old, bool spin,
                           std::chrono::microseconds yield_time) noexcept {
  if (spin) {
    for (int round = 0; round < pause_rounds; ++round) {
      if (const auto now = value.load(std::memory_order_acquire); now != old) return now;
      relax();
    }
    for (const auto end = clock::now() + yield_time; clock::now() < end;) {
      std::this_thread::yield();
      if (const auto now = value.load(std::memory_order_acquire); now != old) return now;
    }
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

// The tree of signals.
constexpr int first_child(int rank) { return 2 * rank + 1; }
constexpr int parent(int rank) { return (rank - 1) / 2; }

}  // namespace

// With more workers than CPUs a spinning worker only keeps another from running.
pool::pool(int workers, bool pin)
    : spin_(workers <= host::worker_count(0)),
      boxes_(static_cast<std::size_t>(workers)),
      pinned_(pin && workers > 1) {
  try {
    for (int rank = 1; rank < workers; ++rank) {
      boxes_[static_cast<std::size_t>(rank)].thread = std::thread(
          [this, rank, maker_cpu = host::current_cpu(), pin] { serve(rank, maker_cpu, pin); });
    }
  } catch (...) {
    stop();
    throw;
  }
}

pool::~pool() { stop(); }

void pool::stop() noexcept {
  for (std::size_t rank = 1; rank < boxes_.size(); ++rank) {
    if (boxes_[rank].thread.joinable()) wake(static_cast<int>(rank), {});
  }
  for (mailbox& box : boxes_) {
    if (box.thread.joinable()) box.thread.join();
  }
}

int pool::participants(const host::job& launched) const noexcept {
  return static_cast<int>(std::min(launched.groups(), static_cast<index_t>(boxes_.size())));
}

void pool::wake(int rank, const host::job& launched) noexcept {
  mailbox& box = boxes_[static_cast<std::size_t>(rank)];
  box.job = launched;
  if (spin_) box.waker_cpu = host::current_cpu();
  box.signal.fetch_add(1, std::memory_order_release);
  box.signal.notify_one();
}

void pool::wake_children(int rank, int participants, const host::job& launched) noexcept {
  for (int child = first_child(rank); child < first_child(rank + 1) && child < participants;
       ++child)
    wake(child, launched);
}

void pool::serve(int rank, int maker_cpu, bool pin) noexcept {
  const bool moves = spin_ && !pin;
  if (moves) host::move_this_thread(maker_cpu, rank);
  if (pin && !host::bind_this_thread(rank)) pinned_.store(false, std::memory_order_relaxed);
  mailbox& box = boxes_[static_cast<std::size_t>(rank)];
  shared_cpu shared;
  bool together = false;
  for (std::uint32_t seen = 0;;) {
    // Spinning on the caller's CPU keeps the caller from making the next job.
    seen = await_change(box.signal, seen, spin_ && !together, time_for_a_job);
    if (box.job.groups() == 0) return;
    together = moves && host::current_cpu() == box.waker_cpu;
    if (!together) {
      shared.forget();
    } else if (shared.notice(clock::now())) {
      host::move_this_thread(box.waker_cpu, rank - parent(rank));
      together = false;
    }
    const int workers = participants(box.job);
    wake_children(rank, workers, box.job);
    host::run_share(rank, workers, box.job);
    if (together) shared.rest(clock::now());
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
  }
}

void pool::run(const host::job& launched) {
  const int workers = participants(launched);
  // No mutex: the thread whose turn it is may come again, from a constructor of elements.
  if (workers <= 1 || turn_.test_and_set(std::memory_order_acquire)) {
    host::run_share(0, 1, launched);
    return;
  }
  unfinished_.store(static_cast<std::uint32_t>(workers - 1), std::memory_order_relaxed);
  wake_children(0, workers, launched);
  host::run_share(0, workers, launched);
  for (std::uint32_t left = unfinished_.load(std::memory_order_acquire); left != 0;)
    left = await_change(unfinished_, left, spin_, time_for_workers);
  turn_.clear(std::memory_order_release);
}

}  // namespace hpk::threads
