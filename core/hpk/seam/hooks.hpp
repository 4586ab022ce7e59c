// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library tells of its work while it works: a table of functions that a program sets. A
// place that tells loads one word; nobody listens in most programs.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/seam/allocation.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
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

/// A fence begins: its name, and what the machine that is waited for calls itself (tool_id()). What
/// is stored in *handle comes back at its end.
using begin_fence_callback = void (*)(const char* name, std::uint32_t device,
                                      std::uint64_t* handle);
/// The work that it waits for is done.
using end_fence_callback = void (*)(std::uint64_t handle);

/// Who is told; null for nobody. Any thread may set and be told at any time.
struct hook_table {
  detail::atomic_word<memory_callback> allocated;
  detail::atomic_word<memory_callback> freed;
  detail::atomic_word<begin_copy_callback> copy_begins;
  detail::atomic_word<end_copy_callback> copy_ended;
  detail::atomic_word<begin_fence_callback> fence_begins;
  detail::atomic_word<end_fence_callback> fence_ended;
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

/// Tells of a fence while it lasts, if anybody wants to know.
class fence_scope {
 public:
  /// `space` is that of an instance: what stands in the name of a fence that has none, "".
  fence_scope(std::string_view name, std::uint32_t device, std::string_view space = {}) {
    if (is_wanted()) begin(name, device, space);
  }
  fence_scope(const fence_scope&) = delete;
  fence_scope& operator=(const fence_scope&) = delete;
  ~fence_scope() {
    if (told_) end();
  }

 private:
  static bool is_wanted() noexcept {
    return hooks.fence_begins.load(detail::memory_order::relaxed) != nullptr ||
           hooks.fence_ended.load(detail::memory_order::relaxed) != nullptr;
  }
  void begin(std::string_view name, std::uint32_t device, std::string_view space);
  void end() const;

  std::uint64_t handle_ = 0;
  bool told_ = false;
};

/// Waits for the work of a machine, by a fence of the library, and tells of it.
template <class Machine>
void fence(Machine& machine, std::string_view name) {
  const fence_scope told(name, machine.tool_id());
  machine.fence();
}

/// The name of a fence of an instance of the space for which the program gave `name`, maybe "".
std::string name_of_fence(std::string_view name, std::string_view space);

/// Tells of a new allocation, and of one that ends.
void tell_allocated(const allocation_record& record);
void tell_freed(const allocation_record& record);

}  // namespace hpk::seam
