// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops that a strided copy consists of, and the order in which a host runs them: blocks of
// rows where both operands are dense in the same dimension, tiles where they are not (a
// transposition), so that every cache line is used as a whole while it is in the cache.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/spaces/layout.hpp>

#include <cstddef>

namespace hpk::detail {

/// The most dimensions of a layout: those of a View, and one for the bytes of an element.
inline constexpr int most_dimensions = max_rank + 1;

/// Extents, and the strides of the destination (0) and the source (1) of a copy. A fill is a copy
/// whose source has stride 0 everywhere.
struct strided_layout {
  int rank;
  index_t extents[most_dimensions];
  index_t strides[2][most_dimensions];

  /// Elements of the dimension that the inner loop runs over.
  HPK_FUNCTION index_t inner() const { return extents[rank - 1]; }
  /// How many inner loops there are.
  HPK_FUNCTION index_t outer() const {
    index_t rows = 1;
    for (int r = 0; r + 1 < rank; ++r) rows *= extents[r];
    return rows;
  }
  /// Where row `row` of an operand begins.
  HPK_FUNCTION index_t offset(int operand, index_t row) const {
    index_t result = 0;
    for (int r = rank - 2; r > 0; --r) {
      result += row % extents[r] * strides[operand][r];
      row /= extents[r];
    }
    return rank == 1 ? 0 : result + row * strides[operand][0];
  }
  /// Where element k of an operand is.
  HPK_FUNCTION index_t element_offset(int operand, index_t k) const {
    if (rank == 1) return k * step(operand);
    return offset(operand, k / inner()) + k % inner() * step(operand);
  }
  /// From element to element of a row.
  HPK_FUNCTION index_t step(int operand) const { return strides[operand][rank - 1]; }
  /// From row to row.
  index_t pitch(int operand) const { return rank > 1 ? strides[operand][rank - 2] : 0; }
  /// Whether the destination is one run of elements without gaps.
  bool fills_run() const { return rank == 1 && step(0) == 1; }
  /// Whether the source is densest in another dimension than the destination, which is dense.
  bool is_transposed() const {
    return rank >= 2 && step(0) == 1 && 0 < pitch(1) && pitch(1) < step(1);
  }

  /// Leaves out dimensions of one element, sorts the others from the destination's largest stride
  /// to its smallest, and joins neighbours that both operands have in the same order. Then moves
  /// the dimension in which the source is densest to the place before the last.
  void simplify() noexcept;
};

/// How large blocks are: `along` elements of the last dimension, `across` of the one before.
struct block_size {
  index_t across;
  index_t along;
};

/// Elements of `bytes` each that a cache line of 64 bytes holds, within bounds that a loop can be
/// unrolled by.
constexpr index_t line_elements(std::size_t bytes) noexcept {
  return bytes <= 4 ? 16 : bytes <= 8 ? 8 : 4;
}

/// Blocks of a layout of elements of `bytes` each: rows, or a section of one; in a transposition
/// tiles of few lines of the destination by many of the source, because partly written lines are
/// what costs.
block_size choose_blocks(const strided_layout& layout, std::size_t bytes) noexcept;
/// How many blocks a layout has.
index_t count_blocks(const strided_layout& layout, block_size size) noexcept;
/// The units in which workers share a layout: elements if there is one row, else blocks.
inline index_t count_units(const strided_layout& layout, std::size_t bytes) noexcept {
  return layout.rank == 1 ? layout.inner() : count_blocks(layout, choose_blocks(layout, bytes));
}

/// Goes from block to block of a layout, along the last dimension first.
class block_walk {
 public:
  /// At block k.
  block_walk(const strided_layout& layout, block_size size, index_t k) noexcept;
  /// Where the block begins in an operand.
  index_t offset(int operand) const { return offsets_[operand]; }
  /// Its elements in the last dimension, and in the one before.
  index_t along() const { return within(layout_.rank - 1); }
  index_t across() const { return layout_.rank == 1 ? 1 : within(layout_.rank - 2); }
  /// To the next block.
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
