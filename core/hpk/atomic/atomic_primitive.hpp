// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The atomic operations with instructions, for objects of 1, 2, 4 and 8 bytes, each with one body
// for the host and one for devices. Of the files for atomics, only this file and atomic_pair.hpp
// test the compilation pass.
#pragma once

#include <hpk/atomic/atomic_operation.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hpk::detail {

/// Types with atomic instructions: trivially copyable objects of 1, 2, 4 or 8 bytes, at addresses
/// that are multiples of their size.
template <class T>
concept atomically_updated = std::is_trivially_copyable_v<T> && !std::is_const_v<T> &&
                             (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);

#if HPK_ON_DEVICE

/// The unsigned integer of a size, as the parameter type of the device functions.
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

/// A full fence among the threads of a scope.
__device__ inline void scope_fence(memory_scope scope) {
  if (scope == memory_scope::core) {
    __threadfence_block();
  } else if (scope == memory_scope::device) {
    __threadfence();
  } else if (scope > memory_scope::device) {
    __threadfence_system();
  }
}
#if HPK_HAS_CUDA_COMPILER
/// An acquire and release fence, which costs less than __threadfence, which is sequentially
/// consistent.
__device__ inline void acq_rel_fence(memory_scope scope) {
  if (scope == memory_scope::core) {
    asm volatile("fence.acq_rel.cta;" ::: "memory");
  } else if (scope == memory_scope::device) {
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
  } else if (scope > memory_scope::device) {
    asm volatile("fence.acq_rel.sys;" ::: "memory");
  }
}

// Loads and stores with an order and a scope. An acquiring load needs no fence. A releasing store
// waits for earlier accesses without the effect of a fence on the cache.
#define HPK_DETAIL_LOAD(order, scope, type, as) \
  asm volatile("ld." order "." scope "." type " %0, [%1];" : "=" as(value) : "l"(word) : "memory")
#define HPK_DETAIL_STORE(order, scope, type, as) \
  asm volatile("st." order "." scope "." type " [%0], %1;" ::"l"(word), as(value) : "memory")
#define HPK_DETAIL_IN_SCOPE(access, order, type, as) \
  if (scope == memory_scope::core) {                 \
    access(order, "cta", type, as);                  \
  } else if (scope <= memory_scope::device) {        \
    access(order, "gpu", type, as);                  \
  } else {                                           \
    access(order, "sys", type, as);                  \
  }
#define HPK_DETAIL_WORD(Bits, Register, type, as)                                  \
  __device__ inline Bits load_word(Bits* word, bool acquire, memory_scope scope) { \
    Register value;                                                                \
    if (acquire) {                                                                 \
      HPK_DETAIL_IN_SCOPE(HPK_DETAIL_LOAD, "acquire", type, as)                    \
    } else {                                                                       \
      HPK_DETAIL_IN_SCOPE(HPK_DETAIL_LOAD, "relaxed", type, as)                    \
    }                                                                              \
    return static_cast<Bits>(value);                                               \
  }                                                                                \
  __device__ inline void store_word(Bits* word, Register value, bool release,      \
                                    memory_scope scope) {                          \
    if (release) {                                                                 \
      HPK_DETAIL_IN_SCOPE(HPK_DETAIL_STORE, "release", type, as)                   \
    } else {                                                                       \
      HPK_DETAIL_IN_SCOPE(HPK_DETAIL_STORE, "relaxed", type, as)                   \
    }                                                                              \
  }
HPK_DETAIL_WORD(unsigned char, unsigned short, "u8", "h")
HPK_DETAIL_WORD(unsigned short, unsigned short, "u16", "h")
HPK_DETAIL_WORD(unsigned int, unsigned int, "u32", "r")
HPK_DETAIL_WORD(unsigned long long, unsigned long long, "u64", "l")
#undef HPK_DETAIL_WORD
/// Whether read-modify-write operations have instructions with the orders acquire, release and
/// both. An acquiring instruction needs no fence.
template <class Bits>
inline constexpr bool orders_natively = sizeof(Bits) >= 4;
#define HPK_DETAIL_ATOM(order, scope, operation, as)                  \
  asm volatile("atom." order "." scope "." operation " %0, [%1], %2;" \
               : "=" as(before)                                       \
               : "l"(word), as(value)                                 \
               : "memory")
#define HPK_DETAIL_CAS(order, scope, operation, as)                       \
  asm volatile("atom." order "." scope "." operation " %0, [%1], %2, %3;" \
               : "=" as(before)                                           \
               : "l"(word), as(from), as(value)                           \
               : "memory")
#define HPK_DETAIL_IN_ORDER(access, operation, as)        \
  if (mode.order == memory_order::acquire) {              \
    HPK_DETAIL_IN_SCOPE(access, "acquire", operation, as) \
  } else if (mode.order == memory_order::release) {       \
    HPK_DETAIL_IN_SCOPE(access, "release", operation, as) \
  } else {                                                \
    HPK_DETAIL_IN_SCOPE(access, "acq_rel", operation, as) \
  }
#define HPK_DETAIL_ORDERED(Bits, width, as)                                                 \
  __device__ inline Bits ordered_cas(Bits* word, Bits from, Bits value, atomic_mode mode) { \
    const memory_scope scope = mode.scope;                                                  \
    Bits before;                                                                            \
    HPK_DETAIL_IN_ORDER(HPK_DETAIL_CAS, "cas.b" width, as)                                  \
    return before;                                                                          \
  }                                                                                         \
  __device__ inline Bits ordered_exchange(Bits* word, Bits value, atomic_mode mode) {       \
    const memory_scope scope = mode.scope;                                                  \
    Bits before;                                                                            \
    HPK_DETAIL_IN_ORDER(HPK_DETAIL_ATOM, "exch.b" width, as)                                \
    return before;                                                                          \
  }                                                                                         \
  __device__ inline Bits ordered_add(Bits* word, Bits value, atomic_mode mode) {            \
    const memory_scope scope = mode.scope;                                                  \
    Bits before;                                                                            \
    HPK_DETAIL_IN_ORDER(HPK_DETAIL_ATOM, "add.u" width, as)                                 \
    return before;                                                                          \
  }
HPK_DETAIL_ORDERED(unsigned int, "32", "r")
HPK_DETAIL_ORDERED(unsigned long long, "64", "l")
#undef HPK_DETAIL_ORDERED
#undef HPK_DETAIL_IN_ORDER
#undef HPK_DETAIL_CAS
#undef HPK_DETAIL_ATOM
#undef HPK_DETAIL_IN_SCOPE
#undef HPK_DETAIL_STORE
#undef HPK_DETAIL_LOAD
#else
template <class Bits>
inline constexpr bool orders_natively = false;
__device__ inline void acq_rel_fence(memory_scope scope) { scope_fence(scope); }
template <class Bits>
__device__ inline Bits load_word(Bits* word, bool acquire, memory_scope scope) {
  const Bits value = *const_cast<volatile Bits*>(word);
  if (acquire) acq_rel_fence(scope);
  return value;
}
template <class Bits>
__device__ inline void store_word(Bits* word, Bits value, bool release, memory_scope scope) {
  if (release) acq_rel_fence(scope);
  *const_cast<volatile Bits*>(word) = value;
}
#endif

// Calls the variant of a device function that is atomic in a scope.
#if HPK_HAS_CUDA_COMPILER
#define HPK_DETAIL_CALL_IN_SCOPE(name, ...)                    \
  (scope == memory_scope::core    ? name##_block(__VA_ARGS__)  \
   : scope > memory_scope::device ? name##_system(__VA_ARGS__) \
                                  : name(__VA_ARGS__))
#else
#define HPK_DETAIL_CALL_IN_SCOPE(name, ...) \
  (scope > memory_scope::device ? name##_system(__VA_ARGS__) : name(__VA_ARGS__))
#endif
/// Whether all native operations of devices are atomic in a scope. Between AMD's devices and hosts
/// only some are atomic, among them compare-and-exchange.
__device__ inline constexpr bool applies_natively(memory_scope scope) {
  return HPK_HAS_CUDA_COMPILER || scope <= memory_scope::device;
}

/// Stores `to` if the bits of *object equal `from`; returns the old bits. For objects of one and
/// two bytes, exchanges the word that contains them.
template <class Bits>
__device__ inline Bits compare_and_swap(Bits* object, Bits from, Bits to, memory_scope scope) {
  if constexpr (sizeof(Bits) >= 4) {
    return HPK_DETAIL_CALL_IN_SCOPE(atomicCAS, object, from, to);
  } else {
    const auto address = reinterpret_cast<std::uintptr_t>(object);
    auto* word = reinterpret_cast<unsigned int*>(address & ~std::uintptr_t{3});
    const unsigned shift = static_cast<unsigned>(address & 3) * 8;
    const unsigned mask = ((1u << (8 * sizeof(Bits))) - 1) << shift;
    unsigned seen = load_word(word, false, scope);
    for (;;) {
      const auto here = static_cast<Bits>((seen & mask) >> shift);
      if (here != from) return here;
      const unsigned before =
          HPK_DETAIL_CALL_IN_SCOPE(atomicCAS, word, seen, (seen & ~mask) | (unsigned{to} << shift));
      if (before == seen) return from;
      seen = before;
    }
  }
}

/// Whether an order synchronises without a full fence.
__device__ inline bool is_acq_rel(memory_order order) {
  return order != memory_order::relaxed && order != memory_order::seq_cst;
}
/// A fence of an order.
__device__ inline void order_fence(atomic_mode mode) {
  if (mode.order == memory_order::seq_cst) {
    scope_fence(mode.scope);
  } else {
    acq_rel_fence(mode.scope);
  }
}
/// Executes the fence before a device operation, if the order needs it. Device operations are
/// relaxed, so other orders need a fence before or after the operation.
__device__ inline void fence_before(atomic_mode mode) {
  if (releases(mode.order)) order_fence(mode);
}
/// Executes the fence after a device operation, if the order needs it.
__device__ inline void fence_after(atomic_mode mode) {
  if (acquires(mode.order)) order_fence(mode);
}

#else

/// Returns a reference to an object as a word. The address must be a multiple of the size, even if
/// the type requires less.
template <class T>
word_ref<T> host_word(T* object) noexcept {
  if constexpr (alignof(T) < sizeof(T))
    HPK_EXPECTS(reinterpret_cast<std::uintptr_t>(object) % sizeof(T) == 0);
  return word_ref<T>(*object);
}

#endif

/// A fence of the calling thread.
HPK_INLINE_FUNCTION void primitive_fence([[maybe_unused]] atomic_mode mode) {
#if HPK_ON_DEVICE
  order_fence(mode);
#else
  thread_fence(mode.order);
#endif
}

/// Loads the value.
template <atomically_updated T>
HPK_INLINE_FUNCTION T primitive_load(T* object, atomic_mode mode = {}) {
#if HPK_ON_DEVICE
  using bits = atomic_bits<sizeof(T)>;
  if (mode.order == memory_order::seq_cst) scope_fence(mode.scope);
  return bits_as<T>(load_word(reinterpret_cast<bits*>(object), acquires(mode.order), mode.scope));
#else
  return host_word(object).load(mode.order);
#endif
}

/// Stores a value.
template <atomically_updated T>
HPK_INLINE_FUNCTION void primitive_store(T* object, T value, atomic_mode mode = {}) {
#if HPK_ON_DEVICE
  using bits = atomic_bits<sizeof(T)>;
  // A sequentially consistent store has a full fence before it.
  const bool full = mode.order == memory_order::seq_cst;
  if (full) scope_fence(mode.scope);
  store_word(reinterpret_cast<bits*>(object), bits_as<bits>(value), !full && releases(mode.order),
             mode.scope);
  if (full) scope_fence(mode.scope);
#else
  host_word(object).store(value, mode.order);
#endif
}

/// Stores a value if the bits of the object equal `expected`; else loads the value into `expected`.
template <atomically_updated T>
HPK_INLINE_FUNCTION bool primitive_compare_exchange(T* object, T& expected, T value,
                                                    atomic_mode mode = {}) {
#if HPK_ON_DEVICE
  using bits = atomic_bits<sizeof(T)>;
  const bits from = bits_as<bits>(expected);
  if constexpr (orders_natively<bits>) {
    if (is_acq_rel(mode.order)) {
      const bits found =
          ordered_cas(reinterpret_cast<bits*>(object), from, bits_as<bits>(value), mode);
      expected = bits_as<T>(found);
      return found == from;
    }
  }
  fence_before(mode);
  const bits before =
      compare_and_swap(reinterpret_cast<bits*>(object), from, bits_as<bits>(value), mode.scope);
  fence_after(mode);
  expected = bits_as<T>(before);
  return before == from;
#else
  return host_word(object).compare_exchange(expected, value, mode.order);
#endif
}

/// Replaces the value by change(value); returns the old value. With MaySkip it stores nothing if no
/// bit changes.
HPK_CALLS_EITHER
template <bool MaySkip = false, atomically_updated T, class Change>
HPK_INLINE_FUNCTION T primitive_update(T* object, const Change& change, atomic_mode mode = {}) {
#if HPK_ON_DEVICE
  using bits = atomic_bits<sizeof(T)>;
  auto* word = reinterpret_cast<bits*>(object);
  fence_before(mode);
  bits seen = load_word(word, false, mode.scope);
  for (;;) {
    const T before = bits_as<T>(seen);
    const bits after = bits_as<bits>(static_cast<T>(change(before)));
    if (MaySkip && after == seen && !releases(mode.order)) break;
    const bits found = compare_and_swap(word, seen, after, mode.scope);
    if (found == seen) break;
    seen = found;
  }
  fence_after(mode);
  return bits_as<T>(seen);
#else
  return host_word(object).template update<MaySkip>(change, mode.order);
#endif
}

/// Stores a value. Returns the old value.
template <atomically_updated T>
HPK_INLINE_FUNCTION T primitive_exchange(T* object, T value, atomic_mode mode = {}) {
#if HPK_ON_DEVICE
  using bits = atomic_bits<sizeof(T)>;
  if constexpr (orders_natively<bits>) {
    if (is_acq_rel(mode.order))
      return bits_as<T>(
          ordered_exchange(reinterpret_cast<bits*>(object), bits_as<bits>(value), mode));
  }
  if constexpr (sizeof(T) >= 4) {
    const memory_scope scope = mode.scope;
    fence_before(mode);
    const bits before =
        HPK_DETAIL_CALL_IN_SCOPE(atomicExch, reinterpret_cast<bits*>(object), bits_as<bits>(value));
    fence_after(mode);
    return bits_as<T>(before);
  }
  return primitive_update(object, [value](const T&) { return value; }, mode);
#else
  return host_word(object).exchange(value, mode.order);
#endif
}

/// Whether devices have an atomic add instruction for T.
template <class T>
inline constexpr bool adds_natively =
    (atomic_integral<T> && sizeof(T) >= 4) || std::same_as<T, float> || std::same_as<T, double>;

/// Whether devices have atomic minimum and maximum instructions for T. HIP has functions for signed
/// 8-byte integers only from version 5.3 on.
template <class T>
inline constexpr bool compares_natively =
    std::same_as<T, int> || std::same_as<T, unsigned> ||
    (std::integral<T> && sizeof(T) == 8 && (std::is_unsigned_v<T> || HPK_HAS_HIP_COMPILER == 0));

#if HPK_ON_DEVICE
/// Type T as the parameter type of the device functions.
template <class T>
using atomic_integer =
    std::conditional_t<sizeof(T) == 4, T,
                       std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>;
#endif

/// Whether devices have an instruction for the operation.
template <class Operation, class T>
inline constexpr bool is_native_on_devices =
    ((std::same_as<Operation, add_operation> || std::same_as<Operation, sub_operation>) &&
     adds_natively<T>) ||
    ((std::same_as<Operation, max_operation> || std::same_as<Operation, min_operation>) &&
     compares_natively<T>) ||
    ((std::same_as<Operation, and_operation> || std::same_as<Operation, or_operation> ||
      std::same_as<Operation, xor_operation>) &&
     atomic_integral<T> && sizeof(T) >= 4);

#if HPK_ON_DEVICE
/// Applies an operation with a device instruction, relaxed. Returns the old value.
template <class Operation, class T>
__device__ inline T native_fetch(T* object, T value, memory_scope scope) {
  if constexpr (std::same_as<Operation, max_operation> || std::same_as<Operation, min_operation>) {
    using integer = atomic_integer<T>;
    auto* word = reinterpret_cast<integer*>(object);
    if constexpr (std::same_as<Operation, max_operation>) {
      return static_cast<T>(HPK_DETAIL_CALL_IN_SCOPE(atomicMax, word, static_cast<integer>(value)));
    } else {
      return static_cast<T>(HPK_DETAIL_CALL_IN_SCOPE(atomicMin, word, static_cast<integer>(value)));
    }
  } else if constexpr (std::floating_point<T>) {
    return HPK_DETAIL_CALL_IN_SCOPE(atomicAdd, object,
                                    std::same_as<Operation, sub_operation> ? -value : value);
  } else {
    using bits = atomic_bits<sizeof(T)>;
    auto* word = reinterpret_cast<bits*>(object);
    const bits operand = static_cast<bits>(value);
    if constexpr (std::same_as<Operation, add_operation>) {
      return static_cast<T>(HPK_DETAIL_CALL_IN_SCOPE(atomicAdd, word, operand));
    } else if constexpr (std::same_as<Operation, sub_operation>) {
      return static_cast<T>(HPK_DETAIL_CALL_IN_SCOPE(atomicAdd, word, bits{0} - operand));
    } else if constexpr (std::same_as<Operation, and_operation>) {
      return static_cast<T>(HPK_DETAIL_CALL_IN_SCOPE(atomicAnd, word, operand));
    } else if constexpr (std::same_as<Operation, or_operation>) {
      return static_cast<T>(HPK_DETAIL_CALL_IN_SCOPE(atomicOr, word, operand));
    } else {
      return static_cast<T>(HPK_DETAIL_CALL_IN_SCOPE(atomicXor, word, operand));
    }
  }
}
#else
/// Whether hosts have an instruction for the operation, or compilers generate the loop.
template <class Operation, class T>
inline constexpr bool is_native_on_hosts =
    atomic_integral<T> &&
    (std::same_as<Operation, add_operation> || std::same_as<Operation, sub_operation> ||
     std::same_as<Operation, and_operation> || std::same_as<Operation, or_operation> ||
     std::same_as<Operation, xor_operation>);

template <class Operation, class T>
inline T native_fetch(word_ref<T> word, T value, memory_order order) noexcept {
  if constexpr (std::same_as<Operation, add_operation>) {
    return word.fetch_add(value, order);
  } else if constexpr (std::same_as<Operation, sub_operation>) {
    return word.fetch_sub(value, order);
  } else if constexpr (std::same_as<Operation, and_operation>) {
    return word.fetch_and(value, order);
  } else if constexpr (std::same_as<Operation, or_operation>) {
    return word.fetch_or(value, order);
  } else {
    return word.fetch_xor(value, order);
  }
}
#endif

/// Applies an operation with `value` to the object; returns the old value.
HPK_CALLS_EITHER
template <class Operation, atomically_updated T>
HPK_INLINE_FUNCTION T primitive_fetch(T* object, T value, atomic_mode mode = {}) {
  const auto change = [&value](const T& before) { return applied<Operation>(before, value); };
#if HPK_ON_DEVICE
  if constexpr (is_native_on_devices<Operation, T>) {
    using bits = atomic_bits<sizeof(T)>;
    if constexpr (std::integral<T> && orders_natively<bits> &&
                  (std::same_as<Operation, add_operation> ||
                   std::same_as<Operation, sub_operation>)) {
      if (is_acq_rel(mode.order)) {
        const auto operand = static_cast<bits>(value);
        return static_cast<T>(ordered_add(
            reinterpret_cast<bits*>(object),
            std::same_as<Operation, add_operation> ? operand : bits{0} - operand, mode));
      }
    }
    if (applies_natively(mode.scope)) {
      fence_before(mode);
      const T before = native_fetch<Operation>(object, value, mode.scope);
      fence_after(mode);
      return before;
    }
  }
  return primitive_update<Operation::may_skip>(object, change, mode);
#else
  if constexpr (is_native_on_hosts<Operation, T>) {
    return native_fetch<Operation>(host_word(object), value, mode.order);
  } else {
    return primitive_update<Operation::may_skip>(object, change, mode);
  }
#endif
}

#if HPK_ON_DEVICE
#undef HPK_DETAIL_CALL_IN_SCOPE
#endif

}  // namespace hpk::detail
