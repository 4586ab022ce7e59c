// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source line of an element access. In checked builds, and in memory that reports accesses, the
// first index of an access carries the line: the conversion to placed_index evaluates default
// arguments at the place of the call, also before a parameter pack. Other accesses pass plain
// indices.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>
#include <hpk/seam/memory.hpp>

#include <type_traits>

namespace hpk::detail {

/// Types of indices and extents: everything that converts to an integer except floating-point
/// numbers, which would be truncated silently. HPK_PERMISSIVE allows floating-point numbers too.
template <class T>
inline constexpr bool is_index_like_v =
    std::is_convertible_v<T, index_t> &&
    (HPK_PERMISSIVE || !std::is_floating_point_v<std::remove_cvref_t<T>>);

/// Whether accesses of all Views carry their line.
inline constexpr bool checks_places = static_cast<bool>(HPK_CHECKS);
/// Whether accesses to Views in Space carry their line.
template <class Space>
inline constexpr bool places_accesses = checks_places || seam::reports_places<seam::memory<Space>>;

/// A source line of the program; unknown if `file` is null.
struct call_place {
  const char* file = nullptr;
  int line = 0;

  /// Returns the line of the caller.
  HPK_FORCEINLINE_FUNCTION static constexpr call_place here(const char* f = __builtin_FILE(),
                                                            int l = __builtin_LINE()) {
    return {f, l};
  }
};

/// An index, and the source line where it is written.
struct placed_index {
  index_t value;
  call_place place;

  // By value: a static const member without a definition has no address.
  template <class I>
  HPK_FORCEINLINE_FUNCTION constexpr placed_index(I index, const char* file = __builtin_FILE(),
                                                  int line = __builtin_LINE())
      : value(), place{file, line} {
    static_assert(is_index_like_v<I>, "hpk::View: operator() takes integer indices");
    if constexpr (is_index_like_v<I>) value = static_cast<index_t>(index);
  }
};

}  // namespace hpk::detail
