// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws that all random number generators of hpk provide: integers of any range without bias,
// floating-point numbers and normal numbers, made of 32 or 64 random bits. Also hpk::rand, which
// draws a number of any type. The random bits come from random_engine.hpp and random_counter.hpp.
#pragma once

#include <hpk/algorithms/detail/random_bits.hpp>
#include <hpk/complex.hpp>
#include <hpk/core.hpp>
#include <hpk/half.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace hpk {

/// Draws numbers of type T from a generator: rand<Generator, T>::draw(generator, begin, end). It is
/// defined for all integers, half_t, bhalf_t, float, double, complex<float> and complex<double>.
/// Specialize it for your own type to draw such numbers and to fill Views with fill_random.
///
///   max()                      draw(generator) gives values from 0 to max(): of integers
///                              included, of floating-point numbers excluded
///   draw(generator, range)     from [0, range)
///   draw(generator, begin, end) from [begin, end); of complex numbers each part
template <class Generator, class T>
struct rand {
  /// @cond internal
  static constexpr bool known = std::is_void_v<T>;
  static_assert(known,
                "hpk::rand: there are no random numbers of this type; specialize hpk::rand "
                "<Generator, T> with max() and draw(), or take integers, float, double, half_t, "
                "bhalf_t, complex<float> or complex<double>");
  /// @endcond
};

namespace classes {
/// Base of all generators. Self has next32() and next64(), which return random bits.
template <class Self>
class random_draws {
 public:
  /// The largest results of urand(), urand64(), rand() and rand64().
  ///@{
  static constexpr std::uint32_t MAX_URAND = 0xffffffffu;
  static constexpr std::uint64_t MAX_URAND64 = 0xffffffffffffffffu;
  static constexpr int MAX_RAND = 0x7fffffff;
  static constexpr std::int64_t MAX_RAND64 = 0x7fffffffffffffff;
  ///@}

  /// Returns 32 random bits: a number from [0, MAX_URAND], both included.
  HPK_FORCEINLINE_FUNCTION std::uint32_t urand() { return self().next32(); }
  /// Returns a number from [0, range); all have the same probability (D. Lemire, Fast random
  /// integer generation in an interval, ACM Transactions on Modeling and Computer Simulation 29,
  /// 2019). Checked builds report a range of 0; otherwise the result is 0. This holds for all
  /// integers below.
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
  /// From [begin, end). end - begin may exceed INT_MAX: rand(INT_MIN, INT_MAX).
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
  /// From [0, range), or from (range, 0] if range is negative.
  HPK_FORCEINLINE_FUNCTION float frand(float range) { return frand(0.0f, range); }
  /// From [begin, end), or from (end, begin] if end is below begin. The result is never end unless
  /// end equals begin.
  HPK_FORCEINLINE_FUNCTION float frand(float begin, float end) {
    return place_between(begin, end, frand());
  }

  /// A multiple of 2^-53 in [0, 1).
  HPK_FORCEINLINE_FUNCTION double drand() { return unit_double(self().next64()); }
  /// From [0, range), or from (range, 0] if range is negative.
  HPK_FORCEINLINE_FUNCTION double drand(double range) { return drand(0.0, range); }
  /// From [begin, end), as frand.
  HPK_FORCEINLINE_FUNCTION double drand(double begin, double end) {
    return place_between(begin, end, drand());
  }

  /// Returns a normally distributed number with mean 0 and standard deviation 1. It is the inverse
  /// of the distribution at one urand64(), so the generator stores nothing between calls. The
  /// result is at most 8.2 standard deviations from 0 and never infinite.
  HPK_FORCEINLINE_FUNCTION double normal() {
    // The middle of one of 2^52 pieces of (0, 1).
    const auto piece = static_cast<double>(static_cast<std::int64_t>(self().next64() >> 12));
    return normal_quantile((piece + 0.5) * 0x1p-52);
  }
  /// Returns a normally distributed number with this mean and standard deviation.
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
  // The width of a range of signed integers fits into the unsigned type.
  template <class I>
  HPK_FORCEINLINE_FUNCTION I between(const char* function, I begin, I end) {
    expect_integers(function, begin, end);
    using bits = std::make_unsigned_t<I>;
    const auto first = static_cast<bits>(begin);
    const auto width = static_cast<bits>(static_cast<bits>(end) - first);
    return static_cast<I>(static_cast<bits>(first + below(width)));
  }
};
}  // namespace classes

namespace detail {

template <class T>
concept random_integer = std::integral<T> && sizeof(T) <= 8;

template <class T>
concept random_half = is_small_float<T>;

}  // namespace detail

/// Integers and bool. Types of up to 32 bits use 32 random bits each, others 64.
template <class Generator, detail::random_integer T>
struct rand<Generator, T> {
  /// As in hpk::rand. Checked builds report an empty range.
  ///@{
  HPK_FUNCTION static constexpr T max() noexcept { return finite_max_v<T>; }
  HPK_FUNCTION static T draw(Generator& generator) {
    if constexpr (std::is_same_v<T, bool>) {
      return generator.urand() >> 31 != 0;
    } else if constexpr (sizeof(T) <= 4) {
      // Uses the upper bits.
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
  ///@}
};

/// Multiples of 2^-24 in [0, 1).
template <class Generator>
struct rand<Generator, float> {
  /// As in hpk::rand. An end below begin is allowed.
  ///@{
  HPK_FUNCTION static constexpr float max() noexcept { return 1; }
  HPK_FUNCTION static float draw(Generator& generator) { return generator.frand(); }
  HPK_FUNCTION static float draw(Generator& generator, float range) {
    return generator.frand(range);
  }
  HPK_FUNCTION static float draw(Generator& generator, float begin, float end) {
    return generator.frand(begin, end);
  }
  ///@}
};

/// Multiples of 2^-53 in [0, 1).
template <class Generator>
struct rand<Generator, double> {
  /// As in hpk::rand. An end below begin is allowed.
  ///@{
  HPK_FUNCTION static constexpr double max() noexcept { return 1; }
  HPK_FUNCTION static double draw(Generator& generator) { return generator.drand(); }
  HPK_FUNCTION static double draw(Generator& generator, double range) {
    return generator.drand(range);
  }
  HPK_FUNCTION static double draw(Generator& generator, double begin, double end) {
    return generator.drand(begin, end);
  }
  ///@}
};

/// 16-bit floating-point numbers: a float that is rounded towards begin, so that end is never
/// drawn.
template <class Generator, detail::random_half T>
struct rand<Generator, T> {
  /// As in hpk::rand. An end below begin is allowed.
  ///@{
  HPK_FUNCTION static constexpr T max() noexcept { return T(1.0f); }
  HPK_FUNCTION static T draw(Generator& generator) { return draw(generator, T(0.0f), T(1.0f)); }
  HPK_FUNCTION static T draw(Generator& generator, T range) {
    return draw(generator, T(0.0f), range);
  }
  HPK_FUNCTION static T draw(Generator& generator, T begin, T end) {
    const auto low = static_cast<float>(begin);
    const float drawn = generator.frand(low, static_cast<float>(end));
    const T rounded(drawn);
    // Numbers of one sign have the same order as their bits.
    const bool rounded_beyond =
        low <= drawn ? static_cast<float>(rounded) > drawn : static_cast<float>(rounded) < drawn;
    if (!rounded_beyond) return rounded;
    // One step towards begin.
    const bool up = low > drawn;
    const bool negative = rounded.bits() >> 15 != 0;
    const int step = up == negative ? -1 : 1;
    return T::from_bits(static_cast<std::uint16_t>(rounded.bits() + step));
  }
  ///@}
};

/// Complex numbers: the real part is drawn first.
template <class Generator, class Part>
  requires(std::same_as<Part, float> || std::same_as<Part, double>)
struct rand<Generator, complex<Part>> {
  /// As in hpk::rand. `part` draws the real and the imaginary part.
  ///@{
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
  ///@}
};

}  // namespace hpk
