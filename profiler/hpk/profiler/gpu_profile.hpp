// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile of a GPU that Emu counts: sums launches by kernel and reports them as text, HTML and
// JSON, with a lower bound of the time from a model of a device, advice, and limits that the
// program must keep. Internal to profiler/.
#pragma once

#include <hpk/profiler/gpu_model.hpp>
#include <hpk/seam/device_profile.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hpk::detail {

/// The reports to write and their files, the model, and the file of limits.
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

/// Sums over all launches of one kernel; groups, lanes and scratch in `sum` are the largest
/// of any launch.
struct gpu_kernel {
  seam::launch_counts sum;
  std::uint64_t launches = 0;
  std::uint64_t estimates = 0;   ///< launches that are counted like earlier ones
  std::uint64_t groups = 0;      ///< sum over launches
  std::uint64_t lanes = 0;       ///< sum over groups
  std::uint64_t atomics = 0;     ///< atomic accesses of lanes
  gpu_bound bound;               ///< sum over launches
  std::uint64_t sectors = 0;     ///< sectors of all accesses except scratch
  std::uint64_t used_bytes = 0;  ///< bytes of all accesses except scratch
  std::uint64_t requests = 0;    ///< requests of all accesses except scratch
};
/// All copies between two places in one direction.
struct gpu_copy {
  seam::copy_counts sum;
  std::uint64_t count = 0;
  std::uint64_t repeated = 0;
  std::uint64_t repeated_bytes = 0;
};
/// A profile: kernels and copies, largest bound first.
struct gpu_totals {
  gpu_model model;
  std::vector<gpu_kernel> kernels;
  std::vector<gpu_copy> copies;
  gpu_bound bound;             ///< sum over kernels
  double copy_time = 0;        ///< lower bound for all copies between host and device in seconds
  std::string ended_early_by;  ///< "SIGINT", "an uncaught error", or empty
  double time() const { return bound.time + copy_time; }
};
/// Returns a lower bound for the time of copies on the link to the host; zero for copies on the
/// device.
double copy_time_of(const seam::copy_counts& copies, const gpu_model& model);

/// Returns "parallel_for \"label\"", or the place of the launch without a label.
std::string name_of(const gpu_kernel& kernel);
/// Returns "400 launches (360 counted like earlier ones)".
std::string launches_of(std::uint64_t launches, std::uint64_t estimates = 0);
/// Returns "heat.cpp:31", without folders; empty if unknown.
std::string place_of(const char* file, int line);

/// Returns the requested bytes as a fraction of the bytes in the sectors that moved.
double efficiency_of(std::uint64_t used_bytes, std::uint64_t sectors, const gpu_model& model);
/// Returns part / whole, or \p fallback if the whole is 0.
inline double ratio(std::uint64_t part, std::uint64_t whole, double fallback = 0) {
  return whole == 0 ? fallback : static_cast<double>(part) / static_cast<double>(whole);
}
/// Returns the mean number of groups of a kernel's launches; rounds_of(): the rounds of groups that
/// the device needs for them.
double groups_of(const gpu_kernel& kernel);
/// Returns "1 group", "2.5 groups".
std::string text_of_groups(const gpu_kernel& kernel);
double rounds_of(const gpu_kernel& kernel, const gpu_model& model);
/// Returns the notes of the reports: what the bound leaves out, what ended the program, accesses
/// that were not counted, sub-group sizes that the model does not have.
std::vector<std::string> gpu_notes_of(const gpu_totals& totals);
/// Returns a time in a readable unit: "12.3 us".
std::string duration_of(double seconds);
/// Returns the layout of an access without "Layout".
std::string layout_of(const seam::access_counts& access);
/// Returns "read", "access" or "atomic".
const char* kind_of(const seam::access_counts& access);
/// Returns "to the device", "to the host" or "on the device".
const char* copy_direction(const gpu_copy& copy);
/// Whether an access is to scratch.
inline bool is_scratch(const seam::access_counts& a) {
  return a.kind == seam::access_kind::scratch || a.kind == seam::access_kind::atomic_scratch;
}
/// Whether an access is an atomic operation.
inline bool is_atomic(const seam::access_counts& a) {
  return a.kind == seam::access_kind::atomic || a.kind == seam::access_kind::atomic_scratch;
}

/// A sentence of advice, and its benefit.
struct gpu_finding {
  std::string text;
  double cost = 0;                     ///< time that it costs, in seconds of the bound
  const gpu_kernel* kernel = nullptr;  ///< null: the whole program
};
/// Returns the advice, most costly first.
std::vector<gpu_finding> advice_for(const gpu_totals& totals);

/// A line of a file of limits.
struct gpu_limit {
  std::string kernel;  ///< label; "*" for every kernel; empty for the program
  std::string what;    ///< "sectors-per-request", "launches", ...
  bool is_lowest = false;
  double value = 0;
  int line = 0;
};
/// Reads a file of limits. Throws hpk::error with the name of the file and the wrong line.
std::vector<gpu_limit> read_gpu_limits(const std::string& path);
/// Returns a sentence for each violated limit.
std::vector<std::string> violations_of(const gpu_totals& totals,
                                       const std::vector<gpu_limit>& limits,
                                       const std::string& path);

/// The reports.
std::string gpu_text_of(const gpu_totals& totals);
std::string gpu_html_of(const gpu_totals& totals);
std::string gpu_json_of(const gpu_totals& totals);
/// The sentence that names what the times of the reports leave out.
extern const char* const note_on_bounds;

/// Begins to collect: sets seam::current_device_profile. Throws hpk::error for an unknown model, an
/// invalid file of limits, and a file that can't be written.
void begin_gpu_profile(const gpu_request& request);
/// Writes the reports of the profile that was begun, if any, and checks the limits: if one is
/// violated, the program ends with status 3. \p ended_early_by: what ended the program, or null.
void end_gpu_profile(const char* ended_early_by);

}  // namespace hpk::detail
