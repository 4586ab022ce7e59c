// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prefix of each tile of a scan whose tiles are scanned by the groups of one launch. A tile
// publishes its value. It waits for the values of the earlier tiles of its series, and for the
// prefix of its series, which the last tile of the previous series publishes. So the order of joins
// depends only on the number of tiles, not on the progress of other groups as in decoupled
// look-back (Merrill and Garland, 2016). Tiles are numbered in the order in which groups start, so
// a group waits only for groups that have started (law L7).
#pragma once

#include <hpk/parallel/patterns/published_value.hpp>
#include <hpk/parallel/team/group_scan.hpp>

namespace hpk::detail {

/// The values that the tiles of a scan publish.
template <class V>
struct tile_board {
  using slot = published_value<V>;
  /// The number of tiles of a series. The prefixes of series form a chain: each step must take no
  /// longer than memory needs for the elements of a series.
  static constexpr index_t series = sizeof(V) <= 4 ? 64 : 32;

  unsigned long long* next;  ///< the tile of the group that starts next; null for one tile
  slot* values;              ///< one for each tile
  slot* prefixes;            ///< one for each series, from the second on

  /// Returns the number of slots for `tiles`; they must be zero at first.
  static constexpr index_t slots(index_t tiles) noexcept { return tiles + tiles / series + 2; }
  /// Returns the board in these slots.
  static tile_board in(slot* first, index_t tiles) noexcept {
    return {reinterpret_cast<unsigned long long*>(first), first + 1, first + 1 + tiles};
  }
  /// Whether there is more than one tile.
  HPK_INLINE_FUNCTION bool has_others() const { return next != nullptr; }

  /// Returns the tile of the calling group. Every lane calls it once, with the same word of
  /// scratch.
  HPK_CALLS_EITHER
  template <class Lane>
  HPK_INLINE_FUNCTION index_t draw(Lane& lane, index_t* word) const {
    if (!has_others()) return 0;
    if (lane.lane_index() == 0) {
      *word = static_cast<index_t>(primitive_fetch<add_operation>(next, 1ull));
    }
    lane.barrier();
    return *word;
  }

  /// Returns the join of all earlier tiles, on lane 0 only. `total` is the value of this tile,
  /// which must not be the only one. All `lanes` call it. `scratch` holds one value per lane.
  HPK_CALLS_EITHER
  template <class Lane, class Operations>
  HPK_INLINE_FUNCTION V prefix(Lane& lane, int lanes, const Operations& operations, index_t tile,
                               const V& total, V* scratch) const {
    const int me = lane.lane_index();
    V before;
    operations.init(before);
    const index_t own_series = tile / series;
    const int place = static_cast<int>(tile % series);
    const bool is_last = place == series - 1;
    if (me == 0 && !is_last) values[tile].publish(total);
    // One lane for each earlier tile of the series, or for several neighbours.
    const int row = scan_row_of(lanes);
    const int each = static_cast<int>(series) / row;
    for (int k = me * each; k < place && k < (me + 1) * each; ++k)
      operations.join(before, values[own_series * series + k].wait());
    join_row(lane, operations, before, row, scratch);
    if (me == 0) {
      V earlier;
      operations.init(earlier);
      if (is_last) {
        // The chain is the critical path: only one join follows each wait.
        V all = before;
        operations.join(all, total);
        if (own_series != 0) earlier = prefixes[own_series].wait();
        V following = earlier;
        operations.join(following, all);
        prefixes[own_series + 1].publish(following);
      } else if (own_series != 0) {
        earlier = prefixes[own_series].wait();
      }
      operations.join(earlier, before);
      before = earlier;
    }
    return before;
  }

 private:
  // Joins the values of the lanes of the first row pairwise, k with k + 1, then + 2, ..., + row/2,
  // into the value of lane 0.
  HPK_CALLS_EITHER
  template <class Lane, class Operations>
  HPK_INLINE_FUNCTION static void join_row(Lane& lane, const Operations& operations, V& value,
                                           int row, V* scratch) {
    const int me = lane.lane_index();
    if constexpr (is_shuffled<V>) {
      if (shuffled_width<V>(lane, row) == row) {
        if (me < row) {
          for (int reach = 1; reach < row; reach *= 2) {
            const V other = lane.shuffle(value, me + reach < row ? me + reach : me, row);
            if ((me & (2 * reach - 1)) == 0) operations.join(value, other);
          }
        }
        return;
      }
    }
    lane.barrier();
    if (me < row) scratch[me] = value;
    lane.barrier();
    if (me != 0) return;
    for (int reach = 1; reach < row; reach *= 2) {
      for (int k = 0; k < row; k += 2 * reach) operations.join(scratch[k], scratch[k + reach]);
    }
    value = scratch[0];
  }
};

}  // namespace hpk::detail
