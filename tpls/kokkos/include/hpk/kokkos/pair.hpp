// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pair, and the pair with one value, which Kokkos has deprecated.
#pragma once

#include <Kokkos_Macros.hpp>

#include <hpk/pair.hpp>

#if HPK_KOKKOS_OLDER_NAMES

#include <concepts>

namespace hpk {

/// A pair with only the first value, for generic code with an optional second one.
template <class T>
struct pair<T, void> {
  using first_type = T;
  using second_type = void;
  T first;

  HPK_DEFAULTED_FUNCTION pair() = default;
  HPK_CALLS_EITHER
  HPK_FUNCTION constexpr pair(const T& a) : first(a) {}
  HPK_CALLS_EITHER
  template <class U>
    requires(std::convertible_to<const U&, T> && !std::same_as<U, T>)
  HPK_FUNCTION constexpr pair(const pair<U, void>& other) : first(other.first) {}

  HPK_CALLS_EITHER
  HPK_FUNCTION friend constexpr bool operator==(const pair& a, const pair& b) {
    return a.first == b.first;
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION friend constexpr bool operator<(const pair& a, const pair& b) {
    return a.first < b.first;
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION friend constexpr bool operator>(const pair& a, const pair& b) { return b < a; }
  HPK_CALLS_EITHER
  HPK_FUNCTION friend constexpr bool operator<=(const pair& a, const pair& b) { return !(b < a); }
  HPK_CALLS_EITHER
  HPK_FUNCTION friend constexpr bool operator>=(const pair& a, const pair& b) { return !(a < b); }
};

}  // namespace hpk

#endif
