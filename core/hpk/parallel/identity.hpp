// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduction_identity: the value that changes nothing, per type and operation. Specialise it for
// your own value type to use it with the built-in reducers.
#pragma once

#include <hpk/base/macros.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace hpk::detail {

// Values, because device code calls no function of std.
template <class T>
inline constexpr T lowest = std::numeric_limits<T>::lowest();
template <class T>
inline constexpr T highest = std::numeric_limits<T>::max();
template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();

}  // namespace hpk::detail

namespace hpk {

/// The identities of T: static functions sum, prod, min, max, land, lor, band, bor as far as T has
/// the operation. Declared only; specialised for all arithmetic types, and by you for your own.
template <class T>
struct reduction_identity;

/// Identities of integers.
template <std::integral T>
struct reduction_identity<T> {
  HPK_FUNCTION static constexpr T sum() { return T{0}; }
  HPK_FUNCTION static constexpr T prod() { return T{1}; }
  HPK_FUNCTION static constexpr T max() { return detail::lowest<T>; }
  HPK_FUNCTION static constexpr T min() { return detail::highest<T>; }
  HPK_FUNCTION static constexpr T band() { return static_cast<T>(~T{0}); }
  HPK_FUNCTION static constexpr T bor() { return T{0}; }
  HPK_FUNCTION static constexpr T land() { return T{1}; }
  HPK_FUNCTION static constexpr T lor() { return T{0}; }
};

/// Identities of bool.
template <>
struct reduction_identity<bool> {
  HPK_FUNCTION static constexpr bool land() { return true; }
  HPK_FUNCTION static constexpr bool lor() { return false; }
};

/// Identities of floating-point types. Those of min and max are infinities: the minimum of values
/// that are all +inf is +inf.
template <std::floating_point T>
struct reduction_identity<T> {
  HPK_FUNCTION static constexpr T sum() { return T{0}; }
  HPK_FUNCTION static constexpr T prod() { return T{1}; }
  HPK_FUNCTION static constexpr T max() { return -detail::infinity<T>; }
  HPK_FUNCTION static constexpr T min() { return detail::infinity<T>; }
};

}  // namespace hpk
