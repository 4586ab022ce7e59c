// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hash of long runs of bytes whose blocks may be hashed in any order, by several threads. Fast
// enough to read memory at its full speed; not secure against an adversary.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hpk::detail {

/// Bytes per block.
inline constexpr std::size_t hash_block_bytes = 1024;

/// Defines which words of memory count as unset: words of `bytes` bytes that all have the value
/// `byte`. Unset words have the same hash for every value of `byte`.
struct unset_words {
  std::size_t bytes = 0;  ///< 4 or 8; 0: no word counts as unset
  unsigned char byte = 0;
};

/// Returns the sum of the hashes of consecutive blocks, numbered from `first_block`. The last block
/// may be shorter. The sum over all blocks of a run depends on every bit and its place: two
/// different runs of equal length have the same sum with a probability of about 2^-64.
///
/// Within a block, a key is added to each word, the two halves of the result are multiplied, and
/// the products are summed; this is done with two keys per word (the family NH: Black, Halevi,
/// Krawczyk, Krovetz, Rogaway, "UMAC: fast and secure message authentication", 1999). The sums and
/// the number of the block are mixed by the finaliser of splitmix64 (Steele, Lea, Flood, "Fast
/// splittable pseudorandom number generators", 2014). Uses AVX2 if the processor has it; the result
/// is the same without AVX2.
std::uint64_t hash_blocks(const std::byte* data, std::size_t bytes, std::uint64_t first_block,
                          const unset_words& unset) noexcept;

}  // namespace hpk::detail
