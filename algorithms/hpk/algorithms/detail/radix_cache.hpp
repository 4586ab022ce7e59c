// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Radix sort from the least significant digit on, for elements that fit into the cache of one CPU
// core. Workers of host sorts use it for their shares. Stable.
#pragma once

#include <hpk/core.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace hpk::detail::sorting {

/// A key as bits, and the position of its element before the sort.
template <class U>
struct placed_key {
  U key;
  std::uint32_t place;
};

template <std::unsigned_integral U>
HPK_FORCEINLINE U key_of(U key) {
  return key;
}
template <class U>
HPK_FORCEINLINE U key_of(const placed_key<U>& element) {
  return element.key;
}

/// Largest number of bits of a digit. Few elements use smaller digits, because clearing many
/// counters would cost more than it saves.
inline constexpr int most_digit_bits = 11;
constexpr int choose_digit_bits(index_t n) { return n < 4096 ? 8 : most_digit_bits; }

/// The digits, of `bits` bits each, that cover the bits in which keys differ.
struct digit_list {
  int shift[8] = {};
  int count = 0;
  int bits = 0;

  std::size_t values() const { return std::size_t{1} << bits; }
  template <class U>
  HPK_FORCEINLINE std::size_t digit(U key, int at) const {
    return static_cast<std::size_t>(key >> at) & (values() - 1);
  }
};
/// Returns digits of about equal length, at most `most` bits each, for the bits from `lowest` on.
template <class U>
digit_list find_digits(U varying, int lowest, int most) {
  const int top = static_cast<int>(std::bit_width(varying));
  if (const U used = static_cast<U>(varying >> lowest); used != 0) lowest += std::countr_zero(used);
  digit_list digits;
  if (top <= lowest) return digits;
  const int wanted = (top - lowest + most - 1) / most;
  digits.bits = (top - lowest + wanted - 1) / wanted;
  for (int s = lowest; s < top;) {
    s += std::countr_zero(static_cast<U>(varying >> s));
    digits.shift[digits.count++] = s;
    s += digits.bits;
  }
  return digits;
}

/// Sorts by insertion. Gives up and returns false once elements have moved more than `most`
/// positions in total; the elements are then partly sorted, with equal keys in their original
/// order.
template <class E>
bool sort_by_insertion(E* elements, index_t n, index_t most) {
  for (index_t i = 1; i < n; ++i) {
    const E e = elements[i];
    index_t j = i;
    for (; j > 0 && key_of(elements[j - 1]) > key_of(e); --j) elements[j] = elements[j - 1];
    elements[j] = e;
    most -= i - j;
    if (most < 0) return false;
  }
  return true;
}

/// Counts the values of each of `Digits` digits.
template <int Digits, class Load>
void count_digits(index_t n, const digit_list& digits, const Load& load, std::uint32_t* counts) {
  const digit_list list = digits;
  for (index_t i = 0; i < n; ++i) {
    const auto key = key_of(load(i));
    for (int p = 0; p < Digits; ++p)
      ++counts[(static_cast<std::size_t>(p) << list.bits) + list.digit(key, list.shift[p])];
  }
}
/// Counts the values of digits.count digits, at most Most.
template <int Most, class Load>
void count_all_digits(index_t n, const digit_list& digits, const Load& load,
                      std::uint32_t* counts) {
  if constexpr (Most > 1) {
    if (digits.count < Most) return count_all_digits<Most - 1>(n, digits, load, counts);
  }
  if (digits.count == Most) count_digits<Most>(n, digits, load, counts);
}

/// Reads elements from memory.
template <class E>
struct memory_load {
  const E* elements;
  HPK_FORCEINLINE E operator()(index_t i) const { return elements[i]; }
};
/// Moves elements to the positions that the counts of their digits give.
template <class Load, class Move>
void move_by_digit(index_t n, const digit_list& digits, int pass, std::uint32_t* next,
                   const Load& load, const Move& move) {
  std::uint32_t sum = 0;
  for (std::size_t d = 0; d < digits.values(); ++d) {
    const std::uint32_t count = next[d];
    next[d] = sum;
    sum += count;
  }
  const digit_list list = digits;
  const int shift = list.shift[pass];
  for (index_t i = 0; i < n; ++i) {
    const auto e = load(i);
    move(static_cast<index_t>(next[list.digit(key_of(e), shift)]++), e);
  }
}

/// Sorts n elements: load(i) reads element i, store(i, e) writes element i of the result. a and b
/// are memory for n elements each; `load` may read b. `aliased`: stores overwrite what loads read.
/// `complete`: sorts by all bits, without insertion at the end.
template <class E, class U, class Load, class Store>
void sort_in_cache(index_t n, U varying, const Load& load, E* a, E* b, const Store& store,
                   bool aliased, bool complete = false) {
  constexpr index_t few = 24;
  if (n <= few || varying == 0) {
    for (index_t i = 0; i < n; ++i) a[i] = load(i);
    sort_by_insertion(a, n, n * n);
    for (index_t i = 0; i < n; ++i) store(i, a[i]);
    return;
  }
  const int most = choose_digit_bits(n);
  digit_list digits = find_digits(varying, 0, most);
  bool partial = false;
  if (!complete) {
    // n keys usually differ in a few of their upper bits. Insertion then sorts by the lower bits.
    const int top = static_cast<int>(std::bit_width(varying));
    const int enough = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) + 6;
    const int passes = (enough + most - 1) / most;
    if (digits.count > passes + 1 && top > passes * most) {
      digits = find_digits(varying, top - passes * most, most);
      partial = true;
    }
  }
  std::uint32_t counts[8 << 8 > 6 << most_digit_bits ? 8 << 8 : 6 << most_digit_bits];
  const std::size_t used = static_cast<std::size_t>(digits.count) << digits.bits;
  for (std::size_t k = 0; k < used; ++k) counts[k] = 0;
  count_all_digits<static_cast<int>(sizeof(U))>(n, digits, load, counts);
  E* from = b;
  E* to = a;
  for (int p = 0; p < digits.count; ++p) {
    std::uint32_t* const next = counts + (static_cast<std::size_t>(p) << digits.bits);
    const bool last = p + 1 == digits.count && !partial && (p > 0 || !aliased);
    const auto store_temporary = [to](index_t i, const E& e) { to[i] = e; };
    if (p == 0) {
      last ? move_by_digit(n, digits, p, next, load, store)
           : move_by_digit(n, digits, p, next, load, store_temporary);
    } else {
      const memory_load<E> reload{from};
      last ? move_by_digit(n, digits, p, next, reload, store)
           : move_by_digit(n, digits, p, next, reload, store_temporary);
    }
    if (last) return;
    E* const old_from = from;
    from = to;
    to = old_from;
  }
  if (partial && !sort_by_insertion(from, n, 2 * n)) {
    sort_in_cache(n, varying, memory_load<E>{from}, to, from, store, false, true);
    return;
  }
  for (index_t i = 0; i < n; ++i) store(i, from[i]);
}

}  // namespace hpk::detail::sorting
