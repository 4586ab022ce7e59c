// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program may do with a mirror. Two mistakes are found:
//
// Stale: host code reads a mirror that lacks what a kernel wrote to its View. A mirror that nothing
// was written to is closed to reads at the launch. One that holds a copy is closed when host code
// has waited for the kernel, if the View differs then and host code had read the copy before the
// launch: a second read expects the new elements. With HPK_EMU_MIRRORS the first read is not
// needed. The mirror stays open if host code wrote to it, copied it anywhere, or copied the View
// elsewhere since: such programs compare old elements with new ones.
//
// Unsent: host code filled a mirror and never copied it, and a kernel read its View, which has held
// nothing but zeros since it was allocated.
//
// Call all of it with the lock of the map.
#pragma once

#include <hpk/backends/emu/memory_map.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hpk::emu {

/// The rules; a class for its callers to see where a call goes.
struct mirror_rules {
  /// A kernel that captured the View is launched.
  static void on_launch(memory_map& map, block& view, std::string_view kernel);
  /// Host code waited for all kernels that captured the View.
  static void on_wait(memory_map& map, block& view) noexcept;
  /// A copy between two addresses is submitted. Whether it fills a mirror with its whole View.
  static bool on_copy(memory_map& map, block* to, block* from, const void* begin,
                      std::size_t bytes) noexcept;
  /// Whether host code may go on where it faulted, in a mirror. `again`: the place is to be
  /// protected again behind the instruction.
  static bool admits(memory_map& map, block& mirror, const void* address, bool writes,
                     bool& again) noexcept;
  /// What is wrong with a View and its mirrors, one of which is freed; else empty.
  static std::string on_free(memory_map& map, const block& freed);
};

/// A sum over bytes, not 0.
std::uint64_t sum_of_mirror(const std::byte* data, std::size_t bytes) noexcept;

/// Messages name the last kernel that has a label: launches of the library that keep a View alive
/// have none.
inline void note_kernel(std::string& holder, std::string_view kernel) {
  if (!kernel.empty() || holder.empty()) holder = kernel;
}

}  // namespace hpk::emu
