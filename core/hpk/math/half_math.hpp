// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematical functions of 16-bit numbers, callable as hpk::f(x): computed in float, then
// rounded. The result is rounded only once if the float result is exact. fma and nextafter have
// their own implementations, because their float results would be rounded twice or wrong.
#pragma once

#include <hpk/base/half.hpp>
#include <hpk/math/c_math.hpp>
#include <hpk/math/math.hpp>

#include <concepts>

namespace hpk::half_functions {

#define HPK_DETAIL_HALF_1(name)                                          \
  template <int E, int M>                                                \
  HPK_FORCEINLINE_FUNCTION small_float<E, M> name(small_float<E, M> x) { \
    return small_float<E, M>(math::name(static_cast<float>(x)));         \
  }
// Overloads with an integer argument, which is converted to the 16-bit type, as in an addition.
#define HPK_DETAIL_HALF_MIXED(name)                                                     \
  template <std::integral I, int E, int M>                                              \
  HPK_FORCEINLINE_FUNCTION constexpr small_float<E, M> name(I x, small_float<E, M> y) { \
    return half_functions::name(small_float<E, M>(x), y);                               \
  }                                                                                     \
  template <int E, int M, std::integral I>                                              \
  HPK_FORCEINLINE_FUNCTION constexpr small_float<E, M> name(small_float<E, M> x, I y) { \
    return half_functions::name(x, small_float<E, M>(y));                               \
  }
#define HPK_DETAIL_HALF_2(name)                                                               \
  template <int E, int M>                                                                     \
  HPK_FORCEINLINE_FUNCTION small_float<E, M> name(small_float<E, M> x, small_float<E, M> y) { \
    return small_float<E, M>(math::name(static_cast<float>(x), static_cast<float>(y)));       \
  }                                                                                           \
  HPK_DETAIL_HALF_MIXED(name)
#define HPK_DETAIL_HALF_TO(type, name)                      \
  template <int E, int M>                                   \
  HPK_FORCEINLINE_FUNCTION type name(small_float<E, M> x) { \
    return math::name(static_cast<float>(x));               \
  }
#define HPK_DETAIL_HALF_RELATION(name)                                           \
  template <int E, int M>                                                        \
  HPK_FORCEINLINE_FUNCTION bool name(small_float<E, M> x, small_float<E, M> y) { \
    return math::name(static_cast<float>(x), static_cast<float>(y));             \
  }
/// The function of hpk::math of the same name, computed in float and rounded. An integer argument
/// is converted to the 16-bit type.
///@{
HPK_DETAIL_HALF_1(exp)
HPK_DETAIL_HALF_1(exp2)
HPK_DETAIL_HALF_1(expm1)
HPK_DETAIL_HALF_1(log)
HPK_DETAIL_HALF_1(log10)
HPK_DETAIL_HALF_1(log2)
HPK_DETAIL_HALF_1(log1p)
HPK_DETAIL_HALF_1(sqrt)
HPK_DETAIL_HALF_1(cbrt)
HPK_DETAIL_HALF_1(sin)
HPK_DETAIL_HALF_1(cos)
HPK_DETAIL_HALF_1(tan)
HPK_DETAIL_HALF_1(asin)
HPK_DETAIL_HALF_1(acos)
HPK_DETAIL_HALF_1(atan)
HPK_DETAIL_HALF_1(sinh)
HPK_DETAIL_HALF_1(cosh)
HPK_DETAIL_HALF_1(tanh)
HPK_DETAIL_HALF_1(asinh)
HPK_DETAIL_HALF_1(acosh)
HPK_DETAIL_HALF_1(atanh)
HPK_DETAIL_HALF_1(erf)
HPK_DETAIL_HALF_1(erfc)
HPK_DETAIL_HALF_1(tgamma)
HPK_DETAIL_HALF_1(lgamma)
HPK_DETAIL_HALF_1(ceil)
HPK_DETAIL_HALF_1(floor)
HPK_DETAIL_HALF_1(trunc)
HPK_DETAIL_HALF_1(round)
HPK_DETAIL_HALF_1(nearbyint)
HPK_DETAIL_HALF_1(rint)
HPK_DETAIL_HALF_1(logb)
HPK_DETAIL_HALF_1(rcp)
HPK_DETAIL_HALF_1(rsqrt)
HPK_DETAIL_HALF_2(pow)
HPK_DETAIL_HALF_2(hypot)
HPK_DETAIL_HALF_2(atan2)
HPK_DETAIL_HALF_2(fmod)
HPK_DETAIL_HALF_2(remainder)
HPK_DETAIL_HALF_2(fmax)
HPK_DETAIL_HALF_2(fmin)
HPK_DETAIL_HALF_2(fdim)
HPK_DETAIL_HALF_TO(long, lround)
HPK_DETAIL_HALF_TO(long, lrint)
HPK_DETAIL_HALF_TO(long long, llround)
HPK_DETAIL_HALF_TO(long long, llrint)
HPK_DETAIL_HALF_TO(int, ilogb)
HPK_DETAIL_HALF_RELATION(isgreater)
HPK_DETAIL_HALF_RELATION(isgreaterequal)
HPK_DETAIL_HALF_RELATION(isless)
HPK_DETAIL_HALF_RELATION(islessequal)
HPK_DETAIL_HALF_RELATION(islessgreater)
HPK_DETAIL_HALF_RELATION(isunordered)
///@}
#undef HPK_DETAIL_HALF_1
#undef HPK_DETAIL_HALF_2
#undef HPK_DETAIL_HALF_TO
#undef HPK_DETAIL_HALF_RELATION

/// Absolute value, and the magnitude of x with the sign of y. They change the sign bit alone.
///@{
template <int E, int M>
HPK_FORCEINLINE_FUNCTION constexpr small_float<E, M> fabs(small_float<E, M> x) noexcept {
  return small_float<E, M>::from_bits(static_cast<std::uint16_t>(x.bits() & 0x7fffu));
}
template <int E, int M>
HPK_FORCEINLINE_FUNCTION constexpr small_float<E, M> abs(small_float<E, M> x) noexcept {
  return half_functions::fabs(x);
}
template <int E, int M>
HPK_FORCEINLINE_FUNCTION constexpr small_float<E, M> copysign(small_float<E, M> x,
                                                              small_float<E, M> y) noexcept {
  return small_float<E, M>::from_bits(
      static_cast<std::uint16_t>((x.bits() & 0x7fffu) | (y.bits() & 0x8000u)));
}
HPK_DETAIL_HALF_MIXED(copysign)
///@}
/// Classification, as by the functions of std.
///@{
template <int E, int M>
HPK_FORCEINLINE_FUNCTION constexpr bool signbit(small_float<E, M> x) noexcept {
  return (x.bits() & 0x8000u) != 0;
}
template <int E, int M>
HPK_FORCEINLINE_FUNCTION constexpr bool isnan(small_float<E, M> x) noexcept {
  return (x.bits() & 0x7fffu) > ((1u << E) - 1) << M;
}
template <int E, int M>
HPK_FORCEINLINE_FUNCTION constexpr bool isinf(small_float<E, M> x) noexcept {
  return (x.bits() & 0x7fffu) == ((1u << E) - 1) << M;
}
template <int E, int M>
HPK_FORCEINLINE_FUNCTION constexpr bool isfinite(small_float<E, M> x) noexcept {
  return (x.bits() & 0x7fffu) < ((1u << E) - 1) << M;
}
template <int E, int M>
HPK_FORCEINLINE_FUNCTION constexpr bool isnormal(small_float<E, M> x) noexcept {
  return half_functions::isfinite(x) && (x.bits() & 0x7fffu) >= 1u << M;
}
template <int E, int M>
HPK_FORCEINLINE_FUNCTION constexpr int fpclassify(small_float<E, M> x) noexcept {
  if (half_functions::isnan(x)) return detail::fp_nan;
  if (half_functions::isinf(x)) return detail::fp_infinite;
  if (half_functions::isnormal(x)) return detail::fp_normal;
  return (x.bits() & 0x7fffu) == 0 ? detail::fp_zero : detail::fp_subnormal;
}
///@}
/// The next number of the type after x towards y.
///@{
template <int E, int M>
HPK_FUNCTION constexpr small_float<E, M> nextafter(small_float<E, M> x,
                                                   small_float<E, M> y) noexcept {
  using number = small_float<E, M>;
  if (half_functions::isnan(x) || half_functions::isnan(y)) return x + y;
  if (x == y) return y;
  const bool zero = (x.bits() & 0x7fffu) == 0;
  if (zero) return half_functions::copysign(number::from_bits(1), y);
  const bool away = (x < y) == !half_functions::signbit(x);
  return number::from_bits(static_cast<std::uint16_t>(away ? x.bits() + 1 : x.bits() - 1));
}
/// The neighbour of a half number towards a number of another type, which is converted first.
///@{
HPK_DETAIL_HALF_MIXED(nextafter)
///@}
#undef HPK_DETAIL_HALF_MIXED
/// x * y + z, rounded once: the sum keeps all bits that affect rounding (rounding to odd).
template <int E, int M>
HPK_FUNCTION constexpr small_float<E, M> fma(small_float<E, M> x, small_float<E, M> y,
                                             small_float<E, M> z) noexcept {
  // Exact, because a product has at most 22 significant bits.
  const double product = static_cast<double>(x) * static_cast<double>(y);
  const auto addend = static_cast<double>(z);
  double sum = product + addend;
  // The rounding error of the sum (Knuth, The Art of Computer Programming 2, 4.2.2).
  const double part = sum - product;
  const double lost = (product - (sum - part)) + (addend - part);
  auto bits = __builtin_bit_cast(std::uint64_t, sum);
  if (lost != 0 && (bits & 1) == 0) {
    bits += (lost > 0) == (sum > 0) ? std::uint64_t{1} : ~std::uint64_t{0};
    sum = __builtin_bit_cast(double, bits);
  }
  return small_float<E, M>(sum);
}
/// The length of (x, y, z).
template <int E, int M>
HPK_FORCEINLINE_FUNCTION small_float<E, M> hypot(small_float<E, M> x, small_float<E, M> y,
                                                 small_float<E, M> z) {
  return small_float<E, M>(
      math::hypot(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)));
}
/// Decomposition and scaling by powers of two. The results are rounded once.
///@{
template <int E, int M>
HPK_FORCEINLINE_FUNCTION small_float<E, M> frexp(small_float<E, M> x, int* exponent) {
  return small_float<E, M>(math::frexp(static_cast<float>(x), exponent));
}
template <int E, int M>
HPK_FORCEINLINE_FUNCTION small_float<E, M> modf(small_float<E, M> x, small_float<E, M>* whole) {
  float wide = 0;
  const float rest = math::modf(static_cast<float>(x), &wide);
  *whole = small_float<E, M>(wide);
  return small_float<E, M>(rest);
}
template <int E, int M>
HPK_FORCEINLINE_FUNCTION small_float<E, M> ldexp(small_float<E, M> x, int exponent) {
  // In double, because float would round twice if the result is subnormal in 16 bits.
  return small_float<E, M>(math::ldexp(static_cast<double>(x), exponent));
}
template <int E, int M>
HPK_FORCEINLINE_FUNCTION small_float<E, M> scalbn(small_float<E, M> x, int exponent) {
  return half_functions::ldexp(x, exponent);
}
template <int E, int M>
HPK_FORCEINLINE_FUNCTION small_float<E, M> scalbln(small_float<E, M> x, long exponent) {
  return small_float<E, M>(math::scalbln(static_cast<double>(x), exponent));
}
///@}
/// remainder(x, y), and the low bits of the quotient in *quotient.
template <int E, int M>
HPK_FORCEINLINE_FUNCTION small_float<E, M> remquo(small_float<E, M> x, small_float<E, M> y,
                                                  int* quotient) {
  return small_float<E, M>(math::remquo(static_cast<float>(x), static_cast<float>(y), quotient));
}

}  // namespace hpk::half_functions

namespace hpk::Experimental {
using namespace half_functions;
}  // namespace hpk::Experimental
