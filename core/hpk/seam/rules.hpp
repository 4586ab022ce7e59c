// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules that a layer above hpk may have for launches and memory, on top of hpk's own: a place that
// is bound by them loads one word, and most programs have no such layer.
#pragma once

#include <hpk/base/atomic_word.hpp>

#include <source_location>

namespace hpk::seam {

/// Asked before every launch of a pattern, with the line that wrote it; does not return when the
/// layer forbids the launch.
using launch_rule = void (*)(const std::source_location& where);
/// Asked when memory was allocated (ends = false) and before it is freed (true), with its label.
using memory_rule = void (*)(const char* label, bool ends);

/// The rules in force; null for none.
struct rule_table {
  detail::atomic_word<launch_rule> launch;
  detail::atomic_word<memory_rule> memory;
  detail::atomic_word<bool> null_scratch;    ///< spent scratch is a null pointer, no error
  detail::atomic_word<bool> reversed_empty;  ///< reversed bounds hold no iterations, no error
};
inline constinit rule_table rules{};

/// Whether a range whose end lies before its begin has no iterations.
inline bool reversed_is_empty() noexcept {
  return rules.reversed_empty.load(detail::memory_order::relaxed);
}

/// Asks the rule for launches.
inline void expect_launch_allowed(const std::source_location& where) {
  const launch_rule rule = rules.launch.load(detail::memory_order::relaxed);
  if (rule != nullptr) rule(where);
}

}  // namespace hpk::seam
