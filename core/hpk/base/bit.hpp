// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of <bit> for kernels and constant expressions. Hosts use the standard library; GPUs
// use their own instructions.
#pragma once

#include <hpk/base/macros.hpp>

#include <bit>
#include <concepts>
#include <limits>
#include <type_traits>

namespace hpk::detail {

/// The five unsigned integer types that <bit> accepts.
template <class T>
concept bit_integer = std::same_as<T, unsigned char> || std::same_as<T, unsigned short> ||
                      std::same_as<T, unsigned int> || std::same_as<T, unsigned long> ||
                      std::same_as<T, unsigned long long>;

/// The number of bits of T.
template <class T>
inline constexpr int bits_of = 8 * static_cast<int>(sizeof(T));

/// The number of bits that are set.
HPK_FUNCTION constexpr int count_ones(unsigned long long value) noexcept {
  HPK_IF_ON_HOST((return std::popcount(value);))
  HPK_IF_ON_DEVICE(
      (if (!__builtin_is_constant_evaluated()) return static_cast<int>(__popcll(value));
       int ones = 0; for (; value != 0; value &= value - 1)++ ones; return ones;))
}
/// The number of zeros below the lowest set bit; 64 if none is set.
HPK_FUNCTION constexpr int count_zeros_below(unsigned long long value) noexcept {
  HPK_IF_ON_HOST((return std::countr_zero(value);))
  HPK_IF_ON_DEVICE((return count_ones(~value & (value - 1));))
}
/// The number of zeros above the highest set bit, of 64.
HPK_FUNCTION constexpr int count_zeros_above(unsigned long long value) noexcept {
  HPK_IF_ON_HOST((return std::countl_zero(value);))
  HPK_IF_ON_DEVICE(
      (if (!__builtin_is_constant_evaluated()) return __clzll(static_cast<long long>(value));
       int zeros = 64; for (; value != 0; value >>= 1)-- zeros; return zeros;))
}

/// Reverses the order of the 8 bytes.
HPK_FUNCTION constexpr unsigned long long reverse_bytes(unsigned long long value) noexcept {
  HPK_IF_ON_HOST((return __builtin_bswap64(value);))
  HPK_IF_ON_DEVICE(
      (value = (value & 0x00ff00ff00ff00ffULL) << 8 | (value >> 8 & 0x00ff00ff00ff00ffULL);
       value = (value & 0x0000ffff0000ffffULL) << 16 | (value >> 16 & 0x0000ffff0000ffffULL);
       return value << 32 | value >> 32;))
}

}  // namespace hpk::detail

namespace hpk {

/// Reinterprets the bytes of an object as another type of the same size; both are trivially
/// copyable.
template <class To, class From>
  requires(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> &&
           std::is_trivially_copyable_v<From>)
HPK_FORCEINLINE_FUNCTION constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

/// Reverses the order of the bytes of an integer.
template <std::integral T>
HPK_FUNCTION constexpr T byteswap(T value) noexcept {
  static_assert(sizeof(T) <= 8);
  if constexpr (sizeof(T) == 1) {
    return value;
  } else {
    return static_cast<T>(detail::reverse_bytes(static_cast<unsigned long long>(value)) >>
                          (64 - detail::bits_of<T>));
  }
}

/// The number of set bits of an unsigned integer.
template <detail::bit_integer T>
HPK_FUNCTION constexpr int popcount(T value) noexcept {
  return detail::count_ones(value);
}
/// @{
/// The number of consecutive zeros, or ones, from the highest bit down.
template <detail::bit_integer T>
HPK_FUNCTION constexpr int countl_zero(T value) noexcept {
  return detail::count_zeros_above(value) - (64 - detail::bits_of<T>);
}
template <detail::bit_integer T>
HPK_FUNCTION constexpr int countl_one(T value) noexcept {
  return countl_zero(static_cast<T>(~value));
}
/// @}
/// @{
/// The number of consecutive zeros, or ones, from the lowest bit up.
template <detail::bit_integer T>
HPK_FUNCTION constexpr int countr_zero(T value) noexcept {
  return value == 0 ? detail::bits_of<T> : detail::count_zeros_below(value);
}
template <detail::bit_integer T>
HPK_FUNCTION constexpr int countr_one(T value) noexcept {
  return countr_zero(static_cast<T>(~value));
}
/// @}

/// Whether the value is a power of two.
template <detail::bit_integer T>
HPK_FUNCTION constexpr bool has_single_bit(T value) noexcept {
  return value != 0 && (value & (value - 1)) == 0;
}
/// The number of bits needed to represent the value; 0 for 0.
template <detail::bit_integer T>
HPK_FUNCTION constexpr int bit_width(T value) noexcept {
  return detail::bits_of<T> - countl_zero(value);
}
/// The largest power of two that is at most the value; 0 for 0.
template <detail::bit_integer T>
HPK_FUNCTION constexpr T bit_floor(T value) noexcept {
  return value == 0 ? T(0) : static_cast<T>(T(1) << (bit_width(value) - 1));
}
/// The smallest power of two that is at least the value. Must be representable in T.
template <detail::bit_integer T>
HPK_FUNCTION constexpr T bit_ceil(T value) noexcept {
  return value <= 1 ? T(1) : static_cast<T>(T(1) << bit_width(static_cast<T>(value - 1)));
}
/// @{
/// Rotates the bits left, or right, by any number of places.
template <detail::bit_integer T>
HPK_FUNCTION constexpr T rotl(T value, int places) noexcept {
  constexpr auto bits = static_cast<unsigned>(detail::bits_of<T>);
  const unsigned left = static_cast<unsigned>(places) % bits;
  return static_cast<T>(static_cast<T>(value << left) | value >> ((bits - left) % bits));
}
template <detail::bit_integer T>
HPK_FUNCTION constexpr T rotr(T value, int places) noexcept {
  constexpr auto bits = static_cast<unsigned>(detail::bits_of<T>);
  const unsigned right = static_cast<unsigned>(places) % bits;
  return static_cast<T>(value >> right | static_cast<T>(value << ((bits - right) % bits)));
}
/// @}

}  // namespace hpk

namespace hpk::Experimental {

/// @{
/// The functions of the header bit under the names of Kokkos' variants that map to processor
/// instructions. In hpk all functions of this file do so. bit_width_builtin() returns a T.
template <class To, class From>
HPK_FUNCTION constexpr To bit_cast_builtin(const From& from) noexcept {
  return hpk::bit_cast<To>(from);
}
template <std::integral T>
HPK_FUNCTION constexpr T byteswap_builtin(T value) noexcept {
  return hpk::byteswap(value);
}
#define HPK_DETAIL_BUILTIN(name)                                 \
  template <detail::bit_integer T>                               \
  HPK_FUNCTION constexpr auto name##_builtin(T value) noexcept { \
    return hpk::name(value);                                     \
  }
HPK_DETAIL_BUILTIN(popcount)
HPK_DETAIL_BUILTIN(countl_zero)
HPK_DETAIL_BUILTIN(countl_one)
HPK_DETAIL_BUILTIN(countr_zero)
HPK_DETAIL_BUILTIN(countr_one)
HPK_DETAIL_BUILTIN(has_single_bit)
HPK_DETAIL_BUILTIN(bit_floor)
HPK_DETAIL_BUILTIN(bit_ceil)
#undef HPK_DETAIL_BUILTIN
template <detail::bit_integer T>
HPK_FUNCTION constexpr T bit_width_builtin(T value) noexcept {
  return static_cast<T>(hpk::bit_width(value));
}
template <detail::bit_integer T>
HPK_FUNCTION constexpr T rotl_builtin(T value, int places) noexcept {
  return hpk::rotl(value, places);
}
template <detail::bit_integer T>
HPK_FUNCTION constexpr T rotr_builtin(T value, int places) noexcept {
  return hpk::rotr(value, places);
}
/// @}

}  // namespace hpk::Experimental
