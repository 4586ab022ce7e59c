// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile that is built in: a listener to the events of tools which adds up kernels, copies,
// fences, regions and memory, and writes a summary, an HTML report, a trace or a log. HPK_PROFILE
// says what. Internal to runtime/.
#pragma once

#include <hpk/tools/tool_events.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hpk::detail {

/// What is written, and where; an empty path is standard error.
struct profile_request {
  bool summary = false;
  bool log = false;
  bool leaks = false;
  std::string summary_path;
  std::string log_path;
  std::string leaks_path;
  std::string html_path;   ///< empty: no report
  std::string trace_path;  ///< empty: no trace
};
/// Reads "summary,trace=file.json"; false if it is no such text.
bool read_profile(std::string_view text, profile_request& into);

/// How often something happened, and for how long.
struct profile_total {
  std::uint64_t count = 0;
  std::uint64_t nanoseconds = 0;
  std::uint64_t longest = 0;
  std::uint64_t bytes = 0;
  void add(std::uint64_t duration, std::uint64_t moved = 0) {
    ++count;
    nanoseconds += duration;
    longest = duration > longest ? duration : longest;
    bytes += moved;
  }
};
/// The memory of a space: now, at its highest, and who held it then.
struct profile_memory {
  std::uint64_t bytes = 0;
  std::uint64_t highest = 0;
  bool is_at_highest = false;
  std::unordered_map<std::string, std::uint64_t> by_label;
  std::unordered_map<std::string, std::uint64_t> at_highest;
};
/// Totals by name, which are found without a std::string.
struct profile_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const {
    return std::hash<std::string_view>()(name);
  }
};
using profile_table = std::unordered_map<std::string, profile_total, profile_hash, std::equal_to<>>;
/// An allocation that lives, and where it was made: the path of regions, and the calls that led
/// there, the innermost first.
struct profile_allocation {
  std::string space;
  std::string label;
  std::uint64_t bytes = 0;
  std::string region;
  std::vector<void*> calls;
};
/// Everything that is summed up.
struct profile_totals {
  std::uint64_t nanoseconds = 0;  ///< of the whole run
  profile_table kernels[3];       ///< of parallel_for, _reduce and _scan
  profile_table copies;           ///< by "to <- from"
  profile_table fences;           ///< by name
  profile_table regions;          ///< by path: "outer/inner"
  std::unordered_map<std::string, std::uint64_t> open_regions;  ///< those begun and not ended
  std::uint64_t stray_pops = 0;                                 ///< popRegion() without a region
  std::unordered_map<std::string, profile_memory> memory;       ///< by space
  /// By address; of a report of leaks only.
  std::unordered_map<const void*, profile_allocation> living;
};

/// What is still allocated: labels and bytes.
std::string leaks_of(const profile_totals& totals);
/// The summary as text and as an HTML page that needs nothing else.
std::string summary_of(const profile_totals& totals);
std::string report_of(const profile_totals& totals);

/// Begins a profile, and gives its callbacks. Throws hpk::error naming a file that can't be
/// written.
seam::tool_events begin_profile(const profile_request& request);

}  // namespace hpk::detail
