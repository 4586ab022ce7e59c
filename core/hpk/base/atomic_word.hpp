// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic words for headers that every program includes: the subset of <atomic> that hpk needs,
// without the 7,000 lines that <atomic> adds for locks, waiting and system calls.
#pragma once

#include <hpk/base/compiler.hpp>
#include <hpk/base/memory_order.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if HPK_HAS_SINGLE_THREADED
#include <sys/single_threaded.h>
#endif

namespace hpk::detail {

/// The unsigned integer of the given size, which represents objects of any type.
template <std::size_t Bytes>
struct word_of;
template <>
struct word_of<1> {
  using bits = std::uint8_t;
  using type = std::uint8_t;
};
template <>
struct word_of<2> {
  using bits = std::uint16_t;
  using type [[gnu::may_alias]] = std::uint16_t;
};
template <>
struct word_of<4> {
  using bits = std::uint32_t;
  using type [[gnu::may_alias]] = std::uint32_t;
};
template <>
struct word_of<8> {
  using bits = std::uint64_t;
  using type [[gnu::may_alias]] = std::uint64_t;
};

/// Atomic operations on a trivially copyable object of 1, 2, 4 or 8 bytes, at an address that is a
/// multiple of its size; like std::atomic_ref.
template <class T>
class word_ref {
  using bits = typename word_of<sizeof(T)>::bits;

 public:
  explicit word_ref(T& object) noexcept
      : at_(reinterpret_cast<typename word_of<sizeof(T)>::type*>(&object)) {}
  T load(memory_order order) const noexcept {
    return to_value(__atomic_load_n(at_, static_cast<int>(order)));
  }
  void store(T value, memory_order order) const noexcept {
    __atomic_store_n(at_, to_bits(value), static_cast<int>(order));
  }
  T exchange(T value, memory_order order) const noexcept {
    return to_value(__atomic_exchange_n(at_, to_bits(value), static_cast<int>(order)));
  }
  /// Compares bitwise. On failure `expected` receives the current value.
  bool compare_exchange(T& expected, T value, memory_order order) const noexcept {
    typename word_of<sizeof(T)>::type seen = to_bits(expected);
    const bool done =
        __atomic_compare_exchange_n(at_, &seen, to_bits(value), false, static_cast<int>(order),
                                    static_cast<int>(order_of_failure(order)));
    if (!done) expected = to_value(seen);
    return done;
  }
#define HPK_DETAIL_FETCH(name)                                                      \
  T name(T value, memory_order order) const noexcept                                \
    requires std::is_integral_v<T>                                                  \
  {                                                                                 \
    return to_value(__atomic_##name(at_, to_bits(value), static_cast<int>(order))); \
  }
  HPK_DETAIL_FETCH(fetch_add)
  HPK_DETAIL_FETCH(fetch_sub)
  HPK_DETAIL_FETCH(fetch_or)
  HPK_DETAIL_FETCH(fetch_and)
  HPK_DETAIL_FETCH(fetch_xor)
#undef HPK_DETAIL_FETCH
  /// Replaces the value by change(value); returns the old value. With MaySkip it stores nothing if
  /// no bit changes. Compares with the bits that were read, because a copy of the object may lose
  /// padding.
  template <bool MaySkip, class Change>
  T update(const Change& change, memory_order order) const {
    typename word_of<sizeof(T)>::type seen =
        __atomic_load_n(at_, static_cast<int>(order_of_failure(order)));
    for (;;) {
      const T before = to_value(seen);
      const bits after = to_bits(change(before));
      if constexpr (MaySkip) {
        if (after == seen && !releases(order)) return before;
      }
      if (__atomic_compare_exchange_n(at_, &seen, after, true, static_cast<int>(order),
                                      static_cast<int>(order_of_failure(order))))
        return before;
    }
  }

 private:
  static T to_value(bits word) noexcept { return __builtin_bit_cast(T, word); }
  static bits to_bits(const T& value) noexcept { return __builtin_bit_cast(bits, value); }

  typename word_of<sizeof(T)>::type* at_;
};

/// A word that threads change concurrently; like std::atomic.
template <class T>
class atomic_word {
 public:
  constexpr atomic_word(T value = T()) noexcept : value_(value) {}
  atomic_word(const atomic_word&) = delete;
  atomic_word& operator=(const atomic_word&) = delete;
  T load(memory_order order) const noexcept { return ref().load(order); }
  void store(T value, memory_order order) noexcept { ref().store(value, order); }
  T exchange(T value, memory_order order) noexcept { return ref().exchange(value, order); }
  bool compare_exchange(T& expected, T value, memory_order order) noexcept {
    return ref().compare_exchange(expected, value, order);
  }
  T fetch_add(T value, memory_order order) noexcept { return ref().fetch_add(value, order); }
  T fetch_sub(T value, memory_order order) noexcept { return ref().fetch_sub(value, order); }

 private:
  word_ref<T> ref() const noexcept { return word_ref<T>(value_); }

  alignas(sizeof(T)) mutable T value_;
};

/// Like std::atomic_thread_fence. ThreadSanitizer does not support fences, so under ThreadSanitizer
/// every fence is an operation on one word, which orders more than a fence.
inline void thread_fence([[maybe_unused]] memory_order order) noexcept {
#if HPK_HAS_THREAD_SANITIZER
  static constinit atomic_word<int> all(0);
  all.fetch_add(0, memory_order::seq_cst);
#else
  __atomic_thread_fence(static_cast<int>(order));
#endif
}

/// The largest object, in bytes, whose padding is cleared (reason: in larger objects with arrays of
/// classes, g++ 12 zeroes bytes that are not padding).
inline constexpr std::size_t most_cleared_bytes = 64;
/// Whether clear_padding() zeroes all padding of a T, or T has none.
template <class T>
inline constexpr bool clears_padding =
    std::has_unique_object_representations_v<T> ||
    (HPK_HAS_CLEAR_PADDING && !HPK_HAS_DEVICE_COMPILER && sizeof(T) <= most_cleared_bytes);

/// Zeroes the padding of an object, if the compiler supports it.
template <class T>
void clear_padding([[maybe_unused]] T& object) noexcept {
#if HPK_HAS_CLEAR_PADDING && !HPK_HAS_DEVICE_COMPILER
  if constexpr (sizeof(T) <= most_cleared_bytes) __builtin_clear_padding(&object);
#endif
}

/// Whether this thread is the only one of the process. glibc provides this fact; false with other C
/// libraries.
inline bool is_only_thread() noexcept {
#if HPK_HAS_SINGLE_THREADED
  // ThreadSanitizer takes fibres, the lanes of a team, for threads.
  return !HPK_HAS_THREAD_SANITIZER && __libc_single_threaded != 0;
#else
  return false;
#endif
}

}  // namespace hpk::detail
