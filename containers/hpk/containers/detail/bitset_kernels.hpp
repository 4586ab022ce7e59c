// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of Bitset over its words of 64 bits: counting, searching, filling, combining; and its
// errors. Internal to bitset.hpp.
#pragma once

#include <hpk/core.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string_view>

namespace hpk::detail {

using bit_word = std::uint64_t;
inline constexpr std::size_t bits_per_word = 64;

/// Errors: each function throws hpk::error.
[[noreturn]] void reject_bit(std::size_t bit, std::size_t size);
[[noreturn]] void reject_bit_sizes(std::string_view what, std::string_view to, std::size_t to_size,
                                   std::string_view from, std::size_t from_size,
                                   const std::source_location& where);
[[noreturn]] void reject_bit_range(std::size_t begin, std::size_t end, std::size_t size,
                                   const std::source_location& where);

/// The mask of the bits of a word that are in [begin, end), where the word begins at bit `first`.
HPK_INLINE_FUNCTION constexpr bit_word bits_between(std::size_t first, std::size_t begin,
                                                    std::size_t end) {
  bit_word mask = ~bit_word{0};
  if (begin > first) mask = begin - first < bits_per_word ? mask << (begin - first) : 0;
  if (end < first + bits_per_word)
    mask &= end > first ? ~bit_word{0} >> (first + bits_per_word - end) : 0;
  return mask;
}

/// Counts the set bits of all words. Needs no mask, as bits from size() on are never set.
template <class Words>
struct count_all_bits {
  Words words;
  HPK_FUNCTION void operator()(index_t i, std::uint64_t& sum) const {
    sum += static_cast<unsigned>(hpk::Experimental::popcount_builtin(words(i)));
  }
};
template <class Words>
struct count_bits {
  Words words;
  std::size_t begin, end;
  HPK_FUNCTION void operator()(index_t i, std::uint64_t& sum) const {
    const bit_word mask = bits_between(static_cast<std::size_t>(i) * bits_per_word, begin, end);
    sum += static_cast<unsigned>(hpk::Experimental::popcount_builtin(words(i) & mask));
  }
};
/// Finds the first bit, from word `start` on, that differs from `skipped` (all zeros or all ones).
/// In word `start` only the bits of `mask` count. The result may be >= size().
template <class Words>
struct first_bit {
  Words words;
  index_t start;
  bit_word mask;
  bit_word skipped;
  HPK_FUNCTION void operator()(index_t k, std::uint64_t& found) const {
    bit_word word = words(start + k) ^ skipped;
    if (k == 0) word &= mask;
    if (word == 0) return;
    const std::size_t bit = static_cast<std::size_t>(start + k) * bits_per_word +
                            static_cast<unsigned>(hpk::Experimental::countr_zero_builtin(word));
    if (bit < found) found = bit;
  }
};
enum class bit_operation { set_to, and_with, or_with, xor_with, and_not };
template <class Words, class Right>
struct combine_bits {
  Words words;
  Right right;
  bit_operation operation;
  HPK_FUNCTION void operator()(index_t i) const {
    const bit_word a = words(i);
    const bit_word b = right(i);
    words(i) = operation == bit_operation::and_with   ? (a & b)
               : operation == bit_operation::or_with  ? (a | b)
               : operation == bit_operation::xor_with ? (a ^ b)
               : operation == bit_operation::and_not  ? (a & ~b)
                                                      : b;
  }
};
template <class Words>
struct fill_bits {
  Words words;
  std::size_t begin, end;
  bool value;
  bool flip;
  HPK_FUNCTION void operator()(index_t k) const {
    const std::size_t i = begin / bits_per_word + static_cast<std::size_t>(k);
    const bit_word mask = bits_between(i * bits_per_word, begin, end);
    words(i) = flip ? words(i) ^ mask : value ? words(i) | mask : words(i) & ~mask;
  }
};
template <class Words, class F>
struct visit_bits {
  Words words;
  F f;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    for (bit_word word = words(i); word != 0; word &= word - 1) {
      f(static_cast<std::size_t>(i) * bits_per_word +
        static_cast<unsigned>(hpk::Experimental::countr_zero_builtin(word)));
    }
  }
};

template <class Exec>
auto word_range(const Exec& exec, std::size_t words) {
  return RangePolicy<Exec, IndexType<index_t>>(exec, index_t{0}, static_cast<index_t>(words));
}

}  // namespace hpk::detail
