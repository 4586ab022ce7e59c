// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library tells of its work while it works: a table of functions that a program sets. A
// place that tells loads one word; nobody listens in most programs.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/seam/allocation.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hpk::seam {

/// The name of a memory space in a call to a tool, as its C interface has it: ends with 0, cut off
/// after 63 characters.
struct space_handle {
  char name[64];
};

/// Memory was allocated or is about to be freed: its space, label, address and bytes.
using memory_callback = void (*)(space_handle, const char* label, const void* data,
                                 std::uint64_t bytes);
/// A copy begins: space, label and address of destination and source, and the bytes written.
using begin_copy_callback = void (*)(space_handle to, const char* to_label, const void* to_data,
                                     space_handle from, const char* from_label,
                                     const void* from_data, std::uint64_t bytes);
/// A copy was made, or queued on its instance.
using end_copy_callback = void (*)();

/// Who is told; null for nobody. Any thread may set and be told at any time.
struct hook_table {
  detail::atomic_word<memory_callback> allocated;
  detail::atomic_word<memory_callback> freed;
  detail::atomic_word<begin_copy_callback> copy_begins;
  detail::atomic_word<end_copy_callback> copy_ended;
};
/// The table of the program.
extern hook_table hooks;

/// One side of a copy.
struct copy_side {
  std::string_view space;
  const allocation_record* record;  ///< whose label is told; null for other memory
  const void* data;
  const char* label = "";  ///< told where there is no record
};

/// Tells of a copy while it lasts, if anybody wants to know.
class copy_scope {
 public:
  copy_scope() = default;
  copy_scope(const copy_scope&) = delete;
  copy_scope& operator=(const copy_scope&) = delete;
  ~copy_scope() {
    if (told_) end();
  }
  /// Whether somebody wants to know.
  static bool is_wanted() noexcept {
    return hooks.copy_begins.load(detail::memory_order::relaxed) != nullptr ||
           hooks.copy_ended.load(detail::memory_order::relaxed) != nullptr;
  }
  /// Tells that it begins.
  void begin(const copy_side& to, const copy_side& from, std::size_t bytes);

 private:
  void end() const;

  bool told_ = false;
};

/// Tells of a new allocation, and of one that ends.
void tell_allocated(const allocation_record& record);
void tell_freed(const allocation_record& record);

}  // namespace hpk::seam
