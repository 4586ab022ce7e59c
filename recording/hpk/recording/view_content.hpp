// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the elements of a View without its type, in the order of their indices with the last one
// fastest, whatever the layout: their hash, and their bytes. Internal to recording/ and runtime/.
#pragma once

#include <hpk/seam/inspection.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hpk::detail {

/// The elements of a View in host memory: the View's own, or a copy of those that the host can't
/// access. The memory of the View must outlive the object, and nobody may write it.
class view_content {
 public:
  explicit view_content(const seam::view_facts& view);

  /// Whether the elements can be read: the memory space is known, and bytes are their value.
  static bool is_readable(const seam::view_facts& view) noexcept;

  /// The number of elements, and of their bytes.
  index_t size() const noexcept { return size_; }
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(size_) * element_bytes_; }

  /// A number that depends on every bit of every element and on its indices (base/byte_hash.hpp),
  /// but not on the layout, the memory space or the number of workers. Padding bytes do not count
  /// if the compiler of the program can clear them. `unset`: the byte that fills uninitialised
  /// memory, or -1. Words that still consist of it count alike, whatever it is: those of 8 bytes,
  /// or of 4 where the size of elements is no multiple of 8, but one of 4. Shares long Views among
  /// the workers of the default host space.
  std::uint64_t hash(int unset) const;

  /// The bytes of the elements from number `begin` to before `end`, with padding bytes set to 0;
  /// elements that consist of `unset` keep it there, too.
  std::vector<std::byte> read(index_t begin, index_t end, int unset = -1) const;
  /// Whether such bytes, of all elements, are those of the View.
  bool has(const std::vector<std::byte>& elements) const;
  /// Sets the elements of a View from such bytes, of all elements.
  static void write(const seam::view_facts& view, const std::vector<std::byte>& elements);

 private:
  void gather(index_t begin, index_t end, std::byte* to) const;
  void gather_row(index_t begin, index_t end, std::byte* to) const;
  index_t offset_of_row(index_t row) const noexcept;
  void clear_what_does_not_count(std::byte* elements, std::size_t count, int unset) const;

  seam::view_facts view_;
  std::vector<std::byte> copy_;
  const std::byte* data_ = nullptr;
  std::size_t element_bytes_;
  index_t size_ = 1;
  bool is_in_order_ = true;  // memory holds the elements in the order of their indices
  bool is_plain_ = true;     // all bytes count
};

/// The elements of a View as the hash file names them: "f64", "f64*2", "x24".
std::string name_of_elements(const element_type& element);
/// The label of the allocation that holds a View; empty if there is none.
std::string label_of(const seam::view_facts& view);
/// The extents of a View: "3x4"; "-" for rank 0.
std::string name_of_shape(const seam::view_facts& view);

}  // namespace hpk::detail
