// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape that strided copies and fills run over, and the order in which a host walks it: blocks
// that are rows where all operands are dense in the same dimension, and tiles where they are not
// (a transposition), so that every cache line is used whole while it is there.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/seam/layout.hpp>

#include <cstddef>

namespace hpk::detail {

/// Extents, and strides of each operand. Dimensions of one element are left out, the others go from
/// the destination's largest stride to its smallest, and neighbours that lie alike in every operand
/// are joined to one. Behind that, the dimension in which the source is densest comes next to last.
template <int Operands>
struct strided_shape {
  int rank = 1;
  index_t extents[max_rank] = {1};
  index_t strides[Operands][max_rank] = {};

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
  HPK_FUNCTION index_t step(int operand) const { return strides[operand][rank - 1]; }
  /// Whether the source is densest in another dimension than the destination, which is dense.
  HPK_FUNCTION bool is_transposed() const {
    if constexpr (Operands == 2) {
      return rank >= 2 && step(0) == 1 && strides[1][rank - 2] < strides[1][rank - 1];
    } else {
      return false;
    }
  }

  /// Puts dimension r at place `to`; those between move by one.
  void move_dimension(int r, int to) {
    for (const int way = r < to ? 1 : -1; r != to; r += way) {
      swap(extents[r], extents[r + way]);
      for (auto& of_operand : strides) swap(of_operand[r], of_operand[r + way]);
    }
  }
  /// Leaves out dimensions of one element, sorts and joins the others.
  void simplify() {
    int kept = 0;
    for (int r = 0; r < rank; ++r) {
      if (extents[r] == 0) {
        *this = {};
        extents[0] = 0;
        return;
      }
      if (extents[r] == 1) continue;
      extents[kept] = extents[r];
      for (auto& of_operand : strides) of_operand[kept] = of_operand[r];
      ++kept;
    }
    if (kept == 0) {
      *this = {};
      for (auto& of_operand : strides) of_operand[0] = 1;
      return;
    }
    for (int r = 1; r < kept; ++r) {
      int to = r;
      while (to > 0 && strides[0][to - 1] < strides[0][r]) --to;
      move_dimension(r, to);
    }
    rank = 1;
    for (int r = 1; r < kept; ++r) {
      bool alike = true;
      for (const auto& of_operand : strides)
        alike = alike && of_operand[rank - 1] == of_operand[r] * extents[r];
      const int at = alike ? rank - 1 : rank++;
      extents[at] = alike ? extents[at] * extents[r] : extents[r];
      for (auto& of_operand : strides) of_operand[at] = of_operand[r];
    }
    if constexpr (Operands == 2) {
      int densest = rank - 1;
      for (int r = 0; r < rank; ++r) {
        if (strides[1][r] < strides[1][densest]) densest = r;
      }
      if (densest < rank - 1) move_dimension(densest, rank - 2);
    }
  }

 private:
  static void swap(index_t& a, index_t& b) {
    const index_t kept = a;
    a = b;
    b = kept;
  }
};

/// The shape of the first `extents` of the views, which have equal rank; the first is the
/// destination.
template <class First, class... Views>
strided_shape<1 + sizeof...(Views)> common_shape(const index_t* extents, const First& first,
                                                 const Views&... views) {
  strided_shape<1 + sizeof...(Views)> shape;
  constexpr std::size_t rank = First::rank();
  shape.rank = static_cast<int>(rank);
  for (std::size_t r = 0; r != rank; ++r) {
    shape.extents[r] = extents[r];
    int operand = 0;
    const auto take = [&](const auto& view) {
      shape.strides[operand++][r] = static_cast<index_t>(view.stride(r));
    };
    take(first);
    (take(views), ...);
  }
  shape.simplify();
  return shape;
}

/// How large blocks are: `along` elements of the last dimension, `across` of the one before.
struct block_size {
  index_t across;
  index_t along;
};

/// Elements of type T that a cache line of 64 bytes holds, within bounds that a loop can be
/// unrolled by.
template <class T>
inline constexpr index_t line_elements = sizeof(T) <= 4   ? 16
                                         : sizeof(T) <= 8 ? 8
                                                          : 4;

/// Blocks of a shape for elements of type T: parts of a row; or tiles of some lines of the
/// destination by many of the source, as those of the destination are what is written piecemeal.
template <class T, int Operands>
HPK_FUNCTION block_size choose_blocks(const strided_shape<Operands>& shape) {
  constexpr index_t row = index_t{1} << 13;
  if (!shape.is_transposed()) return {1, row};
  constexpr index_t tile = index_t{1} << 12;
  constexpr index_t line = line_elements<T>;
  constexpr index_t across = 128;
  const index_t sources = shape.extents[shape.rank - 2];
  const index_t used = sources < across ? sources : across;
  const index_t lines = (tile / used + line - 1) / line;
  const index_t along = (lines < 4 ? 4 : lines) * line;
  return {along <= shape.inner() ? used : tile / shape.inner() + 1, along};
}

/// How many blocks a shape has.
template <int Operands>
HPK_FUNCTION index_t count_blocks(const strided_shape<Operands>& shape, block_size size) {
  index_t blocks = 1;
  for (int r = 0; r < shape.rank; ++r) {
    const index_t step = r == shape.rank - 1 ? size.along : r == shape.rank - 2 ? size.across : 1;
    blocks *= (shape.extents[r] + step - 1) / step;
  }
  return blocks;
}

/// A place in a shape that goes from block to block, those along the last dimension first.
template <int Operands>
class block_walk {
 public:
  /// Stands at block k.
  HPK_FUNCTION block_walk(const strided_shape<Operands>& shape, block_size size, index_t k)
      : shape_(shape), size_(size) {
    for (int r = shape_.rank - 1; r >= 0; --r) {
      const index_t blocks = (shape_.extents[r] + step(r) - 1) / step(r);
      at_[r] = (r == 0 ? k : k % blocks) * step(r);
      k /= blocks;
      for (int o = 0; o < Operands; ++o) offsets_[o] += at_[r] * shape_.strides[o][r];
    }
  }
  /// Where the block begins in an operand.
  HPK_FUNCTION index_t offset(int operand) const { return offsets_[operand]; }
  /// Its elements in the last dimension, and in the one before.
  HPK_FUNCTION index_t along() const { return within(shape_.rank - 1); }
  HPK_FUNCTION index_t across() const { return shape_.rank == 1 ? 1 : within(shape_.rank - 2); }
  /// To the next block.
  HPK_FUNCTION void advance() {
    for (int r = shape_.rank - 1; r >= 0; --r) {
      const bool carry = at_[r] + step(r) >= shape_.extents[r];
      const index_t by = carry ? -at_[r] : step(r);
      at_[r] += by;
      for (int o = 0; o < Operands; ++o) offsets_[o] += by * shape_.strides[o][r];
      if (!carry) return;
    }
  }

 private:
  HPK_FUNCTION index_t step(int r) const {
    return r == shape_.rank - 1 ? size_.along : r == shape_.rank - 2 ? size_.across : 1;
  }
  HPK_FUNCTION index_t within(int r) const {
    const index_t left = shape_.extents[r] - at_[r];
    return left < step(r) ? left : step(r);
  }

  const strided_shape<Operands>& shape_;
  block_size size_;
  index_t at_[max_rank] = {};
  index_t offsets_[Operands] = {};
};

}  // namespace hpk::detail
