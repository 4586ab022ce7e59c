// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quotient of complex numbers, scaled so that it neither overflows nor underflows on the way.
// Also constants and signs of the parts of complex numbers. Internal to math/; included by
// complex.hpp.
#pragma once

#include <hpk/base/macros.hpp>

#include <limits>
#include <type_traits>

namespace hpk {
template <class T>
class complex;
}

namespace hpk::detail {

template <class T>
HPK_FORCEINLINE_FUNCTION constexpr T magnitude(T x) {
  [[maybe_unused]] constexpr bool native = std::is_same_v<T, double> || std::is_same_v<T, float>;
  HPK_IF_ON_HOST((if constexpr (native) return static_cast<T>(__builtin_fabs(x));
                  else return x <= T(0) ? T(0) - x : x;))
  HPK_IF_ON_DEVICE((return x <= T(0) ? T(0) - x : x;))  // -0 gives 0
}
// Constants, because device code cannot call functions of std.
template <class T>
inline constexpr T part_infinity = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T part_max = std::numeric_limits<T>::max();
template <class T>
inline constexpr T part_min = std::numeric_limits<T>::min();
template <class T>
inline constexpr T part_epsilon = std::numeric_limits<T>::epsilon();
/// Gives a non-negative number the sign of x, where x may be a signed zero.
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr T with_sign_of(T size, T x) {
  return x < T(0) || (x == T(0) && T(1) / x < T(0)) ? -size : size;
}
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr bool is_infinite(T x) {
  return magnitude(x) == part_infinity<T>;
}

/// (x + iy) / (u + iv) if both parts of the quotient are NaN: applies the rules of the C standard
/// for infinities and zeros (Annex G.5.1).
template <class T>
HPK_FUNCTION constexpr complex<T> mended_quotient(T x, T y, T u, T v, complex<T> quotient) {
  if (u == T(0) && v == T(0) && (x == x || y == y)) {
    const T infinity = with_sign_of(part_infinity<T>, u);
    return {infinity * x, infinity * y};
  }
  const bool infinite_above = is_infinite(x) || is_infinite(y);
  const bool infinite_below = is_infinite(u) || is_infinite(v);
  const bool finite_above = x - x == T(0) && y - y == T(0);
  const bool finite_below = u - u == T(0) && v - v == T(0);
  if (infinite_above && finite_below) {
    x = with_sign_of(is_infinite(x) ? T(1) : T(0), x);
    y = with_sign_of(is_infinite(y) ? T(1) : T(0), y);
    return {part_infinity<T> * (x * u + y * v), part_infinity<T> * (y * u - x * v)};
  }
  if (infinite_below && finite_above) {
    u = with_sign_of(is_infinite(u) ? T(1) : T(0), u);
    v = with_sign_of(is_infinite(v) ? T(1) : T(0), v);
    return {T(0) * (x * u + y * v), T(0) * (y * u - x * v)};
  }
  return quotient;
}

/// small * x / large if small / large underflows.
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr T scaled_product(T small, T x, T large) {
  return magnitude(x) > T(1) ? small * x / large : small * (x / large);
}

/// Division: the ratio of the divisor's parts keeps products in range (R. L. Smith, Algorithm 116,
/// 1962); both operands are first scaled by powers of two (after M. Baudin, R. L. Smith, A robust
/// complex division in Scilab, 2012).
HPK_CALLS_EITHER
template <class T>
HPK_FUNCTION constexpr complex<T> quotient(T x, T y, T u, T v) {
  constexpr T large = part_max<T> / T(2);
  constexpr T small = part_min<T> * T(2) / part_epsilon<T>;
  constexpr T grow = T(2) / (part_epsilon<T> * part_epsilon<T>);
  const T above = magnitude(x) < magnitude(y) ? magnitude(y) : magnitude(x);
  const T below = magnitude(u) < magnitude(v) ? magnitude(v) : magnitude(u);
  T a = x;
  T b = y;
  T c = u;
  T d = v;
  T scale = T(1);
  if (above >= large) {
    a /= T(2);
    b /= T(2);
    scale *= T(2);
  }
  if (below >= large) {
    c /= T(2);
    d /= T(2);
    scale /= T(2);
  }
  if (above <= small) {
    a *= grow;
    b *= grow;
    scale /= grow;
  }
  if (below <= small) {
    c *= grow;
    d *= grow;
    scale *= grow;
  }
  T re;
  T im;
  if (magnitude(d) <= magnitude(c)) {
    const T ratio = d / c;
    const T factor = T(1) / (c + d * ratio);
    if (ratio != T(0)) {
      re = (a + b * ratio) * factor;
      im = (b - a * ratio) * factor;
    } else {
      re = (a + scaled_product(d, b, c)) * factor;
      im = (b - scaled_product(d, a, c)) * factor;
    }
  } else {
    const T ratio = c / d;
    const T factor = T(1) / (d + c * ratio);
    if (ratio != T(0)) {
      re = (a * ratio + b) * factor;
      im = (b * ratio - a) * factor;
    } else {
      re = (scaled_product(c, a, d) + b) * factor;
      im = (scaled_product(c, b, d) - a) * factor;
    }
  }
  const complex<T> result(re * scale, im * scale);
  if (result.real() != result.real() && result.imag() != result.imag())
    return mended_quotient(x, y, u, v, result);
  return result;
}

}  // namespace hpk::detail
