// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the elements of a View without knowing its type, in index order with the last index
// fastest, for any layout: as a hash or as bytes. Internal to recording/.
#pragma once

#include <hpk/seam/inspection.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hpk::detail {

/// The elements of a View in host memory: the View's own memory, or a copy if the host can't access
/// it. The memory of the View must outlive the object and must not be written meanwhile.
class view_content {
 public:
  explicit view_content(const seam::view_facts& view);

  /// Whether the elements can be read: the memory space is known, and the bytes are the whole
  /// value.
  static bool is_readable(const seam::view_facts& view) noexcept;

  /// Number of elements; their size in bytes.
  index_t size() const noexcept { return size_; }
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(size_) * element_bytes_; }

  /// Returns a hash of every bit of every element and of its indices (base/byte_hash.hpp). The hash
  /// does not depend on the layout, the memory space or the number of workers. Padding bytes are
  /// left out if the compiler of the program can clear them. `unset` is the byte that fills
  /// uninitialised memory, or -1. Words that consist only of this byte contribute the same, for any
  /// value of the byte. Words have 8 bytes, or 4 if the element size is a multiple of 4 but not of
  /// 8. The workers of the default host space hash long Views together.
  std::uint64_t hash(int unset) const;

  /// Returns the bytes of the elements with numbers [begin, end), with padding bytes set to 0.
  /// Elements that consist of `unset` bytes keep them in their padding as well.
  std::vector<std::byte> read(index_t begin, index_t end, int unset = -1) const;
  /// Whether the elements of the View have these bytes, in the order of read() for all elements.
  bool has(const std::vector<std::byte>& elements) const;
  /// Sets all elements of a View from bytes in the order of read().
  static void write(const seam::view_facts& view, const std::vector<std::byte>& elements);

 private:
  void gather(index_t begin, index_t end, std::byte* to) const;
  void gather_row(index_t begin, index_t end, std::byte* to) const;
  index_t offset_of_row(index_t row) const noexcept;
  void clear_ignored_bytes(std::byte* elements, std::size_t count, int unset) const;

  seam::view_facts view_;
  std::vector<std::byte> copy_;
  const std::byte* data_ = nullptr;
  std::size_t element_bytes_;
  index_t size_ = 1;
  bool is_in_order_ = true;  // the order in memory is the index order
  bool is_plain_ = true;     // all bytes belong to values
};

/// Returns the name of an element type in the hash file: "f64", "f64*2", "x24".
std::string name_of_elements(const element_type& element);
/// Returns the label of the allocation that holds a View; empty without an allocation.
std::string label_of(const seam::view_facts& view);
/// Returns the extents of a View: "3x4"; "-" for rank 0.
std::string name_of_shape(const seam::view_facts& view);

}  // namespace hpk::detail
