// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that hpk freed and still keeps from everybody. In checked builds the host memory of an
// allocation that ended rests for a while: its pages go back to the system where they are whole,
// its addresses do not. So an address in here is one that nobody may use, whoever holds it, and
// memory that a program wraps is never in here, also where hpk had some before. That is why a View
// need not remember where its pointer came from: it is as large with checks as without, and files
// compiled with HPK_CHECKS of 0 and of 1 may hand Views to each other.
//
// Stale memory, which lives but must not be read before a copy, is in the same table: one look
// finds both, and find_stale() tells the one from the other.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hpk::seam {

struct allocation_record;

inline constexpr std::size_t freed_words = std::size_t{1} << 20;
/// A bit for each 64 bytes of a range of 4 GiB: 1 for what rests there.
struct freed_range {
  std::uint64_t bits[freed_words];
  freed_range* next;
};
/// By the upper half of the address; null where nothing ever rested.
extern constinit freed_range* freed_ranges[std::size_t{1} << 16];
/// The union of all ranges, so that one look is nearly always enough. Pages of it that nobody
/// writes take no memory.
extern constinit std::uint64_t freed_bits[freed_words];

/// Reads a word that other threads change. Volatile, because at an atomic read g++ forgets all
/// values that it has in registers (seen with 12), and kernels take twice as long; builtins,
/// because checked builds are often not optimised.
template <class T, bool Watched = static_cast<bool>(HPK_HAS_THREAD_SANITIZER)>
HPK_FORCEINLINE T read_freed(const T& word) noexcept {
  if constexpr (Watched) {
    return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
  } else {
    return const_cast<const volatile T&>(word);
  }
}

/// Whether an address is one of memory that rests or is stale. Any thread; takes no lock.
HPK_FORCEINLINE bool is_freed(const void* address) noexcept {
  const std::uint64_t a = reinterpret_cast<std::uintptr_t>(address);
  const std::uint32_t k = static_cast<std::uint32_t>(a) >> 12;
  const std::uint64_t bit = std::uint64_t{1} << (a >> 6 & 63);
  if ((read_freed(freed_bits[k]) & bit) == 0) [[likely]]
    return false;
  if (a >> 48 != 0) return false;
  const freed_range* const range = read_freed(freed_ranges[a >> 32]);
  return range != nullptr && (read_freed(range->bits[k]) & bit) != 0;
}

/// The same for any address of memory that rests, with the label that it had. For messages: looks
/// through all of it.
bool find_freed(const void* address, std::string& label);

/// Takes over a record whose elements have ended, and its memory, if record->rest is set; what
/// rested longest is deallocated for it. False when the caller has to deallocate.
bool keep_freed(allocation_record* record) noexcept;

/// Deallocates all that rests; false if that was nothing. Any thread.
bool give_back_freed() noexcept;

/// Elements that must not be read, and why.
struct stale_range {
  const void* data;
  std::size_t bytes;
  std::string why;
  stale_range* next = nullptr;
};

/// Enters a range that begins at a multiple of 64 bytes, and whose last 64 bytes nobody else has
/// part of. The allocation lives until it is left. False without memory for it. Any thread.
bool enter_stale(stale_range* range) noexcept;
/// Takes it out again.
void leave_stale(stale_range* range) noexcept;

/// Whether an address is one of stale memory, and then why. For messages: looks through all of it.
bool find_stale(const void* address, std::string& why);
/// Whether an address is one of memory that rests, and not just of stale memory.
bool is_gone(const void* address);

}  // namespace hpk::seam
