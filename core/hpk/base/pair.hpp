// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pair: std::pair for kernels.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace hpk {

/// Two values or references, for host and device. Trivially copyable if both are. Arithmetic
/// members are indeterminate if default-initialised, zero in pair<T, U>{}.
template <class T1, class T2>
struct pair {
  using first_type = T1;   ///< as in std::pair
  using second_type = T2;  ///< as in std::pair
  T1 first;                ///< the first element
  T2 second;               ///< the second element

  /// Default-initialises both members.
  HPK_DEFAULTED_FUNCTION pair() = default;
  /// Constructs from the two values.
  HPK_CALLS_EITHER
  HPK_FUNCTION constexpr pair(const T1& a, const T2& b) : first(a), second(b) {}
  /// @{
  /// Converts from a pair of other types, including std::pair.
  HPK_CALLS_EITHER
  template <class U, class V>
    requires(std::is_convertible_v<const U&, T1> && std::is_convertible_v<const V&, T2> &&
             !(std::is_same_v<U, T1> && std::is_same_v<V, T2>))
  HPK_FUNCTION constexpr pair(const pair<U, V>& other) : first(other.first), second(other.second) {}
  HPK_CALLS_EITHER
  template <class U, class V>
    requires(std::is_convertible_v<const U&, T1> && std::is_convertible_v<const V&, T2>)
  HPK_FUNCTION constexpr pair(const std::pair<U, V>& other)
      : first(other.first), second(other.second) {}
  /// @}
  /// Assigns from a pair of other types.
  HPK_CALLS_EITHER
  template <class U, class V>
    requires(std::is_assignable_v<T1&, const U&> && std::is_assignable_v<T2&, const V&> &&
             !(std::is_same_v<U, T1> && std::is_same_v<V, T2>))
  HPK_FUNCTION constexpr pair& operator=(const pair<U, V>& other) {
    first = other.first;
    second = other.second;
    return *this;
  }

  /// Converts to a std::pair.
  constexpr std::pair<T1, T2> to_std_pair() const { return {first, second}; }
};

/// A pair with references. References cannot be rebound; an assignment changes the objects to which
/// they refer.
template <class T1, class T2>
  requires(std::is_reference_v<T1> || std::is_reference_v<T2>)
struct pair<T1, T2> {
  using first_type = T1;   ///< as in std::pair
  using second_type = T2;  ///< as in std::pair
  T1 first;                ///< the first element
  T2 second;               ///< the second element

  /// @{
  /// Binds references and copies values.
  HPK_CALLS_EITHER
  HPK_FUNCTION constexpr pair(T1 a, T2 b)
      : first(static_cast<T1&&>(a)), second(static_cast<T2&&>(b)) {}
  HPK_CALLS_EITHER
  template <class U, class V>
    requires(std::is_convertible_v<const U&, T1> && std::is_convertible_v<const V&, T2>)
  HPK_FUNCTION constexpr pair(const pair<U, V>& other) : first(other.first), second(other.second) {}
  HPK_DEFAULTED_FUNCTION constexpr pair(const pair&) = default;
  /// @}
  /// @{
  /// Assigns both values, through references.
  HPK_CALLS_EITHER
  HPK_FUNCTION constexpr pair& operator=(const pair& other) {
    first = other.first;
    second = other.second;
    return *this;
  }
  HPK_CALLS_EITHER
  template <class U, class V>
    requires(std::is_assignable_v<T1&, const U&> && std::is_assignable_v<T2&, const V&>)
  HPK_FUNCTION constexpr pair& operator=(const pair<U, V>& other) {
    first = other.first;
    second = other.second;
    return *this;
  }
  /// @}
  /// Converts to a std::pair of the same types.
  constexpr std::pair<T1, T2> to_std_pair() const { return {first, second}; }
};

/// pair(a, b) holds copies of a and b.
template <class T1, class T2>
HPK_DEDUCTION_GUIDE pair(T1, T2) -> pair<T1, T2>;

/// Whether both values are equal.
HPK_CALLS_EITHER
template <class T1, class T2, class U1, class U2>
HPK_FUNCTION constexpr bool operator==(const pair<T1, T2>& a, const pair<U1, U2>& b) {
  return a.first == b.first && a.second == b.second;
}
/// @{
/// Lexicographical order. Requires only <.
HPK_CALLS_EITHER
template <class T1, class T2, class U1, class U2>
HPK_FUNCTION constexpr bool operator<(const pair<T1, T2>& a, const pair<U1, U2>& b) {
  return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}
HPK_CALLS_EITHER
template <class T1, class T2, class U1, class U2>
HPK_FUNCTION constexpr bool operator>(const pair<T1, T2>& a, const pair<U1, U2>& b) {
  return b < a;
}
HPK_CALLS_EITHER
template <class T1, class T2, class U1, class U2>
HPK_FUNCTION constexpr bool operator<=(const pair<T1, T2>& a, const pair<U1, U2>& b) {
  return !(b < a);
}
HPK_CALLS_EITHER
template <class T1, class T2, class U1, class U2>
HPK_FUNCTION constexpr bool operator>=(const pair<T1, T2>& a, const pair<U1, U2>& b) {
  return !(a < b);
}
/// @}

/// Makes a pair of copies of the arguments.
HPK_CALLS_EITHER
template <class T1, class T2>
HPK_FUNCTION constexpr pair<T1, T2> make_pair(T1 a, T2 b) {
  return {a, b};
}
/// Makes a pair of references, for assignments to both: tie(low, high) = minmax(a, b).
template <class T1, class T2>
HPK_FUNCTION constexpr pair<T1&, T2&> tie(T1& a, T2& b) {
  return {a, b};
}

/// @{
/// The first (0) or second (1) value.
template <std::size_t I, class T1, class T2>
HPK_FUNCTION constexpr auto& get(pair<T1, T2>& p) noexcept {
  static_assert(I < 2, "hpk::get: a pair has the values 0 and 1");
  if constexpr (I == 0) {
    return p.first;
  } else {
    return p.second;
  }
}
template <std::size_t I, class T1, class T2>
HPK_FUNCTION constexpr const auto& get(const pair<T1, T2>& p) noexcept {
  static_assert(I < 2, "hpk::get: a pair has the values 0 and 1");
  if constexpr (I == 0) {
    return p.first;
  } else {
    return p.second;
  }
}
template <std::size_t I, class T1, class T2>
HPK_FUNCTION constexpr auto&& get(pair<T1, T2>&& p) noexcept {
  static_assert(I < 2, "hpk::get: a pair has the values 0 and 1");
  if constexpr (I == 0) {
    return static_cast<T1&&>(p.first);
  } else {
    return static_cast<T2&&>(p.second);
  }
}
/// @}

}  // namespace hpk

// Support for structured bindings.
template <class T1, class T2>
struct std::tuple_size<hpk::pair<T1, T2>> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I, class T1, class T2>
struct std::tuple_element<I, hpk::pair<T1, T2>> {
  static_assert(I < 2, "hpk: a pair has the values 0 and 1");
  using type = std::conditional_t<I == 0, T1, T2>;
};
