// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lanes of a group do together: fold their values into one, and give each the fold of the
// lanes before it. The order of joins depends on the number of lanes alone, never on the width of a
// subgroup, so that every device gives the same bits.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hpk::detail {

/// Values that a subgroup passes on without scratch.
template <class V>
inline constexpr bool is_shuffled = std::is_trivially_copyable_v<V> && sizeof(V) <= 16;

/// The alignment of a group's scratch, which a launch promises.
inline constexpr std::size_t scratch_alignment = 16;

/// The bytes of scratch in which each lane of a group has room for one value.
template <class V>
constexpr std::size_t value_scratch_bytes(int lanes) noexcept {
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

/// Joins the values of all lanes, a power of two of them, pairwise and in their order (joins need
/// not commute): k with k + 1, then + 2, ..., + lanes/2. The result is that of lane 0; those of
/// others are unspecified. Every lane calls it; `scratch` holds one value per lane, and is free
/// when the call returns.
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
      const int self = me % width;
      for (; reach < width; reach *= 2) {
        const V other = lane.shuffle(value, self + reach < width ? self + reach : self);
        if (self % (2 * reach) == 0) operations.join(value, other);
      }
    }
    for (; reach < lanes; reach *= 2) {
      if (me % (2 * reach) == reach) scratch[me] = value;
      lane.barrier();
      if (me % (2 * reach) == 0) operations.join(value, scratch[me + reach]);
    }
    lane.barrier();
  }
}

/// Gives each lane the fold of the values of the lanes before it, in their order (joins need not
/// commute), and the fold of all in `total`. Every lane calls it; `scratch` holds one value per
/// lane, and is free when the call returns. Two-fold steps (Hillis and Steele, Data parallel
/// algorithms, 1986).
HPK_CALLS_EITHER
template <class Lane, class Operations, class V>
HPK_INLINE_FUNCTION void group_exclusive_scan(Lane& lane, const Operations& operations, V& value,
                                              V& total, V* scratch) {
  if constexpr (Lane::single) {
    total = value;
    operations.init(value);
  } else {
    const int me = lane.lane_index();
    const int lanes = lane.lanes();
    for (int reach = 1; reach < lanes; reach *= 2) {
      scratch[me] = value;
      lane.barrier();
      if (me >= reach) {
        V sum = scratch[me - reach];
        operations.join(sum, value);
        value = sum;
      }
      lane.barrier();
    }
    scratch[me] = value;
    lane.barrier();
    total = scratch[lanes - 1];
    if (me == 0) {
      operations.init(value);
    } else {
      value = scratch[me - 1];
    }
    lane.barrier();
  }
}

}  // namespace hpk::detail
