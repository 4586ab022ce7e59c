// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kokkos_swap, which hpk calls hpk_swap.
#pragma once

#include <Kokkos_Macros.hpp>

#include <hpk/swap.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace hpk {

/// hpk_swap of two values.
HPK_CALLS_EITHER
template <class T>
  requires(std::is_move_constructible_v<T> && std::is_move_assignable_v<T>)
HPK_FUNCTION constexpr void kokkos_swap(T& a, T& b) noexcept(noexcept(hpk::hpk_swap(a, b))) {
  hpk::hpk_swap(a, b);
}

namespace detail {
/// Whether kokkos_swap of two T, which may be the program's, throws no exception.
template <class T>
inline constexpr bool swaps_without_throw =
    noexcept(kokkos_swap(std::declval<T&>(), std::declval<T&>()));
template <class T, std::size_t N>
inline constexpr bool swaps_without_throw<T[N]> = swaps_without_throw<T>;
}  // namespace detail

/// Swaps the elements of two C arrays, by the program's kokkos_swap for them if it has one.
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr void kokkos_swap(T (&a)[N],
                                        T (&b)[N]) noexcept(detail::swaps_without_throw<T>) {
  for (std::size_t i = 0; i < N; ++i) kokkos_swap(a[i], b[i]);
}

#if HPK_KOKKOS_OLDER_NAMES
namespace Experimental {
/// Former name.
HPK_CALLS_EITHER
template <class T>
  requires requires(T& a) { hpk::hpk_swap(a, a); }
HPK_FUNCTION constexpr void swap(T& a, T& b) noexcept(noexcept(hpk::hpk_swap(a, b))) {
  hpk::hpk_swap(a, b);
}
}  // namespace Experimental
#endif

}  // namespace hpk
