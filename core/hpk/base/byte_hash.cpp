// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/byte_hash.hpp>
#include <hpk/base/compiler.hpp>

#include <cstring>

#if HPK_HAS_GNU_ATTRIBUTES && defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hpk::detail {

namespace {

constexpr std::size_t block_words = hash_block_bytes / 8;
// How far ahead memory is fetched, also past its end. Without it one thread reads 16 GB/s, with it
// 19 GB/s (AMD EPYC).
constexpr std::size_t ahead_bytes = 4096;

constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Two keys for each word of a block: outputs of splitmix64.
struct key_table {
  alignas(64) std::uint64_t first[block_words]{};
  alignas(64) std::uint64_t second[block_words]{};
  constexpr key_table() {
    std::uint64_t state = 0;
    for (std::size_t k = 0; k != block_words; ++k) {
      first[k] = mix(state += 0x9e3779b97f4a7c15);
      second[k] = mix(state += 0x9e3779b97f4a7c15);
    }
  }
};
constexpr key_table keys;

struct block_sums {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint64_t plain = 0;  // differs for certain if one word does
};

constexpr std::uint64_t unset_mark = 0x756e736574756e73;

// The word with a mark in place of what is unset.
inline std::uint64_t marked(std::uint64_t word, std::uint64_t pattern, std::size_t unset) noexcept {
  if (unset == 8) return word == pattern ? unset_mark : word;
  if (unset == 0) return word;
  constexpr std::uint64_t low = 0xffffffff;
  std::uint64_t found = word;
  if ((word & low) == (pattern & low)) found = (found & ~low) | (unset_mark & low);
  if (word >> 32 == pattern >> 32) found = (found & low) | (unset_mark & ~low);
  return found;
}

inline void add(block_sums& sums, std::uint64_t word, std::size_t k) noexcept {
  const std::uint64_t x = word + keys.first[k];
  const std::uint64_t y = word + keys.second[k];
  sums.first += (x & 0xffffffff) * (x >> 32);
  sums.second += (y & 0xffffffff) * (y >> 32);
  sums.plain += word;
}

// A whole block.
block_sums sum_block(const std::byte* data, std::uint64_t pattern, std::size_t unset) noexcept {
  block_sums sums;
  for (std::size_t k = 0; k != block_words; ++k) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + 8 * k, 8);
    add(sums, marked(word, pattern, unset), k);
  }
  return sums;
}

#if HPK_HAS_GNU_ATTRIBUTES && defined(__x86_64__)
[[gnu::target("avx2")]] block_sums sum_block_avx2(const std::byte* data, std::uint64_t pattern,
                                                  std::size_t unset) noexcept {
  const __m256i sought = _mm256_set1_epi64x(static_cast<long long>(pattern));
  const __m256i mark = _mm256_set1_epi64x(static_cast<long long>(unset_mark));
  __m256i first = _mm256_setzero_si256();
  __m256i second = first;
  __m256i plain = first;
  const auto at = [](const void* address) { return static_cast<const __m256i*>(address); };
  for (std::size_t k = 0; k != block_words; k += 4) {
    if (k % 8 == 0) __builtin_prefetch(data + 8 * k + ahead_bytes);
    __m256i word = _mm256_loadu_si256(at(data + 8 * k));
    if (unset == 8) {
      word = _mm256_blendv_epi8(word, mark, _mm256_cmpeq_epi64(word, sought));
    } else if (unset == 4) {
      word = _mm256_blendv_epi8(word, mark, _mm256_cmpeq_epi32(word, sought));
    }
    const __m256i x = _mm256_add_epi64(word, _mm256_load_si256(at(keys.first + k)));
    const __m256i y = _mm256_add_epi64(word, _mm256_load_si256(at(keys.second + k)));
    first = _mm256_add_epi64(first, _mm256_mul_epu32(x, _mm256_srli_epi64(x, 32)));
    second = _mm256_add_epi64(second, _mm256_mul_epu32(y, _mm256_srli_epi64(y, 32)));
    plain = _mm256_add_epi64(plain, word);
  }
  alignas(32) std::uint64_t parts[3][4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(parts[0]), first);
  _mm256_store_si256(reinterpret_cast<__m256i*>(parts[1]), second);
  _mm256_store_si256(reinterpret_cast<__m256i*>(parts[2]), plain);
  block_sums sums;
  for (int lane = 0; lane != 4; ++lane) {
    sums.first += parts[0][lane];
    sums.second += parts[1][lane];
    sums.plain += parts[2][lane];
  }
  return sums;
}
const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
#endif

block_sums sum_any_block(const std::byte* data, std::uint64_t pattern, std::size_t unset) noexcept {
#if HPK_HAS_GNU_ATTRIBUTES && defined(__x86_64__)
  if (has_avx2) return sum_block_avx2(data, pattern, unset);
#endif
  return sum_block(data, pattern, unset);
}

}  // namespace

std::uint64_t hash_blocks(const std::byte* data, std::size_t bytes, std::uint64_t first_block,
                          const unset_words& unset) noexcept {
  const std::uint64_t pattern = std::uint64_t{unset.byte} * 0x0101010101010101;
  std::uint64_t total = 0;
  for (std::uint64_t block = first_block; bytes != 0; ++block) {
    block_sums sums;
    const std::size_t here = bytes < hash_block_bytes ? bytes : hash_block_bytes;
    if (here == hash_block_bytes) {
      sums = sum_any_block(data, pattern, unset.bytes);
    } else {
      for (std::size_t k = 0; 8 * k < here; ++k) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + 8 * k, here - 8 * k < 8 ? here - 8 * k : 8);
        add(sums, marked(word, pattern, unset.bytes), k);
      }
    }
    total += mix(sums.first + mix(sums.second + mix(sums.plain + mix(block + 1))));
    data += here;
    bytes -= here;
  }
  return total;
}

}  // namespace hpk::detail
