// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between the bits of 16-bit floating-point formats and wider numbers, each rounded
// once and without branches. half.hpp defines types with these conversions.
#pragma once

#include <hpk/base/macros.hpp>

#include <concepts>
#include <cstdint>
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
/// quiet. Branch-free, so that loops vectorise: the sum with an anchor number whose last place
/// equals the last place of the result is rounded to that place.
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
