// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of lanes of a vector: the ABI tags scalar and fixed_size<N>, and native, which is as
// wide as a register of the compiler's target. Also the names of vectors and masks.
#pragma once

#include <hpk/simd/detail/native.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace hpk {

template <class T, class Abi>
class basic_simd;
template <class T, class Abi>
class basic_simd_mask;

namespace simd_abi {

/// One lane.
struct scalar {};

/// N lanes, 1 to 64, in as many registers as they fill. Register is the number of bytes of a
/// register of the target; do not pass it. It makes vectors distinct types in files compiled for
/// processors with other registers, where vectors have another alignment: a function of one file
/// that takes vectors does not link with a call in the other.
template <int N, std::size_t Register = detail::vectors::simd_bytes>
struct fixed_size {
  static_assert(N >= 1 && N <= 64,
                "hpk::simd_abi::fixed_size: N is the number of lanes; write one from 1 to 64");
};

}  // namespace simd_abi

/// Mathematical functions of vectors. Argument-dependent lookup finds them. In namespace hpk itself
/// they would hide the functions of hpk::math from hpk::f(x).
namespace simd_functions {
/// The base of vectors and masks, which holds their parts. It makes lookup find these functions for
/// vectors, masks and classes derived from them. An empty base would also do, but then g++ for ARM
/// prints a note (-Wpsabi) at each function that takes a vector.
template <class Parts>
struct parts_holder {
  Parts parts_;  ///< For hpk only.
};
}  // namespace simd_functions

namespace detail::vectors {

/// The number of lanes of an ABI; 0 if the type is not an ABI.
template <class Abi>
inline constexpr int lanes_of_abi = 0;
template <>
inline constexpr int lanes_of_abi<simd_abi::scalar> = 1;
template <int N>
inline constexpr int lanes_of_abi<simd_abi::fixed_size<N>> = N;

/// A type that lanes may have.
template <class T>
concept simd_lane = std::is_same_v<T, std::remove_cv_t<T>> &&
                    ((std::is_integral_v<T> && !std::is_same_v<T, bool>) ||
                     std::is_same_v<T, float> || std::is_same_v<T, double> || is_native_half<T>) &&
                    sizeof(T) <= 8;

/// simd_lane as a constant, which gives shorter compiler messages.
template <class T>
inline constexpr bool is_simd_lane = simd_lane<T>;
/// T, or float after an error, so that only one error is printed.
template <class T>
using lane_or_float = std::conditional_t<is_simd_lane<T>, T, float>;

template <int N>
struct abi_of_lanes {
  using type = simd_abi::fixed_size<N>;
};
template <>
struct abi_of_lanes<1> {
  using type = simd_abi::scalar;
};

/// Number of lanes of T in a register; 1 in files that are also compiled for a GPU.
template <class T>
inline constexpr int native_lanes = simd_has_vectors && simd_bytes > sizeof(T)
                                        ? static_cast<int>(simd_bytes / sizeof(T))
                                        : 1;

template <class T, int N>
using abi_for_t = typename abi_of_lanes<N == 0 ? native_lanes<T> : N>::type;

/// The signed and the unsigned integer type of a size in bytes.
template <std::size_t Bytes>
struct integers_of_size;
template <>
struct integers_of_size<1> {
  using signed_type = signed char;
  using unsigned_type = unsigned char;
};
template <>
struct integers_of_size<2> {
  using signed_type = short;
  using unsigned_type = unsigned short;
};
template <>
struct integers_of_size<4> {
  using signed_type = int;
  using unsigned_type = unsigned;
};
template <>
struct integers_of_size<8> {
  using signed_type = long long;
  using unsigned_type = unsigned long long;
};

template <class V>
inline constexpr bool is_simd_v = false;
template <class T, class Abi>
inline constexpr bool is_simd_v<basic_simd<T, Abi>> = true;
template <class M>
inline constexpr bool is_simd_mask_v = false;
template <class T, class Abi>
inline constexpr bool is_simd_mask_v<basic_simd_mask<T, Abi>> = true;
/// A vector of hpk.
template <class V>
concept simd_vector = is_simd_v<V>;

/// Whether To can represent every value of From.
template <class From, class To>
inline constexpr bool keeps_values = [] {
  if constexpr (!std::is_arithmetic_v<From> || !std::is_arithmetic_v<To>) {
    return std::is_same_v<From, To>;
  } else {
    // Binary digits of the value, without the sign.
    constexpr auto digits = [](auto x) {
      using T = decltype(x);
      if constexpr (std::is_same_v<T, float>)
        return 24;
      else if constexpr (std::is_same_v<T, double>)
        return 53;
      else if constexpr (std::is_floating_point_v<T>)
        return 64;
      else
        return static_cast<int>(8 * sizeof(T)) - (std::is_signed_v<T> ? 1 : 0);
    };
    constexpr bool fits = digits(From()) <= digits(To());
    if constexpr (std::is_floating_point_v<From>)
      return fits && std::is_floating_point_v<To>;
    else
      return fits && (std::is_signed_v<To> || !std::is_signed_v<From>);
  }
}();

/// Whether a U converts implicitly to a lane of type T: T can represent all its values, or U is int
/// (as constants are), or unsigned for unsigned lanes, or a class that converts to T.
template <class U, class T>
inline constexpr bool is_lane_argument =
    keeps_values<U, T> || std::is_same_v<U, int> || !std::is_arithmetic_v<U> ||
    (std::is_same_v<U, unsigned> && std::is_unsigned_v<T>);

/// An integral constant that can be read or called: `size` and `size()` of vectors.
template <int N>
struct simd_size {
  using value_type = int;
  static constexpr int value = N;
  HPK_FORCEINLINE_FUNCTION constexpr operator int() const noexcept { return N; }
  HPK_FORCEINLINE_FUNCTION constexpr int operator()() const noexcept { return N; }
};

}  // namespace detail::vectors

namespace simd_abi {
/// The ABI of the widest register that the target has for lanes of type T.
template <class T>
using native = detail::vectors::abi_for_t<T, 0>;
}  // namespace simd_abi

/// A vector of N lanes of type T, and its mask; without N as wide as a register. In files that are
/// also compiled for a GPU, a register has one lane.
///@{
template <class T, int N = 0>
using simd = basic_simd<T, detail::vectors::abi_for_t<T, N>>;
template <class T, int N = 0>
using simd_mask = basic_simd_mask<T, detail::vectors::abi_for_t<T, N>>;
template <class T>
using native_simd = simd<T>;
template <class T>
using native_simd_mask = simd_mask<T>;
///@}
/// The types under their names in C++26.
///@{
template <class T, int N = 0>
using vec = simd<T, N>;
template <class T, int N = 0>
using mask = simd_mask<T, N>;
///@}

/// The number of lanes of an ABI for vectors or masks of T.
template <class T, class Abi = simd_abi::native<T>>
inline constexpr int simd_size_v = detail::vectors::lanes_of_abi<Abi>;

namespace detail::vectors {
template <class T, class V>
struct simd_rebind;
template <class T, class U, class Abi>
struct simd_rebind<T, basic_simd<U, Abi>> {
  using type = basic_simd<T, Abi>;
};
template <class T, class U, class Abi>
struct simd_rebind<T, basic_simd_mask<U, Abi>> {
  using type = basic_simd_mask<T, Abi>;
};
template <int N, class V>
struct simd_resize;
template <int N, class U, class Abi>
struct simd_resize<N, basic_simd<U, Abi>> {
  using type = simd<U, N>;
};
template <int N, class U, class Abi>
struct simd_resize<N, basic_simd_mask<U, Abi>> {
  using type = simd_mask<U, N>;
};
}  // namespace detail::vectors

/// V, a vector or mask, with its lane type changed to T, or its number of lanes changed to N.
///@{
template <class T, class V>
using rebind_t = typename detail::vectors::simd_rebind<T, V>::type;
template <int N, class V>
using resize_t = typename detail::vectors::simd_resize<N, V>::type;
///@}

}  // namespace hpk
