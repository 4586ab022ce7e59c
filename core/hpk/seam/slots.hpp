// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots that host threads take and give back, each held by one lane at a time: the ids of a
// UniqueToken, the states of a random pool.
//
// Taking the same slot again costs no locked instruction. A thread keeps the first slot that it
// takes: the slot's first word says so, and from then on the thread alone takes and returns it,
// with plain stores to the second word. When another thread finds no free slot, it takes an idle
// one away from its thread: it changes the first word, lets every thread of the process pass a
// fence (membarrier of Linux), and then reads the second. Threads lock that slot from then on:
// nobody keeps it a second time, because its former thread may still be about to write the second
// word. Without membarrier, and with one word for each slot, all slots are locked.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::seam {

/// Words of slots, all 0 at first: `count` times one or two words, `stride` words apart.
struct slot_row {
  std::uint64_t* first;
  std::int64_t count;
  std::ptrdiff_t stride;
  bool may_keep;  ///< each slot has two words
  HPK_FUNCTION constexpr std::uint64_t* at(std::int64_t k) const { return first + k * stride; }
};

/// A slot that is held.
struct held_slot {
  std::uint64_t* row = nullptr;  ///< the first slot of those that it is one of; null: none
  std::uint64_t* at = nullptr;   ///< its words
  std::uint64_t mark = 0;        ///< what one of them says meanwhile, not below 2^30 on hosts
};

/// What a thread knows of the slots that it took.
struct thread_of_slots {
  std::uint64_t self;  ///< its number in the upper half; all ones before it has one
  std::int64_t last;   ///< where it begins to search
  std::uint32_t turn;  ///< how many slots it searched for
};
extern HPK_EXPORT constinit thread_local thread_of_slots slots_of_thread;
/// How many threads have a number.
extern HPK_EXPORT constinit detail::atomic_word<std::uint32_t> slot_threads;

/// Bits of the mark of a lane that locked its slot: always; and if the slot may only be locked.
inline constexpr std::uint64_t slot_is_locked = 1u << 31;
inline constexpr std::uint64_t slot_was_shared = 1u << 30;

/// Reads and writes a word of a slot.
HPK_FORCEINLINE std::uint64_t load_slot_word(const std::uint64_t* at) noexcept {
  return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}
HPK_FORCEINLINE void store_slot_word(std::uint64_t* at, std::uint64_t value) noexcept {
  __atomic_store_n(at, value, __ATOMIC_RELEASE);
}

/// Whether threads keep slots on this system.
bool threads_keep_slots() noexcept;

/// Takes the slot that this thread keeps, if it took that one last and does not hold it; else
/// returns false.
HPK_FORCEINLINE bool take_kept_slot(const slot_row& row, held_slot& taken) noexcept {
  // Lanes of a team may be fibres of one thread, which ThreadSanitizer takes for several.
  const std::int64_t k = __atomic_load_n(&slots_of_thread.last, __ATOMIC_RELAXED);
  if (k >= row.count) [[unlikely]]
    return false;
  const std::uint64_t self = __atomic_load_n(&slots_of_thread.self, __ATOMIC_RELAXED);
  std::uint64_t* const at = row.at(k);
  if (load_slot_word(at) != self) [[unlikely]]
    return false;
  // No one else writes here while the thread keeps the slot: odd numbers while the slot is held.
  const std::uint64_t idle = load_slot_word(at + 1);
  if ((idle & 1) != 0) [[unlikely]]
    return false;
  store_slot_word(at + 1, idle + 1);
  // The compiler keeps this order; whoever takes slots away makes the processor keep it.
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (load_slot_word(at) != self) [[unlikely]] {
    store_slot_word(at + 1, idle);
    return false;
  }
  taken = {row.first, at, idle + 1};
  return true;
}

/// How a search for a slot ended without one.
enum class slot_failure : int { none, holds_all, waited };

/// Takes any slot. If all are held, it waits as long as others take and return some, at most
/// `patience` seconds without that. Returns none, and the reason, when the thread holds all of them
/// itself, or when it gave up.
held_slot take_any_slot(const slot_row& row, int patience, slot_failure& failure);

/// Whether a thread that keeps the slot holds it under its mark.
HPK_FORCEINLINE bool is_held_by_keeper(const held_slot& slot) noexcept {
  return load_slot_word(slot.at + 1) == slot.mark;
}
/// Returns such a slot.
HPK_FORCEINLINE void return_kept_slot(const held_slot& slot) noexcept {
  store_slot_word(slot.at + 1, slot.mark + 1);
}
/// Whether a lane that locked the slot holds it under its mark.
inline bool is_held_by_lock(const held_slot& slot) noexcept {
  return load_slot_word(slot.at) == slot.mark;
}
/// Returns such a slot. It becomes free as it was before; 1 stands for locks only.
inline void return_locked_slot(const held_slot& slot) noexcept {
  store_slot_word(slot.at, (slot.mark & slot_was_shared) != 0 ? 1 : 0);
}
/// Returns slot k, whoever holds it; false if nobody does.
inline bool return_slot(const slot_row& row, std::int64_t k) noexcept {
  std::uint64_t* const at = row.at(k);
  const std::uint64_t first = load_slot_word(at);
  if ((first & slot_is_locked) != 0) [[unlikely]] {
    return_locked_slot({row.first, at, first});
    return true;
  }
  if (!row.may_keep) return false;
  const std::uint64_t mark = load_slot_word(at + 1);
  if ((mark & 1) == 0) [[unlikely]]
    return false;
  return_kept_slot({row.first, at, mark});
  return true;
}

}  // namespace hpk::seam
