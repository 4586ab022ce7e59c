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
#include <hpk/base/half_bits.hpp>
#include <hpk/base/macros.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

/// 16-bit numbers and their mathematical functions, in a separate namespace for argument-dependent
/// lookup. In hpk::Experimental the lookup would also find the algorithms.
namespace hpk::half_functions {

/// A 16-bit floating-point number with a sign, Exponent bits and Mantissa bits, encoded as in
/// IEEE-754. Use half_t and bhalf_t. Trivially copyable; zero by default; any thread.
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
  /// @{
  /// Rounds to nearest, ties to even. Implicit, except from bool.
  HPK_FORCEINLINE_FUNCTION constexpr small_float(float value) noexcept : bits_(bits_of(value)) {}
  HPK_FORCEINLINE_FUNCTION constexpr small_float(double value) noexcept
      : bits_(detail::narrow<Exponent, Mantissa>(value)) {}
  constexpr small_float(long double value) noexcept : small_float(detail::round_to_odd(value)) {}
  template <std::integral I>
  HPK_FORCEINLINE_FUNCTION constexpr explicit(std::same_as<I, bool>) small_float(I value) noexcept
      : bits_(of_integer(value)) {}
  /// @}
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

  /// @{
  /// A minus inverts the sign, also of zero and NaN. ++ and -- add and subtract 1 and round: large
  /// numbers remain as they are.
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
  /// @}

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
  /// @{
  /// Operators with 16-bit numbers, integers and wider numbers on either side; and compound
  /// assignments, which keep the type of the left side.
  HPK_DETAIL_HALF_OPERATOR(+)
  HPK_DETAIL_HALF_OPERATOR(-)
  HPK_DETAIL_HALF_OPERATOR(*)
  HPK_DETAIL_HALF_OPERATOR(/)
  /// @}
#undef HPK_DETAIL_HALF_OPERATOR

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
  /// @{
  /// Comparisons are exact: an integer is not rounded first.
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
  /// @}

  /// @{
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
  /// @}

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

}  // namespace hpk::half_functions

namespace hpk::detail {
template <class T>
inline constexpr bool is_small_float = false;
template <int Exponent, int Mantissa>
inline constexpr bool is_small_float<half_functions::small_float<Exponent, Mantissa>> = true;
}  // namespace hpk::detail

namespace hpk::Experimental {
using half_functions::small_float;

/// IEEE 754 binary16: 11 significant bits, maximum 65504, minimum 2^-24. A float if
/// HPK_HALF_IS_FLOAT is 1.
using half_t = std::conditional_t<HPK_HALF_IS_FLOAT, float, small_float<5, 10>>;
/// bfloat16: the upper half of a float, with 8 significant bits and the range of a float. A float
/// if HPK_HALF_IS_FLOAT is 1.
using bhalf_t = std::conditional_t<HPK_HALF_IS_FLOAT, float, small_float<8, 7>>;

static_assert(sizeof(small_float<5, 10>) == 2 && sizeof(small_float<8, 7>) == 2);
static_assert(std::is_trivially_copyable_v<small_float<5, 10>>);

/// @{
/// Converts to a 16-bit number; rounds to nearest.
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr half_t cast_to_half(T value) noexcept {
  return static_cast<half_t>(value);
}
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr bhalf_t cast_to_bhalf(T value) noexcept {
  return static_cast<bhalf_t>(value);
}
/// @}
/// @{
/// Converts a 16-bit number to T.
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr T cast_from_half(half_t value) noexcept {
  return static_cast<T>(value);
}
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr T cast_from_bhalf(bhalf_t value) noexcept {
  return static_cast<T>(value);
}
/// @}

}  // namespace hpk::Experimental

namespace hpk {

template <class T>
struct reduction_accumulator;

/// Sums and products of 16-bit numbers are accumulated in float and rounded once.
template <int Exponent, int Mantissa>
struct reduction_accumulator<Experimental::small_float<Exponent, Mantissa>> {
  using type = float;  ///< accumulates the values
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
