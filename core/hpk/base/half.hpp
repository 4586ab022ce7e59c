// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half_t and bhalf_t: 16-bit floating-point numbers for storage; arithmetic is done in float.
//
// They are two bytes with every compiler and space, with the bits of IEEE 754 binary16 and of
// bfloat16, so that files and messages may contain them. Every conversion rounds once, to nearest,
// ties to even, also from double and from integers. Sums, differences, products, quotients and
// square roots are correctly rounded, since float has at least twice their digits plus two
// (Figueroa, When is double rounding innocuous?, 1995).
#pragma once

#include <hpk/base/float16.hpp>
#include <hpk/base/macros.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace hpk::detail {

/// The exponent and mantissa widths of a wider type, and the unsigned type of its size.
template <class Wide>
struct wide_format;
template <>
struct wide_format<float> {
  using bits = std::uint32_t;
  static constexpr int exponent = 8;
  static constexpr int mantissa = 23;
};
template <>
struct wide_format<double> {
  using bits = std::uint64_t;
  static constexpr int exponent = 11;
  static constexpr int mantissa = 52;
};

// Selections by sign masks, for vectorised loops: compilers turn `condition ? a : b` into branches
// if one side is floating-point arithmetic.
/// All bits set if a number is negative, else 0.
template <std::signed_integral B>
HPK_FORCEINLINE_FUNCTION constexpr B if_negative(B value) noexcept {
  return value >> (8 * sizeof(B) - 1);
}
template <std::signed_integral B>
HPK_FORCEINLINE_FUNCTION constexpr B smaller_of(B a, B b) noexcept {
  return b + ((a - b) & if_negative(a - b));
}
template <std::signed_integral B>
HPK_FORCEINLINE_FUNCTION constexpr B larger_of(B a, B b) noexcept {
  return b + ((a - b) & ~if_negative(a - b));
}

/// Rounds to a 16-bit format with the given exponent and mantissa widths. NaNs stay NaNs and become
/// quiet. Branch-free, so that loops vectorise: adding a number whose last place is that of the
/// result rounds to it.
template <int Exponent, int Mantissa, class Wide>
HPK_FORCEINLINE_FUNCTION constexpr std::uint16_t narrow(Wide value) noexcept {
  using from = wide_format<Wide>;
  using bits = typename from::bits;
  using signed_bits = std::make_signed_t<bits>;  // compared in fewer instructions
  constexpr int width = 8 * sizeof(bits);
  constexpr int bias = (1 << (Exponent - 1)) - 1;
  constexpr int from_bias = (1 << (from::exponent - 1)) - 1;
  constexpr int drop = from::mantissa - Mantissa;
  constexpr signed_bits infinite = ((signed_bits{1} << from::exponent) - 1) << from::mantissa;

  const bits all = __builtin_bit_cast(bits, value);
  const auto size = static_cast<signed_bits>(all & (~bits{0} >> 1));
  // The result is in the upper bits, so that vectors are narrowed to 16 bits once.
  const bits quiet = all | bits{1} << (from::mantissa - 1);
  if constexpr (Exponent == from::exponent) {
    // Same exponent range as float. Adds half of the last place minus one, and one more if that
    // place is odd: ties to even. A carry propagates into the exponent, up to infinity.
    const bits rounded = all + ((bits{1} << (drop - 1)) - 1) + (all >> drop & 1);
    return static_cast<std::uint16_t>((size > infinite ? quiet : rounded) >> drop);
  } else {
    constexpr signed_bits least = signed_bits{from_bias - bias + 1} << from::mantissa;
    constexpr signed_bits beyond = signed_bits{from_bias + bias + 1} << from::mantissa;
    const signed_bits finite = smaller_of(size, beyond);
    const signed_bits scale = larger_of(finite, least) & infinite;
    const signed_bits anchor = scale + (signed_bits{drop} << from::mantissa);
    const Wide sum = __builtin_bit_cast(Wide, finite) + __builtin_bit_cast(Wide, anchor);
    // Counts in last places; the mantissa of a normal number adds one to the exponent.
    const signed_bits places =
        __builtin_bit_cast(signed_bits, sum) - anchor + ((scale - least) >> drop);
    constexpr int up = width - 16;
    const bits not_a_number = (quiet << (from::exponent - Exponent)) & (~bits{0} >> 1);
    const bits payload = not_a_number & static_cast<bits>(if_negative(infinite - size));
    const bits sign = all & bits{1} << (width - 1);
    return static_cast<std::uint16_t>((sign | static_cast<bits>(places) << up | payload) >> up);
  }
}

/// Converts 16 bits to float.
template <int Exponent, int Mantissa>
HPK_FORCEINLINE_FUNCTION constexpr float widen(std::uint16_t value) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(value & 0x8000u) << 16;
  if constexpr (Exponent == 8) {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(value) << 16);
  } else {
    constexpr int drop = 23 - Mantissa;
    constexpr std::int32_t bias = (127 - ((1 << (Exponent - 1)) - 1)) << 23;
    constexpr std::int32_t top = ((1 << Exponent) - 1) << 23;
    const auto size =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(value & 0x7fffu) << drop);
    // Infinities and NaNs have the largest exponent in both formats.
    const std::int32_t normal = size + bias + (bias & if_negative(top - 1 - size));
    // A subnormal of this format is the difference of two normal floats.
    constexpr std::int32_t anchor = bias + (1 << 23);
    const float small =
        __builtin_bit_cast(float, size + anchor) - __builtin_bit_cast(float, anchor);
    const std::int32_t is_small = if_negative(size - (1 << 23));
    const std::int32_t result =
        (normal & ~is_small) | (__builtin_bit_cast(std::int32_t, small) & is_small);
    return __builtin_bit_cast(float, sign | static_cast<std::uint32_t>(result));
  }
}

/// A double that rounds to the same 16 bits as `value`: its last bit records whether digits were
/// lost (rounding to odd).
HPK_FUNCTION constexpr double round_to_odd(unsigned long long magnitude) noexcept {
  constexpr unsigned long long lost = (1ull << 11) - 1;
  if (magnitude >> 53 != 0 && (magnitude & lost) != 0) magnitude = (magnitude & ~lost) | (lost + 1);
  return static_cast<double>(magnitude);
}
constexpr double round_to_odd(long double value) noexcept {
  const auto near = static_cast<double>(value);
  const auto bits = __builtin_bit_cast(std::uint64_t, near);
  if (near == value || value != value || (bits & 1) != 0) return near;
  const bool beyond = value > 0 ? near > value : near < value;
  return __builtin_bit_cast(double, beyond ? bits - 1 : bits + 1);
}

}  // namespace hpk::detail

namespace hpk::Experimental {

/// A 16-bit floating-point number with a sign, Exponent bits and Mantissa bits, encoded as in IEEE
/// 754. Use half_t and bhalf_t. Trivially copyable; zero by default; any thread.
///
/// Converts implicitly from numbers and explicitly to them. Operations with 16-bit numbers and
/// integers give a 16-bit number; operations with float, double or long double give that type.
template <int Exponent, int Mantissa>
class small_float {
  static_assert(Exponent + Mantissa == 15 && Exponent >= 4 && Exponent <= 8,
                "hpk: a number of 16 bits has 15 of exponent and mantissa; write half_t or "
                "bhalf_t");

 public:
  /// Zero.
  constexpr small_float() noexcept = default;
  /// Rounds to nearest, ties to even.
  HPK_FORCEINLINE_FUNCTION constexpr small_float(float value) noexcept : bits_(bits_of(value)) {}
  HPK_FORCEINLINE_FUNCTION constexpr small_float(double value) noexcept
      : bits_(detail::narrow<Exponent, Mantissa>(value)) {}
  constexpr small_float(long double value) noexcept : small_float(detail::round_to_odd(value)) {}
  template <std::integral I>
  HPK_FORCEINLINE_FUNCTION constexpr explicit(std::same_as<I, bool>) small_float(I value) noexcept
      : bits_(of_integer(value)) {}
  /// Converts from a 16-bit number of the other format; rounds to nearest.
  template <int E, int M>
    requires(E != Exponent)
  HPK_FORCEINLINE_FUNCTION constexpr explicit small_float(small_float<E, M> other) noexcept
      : small_float(static_cast<float>(other)) {}
  /// The number with these bits.
  HPK_FORCEINLINE_FUNCTION static constexpr small_float from_bits(std::uint16_t bits) noexcept {
    small_float result;
    result.bits_ = bits;
    return result;
  }
  /// The bits.
  HPK_FORCEINLINE_FUNCTION constexpr std::uint16_t bits() const noexcept { return bits_; }

  /// Converts to another type, with its rounding.
  template <class T>
    requires std::is_arithmetic_v<T>
  HPK_FORCEINLINE_FUNCTION constexpr explicit operator T() const noexcept {
    if constexpr (std::same_as<T, bool>) {
      return (bits_ & 0x7fffu) != 0;
    } else {
      return static_cast<T>(wide());
    }
  }
#if HPK_HAS_FLOAT16
  /// Conversions from and to the compiler's own type, with the same bits.
  template <std::same_as<_Float16> T>
    requires(Exponent == 5)
  HPK_FORCEINLINE_FUNCTION constexpr small_float(T value) noexcept
      : bits_(__builtin_bit_cast(std::uint16_t, value)) {}
  template <std::same_as<_Float16> T>
    requires(Exponent == 5 && !std::is_arithmetic_v<T>)
  HPK_FORCEINLINE_FUNCTION constexpr explicit operator T() const noexcept {
    return __builtin_bit_cast(_Float16, bits_);
  }
#endif

  HPK_FORCEINLINE_FUNCTION constexpr small_float operator+() const noexcept { return *this; }
  HPK_FORCEINLINE_FUNCTION constexpr small_float operator-() const noexcept {
    return from_bits(static_cast<std::uint16_t>(bits_ ^ 0x8000u));
  }
  HPK_FORCEINLINE_FUNCTION constexpr small_float& operator++() noexcept { return *this += 1; }
  HPK_FORCEINLINE_FUNCTION constexpr small_float& operator--() noexcept { return *this -= 1; }
  HPK_FORCEINLINE_FUNCTION constexpr small_float operator++(int) noexcept {
    const small_float before = *this;
    ++*this;
    return before;
  }
  HPK_FORCEINLINE_FUNCTION constexpr small_float operator--(int) noexcept {
    const small_float before = *this;
    --*this;
    return before;
  }

  // Operators with 16-bit numbers, integers and wider numbers on either side; and compound
  // assignments, which keep the type of the left side.
#define HPK_DETAIL_HALF_OPERATOR(op)                                                               \
  HPK_FORCEINLINE_FUNCTION friend constexpr small_float operator op(small_float a,                 \
                                                                    small_float b) noexcept {      \
    return small_float(a.wide() op b.wide());                                                      \
  }                                                                                                \
  template <std::floating_point T>                                                                 \
  HPK_FORCEINLINE_FUNCTION friend constexpr T operator op(small_float a, T b) noexcept {           \
    return static_cast<T>(a.wide()) op b;                                                          \
  }                                                                                                \
  template <std::floating_point T>                                                                 \
  HPK_FORCEINLINE_FUNCTION friend constexpr T operator op(T a, small_float b) noexcept {           \
    return a op static_cast<T>(b.wide());                                                          \
  }                                                                                                \
  template <std::integral T>                                                                       \
  HPK_FORCEINLINE_FUNCTION friend constexpr small_float operator op(small_float a, T b) noexcept { \
    return a op small_float(b);                                                                    \
  }                                                                                                \
  template <std::integral T>                                                                       \
  HPK_FORCEINLINE_FUNCTION friend constexpr small_float operator op(T a, small_float b) noexcept { \
    return small_float(a) op b;                                                                    \
  }                                                                                                \
  template <class T>                                                                               \
    requires(std::is_arithmetic_v<T> || std::same_as<T, small_float>)                              \
  HPK_FORCEINLINE_FUNCTION constexpr small_float& operator op##=(T b) noexcept {                   \
    return *this = small_float(*this op b);                                                        \
  }                                                                                                \
  template <std::floating_point T>                                                                 \
  HPK_FORCEINLINE_FUNCTION friend constexpr T& operator op##=(T & a, small_float b) noexcept {     \
    return a = a op b;                                                                             \
  }
  HPK_DETAIL_HALF_OPERATOR(+)
  HPK_DETAIL_HALF_OPERATOR(-)
  HPK_DETAIL_HALF_OPERATOR(*)
  HPK_DETAIL_HALF_OPERATOR(/)
#undef HPK_DETAIL_HALF_OPERATOR

  // Comparisons are exact: an integer is not rounded first.
#define HPK_DETAIL_HALF_COMPARE(op)                                                            \
  HPK_FORCEINLINE_FUNCTION friend constexpr bool operator op(small_float a,                    \
                                                             small_float b) noexcept {         \
    return a.wide() op b.wide();                                                               \
  }                                                                                            \
  template <class T>                                                                           \
    requires std::is_arithmetic_v<T>                                                           \
  HPK_FORCEINLINE_FUNCTION friend constexpr bool operator op(small_float a, T b) noexcept {    \
    using common = std::common_type_t<T, std::conditional_t<std::integral<T>, double, float>>; \
    return static_cast<common>(a.wide()) op static_cast<common>(b);                            \
  }
  HPK_DETAIL_HALF_COMPARE(==)
  HPK_DETAIL_HALF_COMPARE(<)
  HPK_DETAIL_HALF_COMPARE(>)
  HPK_DETAIL_HALF_COMPARE(<=)
  HPK_DETAIL_HALF_COMPARE(>=)
#undef HPK_DETAIL_HALF_COMPARE
  template <class T>
    requires std::is_arithmetic_v<T>
  HPK_FORCEINLINE_FUNCTION friend constexpr bool operator<(T a, small_float b) noexcept {
    return b > a;
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  HPK_FORCEINLINE_FUNCTION friend constexpr bool operator>(T a, small_float b) noexcept {
    return b < a;
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  HPK_FORCEINLINE_FUNCTION friend constexpr bool operator<=(T a, small_float b) noexcept {
    return b >= a;
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  HPK_FORCEINLINE_FUNCTION friend constexpr bool operator>=(T a, small_float b) noexcept {
    return b <= a;
  }

  /// Stream output and input, as for a float.
  template <class Stream>
    requires requires(Stream& stream, float value) { stream.operator<<(value); }
  friend Stream& operator<<(Stream& stream, small_float value) {
    stream << value.wide();
    return stream;
  }
  template <class Stream>
    requires requires(Stream& stream, float value) { stream.operator>>(value); }
  friend Stream& operator>>(Stream& stream, small_float& value) {
    float wide = 0;
    stream >> wide;
    value = small_float(wide);
    return stream;
  }

 private:
  HPK_FORCEINLINE_FUNCTION constexpr float wide() const noexcept {
#if HPK_HAS_FLOAT16_INSTRUCTIONS
    if constexpr (Exponent == 5) {
      if (!__builtin_is_constant_evaluated())
        return static_cast<float>(__builtin_bit_cast(_Float16, bits_));
    }
#endif
    return detail::widen<Exponent, Mantissa>(bits_);
  }
  HPK_FORCEINLINE_FUNCTION static constexpr std::uint16_t bits_of(float value) noexcept {
#if HPK_HAS_FLOAT16_INSTRUCTIONS
    if constexpr (Exponent == 5) {
      if (!__builtin_is_constant_evaluated())
        return __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(value));
    }
#endif
    return detail::narrow<Exponent, Mantissa>(value);
  }
  template <std::integral I>
  HPK_FORCEINLINE_FUNCTION static constexpr std::uint16_t of_integer(I value) noexcept {
    if constexpr (sizeof(I) <= 4) {
      return detail::narrow<Exponent, Mantissa>(static_cast<double>(value));
    } else {
      const bool negative = std::is_signed_v<I> && value <= I(-1);
      const auto magnitude = static_cast<unsigned long long>(value);
      const double wide = detail::round_to_odd(negative ? 0 - magnitude : magnitude);
      return detail::narrow<Exponent, Mantissa>(negative ? -wide : wide);
    }
  }

  std::uint16_t bits_ = 0;
};

/// IEEE 754 binary16: 11 significant bits, maximum 65504, minimum 2^-24.
using half_t = small_float<5, 10>;
/// bfloat16: the upper half of a float, with 8 significant bits and the range of a float.
using bhalf_t = small_float<8, 7>;

static_assert(sizeof(half_t) == 2 && sizeof(bhalf_t) == 2);
static_assert(std::is_trivially_copyable_v<half_t>);

/// Converts to a 16-bit number; rounds to nearest.
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr half_t cast_to_half(T value) noexcept {
  return static_cast<half_t>(value);
}
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr bhalf_t cast_to_bhalf(T value) noexcept {
  return static_cast<bhalf_t>(value);
}
/// Converts a 16-bit number to T.
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr T cast_from_half(half_t value) noexcept {
  return static_cast<T>(value);
}
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr T cast_from_bhalf(bhalf_t value) noexcept {
  return static_cast<T>(value);
}

}  // namespace hpk::Experimental

namespace hpk {

template <class T>
struct reduction_accumulator;

/// Sums and products of 16-bit numbers are accumulated in float and rounded once.
template <int Exponent, int Mantissa>
struct reduction_accumulator<Experimental::small_float<Exponent, Mantissa>> {
  using type = float;
};

}  // namespace hpk

/// Numeric limits of the 16-bit numbers.
template <int Exponent, int Mantissa>
class std::numeric_limits<hpk::Experimental::small_float<Exponent, Mantissa>> {
  using self = hpk::Experimental::small_float<Exponent, Mantissa>;
  HPK_FUNCTION static constexpr self of(int bits) noexcept {
    return self::from_bits(static_cast<std::uint16_t>(bits));
  }
  static constexpr int exponents = (1 << Exponent) - 1;
  static constexpr int bias = exponents / 2;

 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = true;
// Deprecated in C++23, but generic code still uses them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
#pragma GCC diagnostic pop
  static constexpr bool has_denorm_loss = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr bool is_iec559 = Exponent == 5;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr int radix = 2;
  static constexpr int digits = Mantissa + 1;
  // 0.30103 approximates log10(2) closely enough for these products.
  static constexpr int digits10 = Mantissa * 30103 / 100000;
  static constexpr int max_digits10 = 2 + digits * 30103 / 100000;
  static constexpr int min_exponent = 2 - bias;
  static constexpr int max_exponent = bias + 1;
  static constexpr int min_exponent10 = -((bias - 1) * 30103 / 100000);
  static constexpr int max_exponent10 = (bias + 1) * 30103 / 100000;
  HPK_FUNCTION static constexpr self min() noexcept { return of(1 << Mantissa); }
  HPK_FUNCTION static constexpr self max() noexcept { return of((exponents << Mantissa) - 1); }
  HPK_FUNCTION static constexpr self lowest() noexcept { return -max(); }
  HPK_FUNCTION static constexpr self denorm_min() noexcept { return of(1); }
  HPK_FUNCTION static constexpr self epsilon() noexcept {
    return of((bias - Mantissa) << Mantissa);
  }
  HPK_FUNCTION static constexpr self round_error() noexcept { return of((bias - 1) << Mantissa); }
  HPK_FUNCTION static constexpr self infinity() noexcept { return of(exponents << Mantissa); }
  HPK_FUNCTION static constexpr self quiet_NaN() noexcept {
    return of(exponents << Mantissa | 1 << (Mantissa - 1));
  }
  HPK_FUNCTION static constexpr self signaling_NaN() noexcept {
    return of(exponents << Mantissa | 1 << (Mantissa - 2));
  }
};
