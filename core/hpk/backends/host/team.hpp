// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of a group of several on a host: fibres of one worker, whatever its space, so that
// teams of up to 1024 lanes have barriers that work (R8). A team of one is a plain call.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/seam/lane.hpp>

namespace hpk::host {

/// What lanes need to meet: who one is, of how many. Small enough for a register.
class meeting {
 public:
  /// Lanes may look at what lies on each other's stacks, between two barriers.
  static constexpr bool shares_stacks = true;

  HPK_FUNCTION constexpr meeting(int index, int lanes) noexcept : index_(index), lanes_(lanes) {}
  HPK_FUNCTION constexpr int lane_index() const noexcept { return index_; }
  HPK_FUNCTION constexpr int lanes() const noexcept { return lanes_; }
  /// Waits for all lanes. Throws through the lane when the group stops meanwhile.
  HPK_FUNCTION void barrier() const { HPK_IF_ON_HOST((if (lanes_ != 1) meet();)) }

 private:
  static void meet();

  int index_;
  int lanes_;
};

/// A lane of a group of one or more.
class team_lane : public meeting {
 public:
  static constexpr bool single = false;
  static constexpr bool takes_neighbours = true;

  HPK_FUNCTION team_lane(index_t group, index_t groups, int index, int lanes, std::byte* scratch0,
                         std::byte* scratch1) noexcept
      : meeting(index, lanes), group_(group), groups_(groups), scratch_{scratch0, scratch1} {}

  HPK_FUNCTION index_t group() const noexcept { return group_; }
  HPK_FUNCTION index_t groups() const noexcept { return groups_; }
  HPK_FUNCTION static constexpr int subgroup() noexcept { return 1; }
  /// Itself as far as meeting goes.
  HPK_FUNCTION const meeting& party() const noexcept { return *this; }
  HPK_FUNCTION std::byte* scratch(int level) const noexcept { return scratch_[level]; }
  template <class T>
  HPK_FUNCTION static constexpr T shuffle(T value, int) noexcept {
    return value;
  }
  HPK_FUNCTION static constexpr bool any(bool flag) noexcept { return flag; }
  HPK_FUNCTION static constexpr void at(index_t) noexcept {}

 private:
  index_t group_;
  index_t groups_;
  std::byte* scratch_[2];
};

static_assert(seam::lane_context<team_lane>);

/// What run_lanes runs.
struct lane_call {
  void (*run)(const void* body, int index);
  const void* body;
};

/// Calls for every lane of one group, on the calling thread, which runs a kernel. Throws what a
/// lane threw; hpk::error when lanes wait at a barrier for lanes that never come, and in a build
/// without fibres.
void run_lanes(const lane_call& call, index_t group, int lanes);

}  // namespace hpk::host
