// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduction_identity: the value that changes nothing, per type and operation. Specialise it for
// your own value type to use it with the built-in reducers.
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>

namespace hpk {

/// The identities of T: static functions sum, prod, min, max, land, lor, band, bor as far as T has
/// the operation. Declared only; specialised for all arithmetic types, and by you for your own.
template <class T>
struct reduction_identity;

/// Identities of integers.
template <std::integral T>
struct reduction_identity<T> {
  static constexpr T sum() { return T{0}; }
  static constexpr T prod() { return T{1}; }
  static constexpr T max() { return std::numeric_limits<T>::lowest(); }
  static constexpr T min() { return std::numeric_limits<T>::max(); }
  static constexpr T band() { return static_cast<T>(~T{0}); }
  static constexpr T bor() { return T{0}; }
  static constexpr T land() { return T{1}; }
  static constexpr T lor() { return T{0}; }
};

/// Identities of bool.
template <>
struct reduction_identity<bool> {
  static constexpr bool land() { return true; }
  static constexpr bool lor() { return false; }
};

/// Identities of floating-point types. Those of min and max are infinities: the minimum of values
/// that are all +inf is +inf.
template <std::floating_point T>
struct reduction_identity<T> {
  static constexpr T sum() { return T{0}; }
  static constexpr T prod() { return T{1}; }
  static constexpr T max() { return -std::numeric_limits<T>::infinity(); }
  static constexpr T min() { return std::numeric_limits<T>::infinity(); }
};

}  // namespace hpk
