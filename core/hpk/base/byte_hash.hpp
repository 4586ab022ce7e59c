// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hash of long runs of bytes whose blocks may be hashed in any order, by several threads. Fast
// enough to read memory at its full speed; no protection against an adversary.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hpk::detail {

/// The bytes of a block.
inline constexpr std::size_t hash_block_bytes = 1024;

/// Which words of memory count as unset: those of `bytes` bytes, all of which have the value
/// `byte`. They hash alike, whatever the byte is.
struct unset_words {
  std::size_t bytes = 0;  ///< 0: none; 4 or 8
  unsigned char byte = 0;
};

/// The sum of the hashes of blocks, the first of which has the given number; the last one may be
/// shorter. The sum over all blocks of a run depends on every bit of it and on its place: two runs
/// of equal length have the same sum with a probability of about 2^-64 if they differ.
///
/// Within a block, words are multiplied by halves with keys added, twice (the family NH: Black,
/// Halevi, Krawczyk, Krovetz, Rogaway, "UMAC: fast and secure message authentication", 1999), and
/// summed; the sums and the number of the block are mixed by the finaliser of splitmix64 (Steele,
/// Lea, Flood, "Fast splittable pseudorandom number generators", 2014). Uses AVX2 where the
/// processor has it; the result is the same without.
std::uint64_t hash_blocks(const std::byte* data, std::size_t bytes, std::uint64_t first_block,
                          const unset_words& unset) noexcept;

}  // namespace hpk::detail
