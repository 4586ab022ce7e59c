// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/spin_lock.hpp>
#include <hpk/base/text.hpp>
#include <hpk/memory/allocation.hpp>
#include <hpk/memory/quarantine.hpp>
#include <hpk/seam/fork.hpp>
#include <hpk/tools/callbacks.hpp>

#include <cstdio>
#include <memory>
#include <mutex>
#include <utility>

namespace hpk::seam {

namespace {

// The list of all live allocations. The lock is held for a few instructions, or while a message is
// written.
constinit detail::spin_lock guard;
constinit allocation_record* newest = nullptr;
constinit std::uint64_t allocations = 0;
[[maybe_unused]] const bool held_over_fork = (hold_over_fork<guard>(), true);

// Requires the lock.
void enter(allocation_record* record) noexcept {
  record->number = ++allocations;
  record->next = newest;
  if (newest != nullptr) newest->previous = record;
  newest = record;
}
void leave(allocation_record* record) noexcept {
  const std::lock_guard lock(guard);
  if (record->number == 0) return;
  (record->previous == nullptr ? newest : record->previous->next) = record->next;
  if (record->next != nullptr) record->next->previous = record->previous;
}

detail::memory_event event_of(const allocation_record& record) noexcept {
  return {record.space, record.label.c_str(), record.data, record.is_empty ? 0 : record.bytes};
}

// Lists the largest allocations in a space, for the out-of-memory message.
void list_largest(detail::text& message, std::string_view space) {
  constexpr int most = 5;
  const std::lock_guard lock(guard);
  const allocation_record* largest[most] = {};
  std::size_t count = 0;
  std::size_t bytes = 0;
  for (const allocation_record* r = newest; r != nullptr; r = r->next) {
    if (r->space != space || r->destroy_owner != nullptr) continue;
    ++count;
    bytes += r->bytes;
    const allocation_record* candidate = r;
    for (const allocation_record*& slot : largest) {
      if (slot == nullptr || slot->bytes < candidate->bytes) std::swap(slot, candidate);
      if (candidate == nullptr) break;
    }
  }
  message << "; " << count << " allocations of ";
  message.bytes(static_cast<double>(bytes)) << " live there";
  const char* between = ", the largest: ";
  for (const allocation_record* r : largest) {
    if (r == nullptr) break;
    message << between << '"' << r->label << "\" ";
    message.bytes(static_cast<double>(r->bytes));
    between = ", ";
  }
}

}  // namespace

void allocation_handle::end(allocation_record* record) noexcept {
  leave(record);
  const bool is_owned = record->destroy_owner != nullptr;
  if (!is_owned) detail::notify_freed(event_of(*record));
  if (record->destroy != nullptr) {
    // Destructors of elements run on the device of the View. A device that has failed runs no
    // destructors.
    try {
      record->destroy(*record);
    } catch (const error& e) {
      std::fprintf(stderr, "hpk: the %s of View \"%s\" %s: %s\n", is_owned ? "kernels" : "elements",
                   record->label.c_str(), is_owned ? "failed" : "were not destroyed", e.what());
    }
  }
  if (is_owned) return record->destroy_owner(record);
  if (detail::quarantine(record)) return;
  record->deallocate(record->data, record->bytes, record->align);
  delete record;
}

allocation_record* make_record(void* data, std::size_t bytes, std::size_t align,
                               std::string_view label, std::string_view space,
                               void (*deallocate)(void*, std::size_t, std::size_t) noexcept,
                               std::string_view call, bool is_empty) {
  if (data == nullptr) {
    detail::text message;
    message << call << " \"" << label << "\": " << space << " memory space failed to allocate "
            << bytes << " bytes, that is ";
    message.bytes(static_cast<double>(bytes));
    list_largest(message, space);
    detail::raise_bad_alloc(message.str());
  }
  auto record = std::unique_ptr<allocation_record>();
  try {
    record = std::make_unique<allocation_record>();
    record->label = label;
  } catch (...) {
    deallocate(data, bytes, align);
    throw;
  }
  record->data = data;
  record->bytes = bytes;
  record->align = align;
  record->is_empty = is_empty;
  record->space = space;
  record->deallocate = deallocate;
  {
    const std::lock_guard lock(guard);
    enter(record.get());
  }
  detail::notify_allocated(event_of(*record));
  return record.release();
}

void list_owned(allocation_record* record, void* data, std::size_t bytes, std::string_view space,
                void (*wait)(const allocation_record&)) noexcept {
  const std::lock_guard lock(guard);
  if (record->number != 0) return;
  record->data = data;
  record->bytes = data == nullptr ? 0 : bytes;
  record->space = space;
  record->destroy = wait;
  enter(record);
}

bool find_allocation(const void* address, allocation_place& place) {
  const std::lock_guard lock(guard);
  for (const allocation_record* r = newest; r != nullptr; r = r->next) {
    const auto offset =
        reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(r->data);
    if (offset >= r->bytes) continue;
    place = {r->label, r->space, offset, r->bytes, r->number};
    return true;
  }
  return false;
}

}  // namespace hpk::seam
