// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/detail/sort_checks.hpp>

#include <utility>

namespace hpk::detail::sorting {

static error_message& append_view(error_message& message, const view_name& view) {
  message << "View \"" << std::string_view(view.label) << "\" of " << view.size
          << (view.size == 1 ? " element" : " elements");
  return message;
}

void reject_range(std::string_view function, const view_name& view, index_t begin, index_t end,
                  const std::source_location& where) {
  error_message message;
  message << function << ": [" << begin << ", " << end << ") is not a range of ";
  append_view(message, view) << "; write 0 <= begin <= end <= " << view.size;
  hpk::raise(std::move(message), where);
}

void reject_reversed(std::string_view function, index_t by, const std::source_location& where) {
  error_message message;
  message << function << ": the last iterator is " << by
          << " before the first; write begin first, then end";
  hpk::raise(std::move(message), where);
}

void reject_lengths(std::string_view function, const view_name& keys, const view_name& values,
                    const std::source_location& where) {
  error_message message;
  message << function << ": keys and values differ in length: ";
  append_view(message, keys) << ", ";
  append_view(message, values) << "; cut both to the same range with hpk::subview";
  hpk::raise(std::move(message), where);
}

void reject_position(std::string_view function, const view_name& view, std::string_view what,
                     index_t position, const std::source_location& where) {
  error_message message;
  message << function << ": " << what << ' ' << position << " is outside of ";
  append_view(message, view) << "; write 0 <= " << what << " <= " << view.size;
  hpk::raise(std::move(message), where);
}

void reject_short_output(std::string_view function, const view_name& output, index_t needed,
                         const std::source_location& where) {
  error_message message;
  message << function << ": the output, ";
  append_view(message, output) << ", is too short for " << needed
                               << (needed == 1 ? " element" : " elements")
                               << "; allocate it as long as all inputs together";
  hpk::raise(std::move(message), where);
}

void reject_small_places(const view_name& places, const std::source_location& where) {
  error_message message;
  message << "hpk::argsort: the integers of the permutation, ";
  append_view(message, places) << ", are too small for its indices; write a View of hpk::index_t";
  hpk::raise(std::move(message), where);
}

void reject_offsets(const view_name& values, index_t segment, index_t begin, index_t end,
                    const std::source_location& where) {
  error_message message;
  message << "hpk::segmented_sort: segment " << segment << " is [" << begin << ", " << end
          << "), which is not a range of ";
  append_view(message, values) << "; write offsets that do not decrease, from 0 to " << values.size;
  hpk::raise(std::move(message), where);
}

}  // namespace hpk::detail::sorting
