// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The atomic operations that processors have, for objects of 1, 2, 4 and 8 bytes, each with a body
// for the host and one for devices. The one file of the atomics that asks which pass this is. Those
// called primitive are relaxed; those of a device hold among its kernels (device scope).
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hpk::detail {

/// What may be updated atomically: trivially copyable objects of 1, 2, 4 or 8 bytes, at addresses
/// that are multiples of their size.
template <class T>
concept atomically_updated = std::is_trivially_copyable_v<T> && !std::is_const_v<T> &&
                             (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);

#if HPK_ON_DEVICE

/// The unsigned integer of a size, in the spelling of the devices' functions.
template <std::size_t Bytes>
using atomic_bits = std::conditional_t<
    Bytes == 1, unsigned char,
    std::conditional_t<Bytes == 2, unsigned short,
                       std::conditional_t<Bytes == 4, unsigned int, unsigned long long>>>;

template <class To, class From>
__device__ inline To bits_as(const From& from) {
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

/// Sets *object to `to` if its bits are those of `from`; returns the bits before. One and two bytes
/// are changed within the word that holds them.
template <class Bits>
__device__ inline Bits compare_and_swap(Bits* object, Bits from, Bits to) {
  if constexpr (sizeof(Bits) >= 4) {
    return atomicCAS(object, from, to);
  } else {
    const auto address = reinterpret_cast<std::uintptr_t>(object);
    auto* word = reinterpret_cast<unsigned int*>(address & ~std::uintptr_t{3});
    const unsigned shift = static_cast<unsigned>(address & 3) * 8;
    const unsigned mask = ((1u << (8 * sizeof(Bits))) - 1) << shift;
    unsigned seen = *const_cast<volatile unsigned int*>(word);
    for (;;) {
      const auto here = static_cast<Bits>((seen & mask) >> shift);
      if (here != from) return here;
      const unsigned before = atomicCAS(word, seen, (seen & ~mask) | (unsigned{to} << shift));
      if (before == seen) return from;
      seen = before;
    }
  }
}

#else

/// The word of an object, at an address that is a multiple of its size though its type may not say
/// so.
template <class T>
word_ref<T> host_word(T* object) noexcept {
  if constexpr (alignof(T) < sizeof(T))
    HPK_EXPECTS(reinterpret_cast<std::uintptr_t>(object) % sizeof(T) == 0);
  return word_ref<T>(*object);
}

#endif

/// The value.
template <atomically_updated T>
HPK_INLINE_FUNCTION T primitive_load(T* object) {
#if HPK_ON_DEVICE
  using bits = atomic_bits<sizeof(T)>;
  return bits_as<T>(static_cast<bits>(*reinterpret_cast<volatile bits*>(object)));
#else
  return host_word(object).load(memory_order::relaxed);
#endif
}

/// Sets the object if its bits are those of `expected`; else `expected` becomes the value.
template <atomically_updated T>
HPK_INLINE_FUNCTION bool primitive_compare_exchange(T* object, T& expected, T value) {
#if HPK_ON_DEVICE
  using bits = atomic_bits<sizeof(T)>;
  const bits from = bits_as<bits>(expected);
  const bits before = compare_and_swap(reinterpret_cast<bits*>(object), from, bits_as<bits>(value));
  expected = bits_as<T>(before);
  return before == from;
#else
  return host_word(object).compare_exchange(expected, value, memory_order::relaxed);
#endif
}

/// Sets the object.
template <atomically_updated T>
HPK_INLINE_FUNCTION void primitive_store(T* object, T value) {
#if HPK_ON_DEVICE
  using bits = atomic_bits<sizeof(T)>;
  *reinterpret_cast<volatile bits*>(object) = bits_as<bits>(value);
#else
  host_word(object).store(value, memory_order::relaxed);
#endif
}

/// Sets the object; returns the value before.
template <atomically_updated T>
HPK_INLINE_FUNCTION T primitive_exchange(T* object, T value) {
#if HPK_ON_DEVICE
  using bits = atomic_bits<sizeof(T)>;
  if constexpr (sizeof(T) >= 4) {
    return bits_as<T>(atomicExch(reinterpret_cast<bits*>(object), bits_as<bits>(value)));
  } else {
    T before = primitive_load(object);
    while (!primitive_compare_exchange(object, before, value)) {
    }
    return before;
  }
#else
  return host_word(object).exchange(value, memory_order::relaxed);
#endif
}

/// Whether devices add to a T in one instruction.
template <class T>
inline constexpr bool adds_natively =
    (std::integral<T> && !std::same_as<T, bool> && sizeof(T) >= 4) || std::same_as<T, float> ||
    std::same_as<T, double>;

/// Adds; returns the value before. Of a type that adds_natively.
template <class T>
  requires adds_natively<T>
HPK_INLINE_FUNCTION T primitive_fetch_add(T* object, T value) {
#if HPK_ON_DEVICE
  if constexpr (std::integral<T>) {
    using bits = atomic_bits<sizeof(T)>;
    return bits_as<T>(atomicAdd(reinterpret_cast<bits*>(object), bits_as<bits>(value)));
  } else {
    return atomicAdd(object, value);
  }
#else
  if constexpr (std::integral<T>) {
    return host_word(object).fetch_add(value, memory_order::relaxed);
  } else {
    T before = primitive_load(object);
    while (!primitive_compare_exchange(object, before, static_cast<T>(before + value))) {
    }
    return before;
  }
#endif
}

/// What the operations below change: words that every device adds to and sets bits of.
template <class T>
concept ordered_word = std::unsigned_integral<T> && sizeof(T) >= 4;

#if HPK_ON_DEVICE
/// Does an operation of a device between the fences that its order takes.
template <memory_order Order, class Operation>
__device__ inline auto between_fences(const Operation& operation) {
  if constexpr (Order == memory_order::release) __threadfence();
  const auto result = operation();
  if constexpr (Order == memory_order::acquire) __threadfence();
  return result;
}
#endif

/// Adds; returns the value before. Order is acquire or release, as for all that are called ordered:
/// what a thread did before its release is there for one that acquires the word after it.
template <memory_order Order, ordered_word T>
HPK_INLINE_FUNCTION T ordered_fetch_add(T* object, T value) {
#if HPK_ON_DEVICE
  return between_fences<Order>([=] { return primitive_fetch_add(object, value); });
#else
  return host_word(object).fetch_add(value, Order);
#endif
}

/// Sets bits; returns the value before.
template <memory_order Order, ordered_word T>
HPK_INLINE_FUNCTION T ordered_fetch_or(T* object, T bits) {
#if HPK_ON_DEVICE
  return between_fences<Order>([=] {
    return static_cast<T>(atomicOr(reinterpret_cast<atomic_bits<sizeof(T)>*>(object), bits));
  });
#else
  return host_word(object).fetch_or(bits, Order);
#endif
}

/// Clears the bits that `bits` has not; returns the value before.
template <memory_order Order, ordered_word T>
HPK_INLINE_FUNCTION T ordered_fetch_and(T* object, T bits) {
#if HPK_ON_DEVICE
  return between_fences<Order>([=] {
    return static_cast<T>(atomicAnd(reinterpret_cast<atomic_bits<sizeof(T)>*>(object), bits));
  });
#else
  return host_word(object).fetch_and(bits, Order);
#endif
}

/// As primitive_compare_exchange; ordered where it sets the object.
template <memory_order Order, ordered_word T>
HPK_INLINE_FUNCTION bool ordered_compare_exchange(T* object, T& expected, T value) {
#if HPK_ON_DEVICE
  return between_fences<Order>(
      [=, &expected] { return primitive_compare_exchange(object, expected, value); });
#else
  return host_word(object).compare_exchange(expected, value, Order);
#endif
}

/// Whether devices keep the smaller or the larger of two T in one instruction.
template <class T>
inline constexpr bool compares_natively =
    std::same_as<T, int> || std::same_as<T, unsigned> || (std::integral<T> && sizeof(T) == 8);

#if HPK_ON_DEVICE
/// A T in the spelling of the devices' functions.
template <class T>
using atomic_integer =
    std::conditional_t<sizeof(T) == 4, T,
                       std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>;

/// Keeps the larger of two integers; returns the value before.
template <class T>
__device__ inline T device_fetch_max(T* object, T value) {
  using integer = atomic_integer<T>;
  return static_cast<T>(atomicMax(reinterpret_cast<integer*>(object), static_cast<integer>(value)));
}
/// Keeps the smaller.
template <class T>
__device__ inline T device_fetch_min(T* object, T value) {
  using integer = atomic_integer<T>;
  return static_cast<T>(atomicMin(reinterpret_cast<integer*>(object), static_cast<integer>(value)));
}
#endif

}  // namespace hpk::detail
