// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills in host memory of elements that are their bytes: compiled once, for sizes of
// elements instead of types.
#pragma once

#include <hpk/view/strided_layout.hpp>

#include <cstddef>

namespace hpk::detail {

/// Copies elements of some bytes each over a shape; the two do not overlap.
class copy_words {
 public:
  copy_words(void* to, const void* from, const strided_layout<2>& shape, std::size_t size) noexcept;
  const strided_layout<2>& shape() const noexcept { return shape_; }
  /// How many blocks there are.
  index_t blocks() const noexcept { return count_blocks(shape_, choose_blocks(shape_, size_)); }
  /// Blocks [begin, end).
  void run(index_t begin, index_t end) const noexcept;

 private:
  void* to_;
  const void* from_;
  strided_layout<2> shape_;
  std::size_t size_;
};

/// Sets elements of `size` bytes over a shape to those at `value`, which is not among them.
struct fill_words {
  void* to;
  const void* value;
  strided_layout<1> shape;
  std::size_t size;
  /// How many blocks there are.
  index_t blocks() const noexcept { return count_blocks(shape, choose_blocks(shape, size)); }
  /// Blocks [begin, end).
  void run(index_t begin, index_t end) const noexcept;
};

/// The same for elements without gaps.
struct fill_run {
  void* to;
  const void* value;
  std::size_t size;
  /// Elements [begin, end).
  void run(index_t begin, index_t end) const noexcept;
};

}  // namespace hpk::detail
