// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of a strided copy, and their order on a host: blocks of rows if both operands are dense
// in the same dimension, else tiles (a transposition). Thereby every cache line is used completely
// while it is cached.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/spaces/layout.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::detail {

/// The largest number of dimensions: the rank of a View, and one for the bytes of an element.
inline constexpr int most_dimensions = max_rank + 1;

/// Extents, and the strides of the destination (0) and the source (1) of a copy. In a fill all
/// source strides are 0.
struct strided_layout {
  int rank;
  index_t extents[most_dimensions];
  index_t strides[2][most_dimensions];

  /// The number of iterations of the inner loop.
  index_t inner() const { return extents[rank - 1]; }
  /// The number of inner loops.
  index_t outer() const {
    index_t rows = 1;
    for (int r = 0; r + 1 < rank; ++r) rows *= extents[r];
    return rows;
  }
  /// The offset of row `row` of an operand.
  index_t offset(int operand, index_t row) const {
    index_t result = 0;
    for (int r = rank - 2; r > 0; --r) {
      result += row % extents[r] * strides[operand][r];
      row /= extents[r];
    }
    return rank == 1 ? 0 : result + row * strides[operand][0];
  }
  /// The stride from element to element of a row.
  index_t step(int operand) const { return strides[operand][rank - 1]; }
  /// The stride from row to row.
  index_t pitch(int operand) const { return rank > 1 ? strides[operand][rank - 2] : 0; }
  /// Whether the destination is contiguous.
  bool fills_run() const { return rank == 1 && step(0) == 1; }
  /// Whether the destination is dense and the source is densest in another dimension.
  bool is_transposed() const {
    return rank >= 2 && step(0) == 1 && 0 < pitch(1) && pitch(1) < step(1);
  }

  /// Half of the bytes that a copy of elements of `bytes` each reads and writes, so that a copy
  /// without gaps counts each byte once and a fill counts half of its bytes. An element without
  /// close neighbours counts as up to four cache lines, because it needs a separate line without
  /// prefetch.
  std::size_t traffic(std::size_t bytes) const noexcept;

  /// Removes dimensions of extent 1, sorts the others from the largest stride of the destination to
  /// the smallest, and joins neighbours that are contiguous in both operands. Then moves the
  /// dimension in which the source is densest to the second to last position.
  void simplify() noexcept;
};

/// Cuts a layout into parts of at most `most` elements, along the slowest dimensions, and calls
/// visit(part, to, from) for each, with the offsets of its first element in both operands.
template <class Visit>
void for_parts(const strided_layout& layout, index_t most, const Visit& visit, index_t to = 0,
               index_t from = 0) {
  const index_t n = layout.outer() * layout.inner();
  if (n <= most) {
    visit(layout, to, from);
    return;
  }
  const index_t slice = n / layout.extents[0];
  strided_layout part = layout;
  if (slice > most) {  // each part has one index of the slowest dimension
    --part.rank;
    for (int r = 0; r < part.rank; ++r) {
      part.extents[r] = layout.extents[r + 1];
      for (int o = 0; o < 2; ++o) part.strides[o][r] = layout.strides[o][r + 1];
    }
  }
  const index_t each = slice > most ? 1 : most / slice;
  for (index_t done = 0; done < layout.extents[0]; done += each) {
    const index_t left = layout.extents[0] - done;
    if (slice <= most) part.extents[0] = left < each ? left : each;
    for_parts(part, most, visit, to + done * layout.strides[0][0],
              from + done * layout.strides[1][0]);
  }
}

/// The size of a block: `along` elements of the last dimension, `across` of the second last
/// dimension.
struct block_size {
  index_t across;
  index_t along;
};

/// The number of elements of `bytes` each in a cache line of 64 bytes, limited to loop-unrolling
/// factors.
constexpr index_t line_elements(std::size_t bytes) noexcept {
  return bytes <= 4 ? 16 : bytes <= 8 ? 8 : 4;
}

/// Returns the size of the blocks of a layout of elements of `bytes` each: rows or sections of
/// rows; for a transposition, tiles of few destination lines by many source lines, because partly
/// written lines are expensive.
block_size choose_blocks(const strided_layout& layout, std::size_t bytes) noexcept;
/// The number of blocks of a layout.
index_t count_blocks(const strided_layout& layout, block_size size) noexcept;
/// Returns the dimension whose indices are the units that workers divide among themselves: the
/// slowest dimension of the destination, so that a worker writes the memory that it accesses in
/// other kernels. -1 if the dimension has too few indices for even shares, or if there is only one
/// row.
int shared_dimension(const strided_layout& layout) noexcept;
/// Returns the number of units that workers divide among themselves: elements if there is one row,
/// else indices of the shared dimension, or blocks without a shared dimension.
inline index_t count_units(const strided_layout& layout, std::size_t bytes) noexcept {
  if (layout.rank == 1) return layout.inner();
  const int shared = shared_dimension(layout);
  return shared >= 0 ? layout.extents[shared] : count_blocks(layout, choose_blocks(layout, bytes));
}

/// The blocks that correspond to a range of units of a layout with more than one row: blocks
/// [begin, end) of `part`, whose first element has `offsets` in the operands.
struct unit_blocks {
  unit_blocks(const strided_layout& layout, std::size_t bytes, index_t begin, index_t end) noexcept;

  strided_layout part;
  index_t offsets[2] = {0, 0};
  block_size size;
  index_t begin;
  index_t end;
};

/// Iterates over the blocks of a layout, along the last dimension first.
class block_walk {
 public:
  /// Begins at block k.
  block_walk(const strided_layout& layout, block_size size, index_t k) noexcept;
  /// The offset of the block in an operand.
  index_t offset(int operand) const { return offsets_[operand]; }
  /// The size of the block in the last and in the second last dimension.
  index_t along() const { return within(layout_.rank - 1); }
  index_t across() const { return layout_.rank == 1 ? 1 : within(layout_.rank - 2); }
  /// Moves to the next block.
  void advance() {
    for (int r = layout_.rank - 1; r >= 0; --r) {
      const bool carry = at_[r] + step(r) >= layout_.extents[r];
      const index_t by = carry ? -at_[r] : step(r);
      at_[r] += by;
      for (int o = 0; o < 2; ++o) offsets_[o] += by * layout_.strides[o][r];
      if (!carry) return;
    }
  }

 private:
  index_t step(int r) const {
    return r == layout_.rank - 1 ? size_.along : r == layout_.rank - 2 ? size_.across : 1;
  }
  index_t within(int r) const {
    const index_t left = layout_.extents[r] - at_[r];
    return left < step(r) ? left : step(r);
  }

  const strided_layout& layout_;
  block_size size_;
  index_t at_[most_dimensions] = {};
  index_t offsets_[2] = {};
};

}  // namespace hpk::detail
