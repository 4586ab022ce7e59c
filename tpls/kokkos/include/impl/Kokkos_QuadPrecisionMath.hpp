// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __float128 on hosts: numeric traits, identities of reductions and mathematical functions. Empty
// unless the compiler has the type and libquadmath (KOKKOS_ENABLE_LIBQUADMATH). No other header
// includes this one. The CMake package links the library.
#pragma once

#include <Kokkos_Macros.hpp>

#ifdef KOKKOS_ENABLE_LIBQUADMATH

#include <hpk/math.hpp>
#include <hpk/numeric_traits.hpp>
#include <hpk/parallel.hpp>

#include <quadmath.h>
#include <limits>

namespace hpk::detail {
/// Returns 2 to the power of an integer, exactly; the macros of <quadmath.h> need a language
/// extension.
constexpr __float128 quad_power_of_two(int exponent) {
  __float128 result = 1;
  for (; exponent > 0; --exponent) result *= 2;
  for (; exponent < 0; ++exponent) result /= 2;
  return result;
}
// 113 digits and 15 exponent bits, as in IEEE 754.
inline constexpr __float128 quad_infinity = std::numeric_limits<double>::infinity();
inline constexpr __float128 quad_max = (2 - quad_power_of_two(-112)) * quad_power_of_two(16383);
}  // namespace hpk::detail

namespace hpk {

#define HPK_KOKKOS_TRAIT(name, ...)           \
  template <>                                 \
  struct name<__float128> {                   \
    static constexpr auto value{__VA_ARGS__}; \
  };
HPK_KOKKOS_TRAIT(infinity, detail::quad_infinity)
HPK_KOKKOS_TRAIT(finite_min, -detail::quad_max)
HPK_KOKKOS_TRAIT(finite_max, detail::quad_max)
HPK_KOKKOS_TRAIT(epsilon, detail::quad_power_of_two(-112))
HPK_KOKKOS_TRAIT(round_error, detail::quad_power_of_two(-1))
HPK_KOKKOS_TRAIT(norm_min, detail::quad_power_of_two(-16382))
HPK_KOKKOS_TRAIT(denorm_min, detail::quad_power_of_two(-16494))
HPK_KOKKOS_TRAIT(quiet_NaN, static_cast<__float128>(std::numeric_limits<double>::quiet_NaN()))
HPK_KOKKOS_TRAIT(digits, 113)
HPK_KOKKOS_TRAIT(digits10, 33)
HPK_KOKKOS_TRAIT(max_digits10, 36)
HPK_KOKKOS_TRAIT(radix, 2)
HPK_KOKKOS_TRAIT(min_exponent, -16381)
HPK_KOKKOS_TRAIT(min_exponent10, -4931)
HPK_KOKKOS_TRAIT(max_exponent, 16384)
HPK_KOKKOS_TRAIT(max_exponent10, 4932)
#undef HPK_KOKKOS_TRAIT

template <>
struct reduction_identity<__float128> {
  static constexpr __float128 sum() { return 0; }
  static constexpr __float128 prod() { return 1; }
  static constexpr __float128 max() { return -detail::quad_infinity; }
  static constexpr __float128 min() { return detail::quad_infinity; }
};

}  // namespace hpk

namespace hpk::math {

#define HPK_KOKKOS_MATH(name) \
  inline __float128 name(__float128 x) { return ::name##q(x); }
HPK_KOKKOS_MATH(fabs)
HPK_KOKKOS_MATH(exp)
HPK_KOKKOS_MATH(exp2)
HPK_KOKKOS_MATH(expm1)
HPK_KOKKOS_MATH(log)
HPK_KOKKOS_MATH(log10)
HPK_KOKKOS_MATH(log2)
HPK_KOKKOS_MATH(log1p)
HPK_KOKKOS_MATH(sqrt)
HPK_KOKKOS_MATH(cbrt)
HPK_KOKKOS_MATH(sin)
HPK_KOKKOS_MATH(cos)
HPK_KOKKOS_MATH(tan)
HPK_KOKKOS_MATH(asin)
HPK_KOKKOS_MATH(acos)
HPK_KOKKOS_MATH(atan)
HPK_KOKKOS_MATH(sinh)
HPK_KOKKOS_MATH(cosh)
HPK_KOKKOS_MATH(tanh)
HPK_KOKKOS_MATH(asinh)
HPK_KOKKOS_MATH(acosh)
HPK_KOKKOS_MATH(atanh)
HPK_KOKKOS_MATH(erf)
HPK_KOKKOS_MATH(erfc)
HPK_KOKKOS_MATH(tgamma)
HPK_KOKKOS_MATH(lgamma)
HPK_KOKKOS_MATH(ceil)
HPK_KOKKOS_MATH(floor)
HPK_KOKKOS_MATH(trunc)
HPK_KOKKOS_MATH(round)
HPK_KOKKOS_MATH(nearbyint)
HPK_KOKKOS_MATH(rint)
HPK_KOKKOS_MATH(logb)
#undef HPK_KOKKOS_MATH
#define HPK_KOKKOS_MATH(name) \
  inline __float128 name(__float128 x, __float128 y) { return ::name##q(x, y); }
HPK_KOKKOS_MATH(fmod)
HPK_KOKKOS_MATH(remainder)
HPK_KOKKOS_MATH(fmax)
HPK_KOKKOS_MATH(fmin)
HPK_KOKKOS_MATH(fdim)
HPK_KOKKOS_MATH(pow)
HPK_KOKKOS_MATH(hypot)
HPK_KOKKOS_MATH(atan2)
HPK_KOKKOS_MATH(nextafter)
HPK_KOKKOS_MATH(copysign)
#undef HPK_KOKKOS_MATH
inline __float128 abs(__float128 x) { return ::fabsq(x); }
inline __float128 fma(__float128 x, __float128 y, __float128 z) { return ::fmaq(x, y, z); }
inline __float128 hypot(__float128 x, __float128 y, __float128 z) {
  return ::hypotq(::hypotq(x, y), z);
}
inline __float128 rsqrt(__float128 x) { return 1 / ::sqrtq(x); }
inline __float128 rcp(__float128 x) { return 1 / x; }
inline bool isfinite(__float128 x) { return ::finiteq(x) != 0; }
inline bool isinf(__float128 x) { return ::isinfq(x) != 0; }
inline bool isnan(__float128 x) { return ::isnanq(x) != 0; }
inline bool signbit(__float128 x) { return ::signbitq(x) != 0; }

}  // namespace hpk::math

#endif
