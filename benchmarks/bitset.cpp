// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting the bits of a Bitset, and finding its first one, compared with loops over 64-bit words.
#include "pair.hpp"
#include "topics.hpp"

#include <hpk/containers/bitset.hpp>

#include <bit>

namespace bench {

namespace {

template <class Space>
std::uint64_t count_by_hand(const std::uint64_t* words, std::size_t n) {
  std::uint64_t sum = 0;
  if constexpr (is_serial<Space>) {
    for (std::size_t i = 0; i < n; ++i) sum += static_cast<unsigned>(std::popcount(words[i]));
  } else {
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (std::size_t i = 0; i < n; ++i) sum += static_cast<unsigned>(std::popcount(words[i]));
  }
  return sum;
}
template <class Space>
std::uint64_t find_by_hand(const std::uint64_t* words, std::size_t n) {
  std::uint64_t first = 64 * n;
  const auto look = [words](std::size_t i, std::uint64_t& least) {
    if (words[i] == 0) return;
    const std::uint64_t bit = 64 * i + static_cast<unsigned>(std::countr_zero(words[i]));
    if (bit < least) least = bit;
  };
  if constexpr (is_serial<Space>) {
    for (std::size_t i = 0; i < n; ++i) look(i, first);
  } else {
#pragma omp parallel for schedule(static) reduction(min : first)
    for (std::size_t i = 0; i < n; ++i) look(i, first);
  }
  return first;
}

template <class Space>
void compare(comparison& pair, index_t words, bool count) {
  const auto n = static_cast<std::size_t>(words);
  hpk::Bitset<Space> set(64 * n);
  const std::uint64_t* const at = set.words().data();
  if (count) {
    for (std::size_t i = 0; i < 64 * n; i += 3) set.set(i);
  } else {
    set.set(64 * n - 7);
  }
  std::uint64_t by_hpk = 0, by_hand = 0;
  const auto hpk = [&] { by_hpk = count ? set.count() : set.find_first_set(); };
  const auto hand = [&] {
    by_hand = count ? count_by_hand<Space>(at, n) : find_by_hand<Space>(at, n);
  };
  hpk();
  hand();
  pair.agree(by_hpk == by_hand);
  pair.time(hpk, hand);
}

}  // namespace

void add_bitset() {
  for_each_space([](auto space) {
    using type = decltype(space);
    for (const bool count : {true, false}) {
      for (const index_t n : {index_t{8} << 10, index_t{1} << 20}) {
        add("bitset", type::name(), count ? "count" : "find", n,
            [=](comparison& pair) { compare<type>(pair, n, count); });
      }
    }
  });
}

}  // namespace bench
