// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lane of a group of one, which every host space passes to its kernels. Barriers, shuffles and
// lane() are constants, so the optimiser sees a bare loop.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/seam/lane.hpp>

namespace hpk::host {

/// The only lane of its group.
class lane {
 public:
  static constexpr bool single = true;

  HPK_FUNCTION lane(index_t group, index_t groups, std::byte* scratch0,
                    std::byte* scratch1) noexcept
      : group_(group), groups_(groups), first_(group), scratch_{scratch0, scratch1} {}

  HPK_FUNCTION index_t group() const noexcept { return group_; }
  HPK_FUNCTION index_t groups() const noexcept { return groups_; }
  HPK_FUNCTION static constexpr int lane_index() noexcept { return 0; }
  HPK_FUNCTION static constexpr int lanes() noexcept { return 1; }
  HPK_FUNCTION static constexpr int subgroup() noexcept { return 1; }
  HPK_FUNCTION static constexpr void barrier() noexcept {}
  HPK_FUNCTION std::byte* scratch(int level) const noexcept { return scratch_[level]; }
  template <class T>
  HPK_FUNCTION static constexpr T shuffle(T value, int, int = 1) noexcept {
    return value;
  }
  HPK_FUNCTION static constexpr bool any(bool flag) noexcept { return flag; }
  HPK_FUNCTION static constexpr std::uint64_t ballot(bool flag) noexcept { return flag ? 1 : 0; }
  HPK_FUNCTION static constexpr void sync(int) noexcept {}
  /// Records the first iteration in work, by which failures are ordered.
  HPK_FUNCTION void at(index_t first) noexcept { first_ = first; }
  /// The first iteration in work.
  HPK_FUNCTION index_t position() const noexcept { return first_; }

 private:
  index_t group_;
  index_t groups_;
  index_t first_;
  std::byte* scratch_[2];
};

static_assert(seam::lane_context<lane>);

}  // namespace hpk::host
