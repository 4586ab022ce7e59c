// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic words for headers that every program includes: what hpk needs of <atomic>, which brings
// 7,000 lines of locks, waiting and system calls with it.
#pragma once

#include <cstdint>
#include <type_traits>

namespace hpk::detail {

/// As std::memory_order.
enum class memory_order : int {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
};

/// The order of a comparison that failed, which stores nothing.
constexpr memory_order order_of_failure(memory_order order) noexcept {
  return order == memory_order::acq_rel   ? memory_order::acquire
         : order == memory_order::release ? memory_order::relaxed
                                          : order;
}

/// The unsigned integer that stands for objects of some bytes, whatever their type.
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

/// Atomic operations on an object of T, trivially copyable and of 1, 2, 4 or 8 bytes, at an address
/// that is a multiple of its size; as std::atomic_ref.
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
  /// By bits; `expected` becomes the value if that is another.
  bool compare_exchange(T& expected, T value, memory_order order) const noexcept {
    typename word_of<sizeof(T)>::type seen = to_bits(expected);
    const bool done =
        __atomic_compare_exchange_n(at_, &seen, to_bits(value), false, static_cast<int>(order),
                                    static_cast<int>(order_of_failure(order)));
    if (!done) expected = to_value(seen);
    return done;
  }
  T fetch_add(T value, memory_order order) const noexcept
    requires std::is_integral_v<T>
  {
    return to_value(__atomic_fetch_add(at_, to_bits(value), static_cast<int>(order)));
  }
  T fetch_sub(T value, memory_order order) const noexcept
    requires std::is_integral_v<T>
  {
    return to_value(__atomic_fetch_sub(at_, to_bits(value), static_cast<int>(order)));
  }
  T fetch_or(T value, memory_order order) const noexcept
    requires std::is_integral_v<T>
  {
    return to_value(__atomic_fetch_or(at_, to_bits(value), static_cast<int>(order)));
  }
  T fetch_and(T value, memory_order order) const noexcept
    requires std::is_integral_v<T>
  {
    return to_value(__atomic_fetch_and(at_, to_bits(value), static_cast<int>(order)));
  }

 private:
  static T to_value(bits word) noexcept { return __builtin_bit_cast(T, word); }
  static bits to_bits(const T& value) noexcept { return __builtin_bit_cast(bits, value); }

  typename word_of<sizeof(T)>::type* at_;
};

/// A word that threads change at the same time; as std::atomic.
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

}  // namespace hpk::detail
