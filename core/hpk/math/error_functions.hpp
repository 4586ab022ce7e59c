// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error function and its scaled complement, of real and complex numbers, from host and device.
// They are computed in double, also for float arguments, and rounded once. docs/math.md states the
// accuracy; the values at signed zeros, infinities and NaNs are given below.
#pragma once

#include <hpk/base/unfused_product.hpp>
#include <hpk/math/complex.hpp>
#include <hpk/math/complex_math.hpp>
#include <hpk/math/math.hpp>

#include <type_traits>

namespace hpk::detail {

/// Real argument types of special functions: float, double, and integers, which count as double.
template <class T>
concept special_real =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_integral_v<T>;
template <class T>
concept special_part = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
using special_real_t = std::conditional_t<std::is_same_v<T, float>, float, double>;

/// The type in which special functions of complex numbers are computed.
using wide_complex = complex<double>;

inline constexpr double inv_root_pi = 0.564189583547756286948;

/// factor e^w, without overflow or underflow unless the product itself does.
HPK_INLINE_FUNCTION wide_complex times_exp(const wide_complex& w, const wide_complex& factor) {
  const double half = math::exp(w.real() * 0.5);
  const double x = factor.real() * half;
  const double y = factor.imag() * half;
  if (w.imag() == 0) return {x * half, y * half};
  const double c = math::cos(w.imag());
  const double s = math::sin(w.imag());
  return {(x * c - y * s) * half, (x * s + y * c) * half};
}

/// factor exp(z^2). The square is computed in twice the precision, because its absolute error,
/// which grows with the square, becomes the relative error of the result.
HPK_INLINE_FUNCTION wide_complex times_exp_square(const wide_complex& z,
                                                  const wide_complex& factor) {
  const double x = z.real();
  const double y = z.imag();
  const double re = (x - y) * (x + y);
  if (re < -2000) return {};
  if (magnitude(x) > 1e150 || magnitude(y) > 1e150)
    return times_exp({re, y == 0 ? y : 2 * x * y}, factor);
  const double xx = unfused_product(x, x);
  const double yy = unfused_product(y, y);
  const double high = xx - yy;
  const double back = high - xx;
  const double lost = (xx - (high - back)) - (yy + back);
  const double low = lost + (math::fma(x, x, -xx) - math::fma(y, y, -yy));
  const double xy = unfused_product(2 * x, y);
  const double xy_low = math::fma(2 * x, y, -xy);
  // For the low parts, e^r is 1 + r, unless z is so large that r, the rounding error of the square,
  // is large.
  const wide_complex low_factor =
      magnitude(low) + magnitude(xy_low) < 1e-9
          ? wide_complex(factor.real() + (factor.real() * low - factor.imag() * xy_low),
                         factor.imag() + (factor.imag() * low + factor.real() * xy_low))
          : times_exp({low, xy_low}, factor);
  return times_exp({high, xy}, low_factor);
}
/// exp(x^2) for a real number.
HPK_INLINE_FUNCTION double exp_square(double x) {
  const double xx = x * x;
  if (!(xx < 1000)) return xx == xx ? infinite<double> : xx;
  const double e = math::exp(xx);
  return e == infinite<double> ? e : e + e * math::fma(x, x, -xx);
}

/// The parameters of the trapezoidal rules below: step, number of points, e^(-2 step^2).
inline constexpr double erfcx_step = 0.5;
inline constexpr int erfcx_points = 13;
inline constexpr double erfcx_shrink = 0.606530659712633423604;

/// erfcx(z) for Re z >= 0 and |z| < 1e8, by trapezoidal rules for the integral (DLMF 7.7.2) plus
/// the residue of the nearby pole: M. Al Azah, S. N. Chandler-Wilde, Computation of the complex
/// error function using modified trapezoidal rules (2021). Of the rules with points k h and (k +
/// 1/2) h, uses the one whose points are farther from the pole.
HPK_INLINE_FUNCTION wide_complex erfcx_by_rule(const wide_complex& z) {
  constexpr double h = erfcx_step;
  constexpr double pi = part_pi<double>;
  const double y = z.real();             // the distance from the line of points
  const double x = magnitude(z.imag());  // the position along the line
  const double place = x / h;
  const double part = place - math::floor(place);
  const bool on_points = y < x && part >= 0.25 && part <= 0.75;
  const wide_complex square((y - x) * (y + x), -2 * x * y);  // the square of y - ix
  // Weights e^(-t^2), computed by their ratios.
  double t = on_points ? h : h * 0.5;
  double weight = on_points ? 0.778800783071404868245 : 0.939413062813475786120;
  double ratio = on_points ? 0.472366552741014707138 : erfcx_shrink;
  double re = 0;
  double im = 0;
  for (int k = 0; k < erfcx_points; ++k) {
    // weight / (z^2 + t^2)
    const double u = square.real() + t * t;
    const double v = square.imag();
    const double scale = weight / (u * u + v * v);
    re += u * scale;
    im -= v * scale;
    t += h;
    weight *= ratio;
    ratio *= erfcx_shrink;
  }
  const wide_complex here(y, -x);
  wide_complex sum = here * wide_complex(re, im) * (2 * h / pi);
  if (on_points) sum += wide_complex(h / pi) / here;
  if (y < pi / h) {
    // The residue, negligible for larger y: 2 e^(z^2) / (1 + e^(2 pi z / h)), with a minus sign in
    // the denominator for points at k h.
    const wide_complex grown = times_exp({2 * pi / h * y, -2 * pi / h * x}, {1, 0});
    const wide_complex below = on_points ? wide_complex(1) - grown : wide_complex(1) + grown;
    sum += times_exp_square(here, wide_complex(2)) / below;
  }
  return z.imag() <= 0 ? sum : conj(sum);
}

/// erfcx(z) for any finite z.
HPK_INLINE_FUNCTION wide_complex erfcx_of(const wide_complex& z) {
  const bool left = z.real() < 0;
  const wide_complex right = left ? -z : z;
  // For large |z|, 1 / (2 z^2) is less than the last digit.
  const bool far = right.real() > 1e8 || magnitude(right.imag()) > 1e8;
  const wide_complex value = far ? wide_complex(inv_root_pi) / right : erfcx_by_rule(right);
  return left ? times_exp_square(z, wide_complex(2)) - value : value;
}
/// erfcx(x) for a real number, by the midpoint rule.
HPK_INLINE_FUNCTION double erfcx_of(double x) {
  constexpr double h = erfcx_step;
  constexpr double pi = part_pi<double>;
  const double y = magnitude(x);
  double value = inv_root_pi / y;
  if (!(y > 1e8)) {
    double t = h * 0.5;
    double weight = 0.939413062813475786120;
    double ratio = erfcx_shrink;
    double sum = 0;
    for (int k = 0; k < erfcx_points; ++k) {
      sum += weight / (y * y + t * t);
      t += h;
      weight *= ratio;
      ratio *= erfcx_shrink;
    }
    value = 2 * h / pi * y * sum;
    if (y < pi / h) value += 2 * exp_square(y) / (1 + math::exp(2 * pi / h * y));
  }
  return x < 0 ? 2 * exp_square(x) - value : value;
}

/// erf(z) for |z| <= 1 by its Taylor series (DLMF 7.6.1).
HPK_INLINE_FUNCTION wide_complex erf_by_series(const wide_complex& z) {
  const wide_complex minus_square = -(z * z);
  wide_complex power(1);
  wide_complex sum(1);
  for (int n = 1; n < 20; ++n) {
    power = power * minus_square * (1.0 / n);
    sum += power * (1.0 / (2 * n + 1));
  }
  return z * sum * (2 * inv_root_pi);
}
HPK_INLINE_FUNCTION wide_complex erf_of(const wide_complex& z) {
  if (z.imag() == 0) return {math::erf(z.real()), z.imag()};
  if (magnitude(z.real()) + magnitude(z.imag()) <= 1) {
    const wide_complex value = erf_by_series(z);
    return z.real() == 0 ? wide_complex(z.real(), value.imag()) : value;
  }
  const wide_complex right = z.real() < 0 ? -z : z;
  const wide_complex upright(-right.imag(), right.real());  // i z, whose square is -z^2
  const wide_complex rest = times_exp_square(upright, erfcx_of(right));
  if (z.real() == 0) return {z.real(), math::signbit(right.real()) ? rest.imag() : -rest.imag()};
  const wide_complex value(1 - rest.real(), -rest.imag());
  return z.real() < 0 ? -value : value;
}

/// The values at infinities and NaNs.
HPK_INLINE_FUNCTION wide_complex erf_at_infinity(const wide_complex& z) {
  if (z.real() == 0) return z;
  if (math::isinf(z.real()) && math::isfinite(z.imag()))
    return {math::copysign(1.0, z.real()), math::copysign(0.0, z.imag())};
  return {part_nan<double>, part_nan<double>};
}
HPK_INLINE_FUNCTION wide_complex erfcx_at_infinity(const wide_complex& z) {
  const bool left = z.real() == -infinite<double>;
  if (math::isnan(z.real()) || math::isnan(z.imag()) || left)
    return {part_nan<double>, part_nan<double>};
  return {0.0, math::copysign(0.0, -z.imag())};
}
HPK_INLINE_FUNCTION bool is_finite(const wide_complex& z) {
  return math::isfinite(z.real()) && math::isfinite(z.imag());
}

}  // namespace hpk::detail

namespace hpk::Experimental {

/// The scaled complement e^(x^2) (1 - erf(x)) of a real number. 0 at +infinity; infinite on
/// overflow (below -26.6).
template <detail::special_real R>
HPK_FUNCTION detail::special_real_t<R> erfcx(R x) {
  return static_cast<detail::special_real_t<R>>(detail::erfcx_of(static_cast<double>(x)));
}
/// The scaled complement of a complex number: w(iz), where w is the Faddeeva function. Real on the
/// real axis. 0 at infinities, but NaN if the real part is -infinity.
template <detail::special_part T>
HPK_FUNCTION complex<T> erfcx(const complex<T>& z) {
  const detail::wide_complex wide(z);
  if (wide.imag() == 0)
    return complex<T>(detail::wide_complex(detail::erfcx_of(wide.real()), -wide.imag()));
  return complex<T>(detail::is_finite(wide) ? detail::erfcx_of(wide)
                                            : detail::erfcx_at_infinity(wide));
}
/// The error function of a complex number. Real on the real axis and imaginary on the imaginary
/// axis.
template <detail::special_part T>
HPK_FUNCTION complex<T> erf(const complex<T>& z) {
  const detail::wide_complex wide(z);
  if (wide.imag() == 0 || detail::is_finite(wide)) return complex<T>(detail::erf_of(wide));
  return complex<T>(detail::erf_at_infinity(wide));
}

}  // namespace hpk::Experimental
