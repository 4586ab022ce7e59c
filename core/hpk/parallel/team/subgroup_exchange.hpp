// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins, scans and broadcasts of small values by the lanes of a team: by shuffles within each
// sub-group, then by one exchange through scratch between the sub-groups, with one barrier. A team
// that fits a sub-group needs no barrier.
#pragma once

#include <hpk/base/bit.hpp>
#include <hpk/parallel/operations/operations.hpp>
#include <hpk/parallel/policies/team_policy.hpp>
#include <hpk/parallel/team/group.hpp>
#include <hpk/parallel/team/lane_tiles.hpp>

namespace hpk::detail {

/// The slots of a team on a device, in two halves that its exchanges use alternately: while late
/// lanes still read one half, others may write to the other half. They write to the first half
/// again only after the next barrier, which waits for those readers. So an exchange needs one
/// barrier instead of two.
class exchange_slots {
 public:
  /// `turn`: a variable of the calling lane, the same for all handles of the team; initially 0.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION exchange_slots(std::byte* begin, int lanes, unsigned& turn)
      : begin_(begin), lanes_(lanes), turn_(&turn) {}

  /// Returns the half for the next exchange, which must have one barrier, between writing and
  /// reading.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION std::byte* take_half() const {
    const unsigned turn = *turn_;
    *turn_ = turn ^ 1;
    return begin_ + turn * half_bytes();
  }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION std::size_t half_bytes() const {
    return static_cast<std::size_t>(static_cast<unsigned>(lanes_) / 2) * team_shape::slot_bytes;
  }
  /// Returns all slots, for exchanges that end with a barrier. Waits until no lane reads them.
  HPK_CALLS_EITHER
  template <class Tile>
  HPK_INLINE_FUNCTION std::byte* take_all(const Tile& tile) const {
    tile.barrier();
    return begin_;
  }

 private:
  std::byte* begin_;
  int lanes_;
  unsigned* turn_;
};

/// Whether the operands of a join may be swapped on devices; only payloads of NaNs could show it.
template <class Operations>
inline constexpr bool commutes_on_devices = requires {
  requires Operations::interleave && std::is_arithmetic_v<typename Operations::value_type>;
} && requires { requires Operations::kind != sum_kind::other; };
/// Whether the result is independent of the order of joins.
template <class Operations>
inline constexpr bool joins_exactly = requires { requires Operations::exact; };

/// Joins the values of two neighbours; the caller may be either of them.
HPK_CALLS_EITHER
template <class Operations, class V>
HPK_FORCEINLINE_FUNCTION void join_neighbour(const Operations& operations, V& value, const V& other,
                                             [[maybe_unused]] bool other_is_before) {
  if constexpr (commutes_on_devices<Operations>) {
    HPK_IF_ON_DEVICE((operations.join(value, other); return;))
  }
  HPK_IF_ON_HOST((
      if (other_is_before) {
        V before = other;
        operations.join(before, value);
        value = before;
      } else { operations.join(value, other); }))
  HPK_IF_ON_DEVICE((V before = other_is_before ? other : value;
                    const V behind = other_is_before ? value : other;
                    operations.join(before, behind); value = before;))
}

/// Joins the values of the lanes of each aligned block of `block` lanes, in the order of
/// join_lanes: the lower of two lanes provides the left operand, so that both get equal results.
/// All lanes of the sub-group call it, and all lanes of the block exist. Unrolled; for blocks of
/// any size.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_FORCEINLINE_FUNCTION void join_by_swaps(const Lane& lane, int block,
                                            const Operations& operations, V& value) {
  HPK_UNROLL_16
  for (int step = 0; step < 6; ++step) {
    const int reach = 1 << step;
    if (reach >= block) break;
    join_neighbour(operations, value, lane.shuffle_xor(value, reach),
                   (lane.lane_index() & reach) != 0);
  }
}
/// join_by_swaps with less code, for a value that each `first` neighbours share.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_FORCEINLINE_FUNCTION void join_by_swaps(const Lane& lane, int first, int block,
                                            const Operations& operations, V& value) {
  for (int reach = first; reach < block; reach *= 2) {
    join_neighbour(operations, value, lane.shuffle_xor(value, reach),
                   (lane.lane_index() & reach) != 0);
  }
}
/// join_by_swaps for the first `count` lanes of each block; the others need not exist. Every lane
/// of the block must call it; `Whole`: every lane of the sub-group does.
HPK_CALLS_EITHER
template <bool Whole, class Lane, class Operations, class V>
HPK_FORCEINLINE_FUNCTION void join_by_shuffles(const Lane& lane, int first, int block, int count,
                                               const Operations& operations, V& value) {
  const int self = lane.lane_index();
  const int me = self & (block - 1);
  for (int reach = first; reach < count; reach *= 2) {
    // All lanes of the other half share a value; its first lane exists if any does.
    const int from = (me ^ reach) & ~(reach - 1);
    const bool takes = from < count;
    const int source = takes ? from : me;
    V other = value;
    if constexpr (Whole) {
      other = lane.shuffle(value, (self & (lane.subgroup() - 1)) - me + source);
    } else {
      other = lane.shuffle(value, source, block);
    }
    if (takes && (me & ~(reach - 1)) >= count) {
      value = other;
    } else if (takes) {
      join_neighbour(operations, value, other, (me & reach) != 0);
    }
  }
}

/// Returns the join of the values of the vector lanes of a thread to all of them, and makes their
/// earlier writes visible to all of them.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_FORCEINLINE_FUNCTION V joined_by_thread(const Lane& lane, int width,
                                            const Operations& operations, const V& value) {
  expect_shared_values<Lane, V>();
  V joined = value;
  if constexpr (seam::shuffles_whole<Lane>) {
    if (lane.is_whole()) {
      join_by_swaps(lane, width, operations, joined);
      sync_subgroup(lane);
      return joined;
    }
  }
  join_by_shuffles<false>(lane, 1, width, width, operations, joined);
  lane.sync(width);
  return joined;
}
/// joined_by_thread for a block within a sub-group, whose lanes may be missing. Does not make
/// writes visible: other blocks may have other widths, and their lanes return earlier.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_FORCEINLINE_FUNCTION V joined_by_block(const Lane& lane, int width,
                                           const Operations& operations, const V& value) {
  expect_shared_values<Lane, V>();
  V joined = value;
  const int left = lane.lanes() - (lane.lane_index() & ~(width - 1));
  join_by_shuffles<false>(lane, 1, width, left < width ? left : width, operations, joined);
  return joined;
}

/// The sub-group of the calling lane of a tile of threads or of all lanes.
template <class Lane>
struct subgroup_of_team {
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION explicit subgroup_of_team(const Lane& lane)
      : width(lane.subgroup()),
        lanes(lane.lanes()),
        self(lane.lane_index() & (width - 1)),
        rank(static_cast<int>(static_cast<unsigned>(lane.lane_index()) /
                              static_cast<unsigned>(width))),
        subgroups(static_cast<int>(static_cast<unsigned>(lanes + width - 1) /
                                   static_cast<unsigned>(width))) {}
  /// Whether one exchange serves all sub-groups: a sub-group can hold one value for each sub-group,
  /// and half of the slots are enough, which is true for sub-groups of 3 or more lanes.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool is_served_by_one_exchange() const {
    if constexpr (requires { Lane::least_subgroup; }) {
      constexpr int most_lanes = 1024;
      if (Lane::least_subgroup * Lane::least_subgroup >= most_lanes) return true;
    }
    return lanes <= width || (width > 2 && subgroups <= width);
  }
  /// Whether all lanes of the sub-group exist; only the last sub-group may lack some.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool is_complete() const { return lanes - rank * width >= width; }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool all_are_complete() const { return (lanes & (width - 1)) == 0; }
  /// Returns the number of lanes of the sub-group that exist.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION int present() const {
    const int left = lanes - rank * width;
    return left < width ? left : width;
  }

  int width;      ///< number of lanes of a sub-group
  int lanes;      ///< number of lanes of the team
  int self;       ///< index of the lane in its sub-group
  int rank;       ///< index of the sub-group in the team
  int subgroups;  ///< number of sub-groups in the team
};

/// Returns the value of the first lane of the thread.
HPK_CALLS_EITHER
template <class Lane, class V>
HPK_FORCEINLINE_FUNCTION V value_of_thread(const Lane& lane, int vector_shift, int self,
                                           const V& value) {
  return vector_shift == 0 ? value : lane.shuffle(value, (self >> vector_shift) << vector_shift);
}

HPK_CALLS_EITHER
template <class V>
HPK_FORCEINLINE_FUNCTION void store_slot(std::byte* slots, int k, const V& value) {
  __builtin_memcpy(slots + static_cast<std::size_t>(k) * team_shape::slot_bytes, &value, sizeof(V));
}
HPK_CALLS_EITHER
template <class V>
HPK_FORCEINLINE_FUNCTION void load_slot(V& value, const std::byte* slots, int k) {
  __builtin_memcpy(&value, slots + static_cast<std::size_t>(k) * team_shape::slot_bytes, sizeof(V));
}

/// Joins the values of all sub-groups, which are in slots. Called by each complete sub-group.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_FORCEINLINE_FUNCTION void join_sums(const Lane& lane, const subgroup_of_team<Lane>& subgroup,
                                        const std::byte* slots, const Operations& operations,
                                        V& sum) {
  const int count = subgroup.subgroups;
  if constexpr (seam::shuffles_whole<Lane>) {
    if ((count & (count - 1)) == 0) {
      load_slot(sum, slots, subgroup.self & (count - 1));
      join_by_swaps(lane, 1, count, operations, sum);
      return;
    }
  }
  const int block = static_cast<int>(hpk::bit_ceil(static_cast<unsigned>(count)));
  const int me = subgroup.self & (block - 1);
  load_slot(sum, slots, me < count ? me : 0);
  join_by_shuffles<true>(lane, 1, block, count, operations, sum);
}

/// Joins the values of the lanes or threads of a tile, in the order of join_lanes, for a team that
/// is_served_by_one_exchange(). Every lane gets the result.
HPK_CALLS_EITHER
template <class Tile, class Operations, class V>
HPK_FORCEINLINE_FUNCTION V joined_by_subgroups(const Tile& tile, const exchange_slots& slots,
                                               const Operations& operations, const V& value) {
  const auto& lane = calling_lane(tile);
  const int shift = vector_shift_of(tile);
  const subgroup_of_team subgroup(lane);
  V sum = value_of_thread(lane, shift, subgroup.self, value);
  if constexpr (seam::shuffles_whole<std::remove_cvref_t<decltype(lane)>>) {
    if (!subgroup.is_complete()) {
      join_by_shuffles<true>(lane, 1 << shift, subgroup.width, subgroup.present(), operations, sum);
    } else if (shift == 0) {
      join_by_swaps(lane, subgroup.width, operations, sum);
    } else {
      join_by_swaps(lane, 1 << shift, subgroup.width, operations, sum);
    }
  } else {
    join_by_shuffles<true>(lane, 1 << shift, subgroup.width, subgroup.present(), operations, sum);
  }
  if (subgroup.lanes <= subgroup.width) {
    sync_subgroup(lane);
    return sum;
  }
  std::byte* const half = slots.take_half();
  if (subgroup.self == 0) store_slot(half, subgroup.rank, sum);
  exchange_barrier<V, Operations>(tile);
  if (subgroup.is_complete()) join_sums(lane, subgroup, half, operations, sum);
  if (subgroup.all_are_complete()) return sum;
  std::byte* const result = slots.take_half();
  if (lane.lane_index() == 0) store_slot(result, 0, sum);
  exchange_barrier<V, Operations>(tile);
  load_slot(sum, result, 0);
  return sum;
}

/// Returns the value of lane or thread `from` of a tile, for a team that
/// is_served_by_one_exchange().
HPK_CALLS_EITHER
template <class Tile, class V>
HPK_FORCEINLINE_FUNCTION V broadcast_by_subgroups(const Tile& tile, const exchange_slots& slots,
                                                  int from, const V& value) {
  const auto& lane = calling_lane(tile);
  const int source = from << vector_shift_of(tile);
  if (lane.lanes() <= lane.subgroup()) {
    sync_subgroup(lane);
    return lane.shuffle(value, source);
  }
  std::byte* const half = slots.take_half();
  if (lane.lane_index() == source) store_slot(half, 0, value);
  exchange_barrier<V, exchange_slots>(tile);
  V given = value;
  load_slot(given, half, 0);
  return given;
}

/// The join of the values of all lower lanes, and of all lanes.
template <class V>
struct scanned {
  V before;
  V total;
};

/// Replaces the value of each of the first `count` lanes of a sub-group by the join of the values
/// of all lanes up to it. Each `first` neighbours share a value.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_FORCEINLINE_FUNCTION void scan_subgroup(const Lane& lane, int self, int first, int count,
                                            const Operations& operations, V& value) {
  for (int reach = first; reach < count; reach *= 2) {
    const bool takes = self >= reach;
    V sum = lane.shuffle(value, takes ? self - reach : self);
    if (takes) {
      operations.join(sum, value);
      value = sum;
    }
  }
}

/// Scans the values of the lanes or threads of a tile, for a team that is_served_by_one_exchange(),
/// by operations whose result is independent of the order of joins.
HPK_CALLS_EITHER
template <class Tile, class Operations, class V>
HPK_FORCEINLINE_FUNCTION scanned<V> scanned_by_subgroups(const Tile& tile,
                                                         const exchange_slots& slots,
                                                         const Operations& operations,
                                                         const V& value) {
  const auto& lane = calling_lane(tile);
  const int shift = vector_shift_of(tile);
  const int one = 1 << shift;
  const subgroup_of_team subgroup(lane);
  V sum = value_of_thread(lane, shift, subgroup.self, value);
  scan_subgroup(lane, subgroup.self, one, subgroup.present(), operations, sum);
  V before = lane.shuffle(sum, subgroup.self >= one ? subgroup.self - one : subgroup.self);
  if (subgroup.self < one) operations.init(before);
  V total = lane.shuffle(sum, subgroup.present() - 1);
  if (subgroup.lanes <= subgroup.width) {
    sync_subgroup(lane);
    return {before, total};
  }
  std::byte* const half = slots.take_half();
  if (subgroup.self == 0) store_slot(half, subgroup.rank, total);
  exchange_barrier<V, Operations>(tile);
  V base = total;
  if (subgroup.is_complete()) {
    load_slot(sum, half, subgroup.self < subgroup.subgroups ? subgroup.self : 0);
    scan_subgroup(lane, subgroup.self, 1, subgroup.subgroups, operations, sum);
    total = lane.shuffle(sum, subgroup.subgroups - 1);
    base = lane.shuffle(sum, subgroup.rank == 0 ? 0 : subgroup.rank - 1);
  }
  if (!subgroup.all_are_complete()) {
    std::byte* const sums = slots.take_half();
    if (lane.lane_index() < subgroup.subgroups) store_slot(sums, lane.lane_index(), sum);
    exchange_barrier<V, Operations>(tile);
    load_slot(total, sums, subgroup.subgroups - 1);
    load_slot(base, sums, subgroup.rank == 0 ? 0 : subgroup.rank - 1);
  }
  if (subgroup.rank != 0) {
    if (subgroup.self >= one) operations.join(base, before);
    before = base;
  }
  return {before, total};
}

}  // namespace hpk::detail
