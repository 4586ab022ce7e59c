// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/random_pool.hpp>

#include <atomic>
#include <chrono>
#include <thread>

namespace hpk::detail {

namespace {

// A lock that is taken tells which thread took it, and the how-manieth generator of the thread it
// was: whoever waits sees that others get on, and free_state() that the generator is still taken.
constexpr int thread_at = 32;

// Lanes of a team may be fibres of one thread, but unordered to ThreadSanitizer: hence atomic,
// which costs nothing.
struct thread_facts {
  std::atomic<std::uint64_t> number{0};
  std::atomic<std::uint32_t> taken{0};
  std::atomic<std::int32_t> last{0};
};
constinit thread_local thread_facts mine;
std::atomic<std::uint32_t> threads{0};

std::uint64_t this_thread() noexcept {
  std::uint64_t number = mine.number.load(std::memory_order_relaxed);
  if (number == 0) {
    const std::uint32_t next = threads.fetch_add(1, std::memory_order_relaxed) + 1;
    number = std::uint64_t{next} << thread_at;
    mine.number.store(number, std::memory_order_relaxed);
    // Threads begin apart.
    mine.last.store(static_cast<std::int32_t>(next & 0xffff), std::memory_order_relaxed);
  }
  return number;
}

// A generator that was free, or -1. `seen` tells whether anything changed since the last time.
std::int32_t search(const pool_locks& locks, std::int32_t first, std::uint64_t mark,
                    std::uint64_t& seen, bool& all_mine) {
  seen = 0;
  all_mine = true;
  std::int32_t k = first;
  for (std::int32_t tries = 0; tries < locks.count; ++tries) {
    const std::uint64_t held = atomic_load(locks.at(k));
    if (held == 0 &&
        atomic_compare_exchange(locks.at(k), std::uint64_t{0}, mark, MemoryOrderAcquire()) == 0)
      return k;
    all_mine = all_mine && held >> thread_at == mark >> thread_at;
    seen = seen * 31 + held;
    if (++k == locks.count) k = 0;
  }
  return -1;
}

[[noreturn]] void reject_wait(const pool_locks& locks, bool all_mine) {
  hpk::raise(
      error_message() << locks.pool << ": get_state() finds no generator that is free of "
                      << locks.count << "; "
                      << (all_mine ? "this thread holds all of them"
                                   : "others hold them and freed none for a minute")
                      << "; call free_state() for each get_state(), or make the pool with more "
                         "states, one for each generator that is held at the same time");
}

}  // namespace

pool_slot take_slot(const pool_locks& locks) {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds patience{60};
  constexpr int rounds_awake = 1000;
  const std::uint64_t self = this_thread();
  const std::uint32_t turn = mine.taken.load(std::memory_order_relaxed);
  mine.taken.store(turn + 1, std::memory_order_relaxed);
  pool_slot slot;
  slot.mark = self | turn;
  std::int32_t first = mine.last.load(std::memory_order_relaxed);
  if (first >= locks.count) first %= locks.count;
  std::uint64_t seen = 0;
  bool all_mine = false;
  slot.index = search(locks, first, slot.mark, seen, all_mine);
  if (slot.index < 0) {
    clock::time_point since = clock::now();
    for (int round = 0; slot.index < 0; ++round) {
      if (all_mine || clock::now() - since > patience) reject_wait(locks, all_mine);
      if (round < rounds_awake) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
      const std::uint64_t before = seen;
      slot.index = search(locks, first, slot.mark, seen, all_mine);
      if (seen != before) since = clock::now();
    }
  }
  mine.last.store(slot.index, std::memory_order_relaxed);
  return slot;
}

void reject_free(const char* pool, long long index, long long count) {
  hpk::raise(
      error_message() << pool << " of " << count << " states: free_state() of generator " << index
                      << ", which this pool did not hand out, or which was freed before; write "
                         "one free_state() for each get_state(), of the same pool");
}

void reject_slot(const char* pool, long long index, long long count) {
  if (count == 0)
    hpk::raise(error_message() << pool
                               << ": get_state() of a pool without states; make it with a seed: "
                               << pool << "<Space>(seed)");
  hpk::raise(error_message() << pool << ": get_state(" << index << ") of a pool of " << count
                             << " states; write an index from 0 to " << count - 1);
}

void check_pool_size(const char* pool, long long first, long long count,
                     const std::source_location& where) {
  constexpr long long most = 0x7fffffff;
  if (count < 1 || count > most)
    hpk::raise(error_message() << pool << ": " << count
                               << " states; write a number from 1 to 2147483647, or leave it away",
               where);
  if (first < 0 || first > most - count)
    hpk::raise(error_message() << pool << ": " << count << " states from state " << first
                               << " on; write a first state of 0 or more, and such that the last "
                                  "one is below 2147483647",
               where);
}

}  // namespace hpk::detail
