// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile of a GPU that Emu counts: launches are summed up by kernel, and reported as text,
// HTML and JSON, with a bound from a model of a device, with advice, and with limits that a program
// must keep. Internal to runtime/.
#pragma once

#include <hpk/profiler/gpu_model.hpp>
#include <hpk/seam/device_profile.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hpk::detail {

/// The reports to write and their files, and the names of the model and of the file of limits.
struct gpu_request {
  bool text = false;
  std::string text_path;  ///< empty: standard error
  std::string html_path;  ///< empty: no report
  std::string json_path;  ///< empty: no report
  std::string model = "h100";
  std::string limits;  ///< empty: none
  bool is_empty() const {
    return !text && html_path.empty() && json_path.empty() && limits.empty();
  }
};

/// All launches of one kernel. The counts are those of all launches together; those of groups,
/// lanes and scratch are the largest.
struct gpu_kernel {
  seam::launch_counts sum;
  std::uint64_t launches = 0;
  std::uint64_t estimates = 0;   ///< launches that count like earlier ones
  std::uint64_t groups = 0;      ///< of all launches
  std::uint64_t lanes = 0;       ///< of all groups
  std::uint64_t atomics = 0;     ///< accesses of lanes
  gpu_bound bound;               ///< of all launches
  std::uint64_t sectors = 0;     ///< of all accesses but scratch
  std::uint64_t used_bytes = 0;  ///< of the same
  std::uint64_t requests = 0;    ///< of the same
};
/// All copies between the same two places.
struct gpu_copy {
  seam::copy_counts sum;
  std::uint64_t count = 0;
  std::uint64_t repeated = 0;
  std::uint64_t repeated_bytes = 0;
};
/// A profile: kernels and copies, those with the largest bound first.
struct gpu_totals {
  gpu_model model;
  std::vector<gpu_kernel> kernels;
  std::vector<gpu_copy> copies;
  gpu_bound bound;             ///< of all kernels
  double copy_time = 0;        ///< the least time of all copies between host and device, in seconds
  std::string ended_early_by;  ///< "SIGINT", "an uncaught error", or empty
  double time() const { return bound.time + copy_time; }
};
/// The least time of copies on the link to the host; zero for copies on the device.
double copy_time_of(const seam::copy_counts& copies, const gpu_model& model);

/// "parallel_for \"label\"", or its place.
std::string name_of(const gpu_kernel& kernel);
/// "400 launches (360 counted like earlier ones)".
std::string launches_of(std::uint64_t launches, std::uint64_t estimates = 0);
/// "heat.cpp:31", without folders; empty if unknown.
std::string place_of(const char* file, int line);

/// Bytes that were asked for, as a part of the bytes of the sectors that moved.
double efficiency_of(std::uint64_t used_bytes, std::uint64_t sectors, const gpu_model& model);
/// A part of a whole; \p otherwise if there is no whole.
inline double ratio(std::uint64_t part, std::uint64_t whole, double otherwise = 0) {
  return whole == 0 ? otherwise : static_cast<double>(part) / static_cast<double>(whole);
}
/// The groups of a mean launch of a kernel, and how many rounds of groups the device needs for it.
double groups_of(const gpu_kernel& kernel);
/// "1 group", "2.5 groups".
std::string text_of_groups(const gpu_kernel& kernel);
double rounds_of(const gpu_kernel& kernel, const gpu_model& model);
/// What the reports say besides their tables, in sentences: what the bound leaves out, what ended
/// the program, accesses that were not counted, sub-groups that the model does not have.
std::vector<std::string> gpu_notes_of(const gpu_totals& totals);
/// A time in a readable unit: "12.3 us".
std::string duration_of(double seconds);
/// The layout of an access without "Layout".
std::string layout_of(const seam::access_counts& access);
/// "read", "access" or "atomic".
const char* kind_of(const seam::access_counts& access);
/// "to the device", "to the host" or "on the device".
const char* direction_of(const gpu_copy& copy);
/// Whether an access is to scratch.
inline bool is_scratch(const seam::access_counts& a) {
  return a.kind == seam::access_kind::scratch || a.kind == seam::access_kind::atomic_scratch;
}
/// Whether an access is an atomic operation.
inline bool is_atomic(const seam::access_counts& a) {
  return a.kind == seam::access_kind::atomic || a.kind == seam::access_kind::atomic_scratch;
}

/// A sentence that says what to change, and what it costs.
struct gpu_finding {
  std::string text;
  double cost = 0;                     ///< seconds of the bound
  const gpu_kernel* kernel = nullptr;  ///< null: the whole program
};
/// What is worth changing, most costly first.
std::vector<gpu_finding> advice_for(const gpu_totals& totals);

/// A line of a file of limits.
struct gpu_limit {
  std::string kernel;  ///< its label; "*" for each; empty for the program
  std::string what;    ///< "sectors-per-request", "launches", ...
  bool is_lowest = false;
  double value = 0;
  int line = 0;
};
/// Reads a file of limits. Throws hpk::error naming the file and the wrong line.
std::vector<gpu_limit> read_gpu_limits(const std::string& path);
/// A sentence for each limit that is violated.
std::vector<std::string> violations_of(const gpu_totals& totals,
                                       const std::vector<gpu_limit>& limits,
                                       const std::string& path);

/// The reports.
std::string gpu_text_of(const gpu_totals& totals);
std::string gpu_html_of(const gpu_totals& totals);
std::string gpu_json_of(const gpu_totals& totals);
/// What the times of the reports are not made of.
extern const char* const what_bound_leaves_out;

/// Begins to collect: sets seam::current_device_profile. Throws hpk::error for an unknown model, a
/// wrong file of limits, and a file that can't be written.
void begin_gpu_profile(const gpu_request& request);
/// Writes the reports of what was begun, and checks the limits: if one is violated, the program
/// ends with status 3. \p ended_early_by: what ended the program, or null. Without a begin it does
/// nothing.
void end_gpu_profile(const char* ended_early_by);

}  // namespace hpk::detail
