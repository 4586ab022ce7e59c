// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk_swap: std::swap for kernels, under a name that argument-dependent lookup cannot confuse with
// std::swap.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstddef>
#include <type_traits>

namespace hpk {

/// Exchanges two values by moves.
HPK_CALLS_EITHER
template <class T>
  requires(std::is_move_constructible_v<T> && std::is_move_assignable_v<T>)
HPK_FUNCTION constexpr void hpk_swap(T& a, T& b) noexcept(std::is_nothrow_move_constructible_v<T> &&
                                                          std::is_nothrow_move_assignable_v<T>) {
  T old(static_cast<T&&>(a));
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(old);
}
/// Exchanges the elements of two C arrays, of any rank.
HPK_CALLS_EITHER
template <class T, std::size_t N>
  requires(std::is_move_constructible_v<std::remove_all_extents_t<T>> &&
           std::is_move_assignable_v<std::remove_all_extents_t<T>>)
HPK_FUNCTION constexpr void hpk_swap(T (&a)[N], T (&b)[N]) noexcept(
    std::is_nothrow_move_constructible_v<std::remove_all_extents_t<T>> &&
    std::is_nothrow_move_assignable_v<std::remove_all_extents_t<T>>) {
  for (std::size_t i = 0; i < N; ++i) hpk_swap(a[i], b[i]);
}

}  // namespace hpk
