// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes of a MemoryPool, the positions and meaning of its words, and its usage, errors and
// reports.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/memory/allocation.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>

namespace hpk {

/// Usage of a MemoryPool. A superblock is consumed while one of its blocks is taken; its other
/// blocks are reserved for requests of their size.
struct MemoryPoolUsage {
  std::size_t capacity_bytes = 0;        ///< the bytes of all superblocks
  std::size_t superblock_bytes = 0;      ///< the bytes of a superblock
  std::size_t max_block_bytes = 0;       ///< the bytes of a largest block
  std::size_t min_block_bytes = 0;       ///< the bytes of a smallest block
  std::size_t capacity_superblocks = 0;  ///< the number of superblocks
  std::size_t consumed_superblocks = 0;  ///< the number of superblocks with taken blocks
  std::size_t consumed_blocks = 0;       ///< the number of taken blocks
  std::size_t consumed_bytes = 0;        ///< the bytes of taken blocks, with rounding
  std::size_t reserved_blocks = 0;       ///< the number of free blocks in consumed superblocks
  std::size_t reserved_bytes = 0;        ///< the bytes of reserved blocks
};

namespace detail {

using pool_word = std::uint64_t;

/// The word of a superblock, from the lowest bit: 32 bits for the number of taken blocks, 6 for the
/// logarithm of their size; the other bits count the blocks ever freed.
struct pool_state {
  static constexpr int size_at = 32;
  static constexpr int returns_at = 38;
  /// Added to the word to free a block.
  static constexpr pool_word give_back = (pool_word{1} << returns_at) - 1;

  pool_word word = 0;
  HPK_FUNCTION constexpr pool_word used() const { return word & 0xffff'ffff; }
  HPK_FUNCTION constexpr int size() const { return static_cast<int>(word >> size_at) & 63; }
  HPK_FUNCTION constexpr pool_word returns() const { return word >> returns_at; }
  /// Returns the word of a free superblock after the first block of a size is taken.
  HPK_FUNCTION constexpr pool_word claimed_for(int size) const {
    return (returns() << returns_at) | (static_cast<pool_word>(size) << size_at) | 1;
  }
};

/// The sizes of a pool, as logarithms of bytes. Without padding, because Emu scans the bytes of
/// functors for pointers and padding may look like one.
struct pool_shape {
  index_t superblocks = 0;
  int superblock = 0;
  int largest = 0;    ///< the largest block
  int smallest = 0;   ///< the smallest block
  int bit_words = 0;  ///< the number of words of bits per superblock

  /// The number of blocks of a size in a superblock.
  HPK_FUNCTION constexpr pool_word blocks(int size) const {
    return pool_word{1} << (superblock - size);
  }
  /// The number of words for the bits of `blocks` blocks.
  HPK_FUNCTION static constexpr pool_word words(pool_word blocks) { return (blocks + 63) / 64; }
  HPK_FUNCTION constexpr std::size_t bytes() const {
    return static_cast<std::size_t>(superblocks) << superblock;
  }
  HPK_FUNCTION constexpr bool empty() const { return superblocks == 0; }
  /// The smallest block size for `bytes`, which must not exceed the largest block.
  HPK_FUNCTION constexpr int size_for(std::size_t bytes) const {
    int size = smallest;
    while ((std::size_t{1} << size) < bytes) ++size;
    return size;
  }

  // Positions in the words of a pool, in this order: the words of superblocks, their hints, the
  // hints of sizes, the bits.
  HPK_FUNCTION constexpr index_t bits_hint(index_t at) const { return superblocks + at; }
  HPK_FUNCTION constexpr index_t size_hint(int size) const { return 2 * superblocks + size; }
  HPK_FUNCTION constexpr index_t bits(index_t at) const {
    return 2 * superblocks + 32 + at * bit_words;
  }
  /// The total number of words.
  HPK_FUNCTION constexpr index_t total_words() const { return bits(superblocks); }
};

static_assert(std::has_unique_object_representations_v<pool_shape>);

/// Returns the shape for the arguments of a constructor. Throws hpk::error that lists all sizes if
/// they are inconsistent.
pool_shape make_pool_shape(std::string_view label, std::size_t total, std::size_t min_block,
                           std::size_t max_block, std::size_t superblock);

/// A description of a pool for messages and reports.
struct pool_description {
  const seam::allocation_record* record;
  const void* data;
  pool_shape shape;
};
[[noreturn]] void reject_pool_request(const pool_description& pool, std::size_t bytes);
[[noreturn]] void reject_pool_pointer(const pool_description& pool, const void* pointer,
                                      const char* what);
MemoryPoolUsage usage_of_pool(const pool_shape& shape, const pool_word* states);
std::string describe_pool(const pool_description& pool, const pool_word* states);
void print_pool(std::ostream& out, std::string_view description);

/// The position of the lowest set bit of a nonzero word.
HPK_INLINE_FUNCTION constexpr int lowest_bit(pool_word word) {
  int number = 0;
  for (int half = 32; half != 0; half /= 2) {
    if ((word & ((pool_word{1} << half) - 1)) != 0) continue;
    word >>= half;
    number += half;
  }
  return number;
}

}  // namespace detail

}  // namespace hpk
