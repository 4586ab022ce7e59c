// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kokkos_swap, which hpk calls hpk_swap.
#pragma once

#include <Kokkos_Macros.hpp>

#include <hpk/swap.hpp>

namespace hpk {

/// hpk_swap, of values and of arrays.
HPK_CALLS_EITHER
template <class T>
  requires requires(T& a) { hpk::hpk_swap(a, a); }
HPK_FUNCTION constexpr void kokkos_swap(T& a, T& b) noexcept(noexcept(hpk::hpk_swap(a, b))) {
  hpk::hpk_swap(a, b);
}

#if HPK_KOKKOS_OLDER_NAMES
namespace Experimental {
/// Its first name.
HPK_CALLS_EITHER
template <class T>
  requires requires(T& a) { hpk::hpk_swap(a, a); }
HPK_FUNCTION constexpr void swap(T& a, T& b) noexcept(noexcept(hpk::hpk_swap(a, b))) {
  hpk::hpk_swap(a, b);
}
}  // namespace Experimental
#endif

}  // namespace hpk
