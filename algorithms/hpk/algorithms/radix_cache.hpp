// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Radix sort, least significant digit first, of elements that fit into the cache of one CPU core:
// what a worker of a host does with its part of a sort. Stable.
#pragma once

#include <hpk/core.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace hpk::detail::sorting {

/// A key as bits, and the place of its element before the sort.
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

inline constexpr int digit_bits = 8;
inline constexpr int digit_values = 1 << digit_bits;
template <class U>
HPK_FORCEINLINE std::size_t digit_of(U key, int shift) {
  return static_cast<std::size_t>(key >> shift) & (digit_values - 1);
}

/// The digits that cover the bits in which keys differ, from bit `lowest` on.
struct digit_list {
  int shift[8] = {};
  int count = 0;
};
template <class U>
digit_list find_digits(U varying, int lowest) {
  digit_list digits;
  for (int s = lowest; s < 8 * static_cast<int>(sizeof(U));) {
    const U rest = static_cast<U>(varying >> s);
    if (rest == 0) break;
    s += std::countr_zero(rest);
    digits.shift[digits.count++] = s;
    s += digit_bits;
  }
  return digits;
}

/// Inserts element after element where it belongs; false, with the elements in some order that
/// keeps equal keys as they were, once they have been moved more than `most` places in all.
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

/// Reads elements from memory.
template <class E>
struct memory_load {
  const E* elements;
  HPK_FORCEINLINE E operator()(index_t i) const { return elements[i]; }
};

/// Counts the values of `Digits` digits.
template <int Digits, class Load>
void count_digits(index_t n, const digit_list& digits, const Load& load,
                  std::uint32_t (*counts)[digit_values]) {
  int shift[Digits];
  for (int p = 0; p < Digits; ++p) shift[p] = digits.shift[p];
  for (index_t i = 0; i < n; ++i) {
    const auto key = key_of(load(i));
    for (int p = 0; p < Digits; ++p) ++counts[p][digit_of(key, shift[p])];
  }
}
/// The same for a number that is known at run time, up to Most.
template <int Most, class Load>
void count_all_digits(index_t n, const digit_list& digits, const Load& load,
                      std::uint32_t (*counts)[digit_values]) {
  if constexpr (Most > 1) {
    if (digits.count < Most) return count_all_digits<Most - 1>(n, digits, load, counts);
  }
  if (digits.count == Most) count_digits<Most>(n, digits, load, counts);
}

/// Sorts n elements: load(i) reads them, store(i, e) writes the i-th of the result. a and b are
/// memory for n elements each; `load` may read b. `aliased`: stores overwrite what loads read.
template <class E, class U, class Load, class Store>
void sort_in_cache(index_t n, U varying, const Load& load, E* a, E* b, const Store& store,
                   bool aliased, bool complete = false) {
  constexpr index_t few = 24;
  if (n <= few) {
    for (index_t i = 0; i < n; ++i) a[i] = load(i);
    sort_by_insertion(a, n, n * n);
    for (index_t i = 0; i < n; ++i) store(i, a[i]);
    return;
  }
  // n keys differ in a few of their upper bits, usually: then the rest is done by insertion.
  digit_list digits = find_digits(varying, 0);
  bool partial = false;
  if (!complete) {
    const int top = static_cast<int>(std::bit_width(varying));
    const int enough = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) + 6;
    const int passes = (enough + digit_bits - 1) / digit_bits;
    if (digits.count > passes + 1 && top > passes * digit_bits) {
      digits = find_digits(varying, top - passes * digit_bits);
      partial = true;
    }
  }
  std::uint32_t counts[sizeof(U)][digit_values];
  for (int p = 0; p < digits.count; ++p)
    for (std::uint32_t& count : counts[p]) count = 0;
  count_all_digits<static_cast<int>(sizeof(U))>(n, digits, load, counts);
  E* from = b;  // where the elements are after the first pass, but for those that `store` took
  E* to = a;
  for (int p = 0; p < digits.count; ++p) {
    std::uint32_t* const next = counts[p];
    std::uint32_t sum = 0;
    for (int d = 0; d < digit_values; ++d) {
      const std::uint32_t count = next[d];
      next[d] = sum;
      sum += count;
    }
    const int shift = digits.shift[p];
    const bool last = p + 1 == digits.count && !partial;
    if (p == 0 && last && !aliased) {
      for (index_t i = 0; i < n; ++i) {
        const E e = load(i);
        store(static_cast<index_t>(next[digit_of(key_of(e), shift)]++), e);
      }
      return;
    }
    if (p == 0) {
      for (index_t i = 0; i < n; ++i) {
        const E e = load(i);
        to[next[digit_of(key_of(e), shift)]++] = e;
      }
    } else if (last) {
      for (index_t i = 0; i < n; ++i) {
        const E e = from[i];
        store(static_cast<index_t>(next[digit_of(key_of(e), shift)]++), e);
      }
      return;
    } else {
      for (index_t i = 0; i < n; ++i) {
        const E e = from[i];
        to[next[digit_of(key_of(e), shift)]++] = e;
      }
    }
    E* const kept = from;
    from = to;
    to = kept;
  }
  if (partial && !sort_by_insertion(from, n, 2 * n)) {
    sort_in_cache(n, varying, memory_load<E>{from}, to, from, store, false, true);
    return;
  }
  if (digits.count == 0) {
    for (index_t i = 0; i < n; ++i) to[i] = load(i);
    from = to;
  }
  for (index_t i = 0; i < n; ++i) store(i, from[i]);
}

}  // namespace hpk::detail::sorting
