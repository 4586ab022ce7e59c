// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules for the use of mirrors. They find two mistakes:
//
// Stale: host code reads a mirror that lacks what a kernel wrote to its View. If nothing was
// written to the mirror yet, the launch closes the mirror to reads. A mirror that holds a copy is
// closed when host code has waited for the kernel, provided that the View differs then and that
// host code had read the copy before the launch: a second read expects the new elements. With
// HPK_EMU_MIRRORS the first read is not needed. The mirror stays open if, since the copy, host code
// wrote to the mirror, copied the mirror, or copied the View to other memory: these programs
// compare old elements with new ones.
//
// Unsent: host code filled a mirror and never copied it, and a kernel read its View, which has held
// only zeros since its allocation.
//
// Call all functions with the lock of the memory map.
#pragma once

#include <hpk/backends/emu/memory_map.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hpk::emu {

/// The rules, in a class so that calls show its name.
struct mirror_rules {
  /// Call when a kernel that captured the View is launched.
  static void on_launch(memory_map& map, block& view, std::string_view kernel);
  /// Call when host code has waited for all kernels that captured the View.
  static void on_wait(memory_map& map, block& view) noexcept;
  /// Call when a copy between two addresses is submitted. Returns whether it fills a mirror with
  /// its whole View.
  static bool on_copy(memory_map& map, block* to, block* from, const void* begin,
                      std::size_t bytes) noexcept;
  /// Returns whether host code may continue after a fault in a mirror. Sets `again` if the mirror
  /// must be closed again after the instruction.
  static bool admits(memory_map& map, block& mirror, const void* address, bool writes,
                     bool& again) noexcept;
  /// Call when a View or one of its mirrors is freed. Returns the mistake to report, or an empty
  /// string.
  static std::string on_free(memory_map& map, const block& freed);
};

/// Returns a checksum of the bytes; never 0.
std::uint64_t sum_of_mirror(const std::byte* data, std::size_t bytes) noexcept;

/// Stores the label of a kernel for messages, which name the last kernel that has one. Launches of
/// the library that keep a View alive have no label.
inline void note_kernel(std::string& holder, std::string_view kernel) {
  if (!kernel.empty() || holder.empty()) holder = kernel;
}

}  // namespace hpk::emu
