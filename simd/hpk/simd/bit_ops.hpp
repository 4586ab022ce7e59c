// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of <bit> for vectors of integers, and saturating addition, subtraction and
// conversion.
#pragma once

#include <hpk/base/bit.hpp>
#include <hpk/simd/select.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace hpk::detail::vectors {

template <class T>
concept integer_lane = std::is_integral_v<T>;
template <class T>
concept unsigned_lane = std::is_integral_v<T> && std::is_unsigned_v<T>;

/// The limits of an integer type, as constants that kernels may read.
template <class T>
inline constexpr T greatest = std::numeric_limits<T>::max();
template <class T>
inline constexpr T least = std::numeric_limits<T>::lowest();

/// Vectors of bit counts: signed integers as wide as the lanes.
template <class T, class Abi>
using counts_t = basic_simd<std::make_signed_t<T>, Abi>;
/// The unsigned integer type of a lane's size, for the functions of <bit>.
template <class T>
using unsigned_t = std::make_unsigned_t<T>;

/// Returns the number of set bits in each lane, by sums of neighbours (Warren, Hacker's Delight,
/// 5-1).
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> count_bits(basic_simd<T, Abi> x) {
  using V = basic_simd<T, Abi>;
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
  constexpr T ones = greatest<T>;
  x -= (x >> V(T(1))) & V(static_cast<T>(ones / 3));
  x = (x & V(static_cast<T>(ones / 5))) + ((x >> V(T(2))) & V(static_cast<T>(ones / 5)));
  x = (x + (x >> V(T(4)))) & V(static_cast<T>(ones / 17));
  if constexpr (bits > 8) x = (x * V(static_cast<T>(ones / 255))) >> V(static_cast<T>(bits - 8));
  return x;
}
/// Returns each lane with its highest set bit and all bits below it set.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> smear(basic_simd<T, Abi> x) {
  using V = basic_simd<T, Abi>;
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
  x |= x >> V(T(1));
  x |= x >> V(T(2));
  x |= x >> V(T(4));
  if constexpr (bits > 8) x |= x >> V(T(8));
  if constexpr (bits > 16) x |= x >> V(T(16));
  if constexpr (bits > 32) x |= x >> V(T(32));
  return x;
}

}  // namespace hpk::detail::vectors

namespace hpk {

/// Returns the number of set bits in each lane, as signed integers of the lanes' size.
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto popcount(const basic_simd<T, Abi>& v) {
  return detail::vectors::counts_t<T, Abi>(detail::vectors::count_bits(v));
}
/// Return the number of consecutive zeros, or ones, from the highest bit down (countl) and from the
/// lowest bit up (countr).
///@{
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto countl_zero(const basic_simd<T, Abi>& v) {
  return detail::vectors::counts_t<T, Abi>(detail::vectors::count_bits(~detail::vectors::smear(v)));
}
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto countl_one(const basic_simd<T, Abi>& v) {
  return hpk::countl_zero(~v);
}
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto countr_zero(const basic_simd<T, Abi>& v) {
  return detail::vectors::counts_t<T, Abi>(
      detail::vectors::count_bits(~v & (v - basic_simd<T, Abi>(T(1)))));
}
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto countr_one(const basic_simd<T, Abi>& v) {
  return hpk::countr_zero(~v);
}
///@}
/// Returns a mask of the lanes that are powers of two.
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto has_single_bit(const basic_simd<T, Abi>& v) {
  using V = basic_simd<T, Abi>;
  return v != V() && (v & (v - V(T(1)))) == V();
}
/// Returns the number of bits needed to represent each lane; 0 for 0.
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto bit_width(const basic_simd<T, Abi>& v) {
  return detail::vectors::counts_t<T, Abi>(detail::vectors::count_bits(detail::vectors::smear(v)));
}
/// Returns the largest power of two that is not above each lane; 0 for 0.
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> bit_floor(const basic_simd<T, Abi>& v) {
  const auto all = detail::vectors::smear(v);
  return all ^ (all >> basic_simd<T, Abi>(T(1)));
}
/// Returns the smallest power of two that is not below each lane. Precondition: T can represent it.
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> bit_ceil(const basic_simd<T, Abi>& v) {
  using V = basic_simd<T, Abi>;
  return hpk::select(v == V(), V(T(1)), detail::vectors::smear(v - V(T(1))) + V(T(1)));
}
/// Returns each lane with its bytes in reverse order.
template <detail::vectors::integer_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> byteswap(const basic_simd<T, Abi>& v) {
  using U = detail::vectors::unsigned_t<T>;
  using W = basic_simd<U, Abi>;
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
  constexpr U ones = detail::vectors::greatest<U>;
  W x(v);
  // Swap neighbouring bytes, then pairs, then groups of four.
  const auto exchange = [](const W& all, int by, U low) {
    const W places(static_cast<U>(by));
    return ((all & W(low)) << places) | ((all >> places) & W(low));
  };
  if constexpr (bits > 8) x = exchange(x, 8, static_cast<U>(ones / 257));
  if constexpr (bits > 16) x = exchange(x, 16, static_cast<U>(ones / 65537));
  if constexpr (bits > 32) x = exchange(x, 32, static_cast<U>(ones / 4294967297ull));
  return basic_simd<T, Abi>(x);
}
/// Return each lane with its bits rotated to the left or right by any number of places.
///@{
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> rotl(const basic_simd<T, Abi>& v,
                                                           const basic_simd<T, Abi>& places) {
  using V = basic_simd<T, Abi>;
  constexpr T last = static_cast<T>(8 * sizeof(T) - 1);
  const V left = places & V(last);
  const V right = (V() - places) & V(last);
  return (v << left) | (v >> right);
}
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> rotl(const basic_simd<T, Abi>& v,
                                                           int places) {
  return hpk::rotl(v, basic_simd<T, Abi>(static_cast<T>(places)));
}
template <detail::vectors::unsigned_lane T, class Abi, class U>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> rotl(const basic_simd<T, Abi>& v,
                                                           const basic_simd<U, Abi>& places) {
  return hpk::rotl(v, basic_simd<T, Abi>(places));
}
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> rotr(const basic_simd<T, Abi>& v,
                                                           int places) {
  return hpk::rotl(v, -places);
}
template <detail::vectors::unsigned_lane T, class Abi, class U>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> rotr(const basic_simd<T, Abi>& v,
                                                           const basic_simd<U, Abi>& places) {
  return hpk::rotl(v, basic_simd<T, Abi>() - basic_simd<T, Abi>(places));
}
///@}

/// Returns a + b, or the nearest limit of T if T can't represent the sum.
template <detail::vectors::integer_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> saturating_add(
    const basic_simd<T, Abi>& a, const std::type_identity_t<basic_simd<T, Abi>>& b) {
  using V = basic_simd<T, Abi>;
  const V sum = a + b;
  if constexpr (std::is_unsigned_v<T>) {
    return hpk::select(sum < a, V(detail::vectors::greatest<T>), sum);
  } else {
    const V end =
        hpk::select(a < V(), V(detail::vectors::least<T>), V(detail::vectors::greatest<T>));
    return hpk::select(((sum ^ a) & (sum ^ b)) < V(), end, sum);
  }
}
/// Returns a - b, or the nearest limit of T if T can't represent the difference.
template <detail::vectors::integer_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> saturating_sub(
    const basic_simd<T, Abi>& a, const std::type_identity_t<basic_simd<T, Abi>>& b) {
  using V = basic_simd<T, Abi>;
  const V difference = a - b;
  if constexpr (std::is_unsigned_v<T>) {
    return hpk::select(a < b, V(), difference);
  } else {
    const V end =
        hpk::select(a < V(), V(detail::vectors::least<T>), V(detail::vectors::greatest<T>));
    return hpk::select(((a ^ b) & (difference ^ a)) < V(), end, difference);
  }
}
/// Converts the lanes to U; values that U can't represent become its nearest limit.
template <detail::vectors::integer_lane U, detail::vectors::integer_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<U, Abi> saturating_cast(basic_simd<T, Abi> v) {
  using V = basic_simd<T, Abi>;
  if constexpr (std::is_signed_v<T> && std::is_unsigned_v<U>) {
    v = hpk::max(v, V());
  } else if constexpr (std::is_signed_v<T> && sizeof(U) < sizeof(T)) {
    v = hpk::max(v, V(static_cast<T>(detail::vectors::least<U>)));
  }
  if constexpr (static_cast<unsigned long long>(detail::vectors::greatest<U>) <
                static_cast<unsigned long long>(detail::vectors::greatest<T>))
    v = hpk::min(v, V(static_cast<T>(detail::vectors::greatest<U>)));
  return basic_simd<U, Abi>(v);
}

}  // namespace hpk
