// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/seam/fork.hpp>
#include <hpk/spaces/space.hpp>
#include <hpk/view/malloc.hpp>

#include <mutex>
#include <unordered_map>

namespace hpk::detail {

namespace {

// The live allocations of malloc. Never destroyed.
using raw_blocks = std::unordered_map<const void*, seam::allocation_handle>;
raw_blocks& all_blocks() {
  static raw_blocks& only = *new raw_blocks;
  return only;
}
constinit std::mutex guard;
[[maybe_unused]] const bool held_over_fork = (seam::hold_over_fork<guard>(), true);

[[noreturn]] void reject(std::string_view call, const raw_space& space, const void* data,
                         const seam::allocation_record* record) {
  text message;
  message << call << '<' << space.name << "Space>: ";
  if (record == nullptr)
    message << data << " does not come from hpk::malloc, or was freed before";
  else
    message << '"' << record->label << "\" is in " << record->space << "Space; write that space";
  raise(message.str());
}

// Removes an address from the table. Throws hpk::error if it is not there or not in the given
// space.
seam::allocation_handle take(std::string_view call, const raw_space& space, const void* data) {
  raw_blocks& all = all_blocks();
  const std::lock_guard lock(guard);
  const auto found = all.find(data);
  if (found == all.end()) reject(call, space, data, nullptr);
  if (found->second.record()->space != space.name)
    reject(call, space, data, found->second.record());
  seam::allocation_handle taken = std::move(found->second);
  all.erase(found);
  return taken;
}

void keep(seam::allocation_handle block) {
  raw_blocks& all = all_blocks();
  const std::lock_guard lock(guard);
  const void* const data = block.record()->data;
  all.insert_or_assign(data, std::move(block));
}

}  // namespace

void* raw_allocate(std::string_view call, const raw_space& space, std::string_view label,
                   std::size_t bytes) {
  seam::expect_outside_kernel(call);
  if (bytes == 0) return nullptr;
  constexpr std::size_t align = 64;
  seam::allocation_record* const record = seam::make_record(
      space.allocate(bytes, align), bytes, align, label, space.name, space.deallocate, call);
  record->release_pages = space.release_pages;
  seam::allocation_handle block(record);
  void* const data = record->data;
  if (space.name_memory != nullptr) space.name_memory(data, label);
  keep(std::move(block));
  return data;
}

void* raw_reallocate(const raw_space& space, void* data, std::size_t bytes) {
  if (data == nullptr) return raw_allocate("hpk::realloc", space, "hpk::realloc", bytes);
  seam::expect_outside_kernel("hpk::realloc");
  fence("hpk::realloc");
  seam::allocation_handle before = take("hpk::realloc", space, data);
  const seam::allocation_record& old = *before.record();
  try {
    void* const fresh = raw_allocate("hpk::realloc", space, old.label, bytes);
    if (fresh != nullptr) space.copy(fresh, data, bytes < old.bytes ? bytes : old.bytes);
    return fresh;
  } catch (...) {
    keep(std::move(before));
    throw;
  }
}

void raw_free(const raw_space& space, void* data) {
  if (data == nullptr) return;
  seam::expect_outside_kernel("hpk::free");
  fence("hpk::free");
  take("hpk::free", space, data);
}

}  // namespace hpk::detail
