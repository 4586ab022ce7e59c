// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events that callbacks of tools record as lines, from any thread.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace hpk_test {

inline std::mutex events_guard;
inline std::vector<std::string> recorded_events;

inline void record_event(std::string line) {
  const std::lock_guard lock(events_guard);
  recorded_events.push_back(std::move(line));
}

/// Returns the lines since the last call and removes them.
inline std::vector<std::string> take_events() {
  const std::lock_guard lock(events_guard);
  return std::exchange(recorded_events, {});
}

}  // namespace hpk_test
