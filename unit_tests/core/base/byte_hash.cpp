// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash of sequences of bytes: every change of the bytes changes it, blocks may be summed in any
// order, and every instruction set gives the result of a reference that computes it word by word.
#include <hpk/base/byte_hash.hpp>

#include <support/reference_hash.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace base_byte_hash_test {
namespace {

using hpk::detail::hash_block_bytes;
using hpk::detail::hash_blocks;
using hpk::detail::unset_words;
using bytes = std::vector<std::byte>;

bytes random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  bytes data(count);
  for (std::byte& b : data) b = static_cast<std::byte>(engine() & 0xff);
  return data;
}
std::uint64_t hash(const bytes& data, const unset_words& unset = {}) {
  return hash_blocks(data.data(), data.size(), 0, unset);
}

std::uint64_t reference(const bytes& data, std::uint64_t first_block, const unset_words& unset) {
  return hpk_test::reference_hash(data, first_block, unset.bytes, unset.byte);
}

std::uint64_t word_at(const bytes& data, std::size_t k) {
  std::uint64_t x = 0;
  std::memcpy(&x, &data[8 * k], 8);
  return x;
}
void set_word(bytes& data, std::size_t k, std::uint64_t x) { std::memcpy(&data[8 * k], &x, 8); }

TEST(ByteHash, is_that_of_the_reference) {
  for (const std::size_t size : {1, 7, 8, 1000, 1023, 1024, 1025, 2048, 5000, 10240}) {
    const bytes data = random_bytes(size, 1);
    for (const std::uint64_t first : {0, 1, 12345}) {
      EXPECT_EQ(hash_blocks(data.data(), size, first, {}), reference(data, first, {})) << size;
    }
  }
}

TEST(ByteHash, of_nothing_is_0) { EXPECT_EQ(hash({}), 0u); }

TEST(ByteHash, depends_on_every_bit) {
  bytes data = random_bytes(3000, 2);
  std::set<std::uint64_t> seen{hash(data)};
  for (std::byte& b : data) {
    for (int bit = 0; bit < 8; ++bit) {
      const std::byte flip = static_cast<std::byte>(1 << bit);
      b ^= flip;
      seen.insert(hash(data));
      b ^= flip;
    }
  }
  EXPECT_EQ(seen.size(), 3000u * 8 + 1);
}

TEST(ByteHash, depends_on_every_bit_of_zeros) {
  bytes data(2100);
  std::set<std::uint64_t> seen{hash(data)};
  for (std::byte& b : data) {
    for (int bit = 0; bit < 8; ++bit) {
      b = static_cast<std::byte>(1 << bit);
      seen.insert(hash(data));
    }
    b = std::byte{};
  }
  EXPECT_EQ(seen.size(), 2100u * 8 + 1);
}

TEST(ByteHash, is_the_sum_over_blocks_in_any_order) {
  const bytes data = random_bytes(7 * hash_block_bytes + 100, 3);
  const std::uint64_t whole = hash(data);
  for (std::size_t split = 0; split <= 7; ++split) {
    const std::size_t at = split * hash_block_bytes;
    const std::uint64_t back = hash_blocks(&data[at], data.size() - at, split, {});
    EXPECT_EQ(back + hash_blocks(data.data(), at, 0, {}), whole) << split;
  }
  std::uint64_t sum = 0;
  for (const std::size_t block : {3, 7, 0, 6, 1, 5, 2, 4}) {
    const std::size_t at = block * hash_block_bytes;
    const std::size_t left = data.size() - at;
    sum += hash_blocks(&data[at], left < hash_block_bytes ? left : hash_block_bytes, block, {});
  }
  EXPECT_EQ(sum, whole);
}

TEST(ByteHash, depends_on_the_place_of_a_block) {
  const bytes block = random_bytes(hash_block_bytes, 4);
  std::set<std::uint64_t> seen;
  for (std::uint64_t number = 0; number < 1000; ++number)
    seen.insert(hash_blocks(block.data(), block.size(), number, {}));
  EXPECT_EQ(seen.size(), 1000u);
  bytes twice = block;
  const bytes other = random_bytes(hash_block_bytes, 5);
  bytes swapped = other;
  twice.insert(twice.end(), other.begin(), other.end());
  swapped.insert(swapped.end(), block.begin(), block.end());
  EXPECT_NE(hash(twice), hash(swapped));
}

TEST(ByteHash, changes_if_two_words_are_swapped) {
  bytes data = random_bytes(3 * hash_block_bytes, 6);
  const std::uint64_t before = hash(data);
  const std::size_t words = data.size() / 8;
  for (std::size_t a = 0; a < words; a += 5) {
    for (std::size_t b = a + 1; b < words; ++b) {
      const std::uint64_t x = word_at(data, a);
      const std::uint64_t y = word_at(data, b);
      set_word(data, a, y);
      set_word(data, b, x);
      EXPECT_NE(hash(data), before) << a << ' ' << b;
      set_word(data, a, x);
      set_word(data, b, y);
    }
  }
}

// The changes leave the sum of all words the same.
TEST(ByteHash, changes_if_changes_cancel_in_the_sum_of_words) {
  constexpr std::size_t words = 2 * hash_block_bytes / 8;
  constexpr std::uint64_t top = std::uint64_t{1} << 63;
  for (const bytes& begin : {bytes(8 * words), random_bytes(8 * words, 7)}) {
    bytes data = begin;
    const auto add = [&](std::size_t k, std::uint64_t d) {
      set_word(data, k, word_at(data, k) + d);
    };
    std::set<std::uint64_t> pairs{hash(begin)};
    std::set<std::uint64_t> triples{hash(begin)};
    std::size_t pairs_expected = 1;
    std::size_t triples_expected = 1;
    for (const std::uint64_t d :
         {std::uint64_t{1}, std::uint64_t{1} << 32, top, std::uint64_t{0x123456789}}) {
      for (std::size_t a = 0; a < words; a += 3) {
        for (std::size_t b = 0; b < words; b += 7) {
          // top is its own negative
          if (a == b || (d == top && b < a && a % 7 == 0 && b % 3 == 0)) continue;
          add(a, d);
          add(b, 0 - d);
          pairs.insert(hash(data));
          ++pairs_expected;
          data = begin;
        }
      }
      for (const std::size_t step : {std::size_t{1}, std::size_t{4}, words / 2 - 1}) {
        for (std::size_t a = 0; a + 2 * step < words; ++a) {
          add(a, d);
          add(a + step, 0 - 2 * d);
          add(a + 2 * step, d);
          triples.insert(hash(data));
          ++triples_expected;
          data = begin;
        }
      }
    }
    EXPECT_EQ(pairs.size(), pairs_expected);
    EXPECT_EQ(triples.size(), triples_expected);
  }
}

TEST(ByteHash, tells_short_runs_apart) {
  const bytes data = random_bytes(40, 8);
  std::set<std::uint64_t> seen;
  for (std::size_t size = 1; size <= 40; ++size) {
    const bytes front(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(hash(front), reference(front, 0, {})) << size;
    seen.insert(hash(front));
  }
  EXPECT_EQ(seen.size(), 40u);
}

TEST(ByteHash, does_not_depend_on_the_address) {
  const bytes data = random_bytes(2500, 9);
  const std::uint64_t expected = hash(data);
  bytes room(data.size() + 64);
  for (std::size_t shift = 0; shift != 64; ++shift) {
    std::memcpy(&room[shift], data.data(), data.size());
    EXPECT_EQ(hash_blocks(&room[shift], data.size(), 0, {}), expected) << shift;
  }
}

// Random words are unset; others are unset except for one byte.
bytes with_unset(std::size_t size, std::size_t word, unsigned char byte) {
  bytes data = random_bytes(size, 10);
  std::mt19937 engine(11);
  for (std::size_t at = 0; at + word <= size; at += word) {
    const auto choice = engine() % 4;
    if (choice < 2) std::memset(&data[at], byte, word);
    if (choice == 1) data[at + engine() % word] = std::byte{0x77};
  }
  return data;
}

TEST(ByteHash, does_not_depend_on_the_byte_of_unset_words) {
  for (const std::size_t word : {4, 8}) {
    for (const std::size_t size : {8, 24, 1024, 1032, 5000}) {
      const bytes a = with_unset(size, word, 0xc9);
      const bytes b = with_unset(size, word, 0xa7);
      const unset_words of_a{word, 0xc9};
      EXPECT_EQ(hash(a, of_a), reference(a, 0, of_a)) << word << ' ' << size;
      // Words that are unset except for one byte are values, and these differ.
      EXPECT_NE(hash(a, of_a), hash(b, {word, 0xa7})) << word << ' ' << size;
      bytes all_a(size), all_b(size);
      std::memset(all_a.data(), 0xc9, size);
      std::memset(all_b.data(), 0xa7, size);
      EXPECT_EQ(hash(all_a, of_a), hash(all_b, {word, 0xa7})) << word << ' ' << size;
      EXPECT_NE(hash(all_a, of_a), hash(all_b, of_a)) << word << ' ' << size;
      EXPECT_NE(hash(all_a, {}), hash(all_b, {})) << word << ' ' << size;
    }
  }
}

TEST(ByteHash, tells_an_unset_word_from_a_value) {
  for (const std::size_t word : {4, 8}) {
    for (const std::size_t size : {2048, 200}) {
      bytes unset(size);
      std::memset(unset.data(), 0xc9, size);
      const std::uint64_t before = hash(unset, {word, 0xc9});
      for (std::size_t at = 0; at != size; ++at) {
        bytes data = unset;
        data[at] = std::byte{0xc8};
        EXPECT_NE(hash(data, {word, 0xc9}), before) << word << ' ' << at;
      }
    }
  }
}

// Four bytes that look unset are part of a value if words have eight bytes.
TEST(ByteHash, knows_the_size_of_unset_words) {
  bytes data = random_bytes(1024, 12);
  std::memset(&data[8], 0xc9, 4);
  bytes other = data;
  std::memset(&other[8], 0xa7, 4);
  EXPECT_EQ(hash(data, {4, 0xc9}), hash(other, {4, 0xa7}));
  EXPECT_NE(hash(data, {8, 0xc9}), hash(other, {8, 0xa7}));
}

}  // namespace
}  // namespace base_byte_hash_test
