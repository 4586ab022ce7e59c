// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counts that an emulated device makes of each launch, and the functions that receive them:
// memory requests of sub-groups, sectors moved, bank conflicts in scratch, atomic operations on one
// address, barriers, and copies. The counts depend on the program alone, not on the number of OS
// threads or the order of lanes.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>
#include <hpk/seam/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hpk::seam {

/// Kinds of accesses.
enum class access_kind {
  plain,          ///< load or store of an element in device memory
  atomic,         ///< atomic operation in device memory
  scratch,        ///< load or store in scratch
  atomic_scratch  ///< atomic operation in scratch
};

/// Counts of the accesses that the lanes of a launch make to one View at one place of the program.
/// A request is the set of simultaneous accesses by the lanes of one sub-group.
struct access_counts {
  access_kind kind = access_kind::plain;
  const char* file = nullptr;  ///< source file of the access; null if unknown
  int line = 0;
  std::string label;        ///< label of the View; empty if unknown
  const char* layout = "";  ///< "LayoutLeft", "LayoutRight", "LayoutStride", or empty
  int rank = 0;             ///< rank of the View
  /// The only index in which the first accesses of more than seven in eight pairs of neighbouring
  /// lanes differ; -1 if no index or several do.
  int lane_index = -1;
  /// The difference of that index that more than seven in eight pairs of neighbouring lanes share;
  /// 0 if they differ.
  index_t lane_stride = 0;
  bool read_only = false;         ///< the View's elements are const
  std::size_t element_bytes = 0;  ///< size of an element
  std::uint64_t accesses = 0;     ///< number of accesses, counted for each lane
  std::uint64_t requests = 0;
  std::uint64_t full_accesses = 0;  ///< accesses if all lanes of the sub-groups had taken part
  std::uint64_t used_bytes = 0;     ///< distinct bytes of each request, summed over requests
  std::uint64_t runs = 0;  ///< contiguous runs of these bytes in each request, summed over requests
  std::uint64_t sectors = 0;        ///< distinct sectors of each request, summed over requests
  std::uint64_t ideal_sectors = 0;  ///< sectors if the used bytes of each request were contiguous
  /// For scratch: cycles of each request, summed over requests. In a cycle each bank serves one
  /// word, to any number of lanes.
  std::uint64_t bank_cycles = 0;
  std::uint64_t ideal_bank_cycles = 0;  ///< bank_cycles without bank conflicts
  /// For atomic operations: the maximum number of lanes on one element in each request, summed over
  /// requests.
  std::uint64_t serial_atomics = 0;

  /// Adds the counts of other accesses. The description (kind, place, View) is unchanged.
  void add(const access_counts& other) noexcept {
    accesses += other.accesses;
    requests += other.requests;
    full_accesses += other.full_accesses;
    used_bytes += other.used_bytes;
    runs += other.runs;
    sectors += other.sectors;
    ideal_sectors += other.ideal_sectors;
    bank_cycles += other.bank_cycles;
    ideal_bank_cycles += other.ideal_bank_cycles;
    serial_atomics += other.serial_atomics;
  }
};

/// Counts of a launch for the memory of one View.
struct view_counts {
  std::string label;
  std::size_t bytes = 0;                ///< size of the whole View
  std::uint64_t sectors = 0;            ///< distinct sectors that the launch accessed
  std::uint64_t sectors_of_groups = 0;  ///< distinct sectors of each group, summed over groups
};

/// An element that many atomic operations modified.
struct hot_element {
  std::string label;  ///< label of the View
  std::size_t byte;   ///< offset in the View
  std::uint64_t operations;
};

/// All counts of a launch.
struct launch_counts {
  std::string pattern;  ///< as in launch_info
  std::string label;
  const char* file = nullptr;
  int line = 0;
  index_t groups = 0;
  int lanes = 0;  ///< number of lanes of a group
  int subgroup = 0;
  std::size_t scratch_bytes[2] = {0, 0};  ///< scratch of a group, by level
  std::uint64_t barriers = 0;             ///< barriers of whole groups, counted once for each group
  std::uint64_t syncs = 0;  ///< synchronisations of parts of groups, counted once for each lane
  /// True if this launch was not counted: the counts are copied from an earlier launch of the same
  /// kernel in the same shape.
  bool is_estimate = false;
  /// Accesses that `accesses` and `views` omit: the accesses of a lane beyond a limit, in long
  /// loops.
  std::uint64_t unseen_accesses = 0;
  std::vector<access_counts> accesses;
  std::vector<view_counts> views;
  std::vector<hot_element> hot;  ///< the ten with the most operations, in descending order
};

/// A copy between host and device, or on the device.
struct copy_counts {
  std::string to;    ///< the label of the destination; empty if unknown
  std::string from;  ///< the label of the source; empty if unknown
  bool to_device = false;
  bool from_device = false;
  std::size_t bytes = 0;
  /// True if an earlier copy between the same places wrote the same bytes and they are unchanged.
  bool is_repeated = false;
};

/// The hardware parameters of the counts, and the functions that receive the counts.
struct device_profile {
  int sector_bytes = 32;
  int banks = 32;
  int bank_bytes = 4;
  void (*on_launch)(const launch_counts& counts) = nullptr;  ///< thread-safe
  void (*on_copy)(const copy_counts& counts) = nullptr;      ///< thread-safe
};

/// The profile, or null. Must be set before a backend starts. With a profile, emulated devices run
/// each iteration on a separate lane, as GPUs do.
extern HPK_EXPORT constinit detail::atomic_word<const device_profile*> current_device_profile;

}  // namespace hpk::seam
