// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The documented tree of joins of a reduction, written down a second time without a line of the
// library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hpk_test {

// The first value with the second, the third with the fourth, then pairs of pairs.
template <class T, class Join>
T joined_neighbours(std::vector<T> values, Join join) {
  for (std::size_t reach = 1; reach < values.size(); reach *= 2) {
    for (std::size_t k = 0; k + reach < values.size(); k += 2 * reach)
      values[k] = join(values[k], values[k + reach]);
  }
  return values[0];
}
// k with k + half, then half of that.
template <class T, class Join>
T joined_halves(std::vector<T> values, Join join) {
  for (std::size_t half = values.size() / 2; half > 0; half /= 2) {
    for (std::size_t k = 0; k < half; ++k) values[k] = join(values[k], values[k + half]);
  }
  return values[0];
}

// Iterations [begin, end), iteration k in accumulator k % count.
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

// Blocks: 64 up to 64 Ki iterations, or fewer of 8, or one iteration each up to 64; then one per
// 1 Ki, at most 1024; with a chunk size blocks of that, but at most 1024.
inline std::int64_t block_length(std::int64_t n, std::int64_t chunk) {
  std::int64_t blocks = std::clamp<std::int64_t>(n / 1024, 64, 1024);
  if (chunk != 0) blocks = 1024;
  const std::int64_t least = chunk != 0 ? chunk : n <= 64 ? 1 : 8;
  const std::int64_t length = std::max(share(n, blocks), least);
  return length >= 32 ? rounded_up(length, 16) : length;
}

// The values of blocks: up to 64 in order, more by neighbours.
template <class T, class Join>
T joined_blocks(const std::vector<T>& blocks, T identity, Join join) {
  if (blocks.size() > 64) return joined_neighbours(blocks, join);
  for (const T& block : blocks) identity = join(identity, block);
  return identity;
}

// The values of a block's segments, each value_of(begin, end).
template <class T, class Join, class ValueOf>
T joined_segments(std::int64_t begin, std::int64_t end, std::int64_t segment, Join join,
                  ValueOf value_of) {
  std::vector<T> segments;
  for (; begin < end; begin += segment)
    segments.push_back(value_of(begin, std::min(end, begin + segment)));
  return joined_neighbours(segments, join);
}

// The segments of a block of values with so many accumulators, in rows of `row` iterations.
inline std::int64_t segment_length(std::int64_t length, std::int64_t accumulators,
                                   std::int64_t row = 0) {
  const std::int64_t parts = std::min<std::int64_t>(length / 1024, 256 / accumulators);
  if (parts < 2) return length;
  const std::int64_t segment = share(length, parts);
  return rounded_up(segment, row != 0 && row < segment ? row : 16);
}

// Blocks of values with several accumulators each, from `least` iterations of a segment on.
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

// Numbers over a range.
template <class T, class Join, class Value>
T documented_fold(std::int64_t n, T identity, Join join, Value value, std::int64_t chunk = 0) {
  if (chunk == 0 && n > 64 && n <= 8192) return accumulated(0, n, 64, identity, join, value);
  return documented_blocks(n, 16, 32, identity, join, value, chunk);
}

// Small objects, whose joins commute.
template <class T, class Join, class Value>
T documented_objects(std::int64_t n, T identity, Join join, Value value, std::int64_t chunk = 0) {
  return documented_blocks(n, 8, 64, identity, join, value, chunk);
}

// Large objects, and values whose joins need not commute: in order in segments.
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
