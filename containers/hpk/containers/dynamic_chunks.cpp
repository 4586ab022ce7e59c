// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/dynamic_chunks.hpp>

namespace hpk::detail {

namespace {
// 2^60: the bytes of such sizes fit into 64 bits for elements of up to 8 bytes. For larger elements
// the allocation fails.
constexpr int most_bits = 60;

error_message begin(std::string_view label) {
  error_message message;
  message << "hpk::DynamicView \"" << label << "\": ";
  return message;
}

void check_most(std::string_view label, std::size_t most) {
  if (most <= std::size_t{1} << most_bits) return;
  error_message message = begin(label);
  message << "a largest size of " << most << " is more than 2^60; write one that memory can hold";
  hpk::raise(std::move(message));
}
}  // namespace

chunk_bits chunk_shift(std::string_view label, std::size_t least, std::size_t most) {
  check_most(label, most);
  int shift = 0;
  while (shift <= most_bits && std::size_t{1} << shift < least) ++shift;
  if (shift <= most_bits) return {shift};
  error_message message = begin(label);
  message << "chunks of " << least << " elements are more than 2^60; write a smaller size";
  hpk::raise(std::move(message));
}

chunk_bits exact_chunk_shift(std::string_view label, std::size_t size, std::size_t most) {
  if (size != 0 && (size & (size - 1)) == 0) return chunk_shift(label, size, most);
  error_message message = begin(label);
  message << "chunk size " << size << " is not a power of two; write ";
  if (size != 0 && size <= std::size_t{1} << most_bits) {
    const std::size_t above = std::size_t{1} << chunk_shift(label, size, most).shift;
    message << above / 2 << " or " << above;
  } else {
    message << "1, 2, 4, ...";
  }
  message << ", or a number in place of exact_chunk, which is rounded up";
  hpk::raise(std::move(message));
}

void reject_dynamic_size(std::string_view label, std::size_t asked, std::size_t most,
                         const std::source_location& where) {
  error_message message = begin(label);
  message << "resize_serial to " << asked << " elements, but the largest size is " << most
          << "; construct the DynamicView with a larger one";
  hpk::raise(std::move(message), where);
}

void reject_dynamic_access(std::string_view label_of_table, index_t index, index_t size,
                           bool no_surplus, const call_place& place) {
  if (label_of_table.ends_with(table_suffix)) label_of_table.remove_suffix(table_suffix.size());
  error_message message = begin(label_of_table);
  message << "index " << index;
  if (no_surplus)
    message << " is outside of the size " << size << "; resize_serial makes it larger";
  else
    message << " is followed by an index that is not 0; write one index";
  add_call_place(message, place);
  hpk::raise(std::move(message));
}

}  // namespace hpk::detail
