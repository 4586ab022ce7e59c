// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What callbacks of tools told, as lines, from any thread.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace hpk_test {

inline std::mutex told_guard;
inline std::vector<std::string> told_lines;

inline void tell(std::string line) {
  const std::lock_guard lock(told_guard);
  told_lines.push_back(std::move(line));
}

/// The lines since the last call.
inline std::vector<std::string> what_was_told() {
  const std::lock_guard lock(told_guard);
  return std::exchange(told_lines, {});
}

}  // namespace hpk_test
