// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of GPUs, and lower bounds for the time of launches on them. Internal to profiler/.
// The files in gpu_models/ are compiled in.
#pragma once

#include <hpk/seam/device_profile.hpp>

#include <array>
#include <string>
#include <string_view>

namespace hpk::detail {

/// A resource that a launch needs. The largest term is a lower bound of the launch's time.
enum class gpu_term { dram, l2, l1, scratch, one_address, atomics, launch };
constexpr std::size_t gpu_terms = 7;
/// "DRAM", "L2", ...
const char* name_of(gpu_term term);

/// A device: the entries of a file in gpu_models/.
struct gpu_model {
  std::string name;
  double sector_bytes = 0;
  double banks = 0;
  double bank_bytes = 0;
  double subgroup = 0;
  double multiprocessors = 0;
  double clock = 0;                 ///< Hz
  double dram_bandwidth = 0;        ///< bytes/s
  double l2_bandwidth = 0;          ///< bytes/s
  double fill_bytes_per_clock = 0;  ///< from L2 to one multiprocessor
  double l1_bytes_per_clock = 0;    ///< per multiprocessor
  double scratch_per_multiprocessor = 0;
  double scratch_per_group = 0;
  double scratch_reserved_per_group = 0;
  double lanes_per_multiprocessor = 0;
  double groups_per_multiprocessor = 0;
  double lanes_per_group = 0;
  double atomics_per_clock_one_address = 0;
  double atomic_sectors_per_clock = 0;
  double launch_cost = 0;          ///< s
  double host_link_bandwidth = 0;  ///< bytes/s
};

/// A model that is compiled in.
struct embedded_gpu_model {
  const char* name;  ///< "h100"
  const char* text;
};
/// The last entry has no name.
extern const embedded_gpu_model embedded_gpu_models[];

/// Returns the model with this name, or the model in the file with this path. Throws hpk::error
/// with the known names or the wrong line.
gpu_model find_gpu_model(const std::string& name_or_path);

/// The number of groups of a launch that a multiprocessor runs at once, and what limits it.
struct gpu_occupancy {
  int groups = 0;                  ///< 0: the launch does not fit
  const char* limit = "";          ///< "lanes", "groups" or "scratch"
  int groups_without_scratch = 0;  ///< number of groups if scratch were unlimited
  double lanes = 0;                ///< fraction of the multiprocessor's lanes that these groups use
};
gpu_occupancy occupancy_of(const gpu_model& model, int lanes, std::size_t scratch_bytes);

/// Lower bounds for the time of launches in seconds, summed over launches.
struct gpu_bound {
  std::array<double, gpu_terms> terms{};
  double time = 0;       ///< sum of each launch's largest term
  double time_even = 0;  ///< the same sum if all multiprocessors had equal shares of the groups
  double of(gpu_term term) const { return terms[static_cast<std::size_t>(term)]; }
  /// Returns the largest term.
  gpu_term binding() const;
  /// Returns the largest term other than the cost of launches.
  double work() const;
  gpu_bound& operator+=(const gpu_bound& other);
};
gpu_bound bound_of(const seam::launch_counts& launch, const gpu_model& model);

}  // namespace hpk::detail
