// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exclusive scan over the lanes of a group. The order of joins depends only on the number of
// lanes, never on the width of a sub-group, so that every device gives the same bits. Rows of 32
// lanes are scanned by divide and conquer (Sklansky, Conditional-sum addition logic, 1960): the
// last lane of each lower half of 2, 4, ... 32 lanes gives its value to all lanes of the upper
// half. Then each lane joins the rows before its row, in order.
#pragma once

#include <hpk/parallel/team/group.hpp>

namespace hpk::detail {

/// The number of lanes that a group scan joins by divide and conquer. They exchange values by
/// shuffles if a sub-group has as many lanes.
inline constexpr int scan_row = 32;

/// Returns the number of lanes of a row in groups of `lanes`, a power of two.
HPK_INLINE_FUNCTION constexpr int scan_row_of(int lanes) noexcept {
  return lanes < scan_row ? lanes : scan_row;
}
/// Returns the number of lanes of a row that exchange values V by shuffles.
template <class V, class Lane>
HPK_INLINE_FUNCTION int shuffled_width(Lane& lane, int row) {
  if constexpr (is_shuffled<V>) {
    const int subgroup = lane.subgroup();
    return row < subgroup ? row : subgroup;
  } else {
    return 1;
  }
}

/// Exclusive scan: each lane gets the join of the values of all lower lanes, in lane order (joins
/// need not commute), and in `total` the join of all. `lanes` is lane.lanes(), a power of two.
/// Every lane must call it. `scratch` holds one value per lane; it may be used again only after a
/// barrier. If a row exchanges its values by shuffles, there is one barrier.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_INLINE_FUNCTION void group_exclusive_scan(Lane& lane, int lanes, const Operations& operations,
                                              V& value, V& total, V* scratch) {
  if constexpr (Lane::single) {
    total = value;
    operations.init(value);
  } else {
    const int me = lane.lane_index();
    const int row = scan_row_of(lanes);
    const int width = shuffled_width<V>(lane, row);
    int reach = 1;
    if constexpr (is_shuffled<V>) {
      for (; reach < width; reach *= 2) {
        V before = lane.shuffle(value, (me & (width - 1) & -2 * reach) + reach - 1, width);
        if ((me & reach) != 0) {
          operations.join(before, value);
          value = before;
        }
      }
    }
    // One barrier per step is enough, because each step uses other slots.
    for (; reach < row; reach *= 2) {
      const int source = (me & -2 * reach) + reach - 1;
      if (me == source) scratch[me] = value;
      lane.barrier();
      if ((me & reach) != 0) {
        V before = scratch[source];
        operations.join(before, value);
        value = before;
      }
    }
    // The slots of the last step already hold these values, and other lanes may be reading them.
    if (width == row || (me & (row - 1)) != row / 2 - 1) scratch[me] = value;
    lane.barrier();
    operations.init(total);
    HPK_UNROLL_4
    for (int first = 0; first < lanes; first += row) {
      if (first == (me & -row)) value = total;
      operations.join(total, scratch[first + row - 1]);
    }
    if ((me & (row - 1)) != 0) operations.join(value, scratch[me - 1]);
  }
}

}  // namespace hpk::detail
