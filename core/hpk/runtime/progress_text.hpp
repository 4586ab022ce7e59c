// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of the line of a Progress, and its clock. Internal; tests give other times.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hpk::detail {

/// The numbers that a line shows.
struct progress_facts {
  std::string_view label;
  std::int64_t done = 0;
  std::int64_t total = -1;  ///< negative: unknown
  std::int64_t first = 0;   ///< done at the start of the clock
  double seconds = 0;
  bool is_over = false;
};
/// Returns the text of a line: "steps  37/100  37 %  12.3/s  0:05 left". When the loop is over, the
/// time at the end is that of the loop.
std::string progress_text(const progress_facts& facts);
/// Returns the text of a loop inside of another: "steps  37/100  37 %".
std::string short_progress_text(const progress_facts& facts);

/// Returns the time in nanoseconds. Tests replace it before the first Progress.
extern std::int64_t (*progress_time)() noexcept;

}  // namespace hpk::detail
