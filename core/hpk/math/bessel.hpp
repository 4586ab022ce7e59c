// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bessel functions of the orders 0 and 1 of complex numbers, for bessel_functions.hpp. All of these
// functions are derived from I and K in the right half plane, which are computed in three regions:
// power series up to |z| = 2; asymptotic series from |z| = 25; in between Miller's recurrence for I
// and a trapezoidal rule for K. All arithmetic is in double. `Order` is 0 or 1.
#pragma once

#include <hpk/math/error_functions.hpp>

namespace hpk::detail {

inline constexpr double bessel_near = 2;
inline constexpr double bessel_far = 25;
inline constexpr double euler_gamma = 0.577215664901532860607;

/// i z and -i z, without rounding.
HPK_INLINE_FUNCTION wide_complex turn_left(const wide_complex& z) { return {-z.imag(), z.real()}; }
HPK_INLINE_FUNCTION wide_complex turn_right(const wide_complex& z) { return {z.imag(), -z.real()}; }

/// I by its series around 0 (DLMF 10.25.2), for |z| <= 2.
template <int Order>
HPK_FUNCTION wide_complex bessel_i_series(const wide_complex& z) {
  const wide_complex quarter = z * z * 0.25;
  wide_complex term(1);
  wide_complex sum(1);
  for (int n = 1; n < 14; ++n) {
    term = term * quarter * (1.0 / (n * (n + Order)));
    sum += term;
  }
  if constexpr (Order == 0) {
    return sum;
  } else {
    return z * sum * 0.5;
  }
}
/// K by its series around 0 (DLMF 10.31.1), for |z| <= 2.
template <int Order>
HPK_FUNCTION wide_complex bessel_k_series(const wide_complex& z) {
  const wide_complex quarter = z * z * 0.25;
  wide_complex term(1);
  wide_complex sum(static_cast<double>(Order));
  double harmonic = 0;
  for (int n = 1; n < 14; ++n) {
    harmonic += 1.0 / n;
    term = term * quarter * (1.0 / (n * (n + Order)));
    sum += term * (Order == 0 ? harmonic : 2 * harmonic + 1.0 / (n + 1));
  }
  const bool tiny = magnitude(z.real()) < 1e-300 && magnitude(z.imag()) < 1e-300;
  const wide_complex log = tiny ? hpk::log(z) - wide_complex(part_ln2<double>) : hpk::log(z * 0.5);
  const wide_complex product = (log + wide_complex(euler_gamma)) * bessel_i_series<Order>(z);
  if constexpr (Order == 0) {
    return sum - product;
  } else {
    return 1.0 / z + (product - z * sum * 0.25);
  }
}

/// I by Miller's backward recurrence, normalised by e^z = I0 + 2 (I1 + I2 + ...), which has no
/// cancellation if Re z >= 0 (DLMF 3.6(v), 10.35.5); for 2 <= |z| <= 25.
template <int Order>
HPK_FUNCTION wide_complex bessel_i_by_recurrence(const wide_complex& z, double size) {
  const wide_complex twice = 2.0 / z;
  const int first = 28 + static_cast<int>(1.7 * size);
  wide_complex above(0);
  wide_complex here(1);
  wide_complex sum(0);
  for (int n = first; n > 0; --n) {
    sum += here;
    const wide_complex below = above + twice * here * static_cast<double>(n);
    above = here;
    here = below;
  }
  return (Order == 0 ? here : above) * (hpk::exp(z) / (here + sum * 2.0));
}

/// K from its integral (DLMF 10.32.8) with t = s^2, by the trapezoidal rule of step h. The error is
/// about e^(d^2 - 2 pi d / h), where d = sqrt(|z| + Re z), limited to pi / h, is the distance of
/// the branch point from the real axis; for |z| >= 2.
template <int Order>
HPK_FUNCTION wide_complex bessel_k_by_rule(const wide_complex& z, double size) {
  const double h = size < 12 ? 0.25 : 0.5;
  const wide_complex half_inverse = 0.5 / z;
  // Weights e^(-s^2), computed by their ratios.
  double weight = 1;
  double ratio = size < 12 ? 0.939413062813475786120 : 0.778800783071404868245;
  const double shrink = ratio * ratio;
  double re = Order == 0 ? 0.5 : 0;
  double im = 0;
  for (double s = h; s < 6.4; s += h) {
    weight *= ratio;
    ratio *= shrink;
    // p + iq is the root of 1 + s^2 / (2 z); K0 divides by it, K1 multiplies.
    const double a = 1 + s * s * half_inverse.real();
    const double b = s * s * half_inverse.imag();
    const double length = math::sqrt(a * a + b * b);
    const double p = math::sqrt((length + a) * 0.5);
    const double q = b / (2 * p);
    const double by = Order == 0 ? weight / length : weight * s * s;
    re += p * by;
    im += Order == 0 ? -q * by : q * by;
  }
  const double by = Order == 0 ? 2 * h : 4 * h;
  return times_exp(-z, hpk::sqrt(half_inverse) * wide_complex(re * by, im * by));
}

/// The sums 1 + a2 / z^2 + a4 / z^4 + ... and a1 / z + a3 / z^3 + ... of asymptotic series (DLMF
/// 10.17.1), each added from its last term to its first; `inverse` is 1 / z.
struct bessel_terms {
  wide_complex even;
  wide_complex odd;
};
template <int Order>
HPK_FUNCTION bessel_terms bessel_asymptotic(const wide_complex& inverse, double size) {
  constexpr double mu = 4 * Order;
  const wide_complex square = inverse * inverse;
  wide_complex even(1);
  wide_complex odd(1);
  for (int k = size < 50 ? 14 : 7; k > 0; --k) {
    // The ratios a_(2k) / a_(2k - 2) and a_(2k + 1) / a_(2k - 1).
    const double one = (mu - (4 * k - 3) * (4 * k - 3)) / (8.0 * (2 * k - 1));
    const double two = (mu - (4 * k - 1) * (4 * k - 1)) / (8.0 * (2 * k));
    const double three = (mu - (4 * k + 1) * (4 * k + 1)) / (8.0 * (2 * k + 1));
    even = wide_complex(1) + square * even * (one * two);
    odd = wide_complex(1) + square * odd * (two * three);
  }
  return {even, inverse * odd * ((mu - 1) / 8)};
}
/// I and K for |z| >= 25 (DLMF 10.40.5, 10.40.2).
template <int Order>
HPK_FUNCTION wide_complex bessel_i_far(const wide_complex& z, double size) {
  const bessel_terms terms = bessel_asymptotic<Order>(1.0 / z, size);
  const wide_complex scale = wide_complex(0.398942280401432677940) / hpk::sqrt(z);
  const wide_complex large = times_exp(z, scale * (terms.even - terms.odd));
  if (z.real() >= 20) return large;
  // The second exponential, which is negligible except near the imaginary axis.
  const bool left = math::signbit(z.imag()) == (Order == 1);
  const wide_complex side = scale * (terms.even + terms.odd);
  return large + times_exp(-z, left ? turn_left(side) : turn_right(side));
}
template <int Order>
HPK_FUNCTION wide_complex bessel_k_far(const wide_complex& z, double size) {
  const bessel_terms terms = bessel_asymptotic<Order>(1.0 / z, size);
  const wide_complex scale = wide_complex(1.25331413731550025121) / hpk::sqrt(z);
  return times_exp(-z, scale * (terms.even + terms.odd));
}

HPK_INLINE_FUNCTION bool is_nan(const wide_complex& z) {
  return math::isnan(z.real()) || math::isnan(z.imag());
}
/// I for Re z >= 0.
template <int Order>
HPK_FUNCTION wide_complex bessel_i_right(const wide_complex& z) {
  if (is_nan(z)) return {part_nan<double>, part_nan<double>};
  if (math::isinf(z.real())) return hpk::exp(z);
  if (math::isinf(z.imag())) return {};
  const double size = math::hypot(z.real(), z.imag());
  const wide_complex i = size <= bessel_near ? bessel_i_series<Order>(z)
                         : size < bessel_far ? bessel_i_by_recurrence<Order>(z, size)
                                             : bessel_i_far<Order>(z, size);
  // On the imaginary axis the value is real, or imaginary.
  if (z.real() != 0) return i;
  return Order == 0 ? wide_complex(i.real(), 0) : wide_complex(0, i.imag());
}
/// K for Re z >= 0.
template <int Order>
HPK_FUNCTION wide_complex bessel_k_right(const wide_complex& z) {
  if (is_nan(z)) return {part_nan<double>, part_nan<double>};
  if (math::isinf(z.real()) || math::isinf(z.imag())) return {};
  if (z == 0) return {infinite<double>, z.imag()};
  const double size = math::hypot(z.real(), z.imag());
  return size <= bessel_near ? bessel_k_series<Order>(z)
         : size < bessel_far ? bessel_k_by_rule<Order>(z, size)
                             : bessel_k_far<Order>(z, size);
}

/// I and K in the whole plane (DLMF 10.34.1, 10.34.2); K has its branch cut along the negative real
/// axis.
template <int Order>
HPK_FUNCTION wide_complex bessel_i(const wide_complex& z) {
  if (!(z.real() < 0)) return bessel_i_right<Order>(z);
  const wide_complex there = bessel_i_right<Order>(-z);
  return Order == 0 ? there : -there;
}
template <int Order>
HPK_FUNCTION wide_complex bessel_k(const wide_complex& z) {
  if (!(z.real() < 0)) return bessel_k_right<Order>(z);
  constexpr double pi = part_pi<double>;
  const wide_complex k = bessel_k_right<Order>(-z);
  const wide_complex i = turn_left(bessel_i_right<Order>(-z)) * pi;
  return (Order == 0 ? k : -k) + (math::signbit(z.imag()) ? i : -i);
}

/// J, Y, H1 and H2 above the real axis, from I and K of -iz (DLMF 10.27.6, 10.27.8).
template <int Order>
HPK_FUNCTION wide_complex bessel_j_above(const wide_complex& z) {
  const wide_complex i = bessel_i_right<Order>(turn_right(z));
  return Order == 0 ? i : turn_left(i);
}
template <int Order>
HPK_FUNCTION wide_complex bessel_h1_above(const wide_complex& z) {
  if (z == 0) return {Order == 0 ? 1.0 : 0.0, -infinite<double>};
  constexpr double by = 2 / part_pi<double>;
  const wide_complex k = bessel_k_right<Order>(turn_right(z));
  return Order == 0 ? turn_right(k) * by : k * -by;
}
template <int Order>
HPK_FUNCTION wide_complex bessel_h2_above(const wide_complex& z) {
  return bessel_j_above<Order>(z) * 2.0 - bessel_h1_above<Order>(z);
}
template <int Order>
HPK_FUNCTION wide_complex bessel_y_above(const wide_complex& z) {
  const wide_complex h = bessel_h1_above<Order>(z);
  if (z.imag() == 0 && z.real() >= 0) return {h.imag(), 0.0};
  return turn_left(bessel_j_above<Order>(z) - h);
}

/// J, Y, H1 and H2 in the whole plane: values below the axis are conjugates (DLMF 10.11.9).
template <int Order>
HPK_FUNCTION wide_complex bessel_j(const wide_complex& z) {
  const bool below = math::signbit(z.imag());
  const wide_complex value = bessel_j_above<Order>(below ? conj(z) : z);
  return below ? conj(value) : value;
}
template <int Order>
HPK_FUNCTION wide_complex bessel_y(const wide_complex& z) {
  const bool below = math::signbit(z.imag());
  const wide_complex value = bessel_y_above<Order>(below ? conj(z) : z);
  return below ? conj(value) : value;
}
template <int Order>
HPK_FUNCTION wide_complex bessel_h1(const wide_complex& z) {
  if (math::signbit(z.imag())) return conj(bessel_h2_above<Order>(conj(z)));
  return bessel_h1_above<Order>(z);
}
template <int Order>
HPK_FUNCTION wide_complex bessel_h2(const wide_complex& z) {
  if (math::signbit(z.imag())) return conj(bessel_h1_above<Order>(conj(z)));
  return bessel_h2_above<Order>(z);
}

}  // namespace hpk::detail
