// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The documented tree of joins of a reduction, implemented without code of the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hpk_test {

// Joins the first value with the second, the third with the fourth, then the results pairwise.
template <class T, class Join>
T joined_neighbours(std::vector<T> values, Join join) {
  for (std::size_t reach = 1; reach < values.size(); reach *= 2) {
    for (std::size_t k = 0; k + reach < values.size(); k += 2 * reach)
      values[k] = join(values[k], values[k + reach]);
  }
  return values[0];
}
// Joins value k with value k + half, then repeats with the first half.
template <class T, class Join>
T joined_halves(std::vector<T> values, Join join) {
  for (std::size_t half = values.size() / 2; half > 0; half /= 2) {
    for (std::size_t k = 0; k < half; ++k) values[k] = join(values[k], values[k + half]);
  }
  return values[0];
}

// Joins iterations [begin, end). Accumulator k % count takes iteration k.
template <class T, class Join, class Value>
T accumulated(std::int64_t begin, std::int64_t end, int count, T identity, Join join, Value value) {
  std::vector<T> sums(static_cast<std::size_t>(count), identity);
  for (std::int64_t i = begin; i < end; ++i) {
    T& sum = sums[static_cast<std::size_t>((i - begin) % count)];
    sum = join(sum, value(i));
  }
  return joined_halves(sums, join);
}

inline std::int64_t share(std::int64_t n, std::int64_t parts) { return (n + parts - 1) / parts; }
inline std::int64_t rounded_up(std::int64_t n, std::int64_t step) { return share(n, step) * step; }

// Returns the iterations of a block. Without a chunk size there are at most 64 blocks up to 64 Ki
// iterations (of at least 8 iterations, or of 1 up to 64 iterations), then one per 1 Ki iterations,
// at most 1024. With a chunk size, blocks have at least that size and there are at most 1024.
inline std::int64_t block_length(std::int64_t n, std::int64_t chunk) {
  std::int64_t blocks = std::clamp<std::int64_t>(n / 1024, 64, 1024);
  if (chunk != 0) blocks = 1024;
  const std::int64_t least = chunk != 0 ? chunk : n <= 64 ? 1 : 8;
  const std::int64_t length = std::max(share(n, blocks), least);
  return length >= 32 ? rounded_up(length, 16) : length;
}

// Joins the values of blocks: up to 64 blocks in order, more by neighbours.
template <class T, class Join>
T joined_blocks(const std::vector<T>& blocks, T identity, Join join) {
  if (blocks.size() > 64) return joined_neighbours(blocks, join);
  for (const T& block : blocks) identity = join(identity, block);
  return identity;
}

// Joins the values of a block's segments; value_of(begin, end) returns the value of one.
template <class T, class Join, class ValueOf>
T joined_segments(std::int64_t begin, std::int64_t end, std::int64_t segment, Join join,
                  ValueOf value_of) {
  std::vector<T> segments;
  for (; begin < end; begin += segment)
    segments.push_back(value_of(begin, std::min(end, begin + segment)));
  return joined_neighbours(segments, join);
}

// Returns the length of a block's segments with this many accumulators, in rows of `row`
// iterations.
inline std::int64_t segment_length(std::int64_t length, std::int64_t accumulators,
                                   std::int64_t row = 0) {
  const std::int64_t parts = std::min<std::int64_t>(length / 1024, 256 / accumulators);
  if (parts < 2) return length;
  const std::int64_t segment = share(length, parts);
  return rounded_up(segment, row != 0 && row < segment ? row : 16);
}

// Folds blocks. Segments of at least `least` iterations use several accumulators.
template <class T, class Join, class Value>
T documented_blocks(std::int64_t n, int accumulators, std::int64_t least, T identity, Join join,
                    Value value, std::int64_t chunk = 0) {
  const std::int64_t length = block_length(n, chunk);
  const std::int64_t segment = segment_length(length, accumulators);
  std::vector<T> blocks;
  for (std::int64_t begin = 0; begin < n; begin += length) {
    blocks.push_back(joined_segments<T>(
        begin, std::min(n, begin + length), segment, join, [&](std::int64_t b, std::int64_t e) {
          return accumulated(b, e, e - b < least ? 1 : accumulators, identity, join, value);
        }));
  }
  return joined_blocks(blocks, identity, join);
}

// Folds numbers over a range.
template <class T, class Join, class Value>
T documented_fold(std::int64_t n, T identity, Join join, Value value, std::int64_t chunk = 0) {
  if (chunk == 0 && n > 64 && n <= 8192) return accumulated(0, n, 64, identity, join, value);
  return documented_blocks(n, 16, 32, identity, join, value, chunk);
}

// Folds small objects whose joins commute.
template <class T, class Join, class Value>
T documented_objects(std::int64_t n, T identity, Join join, Value value, std::int64_t chunk = 0) {
  return documented_blocks(n, 8, 64, identity, join, value, chunk);
}

// Folds large objects, or values whose joins need not commute: segments fold in order.
template <class T, class Join, class Value>
T documented_order(std::int64_t n, T identity, Join join, Value value, std::int64_t chunk = 0) {
  const std::int64_t length = block_length(n, chunk);
  std::int64_t most = 256;
  while (most > 1 && most * static_cast<std::int64_t>(sizeof(T)) > 32 * 1024) most /= 2;
  const std::int64_t least = std::max<std::int64_t>(64, sizeof(T));
  const std::int64_t segment = std::max(least, share(length, most));
  std::vector<T> blocks;
  for (std::int64_t begin = 0; begin < n; begin += length) {
    blocks.push_back(joined_segments<T>(begin, std::min(n, begin + length), segment, join,
                                        [&](std::int64_t b, std::int64_t e) {
                                          return accumulated(b, e, 1, identity, join, value);
                                        }));
  }
  return joined_blocks(blocks, identity, join);
}

}  // namespace hpk_test
