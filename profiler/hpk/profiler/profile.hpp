// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in profiler: a listener to tool events that sums up kernels, copies, fences, regions
// and memory. Writes a summary, an HTML report, a trace or a log, as HPK_PROFILE selects. Internal
// to profiler/.
#pragma once

#include <hpk/profiler/gpu_profile.hpp>
#include <hpk/runtime/run_facts.hpp>
#include <hpk/tools/tool_events.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hpk::detail {

/// The reports to write and their files; an empty path is standard error.
struct profile_request {
  bool summary = false;
  bool log = false;
  bool leaks = false;
  std::string summary_path;
  std::string log_path;
  std::string leaks_path;
  std::string html_path;   ///< empty: no report
  std::string trace_path;  ///< empty: no trace
  gpu_request gpu;
  /// Whether a report consists of events, so that launches have to be timed to their end.
  bool has_events() const {
    return summary || log || leaks || !html_path.empty() || !trace_path.empty();
  }
};
/// Reads "summary,trace=file.json"; false if the text is invalid.
bool read_profile(std::string_view text, profile_request& into);

/// Number of events and their total time.
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
/// The memory of a space: current bytes, peak bytes, and the holders at the peak.
struct profile_memory {
  std::uint64_t bytes = 0;
  std::uint64_t highest = 0;
  bool is_at_highest = false;
  std::unordered_map<std::string, std::uint64_t> by_label;
  std::unordered_map<std::string, std::uint64_t> at_highest;
};
/// Transparent hash: finds totals by name without creating a std::string.
struct profile_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const {
    return std::hash<std::string_view>()(name);
  }
};
using profile_table = std::unordered_map<std::string, profile_total, profile_hash, std::equal_to<>>;
/// A live allocation and its origin: the path of regions, and the call stack, innermost first.
struct profile_allocation {
  std::string space;
  std::string label;
  std::uint64_t bytes = 0;
  std::string region;
  std::vector<void*> calls;
};
/// All totals of a profile.
struct profile_totals {
  std::uint64_t nanoseconds = 0;  ///< time of the whole run
  std::string ended_early_by;     ///< "SIGINT", "an uncaught error", or empty
  profile_table kernels[3];       ///< for parallel_for, _reduce and _scan
  profile_table copies;           ///< by "to <- from"
  profile_table fences;           ///< by name
  profile_table regions;          ///< by path: "outer/inner"
  std::unordered_map<std::string, std::uint64_t> open_regions;  ///< number of openings without an
                                                                ///< end
  std::uint64_t stray_pops = 0;                                 ///< calls of popRegion() without an
                                                                ///< open region
  std::unordered_map<std::string, profile_memory> memory;       ///< by space
  /// By address; filled only for a leak report.
  std::unordered_map<const void*, profile_allocation> living;
};

/// Returns the allocations that are still live: labels and bytes.
std::string leaks_of(const profile_totals& totals);
/// Returns the summary as text.
std::string summary_of(const profile_totals& totals);
/// Returns the summary as a self-contained HTML page.
std::string report_of(const profile_totals& totals, const run_facts& facts);

/// Begins a profile and returns its callbacks. Throws hpk::error with the name of a file that can't
/// be written.
tool_events begin_profile(const profile_request& request);

}  // namespace hpk::detail
