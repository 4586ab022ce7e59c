// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scratch in which the lanes of a group exchange values.
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

/// Returns the bytes of scratch that hold one value for each lane of a group.
template <class V>
HPK_INLINE_FUNCTION constexpr std::size_t value_scratch_bytes(int lanes) noexcept {
  constexpr std::size_t padding =
      alignof(V) > scratch_alignment ? alignof(V) - scratch_alignment : 0;
  return static_cast<std::size_t>(lanes) * sizeof(V) + padding;
}

/// Returns the group's scratch as one value per lane.
HPK_CALLS_EITHER
template <class V, class Lane>
HPK_INLINE_FUNCTION V* value_scratch(Lane& lane) {
  std::byte* scratch = lane.scratch(0);
  if constexpr (alignof(V) > scratch_alignment)
    scratch += (alignof(V) - reinterpret_cast<std::uintptr_t>(scratch) % alignof(V)) % alignof(V);
  return reinterpret_cast<V*>(scratch);
}

}  // namespace hpk::detail
