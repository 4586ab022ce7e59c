// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strided copies in host memory of elements that are their bytes: compiled once, for sizes of
// elements instead of types.
#pragma once

#include <hpk/view/strided_layout.hpp>

#include <cstddef>

namespace hpk::detail {

/// Copies elements of a number of bytes each over a layout, which outlives it. The source is not
/// overwritten.
class byte_copy {
 public:
  /// Changes the layout to one of bytes if nothing has the size of the elements.
  byte_copy(void* to, const void* from, strided_layout& layout, std::size_t element_bytes) noexcept;
  /// How many units there are to share.
  index_t units() const noexcept { return count_units(layout_, element_bytes_); }
  /// Copies units [begin, end).
  void run(index_t begin, index_t end) const noexcept;

 private:
  void* to_;
  const void* from_;
  const strided_layout& layout_;
  std::size_t element_bytes_;
};

}  // namespace hpk::detail
