// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The in-kernel context: the operations that a backend offers to a kernel body. A launch runs the
// body once for every lane of every group. The laws, each checked by a test of the conformance
// ladder:
//   L1  Every (group, lane) pair runs exactly once.
//   L2  All lanes of a group call barrier() the same number of times.
//   L3  scratch(level) is one address per group, aligned to 16 bytes, with unspecified content.
//   L4  The lanes [k * subgroup, (k + 1) * subgroup) exchange values by shuffle and ballot without
//       a barrier. Aligned blocks of lanes whose width is a smaller power of two exchange values by
//       shuffle and sync, independently of the other lanes.
//   L5  If `single` is true: lane_index() == 0, lanes() == 1, and barrier() does nothing. All are
//       known at compile time, so that kernels are plain loops.
//   L6  The work of one launch is visible to the next launch of the same instance.
//   L7  groups() is the requested number, even if fewer fit at once. A group that has started runs
//       to its end, even while its lanes wait for values that other groups publish by atomic
//       operations. A group that has not started may start only when others end. So a group may
//       wait only for groups that have started before it. A group finds its place in the order of
//       starts by an atomic counter that each group increments when it starts; group() does not
//       tell the place, because groups start in any order. A lane must not wait in this way for a
//       lane of its own group. Lanes on host threads call pause_between_polls (turn.hpp) between
//       two polls.
#pragma once

#include <hpk/base/types.hpp>

#include <concepts>
#include <cstdint>

namespace hpk::seam {

/// Models the laws above.
template <class L>
concept lane_context = requires(L& lane, int level, int from, int width, double value, bool flag) {
  { L::single } -> std::convertible_to<bool>;
  { lane.group() } -> std::convertible_to<index_t>;
  { lane.groups() } -> std::convertible_to<index_t>;
  { lane.lane_index() } -> std::convertible_to<int>;
  { lane.lanes() } -> std::convertible_to<int>;
  { lane.subgroup() } -> std::convertible_to<int>;
  // A lane that detects divergence also has barrier_of(const void* kind), which rejects lanes that
  // wait at barriers of different kinds.
  lane.barrier();
  { lane.scratch(level) } -> std::convertible_to<std::byte*>;
  { lane.shuffle(value, from) } -> std::convertible_to<double>;
  { lane.any(flag) } -> std::convertible_to<bool>;
  { lane.ballot(flag) } -> std::convertible_to<std::uint64_t>;  // bit k: the flag of lane k
  { lane.shuffle(value, from, width) } -> std::convertible_to<double>;
  lane.sync(width);  // synchronises the block and makes its writes visible to its lanes
  // Marks the first of the iterations that this lane runs next. A host backend uses the mark to
  // report the failure of the lowest iteration. A device backend may ignore it.
  lane.at(index_t{});
};

}  // namespace hpk::seam
