// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematical functions for kernels: hpk::f(x) is std::f(x) on hosts and the compiler's
// function on GPUs. Arguments are float, double, long double (on hosts), or integers, which count
// as double; several arguments of different types are converted to their common type. For a class
// or enumeration, hpk::f calls the f found by argument-dependent lookup, so that kernels written
// with hpk::f accept types of the program; hpk::complex and the half types are supported this way
// too.
//
// The functions are declared in hpk::math, whose names are visible in hpk: programs write
// hpk::sin(x). After `using namespace hpk` an unqualified name means the C library's function if it
// accepts the type, because all functions of this file are templates, which rank below
// non-templates in overload resolution.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/math/argument_lookup.hpp>
#include <hpk/math/c_math.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace hpk::detail {

/// The common type of several arithmetic arguments; integers count as double.
template <class... Ts>
using promoted_t = std::common_type_t<std::conditional_t<std::is_integral_v<Ts>, double, Ts>...>;
/// Arithmetic arguments that are not all of one floating type: an overload promotes them.
template <class T, class... Ts>
concept mixed_arithmetic = (std::is_arithmetic_v<T> && ... && std::is_arithmetic_v<Ts>) &&
                           (std::is_integral_v<T> || ... || !std::is_same_v<T, Ts>);

template <class T>
inline constexpr T infinite = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T smallest_normal = std::numeric_limits<T>::min();

/// The length of (x, y, z) for long double, on hosts only.
inline long double wide_length(long double x, long double y, long double z) {
  if (__builtin_isinf(x) || __builtin_isinf(y) || __builtin_isinf(z)) return infinite<long double>;
  if (__builtin_isunordered(x, y) || __builtin_isnan(z)) return x + y + z;
  return HPK_DETAIL_C_MATH(hypotl)(HPK_DETAIL_C_MATH(hypotl)(x, y), z);
}
/// The length of (x, y, z) without overflow: scaled by the largest component. (GPUs have no
/// std::hypot with three arguments, and libstdc++ 12 treats an infinity as a NaN.)
template <class T>
HPK_FUNCTION T scaled_length(T x, T y, T z) {
  x = x < T(0) ? -x : x;
  y = y < T(0) ? -y : y;
  z = z < T(0) ? -z : z;
  if (x == infinite<T> || y == infinite<T> || z == infinite<T>) return infinite<T>;
  const T xy = x < y ? y : x;
  const T largest = xy < z ? z : xy;
  if (!(largest > T(0))) return x + y + z;
  x /= largest;
  y /= largest;
  z /= largest;
  const T squares = x * x + y * y + z * z;
  if constexpr (std::is_same_v<T, float>) {
    return largest * HPK_DETAIL_C_MATH(sqrtf)(squares);
  } else {
    return largest * HPK_DETAIL_C_MATH(sqrt)(squares);
  }
}
}  // namespace hpk::detail

/// The mathematical functions: hpk::f(x) is std::f(x) on hosts and the compiler's function on GPUs.
///
/// Arguments are float, double, long double (on hosts), or integers, which count as double; the
/// result has their common type. Functions of one or two arguments also have the forms with a
/// suffix: sinf, sinl. For a class, f is found by argument-dependent lookup. Programs write
/// hpk::sin(x).
namespace hpk::math {

// Begins a function, for host and device or for hosts only, that ranks below a non-template.
#define HPK_DETAIL_MATH \
  template <int = 0>    \
  HPK_FORCEINLINE_FUNCTION
#define HPK_DETAIL_MATH_HOST \
  template <int = 0>         \
  HPK_FORCEINLINE
// For a class: calls the function that argument-dependent lookup finds.
#define HPK_DETAIL_MATH_FOUND(name)                                 \
  HPK_CALLS_EITHER                                                  \
  template <class... Ts>                                            \
    requires detail::some_math_class<Ts...>                         \
  HPK_FORCEINLINE_FUNCTION constexpr auto name(const Ts&... xs)     \
      -> decltype(detail::found_by_arguments::call_##name(xs...)) { \
    return detail::found_by_arguments::call_##name(xs...);          \
  }
// One argument, including the forms with a suffix.
#define HPK_DETAIL_MATH_1(name)                                                                  \
  HPK_DETAIL_MATH float name(float x) { return HPK_DETAIL_C_MATH(name##f)(x); }                  \
  HPK_DETAIL_MATH double name(double x) { return HPK_DETAIL_C_MATH(name)(x); }                   \
  HPK_DETAIL_MATH_HOST long double name(long double x) { return HPK_DETAIL_C_MATH(name##l)(x); } \
  HPK_DETAIL_MATH float name##f(float x) { return HPK_DETAIL_C_MATH(name##f)(x); }               \
  HPK_DETAIL_MATH_HOST long double name##l(long double x) {                                      \
    return HPK_DETAIL_C_MATH(name##l)(x);                                                        \
  }                                                                                              \
  template <std::integral I>                                                                     \
  HPK_FORCEINLINE_FUNCTION double name(I x) {                                                    \
    return HPK_DETAIL_C_MATH(name)(static_cast<double>(x));                                      \
  }                                                                                              \
  HPK_DETAIL_MATH_FOUND(name)
// Two arguments.
#define HPK_DETAIL_MATH_2(name)                                                                \
  HPK_DETAIL_MATH float name(float x, float y) { return HPK_DETAIL_C_MATH(name##f)(x, y); }    \
  HPK_DETAIL_MATH double name(double x, double y) { return HPK_DETAIL_C_MATH(name)(x, y); }    \
  HPK_DETAIL_MATH_HOST long double name(long double x, long double y) {                        \
    return HPK_DETAIL_C_MATH(name##l)(x, y);                                                   \
  }                                                                                            \
  HPK_DETAIL_MATH float name##f(float x, float y) { return HPK_DETAIL_C_MATH(name##f)(x, y); } \
  HPK_DETAIL_MATH_HOST long double name##l(long double x, long double y) {                     \
    return HPK_DETAIL_C_MATH(name##l)(x, y);                                                   \
  }                                                                                            \
  template <class A, class B>                                                                  \
    requires detail::mixed_arithmetic<A, B>                                                    \
  HPK_FORCEINLINE_FUNCTION detail::promoted_t<A, B> name(A x, B y) {                           \
    using wide = detail::promoted_t<A, B>;                                                     \
    return math::name(static_cast<wide>(x), static_cast<wide>(y));                             \
  }                                                                                            \
  HPK_DETAIL_MATH_FOUND(name)
// Three arguments.
#define HPK_DETAIL_MATH_3(name, of_floats, of_doubles, of_long_doubles)                  \
  HPK_DETAIL_MATH float name(float x, float y, float z) { return of_floats; }            \
  HPK_DETAIL_MATH double name(double x, double y, double z) { return of_doubles; }       \
  HPK_DETAIL_MATH_HOST long double name(long double x, long double y, long double z) {   \
    return of_long_doubles;                                                              \
  }                                                                                      \
  template <class A, class B, class C>                                                   \
    requires detail::mixed_arithmetic<A, B, C>                                           \
  HPK_FORCEINLINE_FUNCTION detail::promoted_t<A, B, C> name(A a, B b, C c) {             \
    using wide = detail::promoted_t<A, B, C>;                                            \
    return math::name(static_cast<wide>(a), static_cast<wide>(b), static_cast<wide>(c)); \
  }
// One argument and a result of another type.
#define HPK_DETAIL_MATH_TO(type, name)                                                    \
  HPK_DETAIL_MATH type name(float x) { return HPK_DETAIL_C_MATH(name##f)(x); }            \
  HPK_DETAIL_MATH type name(double x) { return HPK_DETAIL_C_MATH(name)(x); }              \
  HPK_DETAIL_MATH_HOST type name(long double x) { return HPK_DETAIL_C_MATH(name##l)(x); } \
  template <std::integral I>                                                              \
  HPK_FORCEINLINE_FUNCTION type name(I x) {                                               \
    return HPK_DETAIL_C_MATH(name)(static_cast<double>(x));                               \
  }                                                                                       \
  HPK_DETAIL_MATH_FOUND(name)
// Classification.
#define HPK_DETAIL_MATH_IS(name)                       \
  template <class T>                                   \
    requires std::is_floating_point_v<T>               \
  HPK_FORCEINLINE_FUNCTION bool name(T x) {            \
    HPK_IF_ON_HOST((return __builtin_##name(x) != 0;)) \
    HPK_IF_ON_DEVICE((return std::name(x);))           \
  }                                                    \
  template <std::integral I>                           \
  HPK_FORCEINLINE_FUNCTION bool name(I x) {            \
    return math::name(static_cast<double>(x));         \
  }                                                    \
  HPK_DETAIL_MATH_FOUND(name)
#define HPK_DETAIL_MATH_COMPARE(name, ...)                         \
  template <class T>                                               \
    requires std::is_floating_point_v<T>                           \
  HPK_FORCEINLINE_FUNCTION bool name(T x, T y) {                   \
    HPK_IF_ON_HOST((return __builtin_##name(x, y) != 0;))          \
    HPK_IF_ON_DEVICE((return __VA_ARGS__;))                        \
  }                                                                \
  template <class A, class B>                                      \
    requires detail::mixed_arithmetic<A, B>                        \
  HPK_FORCEINLINE_FUNCTION bool name(A x, B y) {                   \
    using wide = detail::promoted_t<A, B>;                         \
    return math::name(static_cast<wide>(x), static_cast<wide>(y)); \
  }                                                                \
  HPK_DETAIL_MATH_FOUND(name)

/// Absolute value; int, long and long long keep their type.
///@{
HPK_DETAIL_MATH constexpr int abs(int x) { return x < 0 ? -x : x; }
HPK_DETAIL_MATH constexpr long abs(long x) { return x < 0 ? -x : x; }
HPK_DETAIL_MATH constexpr long long abs(long long x) { return x < 0 ? -x : x; }
HPK_DETAIL_MATH float abs(float x) { return HPK_DETAIL_C_MATH(fabsf)(x); }
HPK_DETAIL_MATH double abs(double x) { return HPK_DETAIL_C_MATH(fabs)(x); }
HPK_DETAIL_MATH_HOST long double abs(long double x) { return HPK_DETAIL_C_MATH(fabsl)(x); }
HPK_DETAIL_MATH float absf(float x) { return HPK_DETAIL_C_MATH(fabsf)(x); }
HPK_DETAIL_MATH_HOST long double absl(long double x) { return HPK_DETAIL_C_MATH(fabsl)(x); }
HPK_DETAIL_MATH_FOUND(abs)
///@}
/// Absolute value, as a floating-point number.
///@{
HPK_DETAIL_MATH_1(fabs)
///@}
/// Exponentials and logarithms.
///@{
HPK_DETAIL_MATH_1(exp)
HPK_DETAIL_MATH_1(exp2)
HPK_DETAIL_MATH_1(expm1)
HPK_DETAIL_MATH_1(log)
HPK_DETAIL_MATH_1(log10)
HPK_DETAIL_MATH_1(log2)
HPK_DETAIL_MATH_1(log1p)
///@}
/// Square and cubic root.
///@{
HPK_DETAIL_MATH_1(sqrt)
HPK_DETAIL_MATH_1(cbrt)
///@}
/// Trigonometric functions, in radians, and their inverses.
///@{
HPK_DETAIL_MATH_1(sin)
HPK_DETAIL_MATH_1(cos)
HPK_DETAIL_MATH_1(tan)
HPK_DETAIL_MATH_1(asin)
HPK_DETAIL_MATH_1(acos)
HPK_DETAIL_MATH_1(atan)
///@}
/// Hyperbolic functions and their inverses.
///@{
HPK_DETAIL_MATH_1(sinh)
HPK_DETAIL_MATH_1(cosh)
HPK_DETAIL_MATH_1(tanh)
HPK_DETAIL_MATH_1(asinh)
HPK_DETAIL_MATH_1(acosh)
HPK_DETAIL_MATH_1(atanh)
///@}
/// Error function, its complement, gamma function, and the logarithm of its absolute value.
///@{
HPK_DETAIL_MATH_1(erf)
HPK_DETAIL_MATH_1(erfc)
HPK_DETAIL_MATH_1(tgamma)
HPK_DETAIL_MATH_1(lgamma)
///@}
/// Rounding to an integer: up, down, towards zero, halves away from zero, and twice by the rounding
/// mode (by default halves to even).
///@{
HPK_DETAIL_MATH_1(ceil)
HPK_DETAIL_MATH_1(floor)
HPK_DETAIL_MATH_1(trunc)
HPK_DETAIL_MATH_1(round)
HPK_DETAIL_MATH_1(nearbyint)
HPK_DETAIL_MATH_1(rint)
///@}
/// The exponent in base 2.
///@{
HPK_DETAIL_MATH_1(logb)
///@}
/// x to the power of y; the length of (x, y).
///@{
HPK_DETAIL_MATH_2(pow)
HPK_DETAIL_MATH_2(hypot)
///@}
/// The angle of (x, y) = (second, first argument), in radians.
///@{
HPK_DETAIL_MATH_2(atan2)
///@}
/// Remainder of a division whose quotient is rounded towards zero, or to the nearest integer.
///@{
HPK_DETAIL_MATH_2(fmod)
HPK_DETAIL_MATH_2(remainder)
///@}
/// The larger and the smaller value, ignoring a NaN; the positive difference.
///@{
HPK_DETAIL_MATH_2(fmax)
HPK_DETAIL_MATH_2(fmin)
HPK_DETAIL_MATH_2(fdim)
///@}
/// The next value after x towards y; the magnitude of x with the sign of y.
///@{
HPK_DETAIL_MATH_2(nextafter)
HPK_DETAIL_MATH_2(copysign)
///@}
/// The nearest integer, with halves away from zero, and by the rounding mode.
///@{
HPK_DETAIL_MATH_TO(long, lround)
HPK_DETAIL_MATH_TO(long, lrint)
HPK_DETAIL_MATH_TO(long long, llround)
HPK_DETAIL_MATH_TO(long long, llrint)
///@}
/// The exponent in base 2, as an integer.
///@{
HPK_DETAIL_MATH_TO(int, ilogb)
///@}
/// Classification.
///@{
HPK_DETAIL_MATH_IS(isfinite)
HPK_DETAIL_MATH_IS(isinf)
HPK_DETAIL_MATH_IS(isnan)
HPK_DETAIL_MATH_IS(signbit)
template <class T>
  requires std::is_floating_point_v<T>
HPK_FORCEINLINE_FUNCTION int fpclassify(T x) {
  HPK_IF_ON_HOST(
      (return __builtin_fpclassify(detail::fp_nan, detail::fp_infinite, detail::fp_normal,
                                   detail::fp_subnormal, detail::fp_zero, x);))
  HPK_IF_ON_DEVICE((const T size = x < T(0) ? -x : x; if (x != x) return detail::fp_nan;
                    if (size == detail::infinite<T>) return detail::fp_infinite;
                    if (size >= detail::smallest_normal<T>) return detail::fp_normal;
                    return size == T(0) ? detail::fp_zero : detail::fp_subnormal;))
}
template <std::integral I>
HPK_FORCEINLINE_FUNCTION int fpclassify(I x) {
  return math::fpclassify(static_cast<double>(x));
}
HPK_DETAIL_MATH_FOUND(fpclassify)
template <class T>
  requires std::is_arithmetic_v<T>
HPK_FORCEINLINE_FUNCTION bool isnormal(T x) {
  return math::fpclassify(x) == detail::fp_normal;
}
HPK_DETAIL_MATH_FOUND(isnormal)
///@}
/// Comparisons that raise no floating-point exception for NaNs.
///@{
HPK_DETAIL_MATH_COMPARE(isgreater, x > y)
HPK_DETAIL_MATH_COMPARE(isgreaterequal, x >= y)
HPK_DETAIL_MATH_COMPARE(isless, x < y)
HPK_DETAIL_MATH_COMPARE(islessequal, x <= y)
HPK_DETAIL_MATH_COMPARE(islessgreater, x<y || x> y)
HPK_DETAIL_MATH_COMPARE(isunordered, x != x || y != y)
///@}
/// x * y + z, rounded once; the length of (x, y, z).
///@{
HPK_DETAIL_MATH_3(fma, HPK_DETAIL_C_MATH(fmaf)(x, y, z), HPK_DETAIL_C_MATH(fma)(x, y, z),
                  HPK_DETAIL_C_MATH(fmal)(x, y, z))
HPK_DETAIL_MATH_FOUND(fma)
HPK_DETAIL_MATH float fmaf(float x, float y, float z) { return HPK_DETAIL_C_MATH(fmaf)(x, y, z); }
HPK_DETAIL_MATH_HOST long double fmal(long double x, long double y, long double z) {
  return HPK_DETAIL_C_MATH(fmal)(x, y, z);
}
HPK_DETAIL_MATH_3(hypot, detail::scaled_length(x, y, z), detail::scaled_length(x, y, z),
                  detail::wide_length(x, y, z))
///@}

/// Splits x into a fraction in [0.5, 1) and a power of 2.
///@{
HPK_DETAIL_MATH float frexp(float x, int* exponent) {
  return HPK_DETAIL_C_MATH(frexpf)(x, exponent);
}
HPK_DETAIL_MATH double frexp(double x, int* exponent) {
  return HPK_DETAIL_C_MATH(frexp)(x, exponent);
}
HPK_DETAIL_MATH_HOST long double frexp(long double x, int* exponent) {
  return HPK_DETAIL_C_MATH(frexpl)(x, exponent);
}
template <std::integral I>
HPK_FORCEINLINE_FUNCTION double frexp(I x, int* exponent) {
  return HPK_DETAIL_C_MATH(frexp)(static_cast<double>(x), exponent);
}
HPK_DETAIL_MATH_FOUND(frexp)
///@}
/// Splits x into its integer part (stored) and its fraction (returned).
///@{
HPK_DETAIL_MATH float modf(float x, float* whole) { return HPK_DETAIL_C_MATH(modff)(x, whole); }
HPK_DETAIL_MATH double modf(double x, double* whole) { return HPK_DETAIL_C_MATH(modf)(x, whole); }
HPK_DETAIL_MATH_HOST long double modf(long double x, long double* whole) {
  return HPK_DETAIL_C_MATH(modfl)(x, whole);
}
HPK_DETAIL_MATH_FOUND(modf)
///@}
#define HPK_DETAIL_MATH_SCALE(name, exponent_type)                               \
  HPK_DETAIL_MATH float name(float x, exponent_type exponent) {                  \
    return HPK_DETAIL_C_MATH(name##f)(x, exponent);                              \
  }                                                                              \
  HPK_DETAIL_MATH double name(double x, exponent_type exponent) {                \
    return HPK_DETAIL_C_MATH(name)(x, exponent);                                 \
  }                                                                              \
  HPK_DETAIL_MATH_HOST long double name(long double x, exponent_type exponent) { \
    return HPK_DETAIL_C_MATH(name##l)(x, exponent);                              \
  }                                                                              \
  template <std::integral I>                                                     \
  HPK_FORCEINLINE_FUNCTION double name(I x, exponent_type exponent) {            \
    return HPK_DETAIL_C_MATH(name)(static_cast<double>(x), exponent);            \
  }                                                                              \
  HPK_DETAIL_MATH_FOUND(name)
/// x times 2 to the power of `exponent`.
///@{
HPK_DETAIL_MATH_SCALE(ldexp, int)
HPK_DETAIL_MATH_SCALE(scalbn, int)
HPK_DETAIL_MATH_SCALE(scalbln, long)
///@}
/// remainder(x, y), and the low bits of the quotient.
///@{
HPK_DETAIL_MATH float remquo(float x, float y, int* quotient) {
  return HPK_DETAIL_C_MATH(remquof)(x, y, quotient);
}
HPK_DETAIL_MATH double remquo(double x, double y, int* quotient) {
  return HPK_DETAIL_C_MATH(remquo)(x, y, quotient);
}
HPK_DETAIL_MATH_HOST long double remquo(long double x, long double y, int* quotient) {
  return HPK_DETAIL_C_MATH(remquol)(x, y, quotient);
}
template <class A, class B>
  requires detail::mixed_arithmetic<A, B>
HPK_FORCEINLINE_FUNCTION detail::promoted_t<A, B> remquo(A x, B y, int* quotient) {
  using wide = detail::promoted_t<A, B>;
  return math::remquo(static_cast<wide>(x), static_cast<wide>(y), quotient);
}
HPK_DETAIL_MATH_FOUND(remquo)
///@}
/// The next value after x towards y, a long double. Hosts only: GPUs do not support long double.
///@{
HPK_DETAIL_MATH_HOST float nexttoward(float x, long double y) {
  return HPK_DETAIL_C_MATH(nexttowardf)(x, y);
}
HPK_DETAIL_MATH_HOST double nexttoward(double x, long double y) {
  return HPK_DETAIL_C_MATH(nexttoward)(x, y);
}
HPK_DETAIL_MATH_HOST long double nexttoward(long double x, long double y) {
  return HPK_DETAIL_C_MATH(nexttowardl)(x, y);
}
template <std::integral I>
HPK_FORCEINLINE double nexttoward(I x, long double y) {
  return HPK_DETAIL_C_MATH(nexttoward)(static_cast<double>(x), y);
}
///@}

/// 1 / x and 1 / sqrt(x): a division on hosts, an instruction on GPUs.
///@{
HPK_DETAIL_MATH constexpr float rcp(float x) { return 1.0f / x; }
HPK_DETAIL_MATH constexpr double rcp(double x) { return 1.0 / x; }
HPK_DETAIL_MATH_HOST constexpr long double rcp(long double x) { return 1.0L / x; }
template <std::integral I>
HPK_FORCEINLINE_FUNCTION constexpr double rcp(I x) {
  return 1.0 / static_cast<double>(x);
}
HPK_DETAIL_MATH constexpr float rcpf(float x) { return 1.0f / x; }
HPK_DETAIL_MATH_HOST constexpr long double rcpl(long double x) { return 1.0L / x; }
HPK_DETAIL_MATH_FOUND(rcp)
HPK_DETAIL_MATH float rsqrt(float x) {
  HPK_IF_ON_HOST((return 1.0f / HPK_DETAIL_C_MATH(sqrtf)(x);))
  HPK_IF_ON_DEVICE((return ::rsqrtf(x);))
}
HPK_DETAIL_MATH double rsqrt(double x) {
  HPK_IF_ON_HOST((return 1.0 / HPK_DETAIL_C_MATH(sqrt)(x);))
  HPK_IF_ON_DEVICE((return ::rsqrt(x);))
}
HPK_DETAIL_MATH_HOST long double rsqrt(long double x) { return 1.0L / HPK_DETAIL_C_MATH(sqrtl)(x); }
template <std::integral I>
HPK_FORCEINLINE_FUNCTION double rsqrt(I x) {
  return math::rsqrt(static_cast<double>(x));
}
HPK_DETAIL_MATH float rsqrtf(float x) { return math::rsqrt(x); }
HPK_DETAIL_MATH_HOST long double rsqrtl(long double x) { return math::rsqrt(x); }
HPK_DETAIL_MATH_FOUND(rsqrt)
///@}

/// A NaN with the given payload.
///@{
HPK_DETAIL_MATH double nan(const char* payload) { return HPK_DETAIL_C_MATH(nan)(payload); }
HPK_DETAIL_MATH float nanf(const char* payload) { return HPK_DETAIL_C_MATH(nanf)(payload); }
HPK_DETAIL_MATH_HOST long double nanl(const char* payload) {
  return HPK_DETAIL_C_MATH(nanl)(payload);
}
///@}

#undef HPK_DETAIL_MATH
#undef HPK_DETAIL_MATH_HOST
#undef HPK_DETAIL_MATH_FOUND
#undef HPK_DETAIL_MATH_1
#undef HPK_DETAIL_MATH_2
#undef HPK_DETAIL_MATH_3
#undef HPK_DETAIL_MATH_TO
#undef HPK_DETAIL_MATH_IS
#undef HPK_DETAIL_MATH_COMPARE
#undef HPK_DETAIL_MATH_SCALE

}  // namespace hpk::math

namespace hpk {
using namespace math;
}
