// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reference implementation of the hash of bytes that HPK_HASH writes, word by word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hpk_test {

/// The finaliser of splitmix64.
constexpr std::uint64_t finalised(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Returns the hash of blocks of 1024 bytes; the first has the number first_block. A mark replaces
/// words of `unset_bytes` bytes (0: none) that consist of `unset`.
inline std::uint64_t reference_hash(const std::vector<std::byte>& data,
                                    std::uint64_t first_block = 0, std::size_t unset_bytes = 0,
                                    unsigned char unset = 0) {
  // Outputs of splitmix64 from state 0.
  static const auto keys = [] {
    std::array<std::uint64_t, 256> found{};
    for (std::size_t k = 0; k != 256; ++k) found[k] = finalised((k + 1) * 0x9e3779b97f4a7c15);
    return found;
  }();
  const auto product = [](std::uint64_t x) { return (x & 0xffffffff) * (x >> 32); };
  const char mark[] = "snutesnu";
  std::uint64_t total = 0;
  for (std::size_t begin = 0; begin < data.size(); begin += 1024, ++first_block) {
    std::uint64_t sums[3] = {};
    for (std::size_t k = 0; k < 128 && begin + 8 * k < data.size(); ++k) {
      // Missing bytes of the last word are 0.
      unsigned char word[8] = {};
      const std::size_t left = data.size() - begin - 8 * k;
      std::memcpy(word, &data[begin + 8 * k], left < 8 ? left : 8);
      for (std::size_t at = 0; unset_bytes != 0 && at < 8; at += unset_bytes) {
        bool is_unset = true;
        for (std::size_t i = 0; i < unset_bytes; ++i) is_unset &= word[at + i] == unset;
        if (is_unset) std::memcpy(word + at, mark + at, unset_bytes);
      }
      std::uint64_t x = 0;
      std::memcpy(&x, word, 8);
      sums[0] += product(x + keys[2 * k]);
      sums[1] += product(x + keys[2 * k + 1]);
      sums[2] += x;
    }
    const std::uint64_t inner = finalised(sums[2] + finalised(first_block + 1));
    total += finalised(sums[0] + finalised(sums[1] + inner));
  }
  return total;
}

}  // namespace hpk_test
