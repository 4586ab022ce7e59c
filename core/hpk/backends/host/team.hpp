// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of a host group with several lanes: fibres of one worker, on every host space, so that
// teams of up to 1024 lanes have working barriers (rule "teams of up to 1024 threads"). A team of
// one is a plain call.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/seam/lane.hpp>

namespace hpk::fibers {
class fiber_group;
}

namespace hpk::host {

/// A lane as a member of its group: index, size and synchronisation. Fits in a register.
class sync_group {
 public:
  /// Whether lanes may read each other's stacks between two barriers.
  static constexpr bool shares_stacks = true;

  HPK_FUNCTION constexpr sync_group(int index, int lanes) noexcept : index_(index), lanes_(lanes) {}
  HPK_FUNCTION constexpr int lane_index() const noexcept { return index_; }
  HPK_FUNCTION constexpr int lanes() const noexcept { return lanes_; }
  /// Waits for all lanes of the group. If the group stops meanwhile, throws through the lane.
  HPK_FUNCTION void barrier() const { HPK_IF_ON_HOST((if (lanes_ != 1) wait_for_all(nullptr);)) }
  /// Waits in the same way; barriers of different `kind` do not match.
  HPK_FUNCTION void barrier_of([[maybe_unused]] const void* kind) const {
    HPK_IF_ON_HOST((if (lanes_ != 1) wait_for_all(kind);))
  }

  /// Waits in the same way; the last lane to arrive calls work(context) before any lane continues.
  HPK_FUNCTION void barrier_of([[maybe_unused]] const void* kind, void (*work)(void*),
                               void* context) const {
    if (lanes_ == 1) {
      work(context);
      return;
    }
    HPK_IF_ON_HOST((wait_for_all(kind, work, context);))
  }

  /// The number of lanes of a subgroup, as on most GPUs.
  static constexpr int subgroup_lanes = 32;
  HPK_FUNCTION constexpr int subgroup() const noexcept { return lanes_ == 1 ? 1 : subgroup_lanes; }
  /// Returns the value of lane `from` within the block of `width` lanes, or the lane's own if there
  /// is no such lane. All lanes of the block must call it.
  template <class T>
  HPK_FUNCTION T shuffle(const T& value, [[maybe_unused]] int from,
                         [[maybe_unused]] int width) const {
    HPK_IF_ON_HOST((if (lanes_ != 1 && width != 1) {
      const T result = *static_cast<const T*>(exchange(&value, from, width));
      sync(width);
      return result;
    }))
    return value;
  }
  template <class T>
  HPK_FUNCTION T shuffle(const T& value, int from) const {
    return shuffle(value, from, subgroup());
  }
  /// Returns the flags of the lanes of the subgroup, as bits. All lanes of the subgroup must call
  /// it.
  HPK_FUNCTION std::uint64_t ballot(bool flag) const {
    HPK_IF_ON_HOST((if (lanes_ != 1) return gather_flags(flag);))
    return flag ? 1 : 0;
  }
  HPK_FUNCTION bool any(bool flag) const { return ballot(flag) != 0; }
  /// Waits for the lanes of its block of `width` lanes.
  HPK_FUNCTION void sync([[maybe_unused]] int width) const {
    HPK_IF_ON_HOST((if (lanes_ != 1 && width != 1) sync_block(width);))
  }

 private:
  void wait_for_all(const void* kind, void (*work)(void*) = nullptr, void* context = nullptr) const;
  void sync_block(int width) const;
  // The pointer that lane `from` published; valid until the block synchronises again.
  const void* exchange(const void* own_value, int from, int width) const;
  std::uint64_t gather_flags(bool flag) const;
  // The group of this lane; throws hpk::error when the thread runs a lane of another group.
  fibers::fiber_group& group() const;

  int index_;
  int lanes_;
};

/// A lane of a group with one or more lanes.
class team_lane : public sync_group {
 public:
  static constexpr bool single = false;
  static constexpr bool takes_neighbours = true;

  HPK_FUNCTION team_lane(index_t group, index_t groups, int index, int lanes, std::byte* scratch0,
                         std::byte* scratch1) noexcept
      : sync_group(index, lanes), group_(group), groups_(groups), scratch_{scratch0, scratch1} {}

  HPK_FUNCTION index_t group() const noexcept { return group_; }
  HPK_FUNCTION index_t groups() const noexcept { return groups_; }
  /// The object that synchronises the lane with its group.
  HPK_FUNCTION const sync_group& exchange_handle() const noexcept { return *this; }
  HPK_FUNCTION std::byte* scratch(int level) const noexcept { return scratch_[level]; }
  HPK_FUNCTION static constexpr void at(index_t) noexcept {}

 private:
  index_t group_;
  index_t groups_;
  std::byte* scratch_[2];
};

static_assert(seam::lane_context<team_lane>);

/// The type-erased argument of run_lanes.
struct lane_call {
  void (*run)(const void* body, int index);
  const void* body;
};

/// Runs `call` for every lane of a group, on the calling thread, inside a kernel. Rethrows the
/// exception of a lane; throws hpk::error when lanes wait at a barrier or in a subgroup for lanes
/// that never arrive.
void run_lanes(const lane_call& call, index_t group, int lanes);

}  // namespace hpk::host
