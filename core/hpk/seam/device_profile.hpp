// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an emulated device counts of each launch, and where it reports the counts: the requests of
// its sub-groups to memory, the sectors that they move, conflicts in the banks of scratch, atomic
// operations on one address, barriers, and copies. The counts depend on the program alone: neither
// on the number of OS threads nor on the order of lanes.
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

/// What an access is.
enum class access_kind {
  plain,          ///< a load or a store of an element in memory of the device
  atomic,         ///< an atomic operation there
  scratch,        ///< a load or a store in scratch
  atomic_scratch  ///< an atomic operation there
};

/// What the lanes of a launch did at one place of the program to one View. A request is what the
/// lanes of one sub-group ask for at once.
struct access_counts {
  access_kind kind = access_kind::plain;
  const char* file = nullptr;  ///< of the access; null if unknown
  int line = 0;
  std::string label;        ///< of the View; empty if unknown
  const char* layout = "";  ///< of the View: "LayoutLeft", "LayoutRight", "LayoutStride", or empty
  int rank = 0;             ///< of the View
  /// The index in which more than seven of eight neighbouring lanes differ, and in no other, in
  /// their first accesses; -1 if there is none.
  int lane_index = -1;
  /// By how much it differs between more than seven of eight neighbouring lanes; 0 if there is no
  /// such number.
  index_t lane_stride = 0;
  bool read_only = false;         ///< the View's elements are const
  std::size_t element_bytes = 0;  ///< of an element
  std::uint64_t accesses = 0;     ///< of lanes
  std::uint64_t requests = 0;
  std::uint64_t full_accesses = 0;  ///< if all lanes of the sub-groups had taken part
  std::uint64_t used_bytes = 0;     ///< distinct bytes of each request, summed up
  std::uint64_t runs = 0;           ///< pieces without gaps that these bytes make, summed up
  std::uint64_t sectors = 0;        ///< distinct sectors of each request, summed up
  std::uint64_t ideal_sectors = 0;  ///< the same if the used bytes lay side by side
  /// Of scratch: the cycles of each request, summed up. In a cycle each bank serves one word, to
  /// any number of lanes.
  std::uint64_t bank_cycles = 0;
  std::uint64_t ideal_bank_cycles = 0;  ///< the same without conflicts
  /// Of atomic operations: the most lanes on one element, of each request, summed up.
  std::uint64_t serial_atomics = 0;

  /// Adds the counts of other accesses; what they are stays as it is.
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

/// What a launch did to the memory of a View.
struct view_counts {
  std::string label;
  std::size_t bytes = 0;                ///< of the whole View
  std::uint64_t sectors = 0;            ///< distinct sectors that the launch accessed
  std::uint64_t sectors_of_groups = 0;  ///< distinct sectors of each group, summed up
};

/// An element that many atomic operations updated.
struct hot_element {
  std::string label;  ///< of its View
  std::size_t byte;   ///< where it lies in the View
  std::uint64_t operations;
};

/// All counts of a launch.
struct launch_counts {
  std::string pattern;  ///< as in launch_info
  std::string label;
  const char* file = nullptr;
  int line = 0;
  index_t groups = 0;
  int lanes = 0;  ///< of a group
  int subgroup = 0;
  std::size_t scratch_bytes[2] = {0, 0};  ///< of a group
  std::uint64_t barriers = 0;             ///< of whole groups, counted once for each group
  std::uint64_t syncs = 0;                ///< of parts of groups, counted once for each lane
  /// Not counted: the counts are those of an earlier launch of the same kernel in the same shape.
  bool is_estimate = false;
  /// Accesses that were left out of `accesses` and `views`: a lane's beyond a limit in long loops.
  std::uint64_t unseen_accesses = 0;
  std::vector<access_counts> accesses;
  std::vector<view_counts> views;
  std::vector<hot_element> hot;  ///< the ten with the most operations, most first
};

/// A copy between host and device, or on the device.
struct copy_counts {
  std::string to;    ///< the label of the destination; empty if unknown
  std::string from;  ///< of the source
  bool to_device = false;
  bool from_device = false;
  std::size_t bytes = 0;
  /// The same bytes were copied before from there to there, and are there still.
  bool is_repeated = false;
};

/// The hardware that is counted for, and the functions that receive the counts.
struct device_profile {
  int sector_bytes = 32;
  int banks = 32;
  int bank_bytes = 4;
  void (*on_launch)(const launch_counts& counts) = nullptr;  ///< thread-safe
  void (*on_copy)(const copy_counts& counts) = nullptr;      ///< thread-safe
};

/// Set before a backend starts, or null. Emulated devices then give each iteration a lane of its
/// own, as GPUs do.
extern HPK_EXPORT constinit detail::atomic_word<const device_profile*> current_device_profile;

}  // namespace hpk::seam
