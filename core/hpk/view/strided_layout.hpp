// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape that strided copies and fills run over, and the order in which a host walks it: blocks
// of rows where all operands are dense in the same dimension, and tiles where they are not
// (a transposition), so that every cache line is used whole while it is there.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/spaces/layout.hpp>
#include <hpk/tools/hooks.hpp>
#include <hpk/view/bounds.hpp>

#include <cstddef>

namespace hpk::detail {

/// The most dimensions of a shape: those of a View, and one for the bytes of an element.
inline constexpr int most_dimensions = max_rank + 1;

/// What copies and fills know of a View whatever its type.
struct array_operand : view_description {
  std::size_t element_bytes;  ///< of each
  bool measured;              ///< whether the next three are set
  std::size_t size;           ///< elements
  std::size_t span;           ///< elements from the first to one past the last, gaps included
  bool contiguous;
  index_t strides[max_rank];  ///< of a View that has them
};
/// Sets size, span and contiguous from extents and strides, if that is to be done.
void measure(array_operand& operand) noexcept;
/// Leaves out dimensions of one element, sorts and joins the others; returns how many are left.
int simplify_layout(int operands, int rank, index_t* extents,
                    index_t (*strides)[most_dimensions]) noexcept;
/// The shape of the first `box` of operands of equal rank; returns how many dimensions it has.
int lay_out_operands(int count, const array_operand* operands, const index_t* box, index_t* extents,
                     index_t (*strides)[most_dimensions]) noexcept;

/// Extents, and strides of each operand. Dimensions of one element are left out, the others go from
/// the destination's largest stride to its smallest, and neighbours with the same order in every
/// operand are joined. Then the dimension in which the source is densest moves to the place before
/// the last.
template <int Operands>
struct strided_layout {
  int rank = 1;
  index_t extents[most_dimensions] = {1};
  index_t strides[Operands][most_dimensions] = {};

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
  /// From element to element of a row.
  HPK_FUNCTION index_t step(int operand) const { return strides[operand][rank - 1]; }
  /// From row to row.
  index_t pitch(int operand) const { return rank > 1 ? strides[operand][rank - 2] : 0; }
  /// Whether the source is densest in another dimension than the destination, which is dense.
  HPK_FUNCTION bool is_transposed() const {
    if constexpr (Operands == 2) {
      return rank >= 2 && step(0) == 1 && strides[1][rank - 2] < strides[1][rank - 1];
    } else {
      return false;
    }
  }

  /// Leaves out dimensions of one element, sorts and joins the others.
  void simplify() { rank = simplify_layout(Operands, rank, extents, strides); }
};

/// How two Views relate in the types of their layouts.
enum class layout_relation {
  never,    ///< they never have the same order
  strides,  ///< they do if their strides are equal
  layout,   ///< they do
};
/// What there is to do for a copy.
enum class copy_plan {
  nothing,
  bytes,       ///< both are contiguous and have the same order
  elements,    ///< one after another
  overlap,     ///< an error: the Views overlap in memory
  extents,     ///< an error: they differ
  freed_to,    ///< an error: the memory of the destination was freed
  freed_from,  ///< an error: that of the source was
};
/// Measures Views of equal rank, the destination first, and plans a copy; only a checked one asks
/// whether their memory was freed.
copy_plan plan_copy(array_operand (&operands)[2], layout_relation layouts, bool same_elements,
                    bool checked) noexcept;
/// Report a copy, a fill with a value, or a copy of one element to a variable to callbacks.
void notify_copy(seam::copy_scope& told, std::string_view to_space, const array_operand& to,
                 std::string_view from_space, const array_operand& from);
void notify_fill(seam::copy_scope& told, std::string_view space, const array_operand& view,
                 const void* value);
void notify_element(seam::copy_scope& told, const void* variable, std::size_t bytes,
                    std::string_view space, const view_description& view);
/// Throws the error of a plan that is one.
[[noreturn]] void reject_copy(copy_plan plan, const array_operand (&operands)[2],
                              const std::source_location& where);

/// How large blocks are: `along` elements of the last dimension, `across` of the one before.
struct block_size {
  index_t across;
  index_t along;
};

/// Elements of `size` bytes that a cache line of 64 bytes holds, within bounds that a loop can be
/// unrolled by.
constexpr index_t line_elements(std::size_t size) noexcept {
  return size <= 4 ? 16 : size <= 8 ? 8 : 4;
}

/// Blocks of a shape for elements of `size` bytes: rows, or parts of one; in a transposition tiles
/// of some lines of the destination by many of the source, as those of the destination are what is
/// written piecemeal.
template <int Operands>
block_size choose_blocks(const strided_layout<Operands>& shape, std::size_t size) {
  constexpr index_t row = index_t{1} << 13;
  const index_t inner = shape.inner();
  if (!shape.is_transposed()) {
    constexpr index_t rows = index_t{1} << 14;  // bytes
    const index_t bytes = inner * static_cast<index_t>(size);
    return {0 < bytes && bytes < rows ? rows / bytes : 1, row};
  }
  constexpr index_t tile = index_t{1} << 12;
  const index_t line = line_elements(size);
  constexpr index_t across = 128;
  const index_t sources = shape.extents[shape.rank - 2];
  const index_t used = sources < across ? sources : across;
  const index_t lines = (tile / used + line - 1) / line;
  const index_t along = (lines < 4 ? 4 : lines) * line;
  return {along <= inner ? used : tile / inner + 1, along};
}

/// How many blocks a shape has.
template <int Operands>
index_t count_blocks(const strided_layout<Operands>& shape, block_size size) {
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
  block_walk(const strided_layout<Operands>& shape, block_size size, index_t k)
      : shape_(shape), size_(size) {
    for (int r = shape_.rank - 1; r >= 0; --r) {
      const index_t blocks = (shape_.extents[r] + step(r) - 1) / step(r);
      at_[r] = (r == 0 ? k : k % blocks) * step(r);
      k /= blocks;
      for (int o = 0; o < Operands; ++o) offsets_[o] += at_[r] * shape_.strides[o][r];
    }
  }
  /// Where the block begins in an operand.
  index_t offset(int operand) const { return offsets_[operand]; }
  /// Its elements in the last dimension, and in the one before.
  index_t along() const { return within(shape_.rank - 1); }
  index_t across() const { return shape_.rank == 1 ? 1 : within(shape_.rank - 2); }
  /// To the next block.
  void advance() {
    for (int r = shape_.rank - 1; r >= 0; --r) {
      const bool carry = at_[r] + step(r) >= shape_.extents[r];
      const index_t by = carry ? -at_[r] : step(r);
      at_[r] += by;
      for (int o = 0; o < Operands; ++o) offsets_[o] += by * shape_.strides[o][r];
      if (!carry) return;
    }
  }

 private:
  index_t step(int r) const {
    return r == shape_.rank - 1 ? size_.along : r == shape_.rank - 2 ? size_.across : 1;
  }
  index_t within(int r) const {
    const index_t left = shape_.extents[r] - at_[r];
    return left < step(r) ? left : step(r);
  }

  const strided_layout<Operands>& shape_;
  block_size size_;
  index_t at_[most_dimensions] = {};
  index_t offsets_[Operands] = {};
};

}  // namespace hpk::detail
