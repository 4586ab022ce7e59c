// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Freed memory that nobody may use yet. In checked builds an allocation that ends goes into
// quarantine: its whole pages go back to the system, its addresses stay taken. So an address in
// here is a use after free, whoever holds it, and memory that a program wraps is never in here. A
// View need not remember where its pointer came from: it has one size with and without checks, and
// files compiled with HPK_CHECKS of 0 and of 1 may exchange Views.
//
// Stale memory, which lives but must not be read before a copy, is in the same table: one look
// finds both, and find_stale() tells them apart. Both are "poisoned".
#pragma once

#include <hpk/base/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hpk::seam {

struct allocation_record;

inline constexpr std::size_t quarantine_words = std::size_t{1} << 20;
/// A bit for each 64 bytes of a range of 4 GiB: 1 for poisoned ones.
struct quarantine_range {
  std::uint64_t bits[quarantine_words];
  quarantine_range* next;
};
/// By the upper half of the address; null where nothing was ever poisoned.
extern constinit quarantine_range* quarantine_ranges[std::size_t{1} << 16];
/// The union of all ranges, so that one look is nearly always enough. Pages of it that nobody
/// writes take no memory.
extern constinit std::uint64_t quarantine_bits[quarantine_words];

/// Reads a word that other threads change. Volatile, because at an atomic read g++ forgets all
/// values that it has in registers (seen with 12), and kernels take twice as long; builtins,
/// because checked builds are often not optimised.
template <class T, bool Watched = static_cast<bool>(HPK_HAS_THREAD_SANITIZER)>
HPK_FORCEINLINE T load_shadow_word(const T& word) noexcept {
  if constexpr (Watched) {
    return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
  } else {
    return const_cast<const volatile T&>(word);
  }
}

/// Whether an address is in quarantine or stale. Any thread; takes no lock.
HPK_FORCEINLINE bool is_poisoned(const void* address) noexcept {
  const std::uint64_t a = reinterpret_cast<std::uintptr_t>(address);
  const std::uint32_t k = static_cast<std::uint32_t>(a) >> 12;
  const std::uint64_t bit = std::uint64_t{1} << (a >> 6 & 63);
  if ((load_shadow_word(quarantine_bits[k]) & bit) == 0) [[likely]]
    return false;
  if (a >> 48 != 0) return false;
  const quarantine_range* const range = load_shadow_word(quarantine_ranges[a >> 32]);
  return range != nullptr && (load_shadow_word(range->bits[k]) & bit) != 0;
}

/// Whether an address is in quarantine, and the label that its View had. For messages: searches the
/// whole quarantine.
bool find_quarantined(const void* address, std::string& label);

/// Takes over a record whose elements have ended, and its memory, if record->release_pages is set;
/// the oldest ones leave and are deallocated. False when the caller has to deallocate.
bool quarantine(allocation_record* record) noexcept;

/// Deallocates all of it; false if it was empty. Any thread.
bool empty_quarantine() noexcept;

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

/// Whether an address is stale, and why. For messages: searches all stale ranges.
bool find_stale(const void* address, std::string& why);
/// Whether an address is in quarantine, and not just stale.
bool is_quarantined(const void* address);

}  // namespace hpk::seam
