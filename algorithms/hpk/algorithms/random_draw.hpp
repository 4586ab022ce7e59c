// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all random number generators of hpk have in common: integers of any range without bias,
// floating-point numbers, normal numbers, from 32 or 64 random bits; and hpk::rand, which draws a
// number of any type. The bits come from random_engine.hpp and random_counter.hpp.
#pragma once

#include <hpk/complex.hpp>
#include <hpk/core.hpp>
#include <hpk/half.hpp>
#include <hpk/math.hpp>
#include <hpk/numeric_traits.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace hpk::detail {

/// Throws: a draw from a range of integers that has none.
[[noreturn]] void reject_integer_range(const char* function, long long begin, long long end);
[[noreturn]] void reject_unsigned_range(const char* function, unsigned long long begin,
                                        unsigned long long end);

/// In checked builds an error unless begin < end.
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
      HPK_IF_ON_DEVICE((hpk::abort("a random integer of a range that has none: end is not above "
                                   "begin");))
    }
  }
}

/// 64 bits whose every bit depends on every bit of the argument, one to one: the finalizer of
/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators,
/// OOPSLA 2014), with the constants of D. Stafford's Mix13.
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

/// 53 of 64 random bits as a multiple of 2^-53 in [0, 1).
HPK_FORCEINLINE_FUNCTION constexpr double unit_double(std::uint64_t bits) noexcept {
  return static_cast<double>(static_cast<std::int64_t>(bits >> 11)) * 0x1p-53;
}
/// 24 of 32 random bits as a multiple of 2^-24 in [0, 1).
HPK_FORCEINLINE_FUNCTION constexpr float unit_float(std::uint32_t bits) noexcept {
  return static_cast<float>(static_cast<std::int32_t>(bits >> 8)) * 0x1p-24f;
}

/// The number at the place `unit`, from [0, 1), of the interval from begin to end: begin may be a
/// result, end never is, however the arithmetic rounds. The sum is a fused one, so that every
/// compiler and space computes the same bits.
template <class F>
HPK_FORCEINLINE_FUNCTION F place_between(F begin, F end, F unit) {
  F value;
  if (begin == F(0)) {
    value = end * unit;
  } else {
    const F width = end - begin;
    constexpr F most = finite_max_v<F>;
    // Halves where the width has no number.
    value = width <= most && width >= -most
                ? math::fma(width, unit, begin)
                : F(2) * math::fma(end / F(2) - begin / F(2), unit, begin / F(2));
  }
  if (value != end) [[likely]]
    return value;
  return math::nextafter(end, begin);
}

/// The number that is normally distributed if `p` is uniform in (0, 1): the inverse of the normal
/// distribution, to 16 digits. M. J. Wichura, Algorithm AS 241, Applied Statistics 37 (1988).
HPK_FUNCTION double normal_quantile(double p);

}  // namespace hpk::detail

namespace hpk {

/// Draws numbers of type T from a generator: rand<Generator, T>::draw(generator, begin, end). There
/// are rand of all integers, half_t, bhalf_t, float, double and complex numbers of the latter two.
/// Specialize it for a type of your own, and fill_random fills Views of it.
///
///   max()                      draw(generator) gives values from 0 to max(): of integers
///                              included, of floating-point numbers excluded
///   draw(generator, range)     from [0, range)
///   draw(generator, begin, end) from [begin, end); of complex numbers each part
template <class Generator, class T>
struct rand {
  static constexpr bool known = std::is_void_v<T>;
  static_assert(known,
                "hpk::rand: there are no random numbers of this type; specialize hpk::rand "
                "<Generator, T> with max() and draw(), or take integers, float, double, half_t, "
                "bhalf_t, complex<float> or complex<double>");
};

namespace detail {

/// The members that all generators have. Self has next32() and next64(), which give random bits.
template <class Self>
class random_draws {
 public:
  /// The largest results of urand(), urand64(), rand() and rand64().
  static constexpr std::uint32_t MAX_URAND = 0xffffffffu;
  static constexpr std::uint64_t MAX_URAND64 = 0xffffffffffffffffu;
  static constexpr int MAX_RAND = 0x7fffffff;
  static constexpr std::int64_t MAX_RAND64 = 0x7fffffffffffffff;

  /// 32 random bits: from [0, MAX_URAND], both included.
  HPK_FORCEINLINE_FUNCTION std::uint32_t urand() { return self().next32(); }
  /// From [0, range), all equally often: D. Lemire, Fast random integer generation in an interval,
  /// ACM Transactions on Modeling and Computer Simulation 29 (2019). In checked builds a range of
  /// 0 is an error; else 0 is drawn. Likewise for all integers below.
  HPK_FORCEINLINE_FUNCTION std::uint32_t urand(std::uint32_t range) {
    expect_integers("urand", std::uint32_t{0}, range);
    return below(range);
  }
  /// From [begin, end).
  HPK_FORCEINLINE_FUNCTION std::uint32_t urand(std::uint32_t begin, std::uint32_t end) {
    expect_integers("urand", begin, end);
    return begin + below(end - begin);
  }

  /// 64 random bits: from [0, MAX_URAND64].
  HPK_FORCEINLINE_FUNCTION std::uint64_t urand64() { return self().next64(); }
  /// From [0, range).
  HPK_FORCEINLINE_FUNCTION std::uint64_t urand64(std::uint64_t range) {
    expect_integers("urand64", std::uint64_t{0}, range);
    return below(range);
  }
  /// From [begin, end).
  HPK_FORCEINLINE_FUNCTION std::uint64_t urand64(std::uint64_t begin, std::uint64_t end) {
    expect_integers("urand64", begin, end);
    return begin + below(end - begin);
  }

  /// From [0, MAX_RAND].
  HPK_FORCEINLINE_FUNCTION int rand() { return static_cast<int>(self().next32() >> 1); }
  /// From [0, range).
  HPK_FORCEINLINE_FUNCTION int rand(int range) { return between("rand", 0, range); }
  /// From [begin, end), which may be longer than int has numbers: rand(INT_MIN, INT_MAX).
  HPK_FORCEINLINE_FUNCTION int rand(int begin, int end) { return between("rand", begin, end); }

  /// From [0, MAX_RAND64].
  HPK_FORCEINLINE_FUNCTION std::int64_t rand64() {
    return static_cast<std::int64_t>(self().next64() >> 1);
  }
  /// From [0, range).
  HPK_FORCEINLINE_FUNCTION std::int64_t rand64(std::int64_t range) {
    return between("rand64", std::int64_t{0}, range);
  }
  /// From [begin, end).
  HPK_FORCEINLINE_FUNCTION std::int64_t rand64(std::int64_t begin, std::int64_t end) {
    return between("rand64", begin, end);
  }

  /// A multiple of 2^-24 in [0, 1).
  HPK_FORCEINLINE_FUNCTION float frand() { return unit_float(self().next32()); }
  /// From [0, range); of a negative range from (range, 0].
  HPK_FORCEINLINE_FUNCTION float frand(float range) { return frand(0.0f, range); }
  /// From [begin, end); if end is below begin, from (end, begin]. end is no result unless it equals
  /// begin.
  HPK_FORCEINLINE_FUNCTION float frand(float begin, float end) {
    return place_between(begin, end, frand());
  }

  /// A multiple of 2^-53 in [0, 1).
  HPK_FORCEINLINE_FUNCTION double drand() { return unit_double(self().next64()); }
  /// From [0, range); of a negative range from (range, 0].
  HPK_FORCEINLINE_FUNCTION double drand(double range) { return drand(0.0, range); }
  /// From [begin, end), as frand.
  HPK_FORCEINLINE_FUNCTION double drand(double begin, double end) {
    return place_between(begin, end, drand());
  }

  /// Of the normal distribution of mean 0 and standard deviation 1. One urand64() gives one number,
  /// so nothing is kept between calls: the inverse of the distribution, which reaches 8.2 standard
  /// deviations. Never infinite.
  HPK_FORCEINLINE_FUNCTION double normal() {
    // The middle of one of 2^52 pieces of (0, 1).
    const auto piece = static_cast<double>(static_cast<std::int64_t>(self().next64() >> 12));
    return normal_quantile((piece + 0.5) * 0x1p-52);
  }
  /// Of another mean and standard deviation.
  HPK_FORCEINLINE_FUNCTION double normal(double mean, double standard_deviation = 1) {
    return math::fma(standard_deviation, normal(), mean);
  }

 private:
  random_draws() = default;
  friend Self;

  HPK_FORCEINLINE_FUNCTION Self& self() { return static_cast<Self&>(*this); }

  HPK_FORCEINLINE_FUNCTION std::uint32_t below(std::uint32_t range) {
    std::uint64_t product = std::uint64_t{self().next32()} * range;
    if (static_cast<std::uint32_t>(product) < range) [[unlikely]] {
      const std::uint32_t least = (0u - range) % range;
      while (static_cast<std::uint32_t>(product) < least)
        product = std::uint64_t{self().next32()} * range;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }
  HPK_FORCEINLINE_FUNCTION std::uint64_t below(std::uint64_t range) {
    wide_product product = multiply_wide(self().next64(), range);
    if (product.low < range) [[unlikely]] {
      const std::uint64_t least = (std::uint64_t{0} - range) % range;
      while (product.low < least) product = multiply_wide(self().next64(), range);
    }
    return product.high;
  }
  // The width of a range of signed integers is one of unsigned integers.
  template <class I>
  HPK_FORCEINLINE_FUNCTION I between(const char* function, I begin, I end) {
    expect_integers(function, begin, end);
    using bits = std::make_unsigned_t<I>;
    const auto first = static_cast<bits>(begin);
    const auto width = static_cast<bits>(static_cast<bits>(end) - first);
    return static_cast<I>(static_cast<bits>(first + below(width)));
  }
};

template <class T>
concept random_integer = std::integral<T> && sizeof(T) <= 8;

template <class T>
concept random_half =
    std::same_as<T, Experimental::half_t> || std::same_as<T, Experimental::bhalf_t>;

}  // namespace detail

/// Integers and bool. Up to 32 bits they take 32 random bits each, else 64.
template <class Generator, detail::random_integer T>
struct rand<Generator, T> {
  HPK_FUNCTION static constexpr T max() noexcept { return finite_max_v<T>; }
  HPK_FUNCTION static T draw(Generator& generator) {
    if constexpr (std::is_same_v<T, bool>) {
      return generator.urand() >> 31 != 0;
    } else if constexpr (sizeof(T) <= 4) {
      // The upper bits.
      return static_cast<T>(generator.urand() >> (32 - std::numeric_limits<T>::digits));
    } else {
      return static_cast<T>(generator.urand64() >> (64 - std::numeric_limits<T>::digits));
    }
  }
  HPK_FUNCTION static T draw(Generator& generator, T range) { return draw(generator, T(0), range); }
  HPK_FUNCTION static T draw(Generator& generator, T begin, T end) {
    if constexpr (sizeof(T) > 4) {
      if constexpr (std::is_signed_v<T>) {
        return static_cast<T>(generator.rand64(begin, end));
      } else {
        return static_cast<T>(generator.urand64(begin, end));
      }
    } else if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(generator.rand(begin, end));
    } else {
      return static_cast<T>(generator.urand(begin, end));
    }
  }
};

/// Multiples of 2^-24 in [0, 1).
template <class Generator>
struct rand<Generator, float> {
  HPK_FUNCTION static constexpr float max() noexcept { return 1; }
  HPK_FUNCTION static float draw(Generator& generator) { return generator.frand(); }
  HPK_FUNCTION static float draw(Generator& generator, float range) {
    return generator.frand(range);
  }
  HPK_FUNCTION static float draw(Generator& generator, float begin, float end) {
    return generator.frand(begin, end);
  }
};

/// Multiples of 2^-53 in [0, 1).
template <class Generator>
struct rand<Generator, double> {
  HPK_FUNCTION static constexpr double max() noexcept { return 1; }
  HPK_FUNCTION static double draw(Generator& generator) { return generator.drand(); }
  HPK_FUNCTION static double draw(Generator& generator, double range) {
    return generator.drand(range);
  }
  HPK_FUNCTION static double draw(Generator& generator, double begin, double end) {
    return generator.drand(begin, end);
  }
};

/// Numbers of 16 bits: a float that is rounded towards begin, so that end is never drawn.
template <class Generator, detail::random_half T>
struct rand<Generator, T> {
  HPK_FUNCTION static constexpr T max() noexcept { return T(1.0f); }
  HPK_FUNCTION static T draw(Generator& generator) { return draw(generator, T(0.0f), T(1.0f)); }
  HPK_FUNCTION static T draw(Generator& generator, T range) {
    return draw(generator, T(0.0f), range);
  }
  HPK_FUNCTION static T draw(Generator& generator, T begin, T end) {
    const auto low = static_cast<float>(begin);
    const float drawn = generator.frand(low, static_cast<float>(end));
    const T near(drawn);
    // Numbers of one sign are ordered as their bits are.
    const bool beyond =
        low <= drawn ? static_cast<float>(near) > drawn : static_cast<float>(near) < drawn;
    if (!beyond) return near;
    // One step towards begin.
    const bool up = low > drawn;
    const bool negative = near.bits() >> 15 != 0;
    const int step = up == negative ? -1 : 1;
    return T::from_bits(static_cast<std::uint16_t>(near.bits() + step));
  }
};

/// Complex numbers: the real part is drawn first.
template <class Generator, class Part>
  requires(std::same_as<Part, float> || std::same_as<Part, double>)
struct rand<Generator, complex<Part>> {
  using part = rand<Generator, Part>;
  HPK_FUNCTION static constexpr complex<Part> max() noexcept { return {Part(1), Part(1)}; }
  HPK_FUNCTION static complex<Part> draw(Generator& generator) {
    const Part re = part::draw(generator);
    return {re, part::draw(generator)};
  }
  HPK_FUNCTION static complex<Part> draw(Generator& generator, const complex<Part>& range) {
    return draw(generator, complex<Part>(), range);
  }
  HPK_FUNCTION static complex<Part> draw(Generator& generator, const complex<Part>& begin,
                                         const complex<Part>& end) {
    const Part re = part::draw(generator, begin.real(), end.real());
    return {re, part::draw(generator, begin.imag(), end.imag())};
  }
};

namespace detail {

/// c[0] + c[1] x + ... + c[7] x^7.
HPK_FORCEINLINE_FUNCTION double polynomial_7(const double (&c)[8], double x) {
  double sum = c[7];
  for (int k = 6; k >= 0; --k) sum = sum * x + c[k];
  return sum;
}

HPK_INLINE_FUNCTION double normal_quantile(double p) {
  const double q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) {
    constexpr double above[8] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                 1.9715909503065514427e3, 1.3731693765509461125e4,
                                 4.5921953931549871457e4, 6.7265770927008700853e4,
                                 3.3430575583588128105e4, 2.5090809287301226727e3};
    constexpr double below[8] = {1.0,
                                 4.2313330701600911252e1,
                                 6.8718700749205790830e2,
                                 5.3941960214247511077e3,
                                 2.1213794301586595867e4,
                                 3.9307895800092710610e4,
                                 2.8729085735721942674e4,
                                 5.2264952788528545610e3};
    const double r = 0.180625 - q * q;
    return q * polynomial_7(above, r) / polynomial_7(below, r);
  }
  const double tail = q < 0 ? p : 1.0 - p;
  double r = math::sqrt(-math::log(tail));
  double size;
  if (r <= 5) {
    constexpr double above[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                 5.76949722146069140550e0,  3.64784832476320460504e0,
                                 1.27045825245236838258e0,  2.41780725177450611770e-1,
                                 2.27238449892691845833e-2, 7.74545014278341407640e-4};
    constexpr double below[8] = {1.0,
                                 2.05319162663775882187e0,
                                 1.67638483018380384940e0,
                                 6.89767334985100004550e-1,
                                 1.48103976427480074590e-1,
                                 1.51986665636164571966e-2,
                                 5.47593808499534494600e-4,
                                 1.05075007164441684324e-9};
    r -= 1.6;
    size = polynomial_7(above, r) / polynomial_7(below, r);
  } else {
    constexpr double above[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                 1.78482653991729133580e0,  2.96560571828504891230e-1,
                                 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                 2.71155556874348757815e-5, 2.01033439929228813265e-7};
    constexpr double below[8] = {1.0,
                                 5.99832206555887937690e-1,
                                 1.36929880922735805310e-1,
                                 1.48753612908506148525e-2,
                                 7.86869131145613259100e-4,
                                 1.84631831751005468180e-5,
                                 1.42151175831644588870e-7,
                                 2.04426310338993978564e-15};
    r -= 5;
    size = polynomial_7(above, r) / polynomial_7(below, r);
  }
  return q < 0 ? -size : size;
}

}  // namespace detail

}  // namespace hpk
