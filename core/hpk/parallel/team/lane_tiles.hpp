// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of a team that exchange values: all lanes, its threads, or an aligned block of lanes
// within a sub-group.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/base/types.hpp>
#include <hpk/seam/abilities.hpp>

namespace hpk::detail {

/// Returns a copy of the part of a lane that synchronises and exchanges values:
/// lane.exchange_handle() if the lane has one, else the lane.
HPK_CALLS_EITHER
template <class Lane>
HPK_FORCEINLINE_FUNCTION auto exchange_handle_of(const Lane& lane) {
  if constexpr (seam::has_exchange_handle<Lane>) {
    return lane.exchange_handle();
  } else {
    return lane;
  }
}

/// The aligned block of up to `width` lanes that contains a lane: the vector lanes of a thread, or
/// a sub-group. It exchanges values by shuffles, without scratch.
template <class Lane>
class subgroup_tile {
 public:
  static constexpr bool by_shuffle = true;
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION subgroup_tile(const Lane& lane, int width) : lane_(lane), width_(width) {}
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int lane_index() const noexcept { return lane_.lane_index() & (width_ - 1); }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int lanes() const noexcept {
    const int left = lane_.lanes() - (lane_.lane_index() & ~(width_ - 1));
    return left < width_ ? left : width_;
  }
  HPK_CALLS_EITHER
  template <class T>
  HPK_INLINE_FUNCTION T shuffle(const T& value, int from) const {
    return lane_.shuffle(value, from, width_);
  }
  HPK_INLINE_FUNCTION const Lane& calling_lane() const noexcept { return lane_; }
  HPK_INLINE_FUNCTION int width() const noexcept { return width_; }

 private:
  Lane lane_;
  int width_;
};

/// The threads of a team, each of 1 << vector_shift lanes. The first lane of a thread publishes its
/// values; all its lanes receive values.
template <class Lane>
class thread_tile {
 public:
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION thread_tile(const Lane& lane, int vector_shift)
      : lane_(lane), shift_(vector_shift) {}
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int lane_index() const noexcept { return lane_.lane_index() >> shift_; }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int lanes() const noexcept { return lane_.lanes() >> shift_; }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION bool leads() const noexcept {
    return (lane_.lane_index() & ((1 << shift_) - 1)) == 0;
  }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION void barrier() const { lane_.barrier(); }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION void barrier_of(const void* kind) const
    requires seam::finds_divergence<Lane>
  {
    lane_.barrier_of(kind);
  }
  HPK_INLINE_FUNCTION const Lane& calling_lane() const noexcept { return lane_; }
  HPK_INLINE_FUNCTION int vector_shift() const noexcept { return shift_; }

 private:
  Lane lane_;
  int shift_;
};

/// The calling lane of a tile of threads or lanes, and the binary logarithm of the number of lanes
/// of a thread.
HPK_CALLS_EITHER
template <class Tile>
HPK_FORCEINLINE_FUNCTION const auto& calling_lane(const Tile& tile) noexcept {
  if constexpr (requires { tile.calling_lane(); }) {
    return tile.calling_lane();
  } else {
    return tile;
  }
}
template <class Tile>
HPK_FORCEINLINE_FUNCTION int vector_shift_of(const Tile& tile) noexcept {
  if constexpr (requires { tile.vector_shift(); }) {
    return tile.vector_shift();
  } else {
    return 0;
  }
}

/// True on the lane that publishes values for its thread.
HPK_CALLS_EITHER
template <class Tile>
HPK_FORCEINLINE_FUNCTION bool leads(const Tile& tile) {
  if constexpr (requires { tile.leads(); }) {
    return tile.leads();
  } else {
    return true;
  }
}

template <class Tile>
inline constexpr bool exchanges_by_shuffle = requires { requires Tile::by_shuffle; };

/// Synchronises the lanes of a sub-group; all of them must call it.
HPK_CALLS_EITHER
template <class Lane>
HPK_FORCEINLINE_FUNCTION void sync_subgroup(const Lane& lane) {
  if constexpr (requires { lane.sync(); }) {
    lane.sync();
  } else {
    lane.sync(lane.subgroup());
  }
}

/// Rejects values that the lanes of a team can't exchange.
template <class Lane, class V>
HPK_INLINE_FUNCTION constexpr void expect_shared_values() {
  constexpr bool fits = seam::shares_stacks<Lane> || is_passed_as_bytes<V>;
  static_assert(fits,
                "hpk: values that the lanes of a team share on a GPU must be copyable as bytes");
}

/// A variable whose address identifies an exchange, to detect lanes that wait in different
/// exchanges.
template <class V, class Use>
inline constexpr char kind_of_exchange = 0;

/// Waits at the barrier between publishing and receiving values.
HPK_CALLS_EITHER
template <class V, class Use, class Lane>
HPK_FORCEINLINE_FUNCTION void exchange_barrier(const Lane& lane) {
  if constexpr (seam::finds_divergence<Lane>) {
    HPK_IF_ON_HOST((lane.barrier_of(&kind_of_exchange<V, Use>);))
    HPK_IF_ON_DEVICE((lane.barrier();))
  } else {
    lane.barrier();
  }
}

}  // namespace hpk::detail
