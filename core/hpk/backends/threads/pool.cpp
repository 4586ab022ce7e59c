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
// a thread whose CPU sleeps too takes about 0.1 ms on a virtual machine, and that CPU may be slower
// for some milliseconds from then on: when workers and caller, which are rarely done at the same
// time, sleep between launches, reductions of 7 ms have been seen to take 9. A worker that has not
// begun yet may be waiting for the caller's CPU, and yielding does not always hand it over: then
// the caller goes to sleep soon.
constexpr int pause_rounds = 50;
constexpr std::chrono::microseconds time_for_a_job{2000};
constexpr std::chrono::microseconds time_to_begin{100};
constexpr std::chrono::microseconds time_for_workers{2000};

void relax() noexcept {
#if HPK_HAS_X86_PAUSE
  __builtin_ia32_pause();
#endif
}

// Whether value differs from `old` soon.
bool changes_soon(const std::atomic<std::uint32_t>& value, std::uint32_t old,
                  std::chrono::microseconds yield_time) noexcept {
  for (int round = 0; round < pause_rounds; ++round) {
    if (value.load(std::memory_order_acquire) != old) return true;
    relax();
  }
  for (const auto end = clock::now() + yield_time; clock::now() < end;) {
    std::this_thread::yield();
    if (value.load(std::memory_order_acquire) != old) return true;
  }
  return false;
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

bool pool::have_begun(int participants) const noexcept {
  for (int rank = 1; rank < participants; ++rank) {
    const mailbox& box = boxes_[static_cast<std::size_t>(rank)];
    if (box.begun.load(std::memory_order_relaxed) != box.signal.load(std::memory_order_relaxed))
      return false;
  }
  return true;
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
    if (!spin_ || together || !changes_soon(box.signal, seen, time_for_a_job))
      box.signal.wait(seen, std::memory_order_acquire);
    seen = box.signal.load(std::memory_order_acquire);
    box.begun.store(seen, std::memory_order_relaxed);
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
  for (std::uint32_t left = unfinished_.load(std::memory_order_acquire); left != 0;
       left = unfinished_.load(std::memory_order_acquire)) {
    const bool soon =
        spin_ && (changes_soon(unfinished_, left, time_to_begin) ||
                  (have_begun(workers) && changes_soon(unfinished_, left, time_for_workers)));
    if (!soon) unfinished_.wait(left, std::memory_order_acquire);
  }
  turn_.clear(std::memory_order_release);
}

}  // namespace hpk::threads
