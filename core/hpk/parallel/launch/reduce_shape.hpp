// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree of joins of a reduction, which determines the bits of the result. It depends on the
// number of iterations, the chunk size that the program sets, the kind and size of the value,
// whether joins commute and, over a box, the length of a row. It is the same on every execution
// space.
//
// A number with the default += or a built-in reducer, over a range without a chunk size,
// 64 < n <= 8192: iteration k is folded into accumulator k % 64. The 64 accumulators are joined by
// halves: k with k + 32, then + 16, ..., + 1.
//
// Everything else is cut into blocks. n <= 64: blocks of one iteration. n < 65 Ki: 64 blocks, or
// fewer of 8 iterations. Longer ranges: n / 1024 blocks, but at most 1024. ChunkSize(c): blocks of
// c iterations, or at most 1024 longer ones. Lengths from 32 on are rounded up to a multiple of 16.
//
// These numbers have 16 accumulators. Objects of at most 64 bytes that are copied to devices as
// bytes, with the default +=, a built-in reducer, or own joins that are declared to commute, have
// 8. Several results have 8, 4 or 2 (result_values.hpp). Blocks of at least 2048 iterations are cut
// into segments of about 1024, or into longer ones: a block has at most 256 accumulators
// (segment_length). In a segment, iteration k of a row is folded into accumulator k % 16 (8, 4, 2);
// the accumulators are joined by halves. A range is one row; a row of a box runs along its fastest
// dimension. Two kinds of segments are folded in order: segments of objects with less than 64
// iterations, and segments of a range of numbers or of several results with less than two
// iterations per accumulator.
//
// Iterations of other values are folded in order, in segments of at least 64 iterations, or of one
// iteration per byte of a larger value. A block has up to 256 segments, but no more than values fit
// 32 KiB.
//
// The values of segments are joined by neighbours: the first with the second, the third with the
// fourth, then pairs of pairs, and so on. If there are more than 64 blocks, their values are joined
// in the same way; fewer are joined in index order.
#pragma once

#include <hpk/parallel/launch/fold.hpp>

namespace hpk::detail {

/// The most accumulators of a block of interleaved values, and the length of its shortest segment.
inline constexpr int most_accumulators = 256;
inline constexpr index_t shortest_segment = 1024;
/// The shortest segment of values that are folded in order.
inline constexpr index_t shortest_ordered_segment = 64;
/// The scratch, in bytes, that the values of a group may take.
inline constexpr std::size_t scratch_of_values = std::size_t{32} << 10;
/// The most block values that are joined in index order.
inline constexpr index_t most_ordered_blocks = 64;

/// Returns the largest power of two, at most `most`, such that this many values V fit `bytes` bytes
/// of a group's scratch; at least 1.
template <class V>
constexpr int values_in_scratch(int most, std::size_t bytes = scratch_of_values) {
  int count = most;
  while (count > 1 && static_cast<std::size_t>(count) * sizeof(V) > bytes) count /= 2;
  return count;
}
/// The most segments of a block of values V, whose accumulators (`interleave`) or values fit the
/// scratch of a group.
template <class V, bool interleave>
inline constexpr index_t most_segments_of = values_in_scratch<V>(256);
template <class V>
inline constexpr index_t most_segments_of<V, true> =
    values_in_scratch<V>(most_accumulators) < accumulators_of<V>
        ? 1
        : values_in_scratch<V>(most_accumulators) / accumulators_of<V>;

/// Returns the length of the segments of blocks of `length` iterations, in rows of `row` iterations
/// (0: one row).
template <class V, bool interleave>
constexpr index_t segment_length(index_t length, index_t row) noexcept {
  const auto share = [](index_t n, index_t parts) { return n / parts + (n % parts != 0); };
  constexpr index_t most = most_segments_of<V, interleave>;
  if constexpr (interleave) {
    const index_t parts = length / shortest_segment;
    if (parts < 2) return length;
    const index_t segment = share(length, parts < most ? parts : most);
    // Segments consist of whole rows, of accumulators or of the box.
    const index_t step = row == 0 || row >= segment ? interleaved_accumulators : row;
    return share(segment, step) * step;
  } else {
    // Joins must not take longer than iterations.
    constexpr auto bytes = static_cast<index_t>(sizeof(V));
    constexpr index_t least = bytes < shortest_ordered_segment ? shortest_ordered_segment : bytes;
    const index_t segment = share(length, most);
    return segment < least ? least : segment;
  }
}

/// The blocks of a reduction, and the length of the segments of a block.
struct reduce_plan {
  block_plan blocks;
  index_t segment;
};

/// The shortest block of a reduction: joining blocks must not take longer than the iterations.
inline constexpr index_t shortest_reduce_block = 8;

/// Whether n iterations without a chunk size are a short range (if the reduction has_short_ranges).
constexpr bool is_short_range(index_t n, index_t chunk) noexcept {
  return chunk == 0 && n > short_range_accumulators && n <= longest_short_range;
}

/// Plans a reduction over n iterations in rows of `row` iterations.
template <class V, bool interleave>
constexpr reduce_plan plan_reduce(index_t row, index_t n, index_t chunk) noexcept {
  const block_plan blocks =
      plan_blocks(n, n <= short_range_accumulators ? 1 : shortest_reduce_block, chunk);
  if (row == no_segments) return {blocks, blocks.length};
  return {blocks, segment_length<V, interleave>(blocks.length, row)};
}

template <class V, bool interleave>
HPK_NOINLINE reduce_plan plan_long_reduce(index_t row, index_t n, index_t chunk) noexcept {
  return plan_reduce<V, interleave>(row, n, chunk);
}
/// plan_reduce() for hosts. Out of line, except for blocks of one iteration, which need no
/// division.
template <class V, bool interleave>
HPK_FORCEINLINE reduce_plan plan_host_reduce(index_t row, index_t n, index_t chunk) noexcept {
  if (chunk == 0 && n <= short_range_accumulators) return {{n, 1}, 1};
  return plan_long_reduce<V, interleave>(row, n, chunk);
}

/// Returns the plan of one block without segments.
constexpr reduce_plan one_block(index_t n) noexcept {
  const index_t length = n == 0 ? 1 : n;
  return {{n, length}, length};
}

/// The size, in bytes, of the largest value of which host functions hold several on the stack.
inline constexpr std::size_t most_on_stack = 1024;

/// Joins values by neighbours, in the order in which they are pushed: the first with the second,
/// the third with the fourth, then pairs of pairs, and so on. A value without a partner waits for
/// the next step. Throws std::bad_alloc if there is no memory for large values.
template <class Operations>
struct neighbour_tree {
  using value = typename Operations::value_type;
  static constexpr int most_levels = 11;  // 1024 values
  static constexpr bool on_stack = sizeof(value) <= most_on_stack;

  const Operations& operations;
  index_t count = 0;
  std::conditional_t<on_stack, value[std::size_t{most_levels}], value*> levels = {};

  ~neighbour_tree()
    requires(!on_stack)
  {
    delete[] levels;
  }
  ~neighbour_tree() = default;

  HPK_NOINLINE void push(value&& pushed) {
    if constexpr (!on_stack) {
      if (levels == nullptr) levels = new value[std::size_t{most_levels}];
    }
    value* joined = &pushed;
    int level = 0;
    for (index_t left = count++; (left & 1) != 0; left >>= 1, ++level) {
      operations.join(levels[level], *joined);
      joined = &levels[level];
    }
    levels[level] = static_cast<value&&>(*joined);
  }
  /// Returns the join of the pushed values, at least one, and empties the tree.
  HPK_NOINLINE value& take() {
    int level = 0;
    while ((count >> level & 1) == 0) ++level;
    value* joined = &levels[level];
    for (++level; count >> level != 0; ++level) {
      if ((count >> level & 1) == 0) continue;
      operations.join(levels[level], *joined);
      joined = &levels[level];
    }
    count = 0;
    return *joined;
  }
};

/// Joins `count` values by neighbours into the first; `stride`: their distance.
HPK_CALLS_EITHER
template <class Operations, class V>
HPK_FORCEINLINE_FUNCTION void join_neighbours(const Operations& operations, V* values,
                                              index_t count, index_t stride = 1) {
  for (index_t reach = 1; reach < count; reach *= 2) {
    for (index_t k = 0; k + reach < count; k += 2 * reach)
      operations.join(values[k * stride], values[(k + reach) * stride]);
  }
}

/// Folds each existing block of [first, last), stores the values at `out`, and returns their
/// number. Out of line, with a restrict-qualified kernel, for the reasons given at for_indices.
template <class Tag, class F, class Walk, class Operations>
HPK_NOINLINE index_t fold_reduce_blocks(const F& HPK_RESTRICT kernel, Walk walk,
                                        const Operations& operations, const reduce_plan& plan,
                                        index_t first, index_t last,
                                        typename Operations::value_type* out) {
  kernel_in_loop<F> loop_kernel = in_loop(kernel);
  neighbour_tree<Operations> tree{operations};
  index_t block = first;
  for (; block < last; ++block, ++out) {
    const index_t first_index = plan.blocks.begin(block);
    if (first_index >= plan.blocks.n) break;
    const index_t end = plan.blocks.end(block);
    for (index_t begin = first_index;; begin += plan.segment) {
      const bool is_last = end - begin <= plan.segment;
      auto folded = walk.template fold<Tag>(loop_kernel, operations, begin,
                                            is_last ? end : begin + plan.segment);
      if (is_last && begin == first_index) {
        *out = static_cast<decltype(folded)&&>(folded);
        break;
      }
      tree.push(static_cast<decltype(folded)&&>(folded));
      if (is_last) {
        *out = static_cast<decltype(folded)&&>(tree.take());
        break;
      }
    }
  }
  return block - first;
}

/// Folds few iterations, each as a separate block, and joins their values in order.
template <class Tag, class F, class Walk, class Operations>
HPK_NOINLINE void fold_iterations(const F& HPK_RESTRICT kernel, const Walk& walk,
                                  const Operations& operations, index_t n,
                                  typename Operations::value_type& total) {
  kernel_in_loop<F> loop_kernel = in_loop(kernel);
  for (index_t k = 0; k < n; ++k) {
    if constexpr (requires(typename Operations::value_type one) {
                    walk.template call<Tag>(loop_kernel, k, one);
                  }) {
      typename Operations::value_type one;
      operations.init(one);
      walk.template call<Tag>(loop_kernel, k, one);
      operations.join(total, one);
    } else {
      operations.join(total, walk.template fold<Tag>(loop_kernel, operations, k, k + 1));
    }
  }
}

/// Folds blocks without segments and joins their values in order, without a division to count them.
template <class Tag, class F, class Walk, class Operations>
HPK_NOINLINE void fold_few_blocks(const F& HPK_RESTRICT kernel, Walk walk,
                                  const Operations& operations, const block_plan& plan,
                                  typename Operations::value_type& total) {
  kernel_in_loop<F> loop_kernel = in_loop(kernel);
  for (index_t begin = 0; begin < plan.n; begin += plan.length) {
    const index_t end = plan.n - begin < plan.length ? plan.n : begin + plan.length;
    operations.join(total, walk.template fold<Tag>(loop_kernel, operations, begin, end));
  }
}

/// The number of block values that one worker stores, a power of two: most_ordered_blocks, or less
/// for large values.
template <class V>
inline constexpr index_t stored_blocks =
    std::is_trivially_copyable_v<V> && sizeof(V) <= 64 ? most_ordered_blocks
    : sizeof(V) <= most_on_stack                       ? 8
                                                       : 1;

/// Joins `count` values of blocks: in index order to the total, or by neighbours in the tree.
template <class Operations, class V>
HPK_NOINLINE void join_blocks(neighbour_tree<Operations>& tree, V* values, index_t count,
                              bool ordered, V& total) {
  for (index_t k = 0; k < count; ++k) {
    if (ordered) {
      tree.operations.join(total, values[k]);
    } else {
      tree.push(static_cast<V&&>(values[k]));
    }
  }
}

/// Folds blocks and joins their values in index order or by neighbours.
template <class Tag, class F, class Walk, class Operations>
HPK_NOINLINE void fold_many_blocks(const F& kernel, const Walk& walk, const Operations& operations,
                                   const reduce_plan& plan, bool ordered,
                                   typename Operations::value_type& total) {
  using value = typename Operations::value_type;
  constexpr index_t stored = stored_blocks<value>;
  value values[std::size_t{stored}];
  neighbour_tree<Operations> tree{operations};
  for (index_t first = 0; plan.blocks.begin(first) < plan.blocks.n; first += stored) {
    const index_t some =
        fold_reduce_blocks<Tag, F>(kernel, walk, operations, plan, first, first + stored, values);
    join_blocks(tree, values, some, ordered, total);
  }
  if (!ordered) total = static_cast<value&&>(tree.take());
}

}  // namespace hpk::detail
