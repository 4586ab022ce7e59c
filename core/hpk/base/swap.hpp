// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk_swap: std::swap for kernels, under a name that argument-dependent lookup cannot confuse with
// std::swap.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace hpk {

template <class T, std::size_t N, class Access>
struct Array;

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

/// Exchanges the elements of two Arrays, by the hpk_swap of the namespace of T if there is one.
HPK_CALLS_EITHER
template <class T, std::size_t N>
  requires(N > 0) && requires(T& a) { hpk_swap(a, a); }
HPK_FUNCTION constexpr void hpk_swap(Array<T, N, void>& a, Array<T, N, void>& b) noexcept(
    noexcept(hpk_swap(std::declval<T&>(), std::declval<T&>()))) {
  for (std::size_t i = 0; i < N; ++i) hpk_swap(a.impl_elements[i], b.impl_elements[i]);
}
/// Does nothing: Arrays of size 0 have no elements.
template <class T>
HPK_FUNCTION constexpr void hpk_swap(Array<T, 0, void>&, Array<T, 0, void>&) noexcept {}

}  // namespace hpk
