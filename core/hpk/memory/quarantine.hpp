// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quarantine of freed memory. In checked builds a freed allocation enters the quarantine: its
// complete pages are returned to the system, but its addresses are not reused. An access by any
// View to a quarantined address is therefore a use after free. Memory that the program wraps is
// never quarantined. A View need not store the origin of its pointer: it has the same size with and
// without checks, and files compiled with HPK_CHECKS=0 and =1 may exchange Views.
//
// Stale memory, which is live but must not be read before a copy, is in the same table: one lookup
// detects quarantined and stale memory, and find_stale() distinguishes them. "Poisoned" means
// either.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hpk::seam {
struct allocation_record;
}

namespace hpk::detail {

inline constexpr std::size_t quarantine_words = std::size_t{1} << 20;
/// One bit for each 64 bytes of a range of 4 GiB: 1 if poisoned.
struct quarantine_range {
  std::uint64_t bits[quarantine_words];
  quarantine_range* next;
};
/// The ranges, indexed by the upper half of the address; null for ranges that were never poisoned.
extern constinit quarantine_range* quarantine_ranges[std::size_t{1} << 16];
/// The union of the bits of all ranges, so that one lookup nearly always suffices. Unwritten pages
/// take no memory.
extern constinit std::uint64_t quarantine_bits[quarantine_words];

/// Reads a word that other threads modify. Volatile rather than atomic, because g++ (seen with 12)
/// discards all values cached in registers at an atomic read, and kernels take twice as long. Uses
/// builtins, because checked builds are often not optimised.
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

/// Takes ownership of a record whose elements have been destroyed, and of its memory, if
/// record->release_pages is set. Deallocates the oldest records as needed. Returns false if the
/// caller has to deallocate.
bool quarantine(seam::allocation_record* record) noexcept;

/// Deallocates all records in the quarantine. Returns false if it was empty. Any thread.
bool empty_quarantine() noexcept;

/// Elements that must not be read, and the reason.
struct stale_range {
  const void* data;
  std::size_t bytes;
  std::string why;
  stale_range* next = nullptr;
};

/// Adds a stale range. It must begin at a multiple of 64 bytes, and no other object may share its
/// last 64-byte unit. The allocation must live until the range is removed. Returns false if out of
/// memory. Any thread.
bool enter_stale(stale_range* range) noexcept;
/// Removes a stale range.
void leave_stale(stale_range* range) noexcept;

/// Whether an address is stale; `why` receives the reason. For messages: searches all stale ranges.
bool find_stale(const void* address, std::string& why);
/// Whether an address is quarantined rather than merely stale.
bool is_quarantined(const void* address);

}  // namespace hpk::detail
