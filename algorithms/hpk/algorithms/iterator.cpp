// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/iterator.hpp>

namespace hpk::detail::algorithms {

static error_message& append_view(error_message& message, view_record record) {
  if (record == nullptr) return message << "a View without a label";
  return message << "View \"" << std::string_view(record->label) << '"';
}

void reject_iterator(view_record record, index_t index, index_t size) {
  error_message message;
  append_view(message << "hpk: an iterator over ", record)
      << " accesses element " << index << " of " << size
      << "; stay between begin(view) and end(view)";
  hpk::raise(std::move(message));
}

void reject_iterators_of_two(view_record a, view_record b) {
  error_message message;
  append_view(
      append_view(message << "hpk: an expression has iterators of two Views, ", a) << " and ", b)
      << "; compare iterators of one View or its subviews, of one stride";
  hpk::raise(std::move(message));
}

}  // namespace hpk::detail::algorithms
