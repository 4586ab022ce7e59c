// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots that host threads take and return, each held by one lane at a time: the ids of a
// UniqueToken, the states of a random pool.
//
// Taking the same slot again costs no locked instruction. A thread owns the first slot that it
// takes: the slot's first word holds the thread's number, and from then on only this thread takes
// and returns the slot, by plain stores to the second word. A thread that finds no free slot
// revokes an idle slot from its owner: it changes the first word, makes every thread of the process
// execute a fence (membarrier of Linux), and then reads the second word. From then on threads take
// this slot by locking its first word. No thread can own it again, because the former owner may
// still be about to write the second word. Without membarrier, and with one word per slot, all
// slots are locked.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::seam {

/// The words of `count` slots, initially 0: one or two words per slot, `stride` words apart.
struct slot_row {
  std::uint64_t* first;
  std::int64_t count;
  std::ptrdiff_t stride;
  bool may_own;  ///< each slot has two words, so threads may own slots
  HPK_FUNCTION constexpr std::uint64_t* at(std::int64_t k) const { return first + k * stride; }
};

/// A slot that is held.
struct held_slot {
  std::uint64_t* row = nullptr;  ///< the words of slot 0 of the row; null: no slot is held
  std::uint64_t* at = nullptr;   ///< its words
  std::uint64_t mark = 0;        ///< value of one of the words while held; at least 2^30 on hosts
};

/// State of a thread that takes slots.
struct thread_of_slots {
  std::uint64_t self;  ///< number of the thread in the upper half; all ones before it has a number
  std::int64_t last;   ///< index of the slot where a search begins
  std::uint32_t turn;  ///< number of searches
};
extern HPK_EXPORT constinit thread_local thread_of_slots slots_of_thread;
/// Number of threads that have a number.
extern HPK_EXPORT constinit detail::atomic_word<std::uint32_t> slot_threads;

/// Bits of the mark of a locked slot: slot_is_locked is always set, slot_was_shared if the slot can
/// only be locked, never owned.
inline constexpr std::uint64_t slot_is_locked = 1u << 31;
inline constexpr std::uint64_t slot_was_shared = 1u << 30;

/// Reads and writes a word of a slot.
HPK_FORCEINLINE std::uint64_t load_slot_word(const std::uint64_t* at) noexcept {
  return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}
HPK_FORCEINLINE void store_slot_word(std::uint64_t* at, std::uint64_t value) noexcept {
  __atomic_store_n(at, value, __ATOMIC_RELEASE);
}

/// Whether threads can own slots on this system.
bool threads_own_slots() noexcept;

/// Takes the slot that this thread took last, if the thread owns it and it is idle; else returns
/// false.
HPK_FORCEINLINE bool take_owned_slot(const slot_row& row, held_slot& taken) noexcept {
  // Lanes of a team may be fibres of one thread, which ThreadSanitizer takes for several.
  const std::int64_t k = __atomic_load_n(&slots_of_thread.last, __ATOMIC_RELAXED);
  if (k >= row.count) [[unlikely]]
    return false;
  const std::uint64_t self = __atomic_load_n(&slots_of_thread.self, __ATOMIC_RELAXED);
  std::uint64_t* const at = row.at(k);
  if (load_slot_word(at) != self) [[unlikely]]
    return false;
  // Only the owner writes the second word. It is odd while the slot is held.
  const std::uint64_t idle = load_slot_word(at + 1);
  if ((idle & 1) != 0) [[unlikely]]
    return false;
  store_slot_word(at + 1, idle + 1);
  // Prevents reordering by the compiler. A thread that revokes slots prevents reordering by the
  // processor, with its process-wide fence.
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (load_slot_word(at) != self) [[unlikely]] {
    store_slot_word(at + 1, idle);
    return false;
  }
  taken = {row.first, at, idle + 1};
  return true;
}

/// Why a search for a slot failed.
enum class slot_failure : int { none, holds_all, waited };

/// Takes any slot. If all slots are held, waits while other threads take and return slots, and at
/// most `patience` seconds without such a change. Returns no slot, and the reason, if the calling
/// thread holds all slots, or after that time.
held_slot take_any_slot(const slot_row& row, int patience, slot_failure& failure);

/// Whether an owned slot is still held under its mark.
HPK_FORCEINLINE bool is_held_by_owner(const held_slot& slot) noexcept {
  return load_slot_word(slot.at + 1) == slot.mark;
}
/// Returns an owned slot.
HPK_FORCEINLINE void return_owned_slot(const held_slot& slot) noexcept {
  store_slot_word(slot.at + 1, slot.mark + 1);
}
/// Whether a locked slot is still held under its mark.
inline bool is_held_by_lock(const held_slot& slot) noexcept {
  return load_slot_word(slot.at) == slot.mark;
}
/// Returns a locked slot. The first word becomes 1 if the slot can only be locked, else 0.
inline void return_locked_slot(const held_slot& slot) noexcept {
  store_slot_word(slot.at, (slot.mark & slot_was_shared) != 0 ? 1 : 0);
}
/// Returns slot k on behalf of any holder. Returns false if the slot is not held.
inline bool return_slot(const slot_row& row, std::int64_t k) noexcept {
  std::uint64_t* const at = row.at(k);
  const std::uint64_t first = load_slot_word(at);
  if ((first & slot_is_locked) != 0) [[unlikely]] {
    return_locked_slot({row.first, at, first});
    return true;
  }
  if (!row.may_own) return false;
  const std::uint64_t mark = load_slot_word(at + 1);
  if ((mark & 1) == 0) [[unlikely]]
    return false;
  return_owned_slot({row.first, at, mark});
  return true;
}

}  // namespace hpk::seam
