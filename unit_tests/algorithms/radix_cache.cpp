// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/detail/radix_cache.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using hpk::index_t;
using namespace hpk::detail::sorting;

// The keys carry their places, to check that equal keys keep their order.
void expect_sorted(const std::vector<std::uint64_t>& keys) {
  using element = placed_key<std::uint64_t>;
  const auto n = static_cast<index_t>(keys.size());
  std::uint64_t varying = 0;
  std::vector<element> expected;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    varying |= keys[i] ^ keys[0];
    expected.push_back({keys[i], static_cast<std::uint32_t>(i)});
  }
  std::stable_sort(expected.begin(), expected.end(),
                   [](const element& a, const element& b) { return a.key < b.key; });
  for (const bool aliased : {false, true}) {
    std::vector<element> data;
    for (std::size_t i = 0; i < keys.size(); ++i)
      data.push_back({keys[i], static_cast<std::uint32_t>(i)});
    std::vector<element> result = data;
    std::vector<element>& to = aliased ? data : result;
    std::vector<element> a(keys.size());
    std::vector<element> b(keys.size());
    sort_in_cache(
        n, varying, [&](index_t i) { return data[static_cast<std::size_t>(i)]; }, a.data(),
        b.data(), [&](index_t i, const element& e) { to[static_cast<std::size_t>(i)] = e; },
        aliased);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(to[i].key, expected[i].key) << i;
      ASSERT_EQ(to[i].place, expected[i].place) << i;
    }
  }
}

TEST(RadixCache, keys_of_every_kind) {
  std::mt19937_64 random(3);
  for (const std::size_t n : {1, 2, 24, 25, 300, 5000, 20000}) {
    const auto make = [&](auto key) {
      std::vector<std::uint64_t> keys(n);
      for (std::size_t i = 0; i < n; ++i) keys[i] = key(i);
      expect_sorted(keys);
    };
    make([&](std::size_t) { return random(); });
    make([&](std::size_t) { return std::uint64_t{5}; });
    make([&](std::size_t) { return random() % 3; });
    make([&](std::size_t) { return random() << 40; });
    make([&](std::size_t i) { return n - i; });
    // Upper bits with few values: the lower bits decide, for more elements than insertion sort
    // takes.
    make([&](std::size_t i) { return (i % 2) << 63 | (random() & 0xffff); });
    make([&](std::size_t i) { return (i % 7) << 40 | (n - i); });
    make([&](std::size_t) { return (random() & 0xf00000000000000f); });
  }
}

TEST(RadixCache, digits_cover_varying_bits) {
  const digit_list none = find_digits(std::uint32_t{0}, 0, 8);
  EXPECT_EQ(none.count, 0);
  const digit_list all = find_digits(~std::uint64_t{0}, 0, 11);
  EXPECT_EQ(all.count, 6);
  EXPECT_EQ(all.bits, 11);
  const digit_list ends = find_digits(std::uint64_t{0x8000000000000001u}, 0, 8);
  EXPECT_EQ(ends.count, 2);
  EXPECT_EQ(ends.shift[0], 0);
  EXPECT_EQ(ends.shift[1], 63);
  const digit_list upper = find_digits(std::uint16_t{0x0ff0}, 8, 8);
  EXPECT_EQ(upper.count, 1);
  EXPECT_EQ(upper.shift[0], 8);
}

}  // namespace
