// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lane of a target region: one thread of a parallel region, which is its group. OpenMP has no
// shuffles, so every lane is its own sub-group. It has no scratch of run-time size either, so both
// levels are blocks of device memory.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/seam/lane.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::openmp_target {

/// Models seam::lane_context on OpenMP.
class lane {
 public:
  static constexpr bool single = false;
  static constexpr bool takes_neighbours = false;

  /// Lane `index` of `lanes` of a group, with the group's scratch of both levels.
  HPK_INLINE_FUNCTION lane(index_t group, index_t groups, int index, int lanes, std::byte* small,
                           std::byte* large) noexcept
      : group_(group), groups_(groups), scratch_{small, large}, index_(index), lanes_(lanes) {}

  HPK_INLINE_FUNCTION index_t group() const noexcept { return group_; }
  HPK_INLINE_FUNCTION index_t groups() const noexcept { return groups_; }
  HPK_INLINE_FUNCTION int lane_index() const noexcept { return index_; }
  HPK_INLINE_FUNCTION int lanes() const noexcept { return lanes_; }
  HPK_INLINE_FUNCTION int subgroup() const noexcept { return 1; }
  /// Waits for all lanes of the group; implies an OpenMP flush.
  HPK_INLINE_FUNCTION void barrier() const {
#if HPK_HAS_OPENMP_COMPILER
#pragma omp barrier
#endif
  }
  HPK_INLINE_FUNCTION std::byte* scratch(int level) const noexcept { return scratch_[level]; }
  template <class T>
  HPK_INLINE_FUNCTION T shuffle(T value, int /*from*/) const {
    return value;
  }
  template <class T>
  HPK_INLINE_FUNCTION T shuffle(T value, int /*from*/, int /*width*/) const {
    return value;
  }
  HPK_INLINE_FUNCTION void sync(int /*width*/) const noexcept {}
  HPK_INLINE_FUNCTION bool any(bool flag) const noexcept { return flag; }
  HPK_INLINE_FUNCTION std::uint64_t ballot(bool flag) const noexcept { return flag ? 1 : 0; }
  /// Does nothing: a kernel on a device does not throw.
  HPK_INLINE_FUNCTION void at(index_t) const noexcept {}

 private:
  index_t group_;
  index_t groups_;
  std::byte* scratch_[2];
  int index_;
  int lanes_;
};

static_assert(seam::lane_context<lane>);

}  // namespace hpk::openmp_target
