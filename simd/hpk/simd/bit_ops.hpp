// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of <bit> for vectors of integers, and sums and differences that saturate.
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

/// The ends of an integer type, as constants that kernels may read.
template <class T>
inline constexpr T greatest = std::numeric_limits<T>::max();
template <class T>
inline constexpr T least = std::numeric_limits<T>::lowest();

/// Vectors that hold counts of bits: of signed integers as wide as the lanes.
template <class T, class Abi>
using counts_t = basic_simd<std::make_signed_t<T>, Abi>;
/// The lane as the unsigned integer that <bit> takes.
template <class T>
using unsigned_t = std::make_unsigned_t<T>;

/// The bits that are set, by sums of neighbours (Warren, Hacker's Delight, 5-1).
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
/// All bits below the highest that is set, and it.
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

/// The bits of each lane that are set, as signed integers of the lanes' size.
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto popcount(const basic_simd<T, Abi>& v) {
  return detail::vectors::counts_t<T, Abi>(detail::vectors::count_bits(v));
}
/// The zeros, or ones, in a row from the highest bit down, and from the lowest up.
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
/// Where lanes are powers of two.
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto has_single_bit(const basic_simd<T, Abi>& v) {
  using V = basic_simd<T, Abi>;
  return v != V() && (v & (v - V(T(1)))) == V();
}
/// The bits that it takes to write each lane; 0 for 0.
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto bit_width(const basic_simd<T, Abi>& v) {
  return detail::vectors::counts_t<T, Abi>(detail::vectors::count_bits(detail::vectors::smear(v)));
}
/// The largest power of two that is not above each lane; 0 for 0.
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> bit_floor(const basic_simd<T, Abi>& v) {
  const auto all = detail::vectors::smear(v);
  return all ^ (all >> basic_simd<T, Abi>(T(1)));
}
/// The smallest power of two that is not below each lane. T holds it.
template <detail::vectors::unsigned_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> bit_ceil(const basic_simd<T, Abi>& v) {
  using V = basic_simd<T, Abi>;
  return hpk::select(v == V(), V(T(1)), detail::vectors::smear(v - V(T(1))) + V(T(1)));
}
/// The bytes of each lane in reverse order.
template <detail::vectors::integer_lane T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> byteswap(const basic_simd<T, Abi>& v) {
  using U = detail::vectors::unsigned_t<T>;
  using W = basic_simd<U, Abi>;
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
  constexpr U ones = detail::vectors::greatest<U>;
  W x(v);
  // Neighbouring bytes, then pairs, then fours.
  const auto exchange = [](const W& all, int by, U low) {
    const W places(static_cast<U>(by));
    return ((all & W(low)) << places) | ((all >> places) & W(low));
  };
  if constexpr (bits > 8) x = exchange(x, 8, static_cast<U>(ones / 257));
  if constexpr (bits > 16) x = exchange(x, 16, static_cast<U>(ones / 65537));
  if constexpr (bits > 32) x = exchange(x, 32, static_cast<U>(ones / 4294967297ull));
  return basic_simd<T, Abi>(x);
}
/// The bits of each lane moved to the left, or right, by any number of places; what leaves at one
/// end comes in at the other.
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

/// a + b, or the largest or smallest value of T where the sum has no place in T.
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
/// a - b, or the largest or smallest value of T where the difference has no place in T.
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
/// The lanes as U, or its largest or smallest value where U does not have theirs.
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
