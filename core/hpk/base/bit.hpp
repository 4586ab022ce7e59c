// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of <bit> for kernels, constant expressions included. On hosts they are those of the
// standard library; GPUs have instructions of their own.
#pragma once

#include <hpk/base/macros.hpp>

#include <bit>
#include <concepts>
#include <limits>
#include <type_traits>

namespace hpk::detail {

/// The five unsigned integer types that <bit> takes.
template <class T>
concept bit_integer = std::same_as<T, unsigned char> || std::same_as<T, unsigned short> ||
                      std::same_as<T, unsigned int> || std::same_as<T, unsigned long> ||
                      std::same_as<T, unsigned long long>;

/// The bits of T.
template <class T>
inline constexpr int bits_of = 8 * static_cast<int>(sizeof(T));

/// The bits that are set.
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
/// The zeros before the highest bit that is set, of 64.
HPK_FUNCTION constexpr int count_zeros_above(unsigned long long value) noexcept {
  HPK_IF_ON_HOST((return std::countl_zero(value);))
  HPK_IF_ON_DEVICE(
      (if (!__builtin_is_constant_evaluated()) return __clzll(static_cast<long long>(value));
       int zeros = 64; for (; value != 0; value >>= 1)-- zeros; return zeros;))
}

/// The bytes of 64 bits in reverse order.
HPK_FUNCTION constexpr unsigned long long reverse_bytes(unsigned long long value) noexcept {
  HPK_IF_ON_HOST((return __builtin_bswap64(value);))
  HPK_IF_ON_DEVICE(
      (value = (value & 0x00ff00ff00ff00ffULL) << 8 | (value >> 8 & 0x00ff00ff00ff00ffULL);
       value = (value & 0x0000ffff0000ffffULL) << 16 | (value >> 16 & 0x0000ffff0000ffffULL);
       return value << 32 | value >> 32;))
}

}  // namespace hpk::detail

namespace hpk {

/// The bytes of an object as one of another type of the same size; both are trivially copyable.
template <class To, class From>
  requires(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> &&
           std::is_trivially_copyable_v<From>)
HPK_FORCEINLINE_FUNCTION constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

/// The bytes of an integer in reverse order.
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

/// The bits of an unsigned integer that are set.
template <detail::bit_integer T>
HPK_FUNCTION constexpr int popcount(T value) noexcept {
  return detail::count_ones(value);
}
/// The zeros, or ones, in a row from the highest bit down.
template <detail::bit_integer T>
HPK_FUNCTION constexpr int countl_zero(T value) noexcept {
  return detail::count_zeros_above(value) - (64 - detail::bits_of<T>);
}
template <detail::bit_integer T>
HPK_FUNCTION constexpr int countl_one(T value) noexcept {
  return countl_zero(static_cast<T>(~value));
}
/// The zeros, or ones, in a row from the lowest bit up.
template <detail::bit_integer T>
HPK_FUNCTION constexpr int countr_zero(T value) noexcept {
  return value == 0 ? detail::bits_of<T> : detail::count_zeros_below(value);
}
template <detail::bit_integer T>
HPK_FUNCTION constexpr int countr_one(T value) noexcept {
  return countr_zero(static_cast<T>(~value));
}

/// Whether the value is a power of two.
template <detail::bit_integer T>
HPK_FUNCTION constexpr bool has_single_bit(T value) noexcept {
  return value != 0 && (value & (value - 1)) == 0;
}
/// The bits that it takes to write the value; 0 for 0.
template <detail::bit_integer T>
HPK_FUNCTION constexpr int bit_width(T value) noexcept {
  return detail::bits_of<T> - countl_zero(value);
}
/// The largest power of two that is not above the value; 0 for 0.
template <detail::bit_integer T>
HPK_FUNCTION constexpr T bit_floor(T value) noexcept {
  return value == 0 ? T(0) : static_cast<T>(T(1) << (bit_width(value) - 1));
}
/// The smallest power of two that is not below the value. T holds it.
template <detail::bit_integer T>
HPK_FUNCTION constexpr T bit_ceil(T value) noexcept {
  return value <= 1 ? T(1) : static_cast<T>(T(1) << bit_width(static_cast<T>(value - 1)));
}
/// The bits moved to the left, or right, by any number of places; what leaves at one end comes in
/// at the other.
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

}  // namespace hpk

namespace hpk::Experimental {

/// The same under the names that Kokkos has for forms with instructions of the processor; here all
/// forms have them.
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

}  // namespace hpk::Experimental
