// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lane of a GPU: one of many in a group. R supplies the differences between vendors. All values
// that are not stored here are read from hardware registers.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/seam/lane.hpp>
#include <hpk/seam/machine.hpp>

#include <cstddef>

namespace hpk::gpu {

/// Models seam::lane_context with the in-kernel functions of a runtime R.
template <class R>
class lane {
 public:
  static constexpr bool single = false;
  static constexpr bool takes_neighbours = R::takes_neighbours;
  /// The folding_lanes of machine_properties, as a constant.
  static constexpr int folding_lanes = seam::machine_properties().folding_lanes;
  /// Whether each lane of a parallel_for over a range has at most one iteration.
  static constexpr bool has_one_iteration = requires { requires R::has_one_iteration; };
  /// The fewest lanes of a subgroup on any device.
  static constexpr int least_subgroup = [] {
    if constexpr (requires { R::least_subgroup; }) {
      return R::least_subgroup;
    } else {
      return 1;
    }
  }();

  /// The calling lane of a group; `large` is the group's scratch of level 1, or null.
  HPK_INLINE_FUNCTION lane(index_t group, index_t groups, std::byte* large) noexcept
      : group_(group), groups_(groups), large_(large) {}

  HPK_INLINE_FUNCTION index_t group() const noexcept { return group_; }
  HPK_INLINE_FUNCTION index_t groups() const noexcept { return groups_; }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int lane_index() const noexcept { return R::lane_index(); }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int lanes() const noexcept { return R::lanes(); }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int subgroup() const noexcept { return R::subgroup(); }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION void barrier() const { R::barrier(); }
  /// A barrier of the given kind, for runtimes that check that all lanes wait at the same one.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION void barrier_of(const void* kind) const
    requires requires { R::barrier(kind); }
  {
    R::barrier(kind);
  }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION std::byte* scratch(int level) const noexcept {
    return level == 0 ? R::scratch() : large_;
  }
  /// Returns the value of lane `from` of the subgroup, or of the aligned block of `width` lanes.
  /// All lanes of the subgroup or block must call it.
  HPK_CALLS_EITHER
  template <class T>
  HPK_INLINE_FUNCTION T shuffle(T value, int from) const {
    if constexpr (requires { R::shuffle(value, from); }) {
      return R::shuffle(value, from);
    } else {
      return R::shuffle(value, from, R::subgroup());
    }
  }
  HPK_CALLS_EITHER
  template <class T>
  HPK_INLINE_FUNCTION T shuffle(T value, int from, int width) const {
    return R::shuffle(value, from, width);
  }
  /// Whether all lanes of the subgroup exist and, on devices whose lanes diverge by themselves,
  /// make this call at once. If so, all of them get true.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION bool is_whole() const
    requires requires { R::is_whole(); }
  {
    return R::is_whole();
  }
  /// Returns the value of the lane whose number in the subgroup differs by the bits of `by`. That
  /// lane must exist, and all lanes of the subgroup must call it.
  HPK_CALLS_EITHER
  template <class T>
  HPK_INLINE_FUNCTION T shuffle_xor(T value, int by) const
    requires requires { R::shuffle_xor(value, by); }
  {
    return R::shuffle_xor(value, by);
  }
  /// Synchronises the block of `width` lanes.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION void sync(int width) const { R::sync(width); }
  /// Synchronises the whole subgroup.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION void sync() const {
    if constexpr (requires { R::sync(); }) {
      R::sync();
    } else {
      R::sync(R::subgroup());
    }
  }
  /// Returns whether the flag of any lane of the subgroup is set. All lanes of the subgroup must
  /// call it.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION bool any(bool flag) const { return R::any(flag); }
  /// Returns the flags of the lanes of the subgroup, lane k in bit k. All lanes of the subgroup
  /// must call it.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION std::uint64_t ballot(bool flag) const { return R::ballot(flag); }
  /// Whether the runtime counts the accesses of the launch.
  HPK_INLINE_FUNCTION bool is_counted() const
    requires requires { R::is_counted(); }
  {
    return R::is_counted();
  }
  /// Notes that this lane begins another iteration, for runtimes that count accesses.
  HPK_INLINE_FUNCTION void begin_iteration() const
    requires requires { R::begin_iteration(); }
  {
    R::begin_iteration();
  }
  /// Does nothing: a kernel on a GPU does not throw.
  HPK_INLINE_FUNCTION void at(index_t) const noexcept {}

 private:
  index_t group_;
  index_t groups_;
  std::byte* large_;
};

}  // namespace hpk::gpu
