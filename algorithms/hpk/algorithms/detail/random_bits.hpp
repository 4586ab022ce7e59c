// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes numbers from random bits: bit mixing, 128-bit products, numbers in an interval, and the
// quantile function of the normal distribution.
#pragma once

#include <hpk/core.hpp>
#include <hpk/math.hpp>
#include <hpk/numeric_traits.hpp>

#include <cstdint>
#include <type_traits>

namespace hpk::detail {

/// Throws hpk::error for a draw from an empty range of integers.
[[noreturn]] void reject_integer_range(const char* function, long long begin, long long end);
[[noreturn]] void reject_unsigned_range(const char* function, unsigned long long begin,
                                        unsigned long long end);

/// Reports an empty range, in checked builds: requires begin < end.
template <class I>
HPK_FORCEINLINE_FUNCTION void expect_integers([[maybe_unused]] const char* function,
                                              [[maybe_unused]] I begin, [[maybe_unused]] I end) {
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    if (!(begin < end)) [[unlikely]] {
      if constexpr (std::is_signed_v<I>) {
        HPK_IF_ON_HOST((reject_integer_range(function, begin, end);))
      } else {
        HPK_IF_ON_HOST((reject_unsigned_range(function, begin, end);))
      }
      HPK_IF_ON_DEVICE((hpk::abort("a random integer of an empty range: end is not above "
                                   "begin");))
    }
  }
}

/// Returns 64 bits, each of which depends on every bit of the argument; the mapping is one to one.
/// It is the finalizer of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable
/// pseudorandom number generators, OOPSLA 2014), with the constants of D. Stafford's Mix13.
HPK_FORCEINLINE_FUNCTION constexpr std::uint64_t mix_bits(std::uint64_t z) noexcept {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
/// The step of SplitMix64: 2^64 divided by the golden ratio.
inline constexpr std::uint64_t golden_step = 0x9e3779b97f4a7c15u;

/// A product of 128 bits.
struct wide_product {
  std::uint64_t high;
  std::uint64_t low;
};
HPK_FORCEINLINE_FUNCTION constexpr wide_product multiply_wide(std::uint64_t a,
                                                              std::uint64_t b) noexcept {
  __extension__ using wide = unsigned __int128;
  const wide product = static_cast<wide>(a) * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

/// Returns 53 of 64 random bits as a multiple of 2^-53 in [0, 1).
HPK_FORCEINLINE_FUNCTION constexpr double unit_double(std::uint64_t bits) noexcept {
  return static_cast<double>(static_cast<std::int64_t>(bits >> 11)) * 0x1p-53;
}
/// Returns 24 of 32 random bits as a multiple of 2^-24 in [0, 1).
HPK_FORCEINLINE_FUNCTION constexpr float unit_float(std::uint32_t bits) noexcept {
  return static_cast<float>(static_cast<std::int32_t>(bits >> 8)) * 0x1p-24f;
}

/// Maps `unit` from [0, 1) linearly to the interval from begin to end. The result may be begin but
/// is never end (unless they are equal), even after rounding. The sum uses a fused multiply-add, so
/// that every compiler and space computes the same bits.
template <class F>
HPK_FORCEINLINE_FUNCTION F place_between(F begin, F end, F unit) {
  F value;
  if (begin == F(0)) {
    value = end * unit;
  } else {
    const F width = end - begin;
    constexpr F most = finite_max_v<F>;
    // Computes with halves if the width overflows.
    value = width <= most && width >= -most
                ? math::fma(width, unit, begin)
                : F(2) * math::fma(end / F(2) - begin / F(2), unit, begin / F(2));
  }
  if (value != end) [[likely]]
    return value;
  return math::nextafter(end, begin);
}

/// Returns c[0] + c[1] x + ... + c[7] x^7.
HPK_FORCEINLINE_FUNCTION double polynomial_7(const double (&c)[8], double x) {
  double sum = c[7];
  for (int k = 6; k >= 0; --k) sum = sum * x + c[k];
  return sum;
}

/// Returns the quantile of the normal distribution at `p`, which is in (0, 1), to 16 digits: M. J.
/// Wichura, Algorithm AS 241, Applied Statistics 37 (1988).
HPK_INLINE_FUNCTION double normal_quantile(double p) {
  const double q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) {
    constexpr double numerator[8] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                     1.9715909503065514427e3, 1.3731693765509461125e4,
                                     4.5921953931549871457e4, 6.7265770927008700853e4,
                                     3.3430575583588128105e4, 2.5090809287301226727e3};
    constexpr double denominator[8] = {1.0,
                                       4.2313330701600911252e1,
                                       6.8718700749205790830e2,
                                       5.3941960214247511077e3,
                                       2.1213794301586595867e4,
                                       3.9307895800092710610e4,
                                       2.8729085735721942674e4,
                                       5.2264952788528545610e3};
    const double r = 0.180625 - q * q;
    return q * polynomial_7(numerator, r) / polynomial_7(denominator, r);
  }
  const double tail = q < 0 ? p : 1.0 - p;
  double r = math::sqrt(-math::log(tail));
  double size;
  if (r <= 5) {
    constexpr double numerator[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                     5.76949722146069140550e0,  3.64784832476320460504e0,
                                     1.27045825245236838258e0,  2.41780725177450611770e-1,
                                     2.27238449892691845833e-2, 7.74545014278341407640e-4};
    constexpr double denominator[8] = {1.0,
                                       2.05319162663775882187e0,
                                       1.67638483018380384940e0,
                                       6.89767334985100004550e-1,
                                       1.48103976427480074590e-1,
                                       1.51986665636164571966e-2,
                                       5.47593808499534494600e-4,
                                       1.05075007164441684324e-9};
    r -= 1.6;
    size = polynomial_7(numerator, r) / polynomial_7(denominator, r);
  } else {
    constexpr double numerator[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                     1.78482653991729133580e0,  2.96560571828504891230e-1,
                                     2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                     2.71155556874348757815e-5, 2.01033439929228813265e-7};
    constexpr double denominator[8] = {1.0,
                                       5.99832206555887937690e-1,
                                       1.36929880922735805310e-1,
                                       1.48753612908506148525e-2,
                                       7.86869131145613259100e-4,
                                       1.84631831751005468180e-5,
                                       1.42151175831644588870e-7,
                                       2.04426310338993978564e-15};
    r -= 5;
    size = polynomial_7(numerator, r) / polynomial_7(denominator, r);
  }
  return q < 0 ? -size : size;
}

}  // namespace hpk::detail
