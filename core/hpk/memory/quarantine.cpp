// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/memory/allocation.hpp>
#include <hpk/memory/quarantine.hpp>
#include <hpk/seam/fork.hpp>

#include <cstdlib>
#include <iterator>
#include <mutex>

namespace hpk::detail {

constinit std::uint64_t quarantine_bits[quarantine_words] = {};
constinit quarantine_range* quarantine_ranges[std::size_t{1} << 16] = {};

namespace {

constinit quarantine_range* newest_range = nullptr;

constexpr std::size_t grain = 64;
// Limits of the quarantine: resident bytes, addresses, records. The newest record stays for any
// size of its address range.
constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::size_t most_addresses = std::size_t{16} << 30;
constexpr std::size_t most_records = 16384;

// The quarantine, oldest first, linked by allocation_record::next. Never destroyed, because
// static Views may be destroyed later.
constinit std::mutex guard;
[[maybe_unused]] const bool held_over_fork = (seam::hold_over_fork<guard>(), true);
constinit seam::allocation_record* oldest = nullptr;
constinit seam::allocation_record* newest = nullptr;
constinit std::size_t bytes_held = 0;
constinit std::size_t addresses_held = 0;
constinit std::size_t records_held = 0;

// The stale ranges.
constinit stale_range* newest_stale = nullptr;

// Calls change(word, mask) for each word that holds bits of a block.
template <class Change>
void for_bits(const void* data, std::size_t bytes, const Change& change) noexcept {
  std::uint64_t first = reinterpret_cast<std::uintptr_t>(data) / grain;
  const std::uint64_t end = first + (bytes + grain - 1) / grain;
  while (first != end) {
    const std::uint64_t bit = first % 64;
    const std::uint64_t count = end - first < 64 - bit ? end - first : 64 - bit;
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - count) << bit;
    change(first / 64, mask);
    first += count;
  }
}

// Allocates the ranges that hold the bits of a block; false if out of memory, or if the block is
// empty or misaligned.
bool make_ranges(const void* data, std::size_t bytes) noexcept {
  const std::uint64_t first = reinterpret_cast<std::uintptr_t>(data);
  const std::uint64_t last = first + bytes - 1;
  if (bytes == 0 || first % grain != 0 || last >> 48 != 0) return false;
  for (std::uint64_t k = first >> 32; k <= last >> 32; ++k) {
    if (quarantine_ranges[k] != nullptr) continue;
    // Untouched pages take no memory.
    auto* const made = static_cast<quarantine_range*>(std::calloc(1, sizeof(quarantine_range)));
    if (made == nullptr) return false;
    made->next = newest_range;
    newest_range = made;
    __atomic_store_n(&quarantine_ranges[k], made, __ATOMIC_RELEASE);
  }
  return true;
}

void mark(const void* data, std::size_t bytes) noexcept {
  for_bits(data, bytes, [](std::uint64_t word, std::uint64_t mask) {
    std::uint64_t& bits = quarantine_ranges[word / quarantine_words]->bits[word % quarantine_words];
    __atomic_store_n(&bits, bits | mask, __ATOMIC_RELAXED);
    std::uint64_t& any = quarantine_bits[word % quarantine_words];
    __atomic_store_n(&any, any | mask, __ATOMIC_RELEASE);
  });
}
void unmark(const void* data, std::size_t bytes) noexcept {
  for_bits(data, bytes, [](std::uint64_t word, std::uint64_t mask) {
    const std::uint64_t k = word % quarantine_words;
    std::uint64_t& bits = quarantine_ranges[word / quarantine_words]->bits[k];
    __atomic_store_n(&bits, bits & ~mask, __ATOMIC_RELAXED);
    std::uint64_t any = 0;
    for (const quarantine_range* p = newest_range; p != nullptr; p = p->next) any |= p->bits[k];
    __atomic_store_n(&quarantine_bits[k], any, __ATOMIC_RELAXED);
  });
}

// Removes and returns the oldest record.
seam::allocation_record* take_oldest() noexcept {
  seam::allocation_record* const taken = oldest;
  oldest = taken->next;
  if (oldest == nullptr) newest = nullptr;
  bytes_held -= taken->resident_bytes;
  addresses_held -= taken->bytes;
  --records_held;
  unmark(taken->data, taken->bytes);
  return taken;
}

bool holds(const void* data, std::size_t bytes, const void* address) noexcept {
  const auto* const begin = static_cast<const std::byte*>(data);
  const auto* const at = static_cast<const std::byte*>(address);
  return begin <= at && at < begin + bytes;
}

// Requires the lock.
const seam::allocation_record* find_record(const void* address) noexcept {
  for (const seam::allocation_record* r = oldest; r != nullptr; r = r->next) {
    if (holds(r->data, r->bytes, address)) return r;
  }
  return nullptr;
}

void deallocate_all(seam::allocation_record* first) noexcept {
  while (first != nullptr) {
    seam::allocation_record* const next = first->next;
    first->deallocate(first->data, first->bytes, first->align);
    delete first;
    first = next;
  }
}

}  // namespace

bool find_quarantined(const void* address, std::string& label) {
  const std::lock_guard lock(guard);
  const seam::allocation_record* const found = find_record(address);
  if (found != nullptr) label = found->label;
  return found != nullptr;
}

bool quarantine(seam::allocation_record* record) noexcept {
  if (record->release_pages == nullptr) return false;
  record->resident_bytes = record->release_pages(record->data, record->bytes);
  if (record->resident_bytes > most_bytes) return false;
  seam::allocation_record* leaving = nullptr;
  {
    const std::lock_guard lock(guard);
    if (!make_ranges(record->data, record->bytes)) return false;
    mark(record->data, record->bytes);
    record->next = nullptr;
    (newest == nullptr ? oldest : newest->next) = record;
    newest = record;
    bytes_held += record->resident_bytes;
    addresses_held += record->bytes;
    ++records_held;
    seam::allocation_record** end = &leaving;
    while (oldest != newest && (bytes_held > most_bytes || addresses_held > most_addresses ||
                                records_held > most_records)) {
      *end = take_oldest();
      (*end)->next = nullptr;
      end = &(*end)->next;
    }
  }
  deallocate_all(leaving);
  return true;
}

bool empty_quarantine() noexcept {
  seam::allocation_record* leaving = nullptr;
  {
    const std::lock_guard lock(guard);
    leaving = oldest;
    while (oldest != nullptr) take_oldest();
  }
  deallocate_all(leaving);
  return leaving != nullptr;
}

bool enter_stale(stale_range* range) noexcept {
  const std::lock_guard lock(guard);
  if (!make_ranges(range->data, range->bytes)) return false;
  mark(range->data, range->bytes);
  range->next = newest_stale;
  newest_stale = range;
  return true;
}

void leave_stale(stale_range* range) noexcept {
  const std::lock_guard lock(guard);
  stale_range** at = &newest_stale;
  while (*at != range) at = &(*at)->next;
  *at = range->next;
  unmark(range->data, range->bytes);
  // Sets the bits of overlapping stale ranges again.
  for (const stale_range* r = newest_stale; r != nullptr; r = r->next) {
    if (holds(range->data, range->bytes, r->data) || holds(r->data, r->bytes, range->data))
      mark(r->data, r->bytes);
  }
}

bool find_stale(const void* address, std::string& why) {
  const std::lock_guard lock(guard);
  for (const stale_range* r = newest_stale; r != nullptr; r = r->next) {
    // The table covers the last 64-byte unit completely.
    if (!holds(r->data, (r->bytes + grain - 1) / grain * grain, address)) continue;
    why = r->why;
    return true;
  }
  return false;
}

bool is_quarantined(const void* address) {
  if (!is_poisoned(address)) return false;
  const std::lock_guard lock(guard);
  for (const stale_range* r = newest_stale; r != nullptr; r = r->next) {
    if (holds(r->data, (r->bytes + grain - 1) / grain * grain, address)) return false;
  }
  return true;
}

}  // namespace hpk::detail
