// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduction_identity: the neutral value of an operation, per type. Specialise it to use your own
// value type with the built-in reducers. reduction_accumulator: the type in which sums of small
// number types are accumulated.
#pragma once

#include <hpk/base/macros.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace hpk::detail {

// Variables, because device code can't call functions of std.
template <class T>
inline constexpr T lowest = std::numeric_limits<T>::lowest();
template <class T>
inline constexpr T highest = std::numeric_limits<T>::max();
/// Returns infinity, or the largest number if the compiler assumes that there are no infinities:
/// clang would then make infinity an undefined value, which may differ at each use.
template <class T>
constexpr T find_greatest() {
  if constexpr (HPK_HAS_INFINITIES) {
    return std::numeric_limits<T>::infinity();
  } else {
    return std::numeric_limits<T>::max();
  }
}
template <class T>
inline constexpr T greatest = find_greatest<T>();

}  // namespace hpk::detail

namespace hpk {

template <class T>
class complex;

/// The identities of T: static functions sum, prod, min, max, land, lor, band and bor, as far as T
/// has the operation. Declared only; specialised for all arithmetic types, for floating-point
/// classes with numeric_limits (half_t), and for complex. Specialise it for your own types.
template <class T>
struct reduction_identity;

/// The wider type in which sums and products of T are accumulated, as `type`. Declared only;
/// specialised for the half types (float) and complex numbers of them. Specialise it for your own
/// small number types that convert explicitly from and to `type`.
template <class T>
struct reduction_accumulator;

/// Identities of integers.
template <std::integral T>
struct reduction_identity<T> {
  /// The value that leaves the other operand of the operation unchanged.
  ///@{
  HPK_FUNCTION static constexpr T sum() { return T{0}; }
  HPK_FUNCTION static constexpr T prod() { return T{1}; }
  HPK_FUNCTION static constexpr T max() { return detail::lowest<T>; }
  HPK_FUNCTION static constexpr T min() { return detail::highest<T>; }
  HPK_FUNCTION static constexpr T band() { return static_cast<T>(~T{0}); }
  HPK_FUNCTION static constexpr T bor() { return T{0}; }
  HPK_FUNCTION static constexpr T land() { return T{1}; }
  HPK_FUNCTION static constexpr T lor() { return T{0}; }
  ///@}
};

/// Identities of bool.
template <>
struct reduction_identity<bool> {
  /// The value that leaves the other operand of the operation unchanged.
  ///@{
  HPK_FUNCTION static constexpr bool land() { return true; }
  HPK_FUNCTION static constexpr bool lor() { return false; }
  ///@}
};

/// Identities of floating-point types. The identities of min and max are infinities: the minimum of
/// values that are all +inf is +inf. With -ffast-math, which excludes infinities, they are the
/// largest numbers.
template <std::floating_point T>
struct reduction_identity<T> {
  /// The value that leaves the other operand of the operation unchanged.
  ///@{
  HPK_FUNCTION static constexpr T sum() { return T{0}; }
  HPK_FUNCTION static constexpr T prod() { return T{1}; }
  HPK_FUNCTION static constexpr T max() { return -detail::greatest<T>; }
  HPK_FUNCTION static constexpr T min() { return detail::greatest<T>; }
  ///@}
};
/// Identities of the half types and of other classes of floating-point numbers with numeric_limits,
/// by the same rules.
template <class T>
  requires(std::is_class_v<T> && std::numeric_limits<T>::is_specialized &&
           std::numeric_limits<T>::has_infinity)
struct reduction_identity<T> {
  /// The value that leaves the other operand of the operation unchanged.
  ///@{
  HPK_FUNCTION static constexpr T sum() { return T(0); }
  HPK_FUNCTION static constexpr T prod() { return T(1); }
  HPK_FUNCTION static constexpr T max() {
    constexpr T least = -detail::find_greatest<T>();
    return least;
  }
  HPK_FUNCTION static constexpr T min() {
    constexpr T most = detail::greatest<T>;
    return most;
  }
  ///@}
};
/// Identities of complex numbers, which have no order.
template <class T>
struct reduction_identity<complex<T>> {
  /// The value that leaves the other operand of the operation unchanged.
  ///@{
  HPK_FUNCTION static constexpr complex<T> sum() { return complex<T>(); }
  HPK_FUNCTION static constexpr complex<T> prod() { return complex<T>(T(1)); }
  ///@}
};

}  // namespace hpk
