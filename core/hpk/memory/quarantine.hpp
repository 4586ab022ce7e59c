// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quarantine of freed memory. In checked builds a freed allocation enters the quarantine: its whole
// pages go back to the system, but its addresses are not reused. An access to a quarantined address
// is therefore a use after free, whichever View makes it, and memory wrapped by the program is
// never quarantined. A View need not store where its pointer came from: it has the same size with
// and without checks, and files compiled with HPK_CHECKS=0 and =1 may exchange Views.
//
// Stale memory, which is live but must not be read before a copy, is in the same table: one lookup
// detects both, and find_stale() distinguishes them. Both are called "poisoned".
#pragma once

#include <hpk/base/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hpk::seam {

struct allocation_record;

inline constexpr std::size_t quarantine_words = std::size_t{1} << 20;
/// One bit for each 64 bytes of a range of 4 GiB: 1 if poisoned.
struct quarantine_range {
  std::uint64_t bits[quarantine_words];
  quarantine_range* next;
};
/// Indexed by the upper half of the address; null where nothing was ever poisoned.
extern constinit quarantine_range* quarantine_ranges[std::size_t{1} << 16];
/// The union of all ranges, so that one lookup is nearly always enough. Pages that are never
/// written take no memory.
extern constinit std::uint64_t quarantine_bits[quarantine_words];

/// Reads a word that other threads change. Volatile rather than atomic, because g++ (seen with 12)
/// discards all values cached in registers at an atomic read, and kernels take twice as long.
/// Builtins, because checked builds are often not optimised.
template <class T, bool Watched = static_cast<bool>(HPK_HAS_THREAD_SANITIZER)>
HPK_FORCEINLINE T load_shadow_word(const T& word) noexcept {
  if constexpr (Watched) {
    return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
  } else {
    return const_cast<const volatile T&>(word);
  }
}

/// Whether an address is quarantined or stale. Any thread; takes no lock.
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

/// Whether an address is quarantined; `label` receives the label of its View. For messages:
/// searches the whole quarantine.
bool find_quarantined(const void* address, std::string& label);

/// Takes over a record whose elements have been destroyed, with its memory, if
/// record->release_pages is set; deallocates the oldest records as needed. False if the caller has
/// to deallocate.
bool quarantine(allocation_record* record) noexcept;

/// Deallocates everything in quarantine; false if it was empty. Any thread.
bool empty_quarantine() noexcept;

/// Elements that must not be read, and why.
struct stale_range {
  const void* data;
  std::size_t bytes;
  std::string why;
  stale_range* next = nullptr;
};

/// Adds a stale range. It begins at a multiple of 64 bytes, and its last 64 bytes are shared with
/// no other object. The allocation must live until the range is removed. False if out of memory.
/// Any thread.
bool enter_stale(stale_range* range) noexcept;
/// Removes the range.
void leave_stale(stale_range* range) noexcept;

/// Whether an address is stale; `why` receives the reason. For messages: searches all stale ranges.
bool find_stale(const void* address, std::string& why);
/// Whether an address is quarantined rather than merely stale.
bool is_quarantined(const void* address);

}  // namespace hpk::seam
