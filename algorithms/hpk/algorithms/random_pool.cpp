// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/random_pool.hpp>

namespace hpk::detail {

namespace {

[[noreturn]] void reject_wait(const char* pool, long long count, bool holds_all) {
  hpk::raise(
      error_message() << pool << ": get_state() finds no free generator among " << count << "; "
                      << (holds_all ? "this thread holds all of them"
                                    : "other threads hold them and freed none for a minute")
                      << "; call free_state() for each get_state(), or make the pool with more "
                         "states, one for each generator that is held at the same time");
}

}  // namespace

pool_slot take_slot(const seam::slot_row& locks, const char* pool) {
  if (locks.count == 0) reject_slot(pool, -1, 0);
  constexpr int timeout_seconds = 60;
  seam::slot_failure failure = seam::slot_failure::none;
  const pool_slot taken = seam::take_any_slot(locks, timeout_seconds, failure);
  if (taken.row == nullptr)
    reject_wait(pool, locks.count, failure == seam::slot_failure::holds_all);
  return taken;
}

void expect_taken(const std::uint64_t* row, std::uint64_t* at, std::uint64_t mark,
                  const std::uint64_t* first, long long count, const pool_facts& pool) {
  const bool is_of_pool = row != nullptr && row == first;
  if (is_of_pool && (mark == unlocked || seam::is_held_by_lock({nullptr, at, mark}))) return;
  const long long index = row == nullptr ? -1 : (at - row) / pool.stride;
  hpk::raise(
      error_message() << pool.name << " of " << count << " states: free_state() of generator "
                      << index
                      << ", which this pool did not hand out, or which was freed before; write "
                         "one free_state() for each get_state(), of the same pool");
}

void free_slot(std::uint64_t* at, std::uint64_t mark) {
  // On an emulated GPU the next lane sees what this lane wrote.
  notify_handover(nullptr, SIZE_MAX);
  if (mark != unlocked) seam::return_locked_slot({nullptr, at, mark});
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
                               << " states; write a number from 1 to 2147483647, or omit it",
               where);
  if (first < 0 || first > most - count)
    hpk::raise(error_message() << pool << ": " << count << " states from state " << first
                               << " on; write a first state of 0 or more, so that the last "
                                  "state is below 2147483647",
               where);
}

}  // namespace hpk::detail
