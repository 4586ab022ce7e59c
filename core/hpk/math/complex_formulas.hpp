// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas for functions of complex numbers on GPUs, which have no library for them. Special values
// follow the C standard, Annex G; docs/math.md states the accuracy. The inverse functions follow W.
// Kahan, Branch cuts for complex elementary functions, or much ado about nothing's sign bit (1987).
#pragma once

#include <hpk/base/unfused_product.hpp>
#include <hpk/math/complex.hpp>
#include <hpk/math/math.hpp>

namespace hpk::detail {

template <class T>
inline constexpr T part_nan = std::numeric_limits<T>::quiet_NaN();
template <class T>
inline constexpr T part_pi = static_cast<T>(3.14159265358979323846264338327950288L);
template <class T>
inline constexpr T part_ln2 = static_cast<T>(0.69314718055994530941723212145817657L);

/// Above this magnitude, z * z + 1 equals z * z to all digits.
template <class T>
inline constexpr T part_large = T(4) / part_epsilon<T>;

/// i z and -i z.
template <class T>
HPK_FUNCTION constexpr complex<T> times_i(const complex<T>& z) {
  return {-z.imag(), z.real()};
}
template <class T>
HPK_FUNCTION constexpr complex<T> over_i(const complex<T>& z) {
  return {z.imag(), -z.real()};
}

template <class T>
HPK_FUNCTION complex<T> formula_sqrt(const complex<T>& z) {
  T x = z.real();
  T y = z.imag();
  if (math::isinf(y)) return {part_infinity<T>, y};
  if (math::isnan(x)) return {x, part_nan<T>};
  if (math::isinf(x)) {
    if (x > T(0)) return {x, math::isnan(y) ? y : math::copysign(T(0), y)};
    return {math::isnan(y) ? y : T(0), math::copysign(part_infinity<T>, y)};
  }
  if (x == T(0) && y == T(0)) return {T(0), y};
  // Scaling by powers of four keeps sums and products in range.
  T scale = T(1);
  const T largest = magnitude(x) < magnitude(y) ? magnitude(y) : magnitude(x);
  if (largest > part_max<T> / T(8)) {
    x /= T(16);
    y /= T(16);
    scale = T(4);
  } else if (largest < part_min<T> * T(16)) {
    constexpr T up = T(1) / (part_epsilon<T> * part_epsilon<T>);
    x *= up;
    y *= up;
    scale = part_epsilon<T>;
  }
  const T root = math::sqrt((magnitude(x) + math::hypot(x, y)) * T(0.5));
  const T other = magnitude(y) / (T(2) * root);
  if (x >= T(0)) return {scale * root, math::copysign(scale * other, y)};
  return {scale * other, math::copysign(scale * root, y)};
}

template <class T>
HPK_FUNCTION complex<T> formula_exp(const complex<T>& z) {
  const T x = z.real();
  const T y = z.imag();
  if (y == T(0)) return {math::exp(x), y};
  if (!math::isfinite(y)) {
    if (x == -part_infinity<T>) return {T(0), math::copysign(T(0), y)};
    if (x == part_infinity<T>) return {x, part_nan<T>};
    return {part_nan<T>, part_nan<T>};
  }
  // In two steps, because the exponential may overflow even if the product does not.
  const T half = math::exp(x * T(0.5));
  const bool in_two = magnitude(x) > -math::log(part_min<T>) - T(1) && math::isfinite(x);
  const T first = in_two ? half : math::exp(x);
  const T second = in_two ? half : T(1);
  return {first * math::cos(y) * second, first * math::sin(y) * second};
}

/// log(|z|), also accurate near |z| = 1, where |z|^2 - 1 is summed in twice the precision.
template <class T>
HPK_FUNCTION T log_of_magnitude(const complex<T>& z) {
  T large = magnitude(z.real());
  T small = magnitude(z.imag());
  if (math::isinf(large) || math::isinf(small)) return part_infinity<T>;
  if (math::isnan(large) || math::isnan(small)) return part_nan<T>;
  if (large < small) {
    const T smaller = large;
    large = small;
    small = smaller;
  }
  if (large > T(0.5) && large < T(1.5) && small < T(1.5)) {
    const T a = unfused_product(large, large);
    const T a_low = math::fma(large, large, -a);
    const T b = unfused_product(small, small);
    const T b_low = math::fma(small, small, -b);
    // a - 1 is exact for a in [1/2, 2]; `rest` holds the rounding error of the sum.
    const T difference = a - T(1);
    const T rest = a < T(0.5) ? (a - difference) - T(1) : T(0);
    const T sum = difference + b;
    const T part = sum - difference;
    const T lost = (difference - (sum - part)) + (b - part);
    const T all = sum + (lost + (rest + (a_low + b_low)));
    if (all > T(-0.75) && all < T(2)) return math::log1p(all) * T(0.5);
  }
  if (large > part_max<T> / T(4))
    return math::log(math::hypot(large / T(4), small / T(4))) + T(2) * part_ln2<T>;
  if (large < part_min<T> * T(4)) {
    constexpr T up = T(1) / part_epsilon<T>;
    constexpr int digits = std::numeric_limits<T>::digits - 1;
    return math::log(math::hypot(large * up, small * up)) - T(digits) * part_ln2<T>;
  }
  return math::log(math::hypot(large, small));
}
template <class T>
HPK_FUNCTION complex<T> formula_log(const complex<T>& z) {
  return {log_of_magnitude(z), math::atan2(z.imag(), z.real())};
}

template <class T>
HPK_FUNCTION complex<T> formula_sinh(const complex<T>& z) {
  const T x = z.real();
  const T y = z.imag();
  if (!math::isfinite(y)) {
    if (x == T(0)) return {x, part_nan<T>};
    if (math::isinf(x)) return {part_infinity<T>, part_nan<T>};
    return {part_nan<T>, part_nan<T>};
  }
  if (y == T(0)) return {math::sinh(x), y};
  if (math::isinf(x))
    return {math::copysign(part_infinity<T>, x) * math::cos(y), part_infinity<T> * math::sin(y)};
  if (math::isnan(x)) return {x, x};
  if (magnitude(x) > math::log(part_max<T>) - T(1)) {
    // e^|x| / 2 may overflow even if the product does not.
    const T half = math::exp(magnitude(x) * T(0.5));
    return {math::copysign(half * T(0.5) * math::cos(y) * half, x * math::cos(y)),
            half * T(0.5) * math::sin(y) * half};
  }
  return {math::sinh(x) * math::cos(y), math::cosh(x) * math::sin(y)};
}
template <class T>
HPK_FUNCTION complex<T> formula_cosh(const complex<T>& z) {
  const T x = z.real();
  const T y = z.imag();
  if (!math::isfinite(y)) {
    if (x == T(0)) return {part_nan<T>, T(0)};
    if (math::isinf(x)) return {part_infinity<T>, part_nan<T>};
    return {part_nan<T>, part_nan<T>};
  }
  if (y == T(0)) return {math::cosh(x), math::signbit(x) ? -y : y};
  if (x == T(0)) return {math::cos(y), x * math::sin(y)};
  if (math::isinf(x))
    return {part_infinity<T> * math::cos(y), math::copysign(part_infinity<T>, x) * math::sin(y)};
  if (math::isnan(x)) return {x, x};
  if (magnitude(x) > math::log(part_max<T>) - T(1)) {
    const T half = math::exp(magnitude(x) * T(0.5));
    return {half * T(0.5) * math::cos(y) * half,
            math::copysign(half * T(0.5) * math::sin(y) * half, x * math::sin(y))};
  }
  return {math::cosh(x) * math::cos(y), math::sinh(x) * math::sin(y)};
}
template <class T>
HPK_FUNCTION complex<T> formula_tanh(const complex<T>& z) {
  const T x = z.real();
  const T y = z.imag();
  if (!math::isfinite(y)) {
    if (math::isinf(x)) return {math::copysign(T(1), x), math::copysign(T(0), y)};
    return {x == T(0) ? x : part_nan<T>, part_nan<T>};
  }
  if (math::isnan(x)) return {x, y == T(0) ? y : x};
  // For larger |x|, 1 - |tanh| is less than half of the last place.
  const T beyond = -math::log(part_epsilon<T>) * T(0.5) + T(3);
  if (magnitude(x) > beyond) {
    const T small = math::exp(-magnitude(x));
    const T product = math::sin(y) * math::cos(y);
    return {math::copysign(T(1), x), T(4) * product * small * small};
  }
  const T t = math::tan(y);
  const T beta = T(1) + t * t;
  const T s = math::sinh(x);
  const T rho = math::sqrt(T(1) + s * s);
  if (math::isinf(t)) return {rho / s, T(1) / t};
  const T below = T(1) + beta * s * s;
  return {beta * rho * s / below, t / below};
}
template <class T>
HPK_FUNCTION complex<T> formula_sin(const complex<T>& z) {
  return over_i(formula_sinh(times_i(z)));
}
template <class T>
HPK_FUNCTION complex<T> formula_cos(const complex<T>& z) {
  return formula_cosh(times_i(z));
}
template <class T>
HPK_FUNCTION complex<T> formula_tan(const complex<T>& z) {
  return over_i(formula_tanh(times_i(z)));
}

/// The square roots of 1 - z and 1 + z; they keep the sign of a zero imaginary part.
template <class T>
HPK_FUNCTION complex<T> root_below(const complex<T>& z) {
  return formula_sqrt(complex<T>(T(1) - z.real(), -z.imag()));
}
template <class T>
HPK_FUNCTION complex<T> root_above(const complex<T>& z) {
  return formula_sqrt(complex<T>(T(1) + z.real(), z.imag()));
}
template <class T>
HPK_FUNCTION complex<T> formula_acos(const complex<T>& z) {
  const T x = z.real();
  const T y = z.imag();
  if (math::isinf(x) || math::isinf(y)) {
    const T im = math::copysign(part_infinity<T>, -y);
    if (math::isnan(x)) return {x, im};
    if (math::isnan(y)) return {y, math::isinf(x) ? -part_infinity<T> : y};
    if (!math::isinf(x)) return {part_pi<T> / T(2), im};
    if (math::isinf(y)) return {(x > T(0) ? T(0.25) : T(0.75)) * part_pi<T>, im};
    return {x > T(0) ? T(0) : part_pi<T>, im};
  }
  if (math::isnan(x) || math::isnan(y))
    return {x == T(0) ? part_pi<T> / T(2) : part_nan<T>, part_nan<T>};
  if (magnitude(x) > part_large<T> || magnitude(y) > part_large<T>) {
    return {math::atan2(magnitude(y), x), math::copysign(log_of_magnitude(z) + part_ln2<T>, -y)};
  }
  const complex<T> below = root_below(z);
  const complex<T> above = root_above(z);
  return {T(2) * math::atan2(below.real(), above.real()),
          math::asinh(above.real() * below.imag() - above.imag() * below.real())};
}
template <class T>
HPK_FUNCTION complex<T> formula_asinh(const complex<T>& z) {
  const T x = z.real();
  const T y = z.imag();
  if (math::isinf(x) || math::isinf(y)) {
    if (math::isnan(y)) return {x, y};
    const T re = math::copysign(part_infinity<T>, x);
    if (math::isnan(x)) return {re, x};
    if (!math::isinf(y)) return {re, math::copysign(T(0), y)};
    return {re, math::copysign((math::isinf(x) ? T(0.25) : T(0.5)) * part_pi<T>, y)};
  }
  if (math::isnan(x) || math::isnan(y)) return {part_nan<T>, y == T(0) ? y : part_nan<T>};
  if (magnitude(x) > part_large<T> || magnitude(y) > part_large<T>) {
    return {math::copysign(log_of_magnitude(z) + part_ln2<T>, x), math::atan2(y, magnitude(x))};
  }
  // asinh(z) = -i asin(i z).
  const complex<T> turned = times_i(z);
  const complex<T> below = root_below(turned);
  const complex<T> above = root_above(turned);
  const T re = math::asinh(below.real() * above.imag() - below.imag() * above.real());
  const T im =
      math::atan2(turned.real(), below.real() * above.real() - below.imag() * above.imag());
  return {re, -im};
}
template <class T>
HPK_FUNCTION complex<T> formula_asin(const complex<T>& z) {
  return over_i(formula_asinh(times_i(z)));
}
template <class T>
HPK_FUNCTION complex<T> formula_acosh(const complex<T>& z) {
  const complex<T> w = formula_acos(z);
  // acosh(z) is the one of i acos(z) and -i acos(z) that has a non-negative real part.
  if (math::isnan(w.imag()) && math::isnan(w.real())) return {w.imag(), w.real()};
  if (math::isnan(w.real())) return {magnitude(w.imag()), w.real()};
  if (math::isnan(w.imag())) return {w.imag(), math::copysign(w.real(), z.imag())};
  return {magnitude(w.imag()), math::copysign(w.real(), z.imag())};
}
template <class T>
HPK_FUNCTION complex<T> formula_atanh(const complex<T>& z) {
  const T x = magnitude(z.real());
  const T y = z.imag();
  if (math::isinf(z.real()) || math::isinf(y)) {
    const T im = math::isnan(y) ? y : math::copysign(part_pi<T> / T(2), y);
    return {math::copysign(T(0), z.real()), im};
  }
  if (math::isnan(x)) return {x, part_nan<T>};
  if (math::isnan(y)) return {x == T(0) ? z.real() : part_nan<T>, part_nan<T>};
  const T theta = math::sqrt(part_max<T>) / T(4);
  T re;
  T im;
  if (x > theta || magnitude(y) > theta) {
    // The real part of 1 / z, computed without overflow.
    const T scale = x < magnitude(y) ? magnitude(y) : x;
    const T u = x / scale;
    const T v = y / scale;
    re = u / (u * u + v * v) / scale;
    im = math::copysign(part_pi<T> / T(2), y);
  } else if (x == T(1)) {
    const T size = magnitude(y);
    re = size == T(0)
             ? part_infinity<T>
             : T(0.5) * math::log(math::sqrt(math::sqrt(T(4) + y * y)) / math::sqrt(size)) * T(2);
    im = size == T(0) ? y : math::copysign((part_pi<T> / T(2) + math::atan(size / T(2))) / T(2), y);
  } else {
    re = math::log1p(T(4) * x / ((T(1) - x) * (T(1) - x) + y * y)) / T(4);
    im = math::atan2(T(2) * y, (T(1) - x) * (T(1) + x) - y * y) / T(2);
  }
  return {math::copysign(re, z.real()), im};
}
template <class T>
HPK_FUNCTION complex<T> formula_atan(const complex<T>& z) {
  return over_i(formula_atanh(times_i(z)));
}

}  // namespace hpk::detail
