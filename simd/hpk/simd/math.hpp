// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematical functions of vectors, for hpk::f(v) and f(v): all functions of hpk::math,
// applied to every lane. Rounding, roots, signs, fma, minimum, maximum and tests are instructions
// and give the same bits as hpk::f. Exponential functions, logarithms, trigonometric and hyperbolic
// functions, powers and error functions come from SLEEF or libmvec (native_math.hpp), with the
// accuracy listed in docs/simd.md. The other functions are computed lane by lane. Integers are
// converted to double.
#pragma once

#include <hpk/simd/detail/math_dispatch.hpp>

namespace hpk::simd_functions {

#define HPK_DETAIL_SIMD_MATH_1(name, how)                                 \
  template <class T, class Abi>                                           \
  HPK_FORCEINLINE_FUNCTION detail::vectors::math_simd_t<T, Abi> name(     \
      const basic_simd<T, Abi>& v) {                                      \
    return detail::vectors::how(detail::vectors::math_simd_t<T, Abi>(v)); \
  }
#define HPK_DETAIL_SIMD_MATH_2(name, how)                      \
  template <class A, class B>                                  \
    requires detail::vectors::simd_arguments<A, B>             \
  HPK_FORCEINLINE_FUNCTION auto name(const A& a, const B& b) { \
    using V = detail::vectors::math_among_t<A, B>;             \
    return detail::vectors::how(V(a), V(b));                   \
  }
/// Apply the function of hpk::math to every lane; docs/simd.md lists the accuracy. Integer lanes
/// are converted to double.
///@{
HPK_DETAIL_SIMD_MATH_1(exp, by_library_exp)
HPK_DETAIL_SIMD_MATH_1(exp2, by_library_exp2)
HPK_DETAIL_SIMD_MATH_1(expm1, by_library_expm1)
HPK_DETAIL_SIMD_MATH_1(log, by_fused_log)
HPK_DETAIL_SIMD_MATH_1(log2, by_library_log2)
HPK_DETAIL_SIMD_MATH_1(log10, by_library_log10)
HPK_DETAIL_SIMD_MATH_1(log1p, repaired_log1p)
HPK_DETAIL_SIMD_MATH_1(cbrt, by_library_cbrt)
HPK_DETAIL_SIMD_MATH_1(sin, by_fused_sin)
HPK_DETAIL_SIMD_MATH_1(cos, by_fused_cos)
HPK_DETAIL_SIMD_MATH_1(tan, repaired_tan)
HPK_DETAIL_SIMD_MATH_1(asin, by_library_asin)
HPK_DETAIL_SIMD_MATH_1(acos, by_library_acos)
HPK_DETAIL_SIMD_MATH_1(atan, by_library_atan)
HPK_DETAIL_SIMD_MATH_1(sinh, repaired_sinh)
HPK_DETAIL_SIMD_MATH_1(cosh, repaired_cosh)
HPK_DETAIL_SIMD_MATH_1(tanh, by_library_tanh)
HPK_DETAIL_SIMD_MATH_1(asinh, repaired_asinh)
HPK_DETAIL_SIMD_MATH_1(acosh, repaired_acosh)
HPK_DETAIL_SIMD_MATH_1(atanh, by_library_atanh)
HPK_DETAIL_SIMD_MATH_1(erf, by_library_erf)
HPK_DETAIL_SIMD_MATH_1(erfc, by_library_erfc)
HPK_DETAIL_SIMD_MATH_1(tgamma, repaired_tgamma)
HPK_DETAIL_SIMD_MATH_1(lgamma, repaired_lgamma)
HPK_DETAIL_SIMD_MATH_2(pow, by_library_pow)
HPK_DETAIL_SIMD_MATH_2(atan2, by_library_atan2)
HPK_DETAIL_SIMD_MATH_2(hypot, by_library_hypot)
///@}
/// Returns the square root of every lane, with the same bits as hpk::sqrt.
HPK_DETAIL_SIMD_MATH_1(sqrt, by_instruction_sqrt)
/// Round to integers, as numbers of the lanes' type.
///@{
HPK_DETAIL_SIMD_MATH_1(floor, rounded_floor)
HPK_DETAIL_SIMD_MATH_1(ceil, rounded_ceil)
HPK_DETAIL_SIMD_MATH_1(trunc, rounded_trunc)
HPK_DETAIL_SIMD_MATH_1(rint, rounded_rint)
HPK_DETAIL_SIMD_MATH_1(nearbyint, rounded_rint)
///@}

/// Returns the magnitude. Integers keep their type, so the smallest integer stays itself.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> abs(const basic_simd<T, Abi>& v) {
  using V = basic_simd<T, Abi>;
  if constexpr (std::is_unsigned_v<T>)
    return v;
  else if constexpr (std::is_integral_v<T>)
    return hpk::select(v < V(), -v, v);
  else
    return detail::vectors::magnitude(v);
}
/// Returns the magnitude. Integers are converted to double.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr detail::vectors::math_simd_t<T, Abi> fabs(
    const basic_simd<T, Abi>& v) {
  return detail::vectors::magnitude(detail::vectors::math_simd_t<T, Abi>(v));
}
/// Rounds to the nearest integer, halves away from zero; with HPK_PERMISSIVE halves to even, as
/// rint.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION detail::vectors::math_simd_t<T, Abi> round(const basic_simd<T, Abi>& v) {
  using V = detail::vectors::math_simd_t<T, Abi>;
  if constexpr (HPK_PERMISSIVE != 0) {
    return rint(v);
  } else {
    const V x(v);
    const V whole = detail::vectors::rounded_trunc(x);
    const V away = whole + detail::vectors::with_sign_of(V(1), x);
    return detail::vectors::with_sign_of(
        hpk::select(detail::vectors::magnitude(x - whole) >= V(0.5f), away, whole), x);
  }
}
/// Return 1 / x and 1 / sqrt(x).
///@{
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr detail::vectors::math_simd_t<T, Abi> rcp(
    const basic_simd<T, Abi>& v) {
  using V = detail::vectors::math_simd_t<T, Abi>;
  return V(1) / V(v);
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION detail::vectors::math_simd_t<T, Abi> rsqrt(const basic_simd<T, Abi>& v) {
  using V = detail::vectors::math_simd_t<T, Abi>;
  return V(1) / detail::vectors::by_instruction_sqrt(V(v));
}
///@}

/// Returns a * b + c, rounded once.
template <class A, class B, class C>
  requires detail::vectors::simd_arguments<A, B, C>
HPK_FORCEINLINE_FUNCTION auto fma(const A& a, const B& b, const C& c) {
  using V = detail::vectors::math_among_t<A, B, C>;
  return detail::vectors::by_instruction_fma(V(a), V(b), V(c));
}
/// Returns the length of the vector (a, b, c).
template <class A, class B, class C>
  requires detail::vectors::simd_arguments<A, B, C>
HPK_FORCEINLINE_FUNCTION auto hypot(const A& a, const B& b, const C& c) {
  using V = detail::vectors::math_among_t<A, B, C>;
  return detail::vectors::each_lane<V>([](auto x, auto y, auto z) { return math::hypot(x, y, z); },
                                       V(a), V(b), V(c));
}
/// Returns the magnitude of a with the sign of b.
template <class A, class B>
  requires detail::vectors::simd_arguments<A, B>
HPK_FORCEINLINE_FUNCTION constexpr auto copysign(const A& a, const B& b) {
  using V = detail::vectors::math_among_t<A, B>;
  return detail::vectors::with_sign_of(V(a), V(b));
}
#define HPK_DETAIL_SIMD_CHOICE(name, ...)                                \
  template <class A, class B>                                            \
    requires detail::vectors::simd_arguments<A, B>                       \
  HPK_FORCEINLINE_FUNCTION constexpr auto name(const A& a, const B& b) { \
    using V = detail::vectors::math_among_t<A, B>;                       \
    const V x(a);                                                        \
    const V y(b);                                                        \
    return hpk::select(__VA_ARGS__);                                     \
  }
/// fmin and fmax return the smaller and the larger number, and the other argument if one is a NaN.
/// fdim returns the positive difference.
///@{
HPK_DETAIL_SIMD_CHOICE(fmin, y < x || x != x, y, x)
HPK_DETAIL_SIMD_CHOICE(fmax, x < y || x != x, y, x)
HPK_DETAIL_SIMD_CHOICE(fdim, x <= y, V(), x - y)
///@}
#undef HPK_DETAIL_SIMD_CHOICE

#undef HPK_DETAIL_SIMD_MATH_1
#undef HPK_DETAIL_SIMD_MATH_2

}  // namespace hpk::simd_functions
