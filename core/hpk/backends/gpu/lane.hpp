// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lane of a GPU: one of many in a group. R spells what the vendors name differently; nothing is
// stored but the group's large scratch, so on a GPU the rest are register reads.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/seam/lane.hpp>

#include <cstddef>

namespace hpk::gpu {

/// Models seam::lane_context over the in-kernel names of a runtime R.
template <class R>
class lane {
 public:
  static constexpr bool single = false;
  static constexpr bool takes_neighbours = R::takes_neighbours;

  /// `large` is the group's scratch of level 1, or null.
  HPK_INLINE_FUNCTION explicit lane(std::byte* large) noexcept : large_(large) {}

  HPK_INLINE_FUNCTION index_t group() const noexcept { return R::group(); }
  HPK_INLINE_FUNCTION index_t groups() const noexcept { return R::groups(); }
  HPK_INLINE_FUNCTION int lane_index() const noexcept { return R::lane_index(); }
  HPK_INLINE_FUNCTION int lanes() const noexcept { return R::lanes(); }
  HPK_INLINE_FUNCTION int subgroup() const noexcept { return R::subgroup(); }
  HPK_INLINE_FUNCTION void barrier() const { R::barrier(); }
  HPK_INLINE_FUNCTION std::byte* scratch(int level) const noexcept {
    return level == 0 ? R::scratch() : large_;
  }
  /// The value of lane `from` of the subgroup. Every lane of the subgroup calls it.
  template <class T>
  HPK_INLINE_FUNCTION T shuffle(T value, int from) const {
    return R::shuffle(value, from);
  }
  /// Whether the flag of any lane of the subgroup is set. Every lane of the subgroup calls it.
  HPK_INLINE_FUNCTION bool any(bool flag) const { return R::any(flag); }
  /// Nothing to do: a kernel of a GPU does not throw.
  HPK_INLINE_FUNCTION void at(index_t) const noexcept {}

 private:
  std::byte* large_;
};

}  // namespace hpk::gpu
