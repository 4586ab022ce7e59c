// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iterations of one of several lanes or threads that divide a loop, as devices run them: every
// ranks()-th iteration, or a contiguous chunk.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>
#include <hpk/parallel/kernel/walk.hpp>

#include <cstdint>
#include <type_traits>

namespace hpk::detail {

/// Calls visit(k) for k = part, part + parts, ... below n, in that order. Unrolls four calls, so
/// that accesses to memory overlap. Counts the remaining iterations down, because k might wrap.
HPK_CALLS_EITHER
template <class Counter, class Visit>
HPK_FORCEINLINE_FUNCTION void for_every(Counter part, Counter parts, Counter n,
                                        const Visit& visit) {
  if (part >= n) return;
  Counter k = part;
  Counter left = n - part;
  while (left > 3 * parts) {
    HPK_UNROLL_4
    for (int row = 0; row < 4; ++row) visit(k + static_cast<Counter>(row) * parts);
    if (left <= 4 * parts) return;
    left -= 4 * parts;
    k += 4 * parts;
  }
  for (;;) {
    visit(k);
    if (left <= parts) return;
    left -= parts;
    k += parts;
  }
}
/// Calls visit(k) for the iterations of the calling thread or lane in a range, counted from zero.
/// Counts in 32 bits if the index type K and the number of lanes have at most 32 bits.
HPK_CALLS_EITHER
template <class K, class Range, class Visit>
HPK_FORCEINLINE_FUNCTION void for_own_iterations(const Range& range, const Visit& visit) {
  constexpr bool narrow = sizeof(K) <= 4 && sizeof(range.ranks()) <= 4;
  using counter = std::conditional_t<narrow, unsigned, std::uint64_t>;
  for_every<counter>(static_cast<counter>(range.own_rank()), static_cast<counter>(range.ranks()),
                     static_cast<counter>(range.size()), visit);
}

/// Calls point(index) for the points part, part + parts, ... of a box of n points, in that order,
/// with indices of type I. Divides only twice, in 32 bits, whatever the number of points: steps are
/// sums with carries.
HPK_CALLS_EITHER
template <class I, class Space, class Point>
HPK_FORCEINLINE_FUNCTION void for_every_point(const Space& shape, int part, int parts, index_t n,
                                              const Point& point) {
  constexpr int rank = Space::rank;
  // k is a number of lanes, so quotients in larger dimensions are 0.
  const auto unflatten = [&](int k, I(&index)[std::size_t{rank}]) {
    auto left = static_cast<unsigned>(k);
    for (int s = rank - 1; s > 0; --s) {
      const index_t extent = shape.extent[Space::slow(s)];
      const unsigned by = extent < 0xffff'ffff ? static_cast<unsigned>(extent) : 0xffff'ffff;
      index[Space::slow(s)] = static_cast<I>(left % by);
      left /= by;
    }
    index[Space::slow(0)] = static_cast<I>(left);
  };
  if (part >= n) return;
  I index[std::size_t{rank}];
  unflatten(part, index);
  index_t left = n - part;
  if (left > parts) {
    I step[std::size_t{rank}];
    unflatten(parts, step);
    do {
      point(index);
      left -= parts;
      bool carry = false;
      for (int s = rank - 1; s > 0; --s) {
        const int r = Space::slow(s);
        // The rest of the dimension, because the sum might wrap.
        const I room = static_cast<I>(static_cast<I>(shape.extent[r]) - index[r]);
        const I by = static_cast<I>(step[r] + static_cast<I>(carry));
        carry = by >= room;
        index[r] = static_cast<I>(carry ? by - room : index[r] + by);
      }
      index[Space::slow(0)] =
          static_cast<I>(index[Space::slow(0)] + step[Space::slow(0)] + static_cast<I>(carry));
    } while (left > parts);
  }
  point(index);
}

/// static_chunk() with 32-bit divisions where the numbers fit: a device takes about a hundred
/// instructions for a 64-bit division.
HPK_INLINE_FUNCTION constexpr index_range narrow_chunk(index_t n, index_t rank,
                                                       index_t parts) noexcept {
  constexpr index_t most = 0xffff'ffff;
  if (n > most || parts > most) return static_chunk(n, rank, parts);
  const auto part = static_cast<unsigned>(rank);
  const unsigned share = static_cast<unsigned>(n) / static_cast<unsigned>(parts);
  const unsigned rest = static_cast<unsigned>(n) - share * static_cast<unsigned>(parts);
  const index_t first = share * part + (part < rest ? part : rest);
  return {first, first + share + (part < rest ? 1 : 0)};
}

}  // namespace hpk::detail
