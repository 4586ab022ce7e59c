// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of vectors that classify and compare numbers, and the less frequent ones of hpk::math,
// which are computed lane by lane: remainders, exponents, neighbours, conversions to integers.
#pragma once

#include <hpk/simd/math.hpp>

#include <type_traits>

namespace hpk::simd_functions {

#define HPK_DETAIL_SIMD_IS(name, ...)                                                            \
  template <class T, class Abi>                                                                  \
  HPK_FORCEINLINE_FUNCTION constexpr basic_simd_mask<T, Abi> name(const basic_simd<T, Abi>& v) { \
    if constexpr (std::is_integral_v<T>) {                                                       \
      return basic_simd_mask<T, Abi>(name(detail::vectors::math_simd_t<T, Abi>(v)));             \
    } else {                                                                                     \
      using B = detail::vectors::mask_lane_t<T>;                                                 \
      [[maybe_unused]] const auto bits = detail::vectors::magnitude_bits(v);                     \
      [[maybe_unused]] constexpr B infinite = detail::vectors::infinite_bits<T>;                 \
      [[maybe_unused]] constexpr B normal = detail::vectors::normal_bits<T>;                     \
      return __VA_ARGS__;                                                                        \
    }                                                                                            \
  }
/// Return a mask of the lanes that are NaN, infinite, finite, normal (neither zero nor subnormal),
/// or negative (including zeros and NaNs with a sign). They test the bits of the lanes.
///@{
HPK_DETAIL_SIMD_IS(isnan, bits > infinite)
HPK_DETAIL_SIMD_IS(isinf, bits == infinite)
HPK_DETAIL_SIMD_IS(isfinite, bits < infinite)
HPK_DETAIL_SIMD_IS(isnormal, bits < infinite && bits >= normal)
HPK_DETAIL_SIMD_IS(signbit, detail::vectors::bits_of_lanes(v) < B(0))
///@}
#undef HPK_DETAIL_SIMD_IS

#define HPK_DETAIL_SIMD_COMPARE(name, ...)                               \
  template <class A, class B>                                            \
    requires detail::vectors::simd_arguments<A, B>                       \
  HPK_FORCEINLINE_FUNCTION constexpr auto name(const A& a, const B& b) { \
    using V = detail::vectors::simd_among_t<A, B>;                       \
    const V x(a);                                                        \
    const V y(b);                                                        \
    return __VA_ARGS__;                                                  \
  }
/// Comparisons that raise no floating-point exception for NaNs.
///@{
HPK_DETAIL_SIMD_COMPARE(isgreater, x > y)
HPK_DETAIL_SIMD_COMPARE(isgreaterequal, x >= y)
HPK_DETAIL_SIMD_COMPARE(isless, x < y)
HPK_DETAIL_SIMD_COMPARE(islessequal, x <= y)
HPK_DETAIL_SIMD_COMPARE(islessgreater, x<y || x> y)
HPK_DETAIL_SIMD_COMPARE(isunordered, x != x || y != y)
///@}
#undef HPK_DETAIL_SIMD_COMPARE

// Apply a function of one or two vectors lane by lane. The result has lanes of the same type or of
// `type`.
#define HPK_DETAIL_SIMD_LANES_1(name)                                                 \
  template <class T, class Abi>                                                       \
  HPK_FORCEINLINE_FUNCTION detail::vectors::math_simd_t<T, Abi> name(                 \
      const basic_simd<T, Abi>& v) {                                                  \
    using V = detail::vectors::math_simd_t<T, Abi>;                                   \
    return detail::vectors::each_lane<V>([](auto x) { return math::name(x); }, V(v)); \
  }
#define HPK_DETAIL_SIMD_LANES_2(name)                                                           \
  template <class A, class B>                                                                   \
    requires detail::vectors::simd_arguments<A, B>                                              \
  HPK_FORCEINLINE_FUNCTION auto name(const A& a, const B& b) {                                  \
    using V = detail::vectors::math_among_t<A, B>;                                              \
    return detail::vectors::each_lane<V>([](auto x, auto y) { return math::name(x, y); }, V(a), \
                                         V(b));                                                 \
  }
#define HPK_DETAIL_SIMD_LANES_TO(type, name)                                                       \
  template <class T, class Abi>                                                                    \
  HPK_FORCEINLINE_FUNCTION basic_simd<type, Abi> name(const basic_simd<T, Abi>& v) {               \
    return detail::vectors::each_lane<basic_simd<type, Abi>>([](auto x) { return math::name(x); }, \
                                                             v);                                   \
  }
/// Returns the binary exponent as a number of the lanes' type.
HPK_DETAIL_SIMD_LANES_1(logb)
/// Return the remainder of a division that rounds towards zero (fmod), and to the nearest integer
/// (remainder).
///@{
HPK_DETAIL_SIMD_LANES_2(fmod)
HPK_DETAIL_SIMD_LANES_2(remainder)
///@}
/// Returns the next representable number after x towards y.
HPK_DETAIL_SIMD_LANES_2(nextafter)
/// Return the nearest integer: lround and llround round halves away from zero, lrint and llrint by
/// the rounding mode.
///@{
HPK_DETAIL_SIMD_LANES_TO(long, lround)
HPK_DETAIL_SIMD_LANES_TO(long, lrint)
HPK_DETAIL_SIMD_LANES_TO(long long, llround)
HPK_DETAIL_SIMD_LANES_TO(long long, llrint)
///@}
/// Return the binary exponent, and the class of the number (FP_NAN, FP_INFINITE, ...), as integers.
///@{
HPK_DETAIL_SIMD_LANES_TO(int, ilogb)
HPK_DETAIL_SIMD_LANES_TO(int, fpclassify)
///@}
#undef HPK_DETAIL_SIMD_LANES_1
#undef HPK_DETAIL_SIMD_LANES_2
#undef HPK_DETAIL_SIMD_LANES_TO

#define HPK_DETAIL_SIMD_SCALE(name, type)                                                         \
  template <class T, class Abi>                                                                   \
  HPK_FORCEINLINE_FUNCTION detail::vectors::math_simd_t<T, Abi> name(                             \
      const basic_simd<T, Abi>& v, const std::type_identity_t<basic_simd<type, Abi>>& exponent) { \
    using V = detail::vectors::math_simd_t<T, Abi>;                                               \
    return detail::vectors::each_lane<V>([](auto x, auto e) { return math::name(x, e); }, V(v),   \
                                         exponent);                                               \
  }
/// Return x times 2 to the power of `exponent`, a number or a vector.
///@{
HPK_DETAIL_SIMD_SCALE(ldexp, int)
HPK_DETAIL_SIMD_SCALE(scalbn, int)
HPK_DETAIL_SIMD_SCALE(scalbln, long)
///@}
#undef HPK_DETAIL_SIMD_SCALE

/// Splits each lane into a number in [0.5, 1), which it returns, and an exponent of 2, which it
/// stores.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION detail::vectors::math_simd_t<T, Abi> frexp(
    const basic_simd<T, Abi>& v, basic_simd<int, Abi>* exponents) {
  using V = detail::vectors::math_simd_t<T, Abi>;
  int e[V::size()] = {};
  const V x(v);
  const V r([&](auto i) { return math::frexp(x[i()], &e[i()]); });
  *exponents = basic_simd<int, Abi>([&](auto i) { return e[i()]; });
  return r;
}
/// Splits each lane into its integer part, which it stores, and its fraction, which it returns.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION basic_simd<T, Abi> modf(const basic_simd<T, Abi>& v,
                                                 basic_simd<T, Abi>* whole) {
  using V = basic_simd<T, Abi>;
  *whole = detail::vectors::rounded_trunc(v);
  return detail::vectors::with_sign_of(hpk::select(isinf(v), V(), v - *whole), v);
}
/// Returns remainder(a, b), and stores the last bits of the quotients.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION basic_simd<T, Abi> remquo(
    const basic_simd<T, Abi>& a, const std::type_identity_t<basic_simd<T, Abi>>& b,
    basic_simd<int, Abi>* quotients) {
  using V = basic_simd<T, Abi>;
  int q[V::size()] = {};
  const V r([&](auto i) { return math::remquo(a[i()], b[i()], &q[i()]); });
  *quotients = basic_simd<int, Abi>([&](auto i) { return q[i()]; });
  return r;
}

}  // namespace hpk::simd_functions
