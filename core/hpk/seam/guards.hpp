// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that a compatibility layer sets to forbid launches or allocations which hpk allows.
// Without a layer a launch loads one null pointer.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>

#include <source_location>

namespace hpk::seam {

/// Called before every launch of a pattern, with its call site. Does not return if it forbids the
/// launch.
using launch_guard = void (*)(const std::source_location& where);
/// Called with the label after an allocation (ends = false) and before a deallocation (ends =
/// true).
using memory_guard = void (*)(const char* label, bool ends);

/// The guards in force; null for those that are not set.
struct guard_table {
  detail::atomic_word<launch_guard> launch;
  detail::atomic_word<memory_guard> memory;
  detail::atomic_word<bool> null_scratch;    ///< exhausted scratch returns a null pointer
  detail::atomic_word<bool> reversed_empty;  ///< reversed bounds are an empty range, not an error
  /// Prefix that replaces "hpk::" in the names that tools receive of the library's own kernels,
  /// fences and memory.
  detail::atomic_word<const char*> tool_prefix;
};
extern HPK_EXPORT constinit guard_table guards;

/// Whether a range whose end is less than its begin is empty rather than an error.
inline bool reversed_is_empty() noexcept {
  return guards.reversed_empty.load(detail::memory_order::relaxed);
}

/// Calls the launch guard.
inline void expect_launch_allowed(const std::source_location& where) {
  const launch_guard guard = guards.launch.load(detail::memory_order::relaxed);
  if (guard != nullptr) guard(where);
}

}  // namespace hpk::seam
