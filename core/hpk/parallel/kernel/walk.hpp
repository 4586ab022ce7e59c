// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributes iterations to groups, for every pattern. With Schedule<Static> each group has one
// contiguous chunk, so that it runs one plain loop over the kernel's index type. With
// Schedule<Dynamic> groups claim chunks from a counter in the launch's workspace. Blocks are the
// fixed chunks that make reductions reproducible (rule "same bits").
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/even_share.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/parallel/kernel/kernel.hpp>

namespace hpk::detail {

/// A contiguous chunk [begin, end) of n iterations, counted from zero.
struct index_range {
  index_t begin;
  index_t end;
};

/// Returns the index `offset` iterations after `begin`. Computes in unsigned integers: an int range
/// may have more iterations than an int can hold, and a std::uint64_t range may begin beyond
/// index_t.
template <class I>
HPK_INLINE_FUNCTION constexpr I index_after(I begin, index_t offset) noexcept {
  return static_cast<I>(static_cast<std::uint64_t>(begin) + static_cast<std::uint64_t>(offset));
}

/// Returns the number of iterations in [begin, end). Computes in unsigned integers for the same
/// reason.
template <class I>
HPK_INLINE_FUNCTION constexpr std::make_unsigned_t<I> distance(I begin, I end) noexcept {
  using count = std::make_unsigned_t<I>;
  return static_cast<count>(static_cast<count>(end) - static_cast<count>(begin));
}

/// The order of indices: ascending, or descending in a backward scan. A cursor is the position of
/// an iteration: its index, or its index + 1 if indices descend, so that loops can end at the
/// lowest index of an unsigned type.
template <class I, bool Backward>
struct index_order {
  /// Returns the index of the k-th iteration from a cursor on.
  static HPK_INLINE_FUNCTION constexpr I ahead(I cursor, I k) noexcept {
    return static_cast<I>(Backward ? cursor - k - 1 : cursor + k);
  }
  /// Returns the cursor advanced by k iterations.
  static HPK_INLINE_FUNCTION constexpr I skip(I cursor, I k) noexcept {
    return static_cast<I>(Backward ? cursor - k : cursor + k);
  }
  static HPK_INLINE_FUNCTION constexpr bool is_before(I cursor, I end) noexcept {
    return Backward ? cursor > end : cursor < end;
  }
  /// Returns the number of iterations between two cursors.
  static HPK_INLINE_FUNCTION constexpr auto count(I cursor, I end) noexcept {
    return Backward ? distance(end, cursor) : distance(cursor, end);
  }
};

/// Returns the chunk `rank` of `parts` chunks of n iterations. The lengths of chunks differ by at
/// most one iteration, or by at most `chunk` if that is given; then chunks end at multiples of
/// `chunk` or at n.
HPK_INLINE_FUNCTION constexpr index_range static_chunk(index_t n, index_t rank, index_t parts,
                                                       index_t chunk = 1) noexcept {
  const index_t chunks = chunk <= 1 ? n : n / chunk + (n % chunk != 0);
  const index_t share = chunks / parts;
  const index_t rest = chunks % parts;
  const index_t first = share * rank + (rank < rest ? rank : rest);
  const index_t last = first + share + (rank < rest ? 1 : 0);
  if (chunk <= 1) return {first, last};
  return {first * chunk, last >= chunks ? n : last * chunk};
}

/// Returns the margin by which to cut a launch, or 0 if the longest chunk might grow by more than a
/// 16th. A range that begins slightly after zero is usually the interior of a View and ends as far
/// before its end. With a margin it is cut as the whole View would be, so that each worker gets the
/// elements that it initialised. `before`: the iterations between zero and the range; as many are
/// assumed after it.
constexpr index_t usable_margin(index_t before, index_t n, index_t groups) noexcept {
  constexpr index_t most = 0xffff'ffff;
  return 0 < before && before <= most && before <= n / 32 && groups <= (n - 32 * before) / 32
             ? before
             : 0;
}

/// Returns the chunk of a worker. Divides n iterations, extended by `margin` on both sides, evenly,
/// and rounds each end to the closest multiple of `chunk`. With fewer than 8 chunks for each
/// worker, distributes whole chunks evenly instead.
constexpr index_range worker_chunk(index_t n, index_t rank, index_t parts, index_t chunk,
                                   index_t margin) noexcept {
  const index_t chunks = chunk <= 1 ? n : n / chunk + (n % chunk != 0);
  const auto begin = [&](index_t r) -> index_t {
    if (r == 0 || r == parts) return r == 0 ? 0 : n;  // without a division
    if (chunk > 1 && chunks < 8 * parts) {
      const index_t found = share_begin(chunks, r, parts);
      return found == chunks ? n : found * chunk;
    }
    const index_t place = share_begin(n + 2 * margin, r, parts) - margin;
    const index_t found = chunk <= 1 ? place : (place + chunk / 2) / chunk * chunk;
    return found < 0 ? 0 : found > n ? n : found;
  };
  return {begin(rank), begin(rank + 1)};
}

/// worker_chunk(), compiled once for all kernels.
index_range find_worker_chunk(index_t n, index_t rank, index_t parts, index_t chunk,
                              index_t margin) noexcept;

/// The initial argument of chunk_source::next().
inline constexpr index_range no_chunk_yet{0, -1};

/// Distributes n iterations to the groups of a launch: one contiguous chunk each.
template <bool Dynamic>
class chunk_source {
 public:
  /// `chunk` fits an int; `margin` comes from usable_margin().
  chunk_source(index_t n, index_t chunk, index_t margin = 0) noexcept
      : n_(n), chunk_(static_cast<int>(chunk)), margin_(static_cast<std::uint32_t>(margin)) {}

  /// Advances `p` to the next chunk of the lane's group, in ascending order; returns false at the
  /// end. Stores the beginning of the chunk in the lane, so that the lowest of several failures can
  /// be found.
  template <class Lane>
  HPK_FORCEINLINE bool next(Lane& lane, index_range& p) const {
    if (p.end >= 0) return false;
    p = {0, n_};
    if (lane.groups() > 1) p = find_worker_chunk(n_, lane.group(), lane.groups(), chunk_, margin_);
    lane.at(p.begin);
    return p.begin < p.end;
  }

 private:
  index_t n_;
  int chunk_;
  std::uint32_t margin_;
};

/// Distributes n iterations in chunks that the groups claim from a shared counter.
template <>
class chunk_source<true> {
 public:
  chunk_source(index_t n, index_t chunk, index_t* counter) noexcept
      : n_(n), chunk_(chunk), counter_(counter) {}

  template <class Lane>
  HPK_FORCEINLINE bool next(Lane& lane, index_range& p) const {
    const index_t begin = word_ref<index_t>(*counter_).fetch_add(chunk_, memory_order::relaxed);
    if (begin >= n_) return false;
    lane.at(begin);
    p = {begin, n_ - begin < chunk_ ? n_ : begin + chunk_};
    return true;
  }

 private:
  index_t n_;
  index_t chunk_;
  index_t* counter_;
};

/// The fixed blocks of a reduction or scan over n iterations. The blocks, and so the bits of the
/// result, depend only on n and on the chunk size that the program sets, never on the number of
/// workers.
struct block_plan {
  index_t n;
  index_t length;  ///< iterations of each block except the last

  /// Returns the number of blocks. Costs a division, so launches that run the blocks in order avoid
  /// it.
  HPK_INLINE_FUNCTION constexpr index_t count() const { return n / length + (n % length != 0); }
  HPK_INLINE_FUNCTION constexpr index_t begin(index_t block) const { return block * length; }
  HPK_INLINE_FUNCTION constexpr index_t end(index_t block) const {
    return n - begin(block) <= length ? n : begin(block) + length;
  }
};

/// Returns the blocks of a worker, the closest ones to its chunk.
constexpr index_range worker_blocks(const block_plan& plan, index_t rank, index_t parts,
                                    index_t margin) noexcept {
  const index_range own = worker_chunk(plan.n, rank, parts, plan.length, margin);
  const auto at = [&](index_t k) { return k / plan.length + (k % plan.length != 0); };
  return {at(own.begin), at(own.end)};
}

/// The row() of a walk whose blocks have no segments (reduce_shape.hpp).
inline constexpr index_t no_segments = -1;

/// The number of interleaved accumulators in a block; documented, because it determines the bits.
inline constexpr int interleaved_accumulators = 16;
/// The number of interleaved accumulators over a whole short range; documented as well.
inline constexpr int short_range_accumulators = 64;
/// The longest range that is folded into short_range_accumulators.
inline constexpr index_t longest_short_range = 8192;

/// Plans blocks of at least `shortest` iterations: about `n / 1024` blocks, at least 64 if
/// `shortest` allows it, and at most 1024. A nonzero `chunk` requests blocks of that length
/// instead; they are longer only if there would be more than 1024. Lengths from 32 on are rounded
/// up to a multiple of 16.
constexpr block_plan plan_blocks(index_t n, index_t shortest = 1, index_t chunk = 0) noexcept {
  if (n <= 0) return {0, 1};
  if (n <= shortest && chunk == 0) return {n, n};
  // Unsigned divisions, by constants where possible: slower ones would delay a tiny launch.
  const auto count = static_cast<std::uint64_t>(n);
  const auto share = [count](std::uint64_t parts) {
    return static_cast<index_t>((count + parts - 1) / parts);
  };
  index_t length = chunk != 0 || count >= 1024 * 1024 ? share(1024)
                   : count < 65 * 1024                ? share(64)
                                                      : share(count / 1024);
  const index_t least = chunk != 0 ? chunk : shortest;
  if (length < least) length = least;
  constexpr index_t accumulators = interleaved_accumulators;
  if (length >= 2 * accumulators)
    length = (length + accumulators - 1) / accumulators * accumulators;
  return {n, length < n ? length : n};
}

}  // namespace hpk::detail
