// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions over the lanes of a group. The order of joins depends only on the number of lanes,
// never on the width of a sub-group, so that every device gives the same bits. Scans:
// group_scan.hpp.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hpk::detail {

/// Whether sub-groups exchange values V by shuffles, without scratch.
template <class V>
inline constexpr bool is_shuffled = std::is_trivially_copyable_v<V> && sizeof(V) <= 16;

/// The alignment, in bytes, that a launch guarantees for a group's scratch.
inline constexpr std::size_t scratch_alignment = 16;

/// The bytes of scratch that hold one value for each lane of a group.
template <class V>
HPK_INLINE_FUNCTION constexpr std::size_t value_scratch_bytes(int lanes) noexcept {
  constexpr std::size_t padding =
      alignof(V) > scratch_alignment ? alignof(V) - scratch_alignment : 0;
  return static_cast<std::size_t>(lanes) * sizeof(V) + padding;
}

/// The group's scratch as one value per lane.
HPK_CALLS_EITHER
template <class V, class Lane>
HPK_INLINE_FUNCTION V* value_scratch(Lane& lane) {
  std::byte* scratch = lane.scratch(0);
  if constexpr (alignof(V) > scratch_alignment)
    scratch += (alignof(V) - reinterpret_cast<std::uintptr_t>(scratch) % alignof(V)) % alignof(V);
  return reinterpret_cast<V*>(scratch);
}

/// Joins the values of all lanes pairwise, in lane order (joins need not commute): k with k + 1,
/// then + 2, ..., + lanes/2. The number of lanes is a power of two. Lane 0 gets the result; the
/// values of other lanes are unspecified. Every lane must call it. `scratch` holds one value per
/// lane and may be reused when the call returns.
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_INLINE_FUNCTION void group_reduce(Lane& lane, const Operations& operations, V& value,
                                      V* scratch) {
  if constexpr (!Lane::single) {
    const int me = lane.lane_index();
    const int lanes = lane.lanes();
    int reach = 1;
    if constexpr (is_shuffled<V>) {
      const int width = lanes < lane.subgroup() ? lanes : lane.subgroup();
      const int self = me & (width - 1);
      for (; reach < width; reach *= 2) {
        const V other = lane.shuffle(value, self + reach < width ? self + reach : self);
        if ((self & (2 * reach - 1)) == 0) operations.join(value, other);
      }
    }
    for (; reach < lanes; reach *= 2) {
      if ((me & (2 * reach - 1)) == reach) scratch[me] = value;
      lane.barrier();
      if ((me & (2 * reach - 1)) == 0) operations.join(value, scratch[me + reach]);
    }
    lane.barrier();
  }
}

}  // namespace hpk::detail
