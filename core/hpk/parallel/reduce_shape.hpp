// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree of joins of a reduction, which decides its bits. It depends on the number of iterations,
// the chunk size that the program sets, the size of the value and, over a box, the length of a row,
// and is the same on every execution space.
//
// An arithmetic value with the default += or a built-in reducer, over a range without a chunk size,
// 64 < n <= 8192: iteration k is folded into accumulator k % 64. The 64 accumulators are joined by
// halves: k with k + 32, then + 16, ..., + 1.
//
// Everything else is cut into blocks. n <= 64: blocks of one iteration. n < 65 Ki: 64 blocks, or
// fewer of 8 iterations. Longer ranges: n / 1024 blocks, but at most 1024. ChunkSize(c): blocks of
// c iterations, or at most 1024 longer ones. Lengths from 32 on are rounded up to a multiple of 16.
//
// Blocks of 2048 and more iterations are cut into segments of about 1024, or 16 longer ones
// (segment_length). In a segment of arithmetic values as above, iteration k of a row is folded into
// accumulator k % 16; the 16 are joined by halves. A range is one row; the rows of a box are those
// of its fastest dimension. Segments of a range with less than 32 iterations are folded in order.
// Several results of such values divide the 16 accumulators: each has 8, 4 or 2, used from twice as
// many iterations on; short ranges, too, are cut into blocks.
//
// Iterations of other values are folded in order, in segments of at least 64 iterations, or one for
// each byte of a larger value. A block has up to 256 segments, or as many as values fit 32 KiB.
//
// The values of segments are joined by neighbours: the first with the second, the third with the
// fourth, then pairs of pairs, and so on. So are the values of more than 64 blocks; fewer are
// joined in index order.
#pragma once

#include <hpk/parallel/fold.hpp>

namespace hpk::detail {

/// The most segments of a block of interleaved values, and the shortest segment.
inline constexpr int most_segments = 16;
inline constexpr index_t shortest_segment = 1024;
/// The shortest segment of values that are folded in order.
inline constexpr index_t shortest_ordered_segment = 64;
/// The scratch, in bytes, that the values of a group may take.
inline constexpr std::size_t scratch_of_values = std::size_t{32} << 10;
/// The most block values that are joined in index order.
inline constexpr index_t most_ordered_blocks = 64;

/// The largest power of two, at most `most`, of values V that fit the scratch of a group; at least
/// one.
template <class V>
constexpr int values_in_scratch(int most) {
  int count = most;
  while (count > 1 && static_cast<std::size_t>(count) * sizeof(V) > scratch_of_values) count /= 2;
  return count;
}
/// The most segments of a block of values V, whose accumulators or values fit the scratch of a
/// group.
template <class Operations>
constexpr index_t most_segments_of() {
  using value = typename Operations::value_type;
  if constexpr (Operations::interleave) {
    constexpr int lanes = accumulators_of<value>;
    const int most = values_in_scratch<value>(most_segments * lanes) / lanes;
    return most == 0 ? 1 : most;
  } else {
    return values_in_scratch<value>(256);
  }
}

/// The length of the segments of blocks of `length` iterations, in rows of `row` iterations (0: one
/// row).
template <class Operations>
constexpr index_t segment_length(index_t length, index_t row) noexcept {
  const auto share = [](index_t n, index_t parts) { return n / parts + (n % parts != 0); };
  constexpr index_t most = most_segments_of<Operations>();
  if constexpr (Operations::interleave) {
    const index_t parts = length / shortest_segment;
    if (parts < 2) return length;
    const index_t segment = share(length, parts < most ? parts : most);
    // Whole rows, of accumulators or of the box.
    const index_t step = row == 0 || row >= segment ? interleaved_accumulators : row;
    return share(segment, step) * step;
  } else {
    // Joins must not take longer than iterations.
    constexpr auto bytes = static_cast<index_t>(sizeof(typename Operations::value_type));
    constexpr index_t least = bytes < shortest_ordered_segment ? shortest_ordered_segment : bytes;
    const index_t segment = share(length, most);
    return segment < least ? least : segment;
  }
}

/// The blocks of a reduction and the segments of a block.
struct reduce_plan {
  block_plan blocks;
  index_t segment;
};

/// The shortest block of a reduction: joining blocks must not take longer than the iterations.
inline constexpr index_t shortest_reduce_block = 8;

/// Whether n iterations without a chunk size use the accumulators of a short range.
template <class Walk, class Operations>
constexpr bool is_short_range(index_t n, index_t chunk) noexcept {
  return has_short_ranges<Walk, Operations> && chunk == 0 && n > short_range_accumulators &&
         n <= longest_short_range;
}

/// Whether the blocks of a walk have segments; those of teams have none.
template <class Walk>
inline constexpr bool has_segments = requires { Walk::interleaved_from; };

/// Plans a reduction over the n iterations of a walk.
template <class Operations, class Walk>
constexpr reduce_plan plan_reduce(const Walk& walk, index_t n, index_t chunk) noexcept {
  const block_plan blocks =
      plan_blocks(n, n <= short_range_accumulators ? 1 : shortest_reduce_block, chunk);
  if constexpr (has_segments<Walk>) {
    return {blocks, segment_length<Operations>(blocks.length, walk.row())};
  } else {
    return {blocks, blocks.length};
  }
}

/// The plan of one block without segments.
constexpr reduce_plan one_block(index_t n) noexcept {
  const index_t length = n == 0 ? 1 : n;
  return {{n, length}, length};
}

/// The largest value, in bytes, of which functions of hosts hold several on the stack.
inline constexpr std::size_t most_on_stack = 1024;

/// Joins values that are pushed in order by neighbours: the first with the second, the third with
/// the fourth, then pairs of pairs, and so on; a value without a partner waits for the next step.
/// Throws std::bad_alloc if there is no memory for large values.
template <class Operations>
class neighbour_tree {
 public:
  using value = typename Operations::value_type;
  explicit neighbour_tree(const Operations& operations) : operations_(operations) {}
  ~neighbour_tree() {
    if constexpr (!on_stack) delete[] levels_;
  }
  neighbour_tree(const neighbour_tree&) = delete;
  neighbour_tree& operator=(const neighbour_tree&) = delete;
  void push(value&& pushed) {
    if constexpr (!on_stack) {
      if (levels_ == nullptr) levels_ = new value[std::size_t{most_levels}];
    }
    value* joined = &pushed;
    int level = 0;
    for (index_t left = count_++; (left & 1) != 0; left >>= 1, ++level) {
      operations_.join(levels_[level], *joined);
      joined = &levels_[level];
    }
    levels_[level] = static_cast<value&&>(*joined);
  }
  bool is_empty() const { return count_ == 0; }
  /// The joined values, of which there must be one; then the tree is empty.
  value& take() {
    int level = 0;
    while ((count_ >> level & 1) == 0) ++level;
    value* joined = &levels_[level];
    for (++level; count_ >> level != 0; ++level) {
      if ((count_ >> level & 1) == 0) continue;
      operations_.join(levels_[level], *joined);
      joined = &levels_[level];
    }
    count_ = 0;
    return *joined;
  }

 private:
  static constexpr int most_levels = 11;  // 1024 values
  static constexpr bool on_stack = sizeof(value) <= most_on_stack;
  const Operations& operations_;
  index_t count_ = 0;
  std::conditional_t<on_stack, value[std::size_t{most_levels}], value*> levels_ = {};
};

/// Joins `count` values, `stride` apart, by neighbours into the first.
HPK_CALLS_EITHER
template <class Operations, class V>
HPK_FORCEINLINE_FUNCTION void join_neighbours(const Operations& operations, V* values,
                                              index_t count, index_t stride = 1) {
  for (index_t reach = 1; reach < count; reach *= 2) {
    for (index_t k = 0; k + reach < count; k += 2 * reach)
      operations.join(values[k * stride], values[(k + reach) * stride]);
  }
}

/// The same for Count values, a power of two, side by side.
template <int Count, class Operations, class V>
HPK_FORCEINLINE void join_all_neighbours(const Operations& operations, V* values) {
  // Loops of constant length vectorise.
  if constexpr (Count > 1) {
    for (int k = 0; k < Count / 2; ++k) {
      operations.join(values[2 * k], values[2 * k + 1]);
      values[k] = static_cast<V&&>(values[2 * k]);
    }
    join_all_neighbours<Count / 2>(operations, values);
  }
}

/// Joins the values of `count` blocks on a host.
template <class Operations, class V>
HPK_FORCEINLINE void join_blocks(const Operations& operations, V& total, V* values, index_t count) {
  if (count <= most_ordered_blocks) {
    operations.init(total);
    for (index_t k = 0; k < count; ++k) operations.join(total, values[k]);
  } else {
    join_neighbours(operations, values, count);
    total = static_cast<V&&>(values[0]);
  }
}

/// Folds each block of [first, last) and stores the values at `out`. Out of line, with a
/// restrict-qualified kernel, for the reasons given at for_indices.
template <class Tag, class F, class Walk, class Operations>
HPK_NOINLINE void fold_reduce_blocks(const F& HPK_RESTRICT kernel, Walk walk,
                                     const Operations& operations, const reduce_plan& plan,
                                     index_t first, index_t last,
                                     typename Operations::value_type* out) {
  kernel_in_loop<F> mine = in_loop(kernel);
  neighbour_tree<Operations> tree(operations);
  for (index_t block = first; block < last; ++block, ++out) {
    const index_t end = plan.blocks.end(block);
    for (index_t begin = plan.blocks.begin(block);; begin += plan.segment) {
      const bool is_last = end - begin <= plan.segment;
      auto folded =
          walk.template fold<Tag>(mine, operations, begin, is_last ? end : begin + plan.segment);
      if (is_last && tree.is_empty()) {
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
}

/// Folds blocks without segments, and joins their values in order. Needs no division to count them.
template <class Tag, class F, class Walk, class Operations>
HPK_NOINLINE void fold_few_blocks(const F& HPK_RESTRICT kernel, Walk walk,
                                  const Operations& operations, const block_plan& plan,
                                  typename Operations::value_type& total) {
  kernel_in_loop<F> mine = in_loop(kernel);
  for (index_t begin = 0; begin < plan.n; begin += plan.length) {
    const index_t end = plan.n - begin < plan.length ? plan.n : begin + plan.length;
    operations.join(total, walk.template fold<Tag>(mine, operations, begin, end));
  }
}

/// How many block values one worker keeps, a power of two: those that are joined in index order, or
/// fewer large ones.
template <class V>
inline constexpr index_t stored_blocks =
    std::is_trivially_copyable_v<V> && sizeof(V) <= 64 ? most_ordered_blocks
    : sizeof(V) <= most_on_stack                       ? 8
                                                       : 1;

/// Folds blocks, and joins their values in index order or by neighbours.
template <class Tag, class F, class Walk, class Operations>
HPK_NOINLINE void fold_many_blocks(const F& kernel, const Walk& walk, const Operations& operations,
                                   const reduce_plan& plan, bool ordered,
                                   typename Operations::value_type& total) {
  using value = typename Operations::value_type;
  const index_t count = plan.blocks.count();
  constexpr index_t stored = stored_blocks<value>;
  value values[std::size_t{stored}];
  neighbour_tree<Operations> tree(operations);
  for (index_t first = 0; first < count; first += stored) {
    const index_t some = count - first < stored ? count - first : stored;
    fold_reduce_blocks<Tag, F>(kernel, walk, operations, plan, first, first + some, values);
    if (ordered) {
      for (index_t k = 0; k < some; ++k) operations.join(total, values[k]);
      continue;
    }
    if (some == stored) {
      join_all_neighbours<stored>(operations, values);
    } else {
      join_neighbours(operations, values, some);
    }
    tree.push(static_cast<value&&>(values[0]));
  }
  if (!ordered) total = static_cast<value&&>(tree.take());
}

/// Folds all blocks and joins their values.
template <class Tag, class F, class Walk, class Operations>
typename Operations::value_type fold_all_blocks(const F& kernel, const Walk& walk,
                                                const Operations& operations,
                                                const reduce_plan& plan) {
  using value = typename Operations::value_type;
  const bool ordered = (plan.blocks.n - 1) / most_ordered_blocks < plan.blocks.length;
  value total;
  operations.init(total);
  if (ordered && plan.segment >= plan.blocks.length) {
    fold_few_blocks<Tag, F>(kernel, walk, operations, plan.blocks, total);
  } else {
    fold_many_blocks<Tag, F>(kernel, walk, operations, plan, ordered, total);
  }
  return total;
}

}  // namespace hpk::detail
