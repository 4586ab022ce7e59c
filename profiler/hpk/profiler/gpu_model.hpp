// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of GPUs, and the least time that a launch can take on one. Internal to runtime/. The files
// in gpu_models/ are compiled in.
#pragma once

#include <hpk/seam/device_profile.hpp>

#include <array>
#include <string>
#include <string_view>

namespace hpk::detail {

/// What a launch needs of a device; the largest of them bounds its time from below.
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
  double l1_bytes_per_clock = 0;    ///< of one multiprocessor
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
/// Ends with a model without a name.
extern const embedded_gpu_model embedded_gpu_models[];

/// The model of this name, or in the file of this path. Throws hpk::error naming the known ones, or
/// the wrong line.
gpu_model find_gpu_model(const std::string& name_or_path);

/// How many groups of a launch are on a multiprocessor at once, and what limits them.
struct gpu_occupancy {
  int groups = 0;            ///< 0: the launch does not fit
  const char* limit = "";    ///< "lanes", "groups" or "scratch"
  int groups_otherwise = 0;  ///< without the limit by scratch
  double lanes = 0;          ///< those of the groups, as a part of all
};
gpu_occupancy occupancy_of(const gpu_model& model, int lanes, std::size_t scratch_bytes);

/// The least times of launches, in seconds, summed up.
struct gpu_bound {
  std::array<double, gpu_terms> terms{};
  double time = 0;       ///< the largest term of each launch, summed up
  double time_even = 0;  ///< the same if all multiprocessors had the same share of the groups
  double of(gpu_term term) const { return terms[static_cast<std::size_t>(term)]; }
  /// The largest term.
  gpu_term binding() const;
  /// The largest term besides the cost of launches.
  double work() const;
  gpu_bound& operator+=(const gpu_bound& other);
};
gpu_bound bound_of(const seam::launch_counts& launch, const gpu_model& model);

}  // namespace hpk::detail
