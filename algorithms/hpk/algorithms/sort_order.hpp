// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders of keys for radix sorts: key_order maps a key to an unsigned number of the same size, so
// that smaller numbers come first, and maps it back.
#pragma once

#include <hpk/core.hpp>
#include <hpk/half.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace hpk {

template <class T>
struct less;
template <class T>
struct greater;

}  // namespace hpk

namespace hpk::detail::sorting {

/// The unsigned type with this number of bytes.
template <std::size_t Bytes>
struct unsigned_of_size;
template <>
struct unsigned_of_size<1> {
  using type = std::uint8_t;
};
template <>
struct unsigned_of_size<2> {
  using type = std::uint16_t;
};
template <>
struct unsigned_of_size<4> {
  using type = std::uint32_t;
};
template <>
struct unsigned_of_size<8> {
  using type = std::uint64_t;
};

/// Floating-point types whose bits without the sign have the same order as their values.
template <class T>
inline constexpr bool is_sortable_float =
    std::is_same_v<T, float> || std::is_same_v<T, double> || is_small_float<T>;

/// Primary template: keys that have no order by bits and must be compared.
template <class T>
struct key_order {
  static constexpr bool by_bits = false;
};

/// Integers of up to 64 bits.
template <std::integral T>
  requires(sizeof(T) <= 8)
struct key_order<T> {
  static constexpr bool by_bits = true;
  using bits = typename unsigned_of_size<sizeof(T)>::type;
  static constexpr bits sign =
      std::is_signed_v<T> ? static_cast<bits>(bits{1} << (8 * sizeof(T) - 1)) : bits{0};
  HPK_FORCEINLINE_FUNCTION static bits to_bits(T key) {
    return static_cast<bits>(static_cast<bits>(key) ^ sign);
  }
  HPK_FORCEINLINE_FUNCTION static T from_bits(bits number) {
    return static_cast<T>(static_cast<bits>(number ^ sign));
  }
};

/// The order of floating-point numbers: -infinity, negative numbers, -0.0, 0.0, positive numbers,
/// infinity, NaNs. NaNs with a sign bit come after NaNs without. The mapping loses no bits.
template <class T>
  requires is_sortable_float<T>
struct key_order<T> {
  static constexpr bool by_bits = true;
  using bits = typename unsigned_of_size<sizeof(T)>::type;
  using signed_bits = std::make_signed_t<bits>;
  static constexpr int width = 8 * sizeof(T);
  static constexpr bits sign = static_cast<bits>(bits{1} << (width - 1));
  static constexpr int exponent_at = std::numeric_limits<T>::digits - 1;
  // The number that -infinity would have. It is subtracted, so that -infinity becomes 0 and NaNs
  // with a sign bit wrap around to the end.
  static constexpr bits first = static_cast<bits>((bits{1} << exponent_at) - 1);

  HPK_FORCEINLINE_FUNCTION static bits to_bits(const T& key) {
    const bits raw = __builtin_bit_cast(bits, key);
    const bits negative = static_cast<bits>(static_cast<signed_bits>(raw) >> (width - 1));
    return static_cast<bits>((raw ^ (negative | sign)) - first);
  }
  HPK_FORCEINLINE_FUNCTION static T from_bits(bits number) {
    const bits turned = static_cast<bits>(number + first);
    const bits positive = static_cast<bits>(static_cast<signed_bits>(turned) >> (width - 1));
    const bits raw = static_cast<bits>(turned ^ (static_cast<bits>(~positive) | sign));
    return __builtin_bit_cast(T, raw);
  }
};

/// The reverse of an order.
template <class Order>
struct reverse_order {
  static constexpr bool by_bits = true;
  using bits = typename Order::bits;
  template <class T>
  HPK_FORCEINLINE_FUNCTION static bits to_bits(const T& key) {
    return static_cast<bits>(~static_cast<bits>(Order::to_bits(key)));
  }
  HPK_FORCEINLINE_FUNCTION static auto from_bits(bits number) {
    return Order::from_bits(static_cast<bits>(~number));
  }
};

/// The comparison a < b of sorts that are called without one.
struct default_less {
  HPK_CALLS_EITHER
  template <class T>
    requires requires(const T& a, const T& b) { static_cast<bool>(a < b); }
  HPK_FORCEINLINE_FUNCTION bool operator()(const T& a, const T& b) const {
    return static_cast<bool>(a < b);
  }
};

/// The order by bits that a comparison of T is equivalent to, if it is known. Otherwise an order
/// with by_bits = false.
template <class T, class Less>
struct order_of {
  using type = key_order<void>;
};
template <class T>
struct order_of<T, default_less> {
  using type = key_order<T>;
};
template <class T>
struct order_of<T, hpk::less<T>> {
  using type = key_order<T>;
};
template <class T>
  requires(key_order<T>::by_bits)
struct order_of<T, hpk::greater<T>> {
  using type = reverse_order<key_order<T>>;
};
template <class T, class Less>
using order_of_t = typename order_of<T, Less>::type;

}  // namespace hpk::detail::sorting
