// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strided copies of trivially copyable elements in host memory: compiled once per element size
// instead of per type.
#pragma once

#include <hpk/view/strided_layout.hpp>

#include <cstddef>

namespace hpk::detail {

/// Fills `bytes` bytes at `to`, a multiple of `element_bytes`, with copies of an element.
void fill_bytes(void* to, const void* element, std::size_t element_bytes,
                std::size_t bytes) noexcept;

/// Copies elements of a given size over a layout, which must outlive the object. The source must
/// not overlap the destination.
class byte_copy {
 public:
  /// Changes `layout` to a layout of bytes if the element size is not supported directly.
  byte_copy(void* to, const void* from, strided_layout& layout, std::size_t element_bytes) noexcept;
  /// The number of units that workers can share.
  index_t units() const noexcept { return count_units(layout_, element_bytes_); }
  std::size_t traffic() const noexcept { return layout_.traffic(element_bytes_); }
  /// Copies units [begin, end).
  void run(index_t begin, index_t end) const noexcept;

 private:
  void run_dense(index_t begin, index_t end) const noexcept;

  void* to_;
  const void* from_;
  const strided_layout& layout_;
  std::size_t element_bytes_;
};

}  // namespace hpk::detail
