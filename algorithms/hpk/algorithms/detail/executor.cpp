// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/detail/executor.hpp>

namespace hpk::detail::algorithms {

namespace {

// Begins a message with the name of the algorithm, and the label if the program passed one.
error_message begin_message(const algorithm_call& call) {
  error_message message;
  message << call.name;
  if (!call.label.empty() && call.label != call.name) message << " \"" << call.label << '"';
  message << ": ";
  return message;
}
error_message& append_view(error_message& message, view_record record) {
  if (record == nullptr) return message << "memory without a label";
  return message << "View \"" << std::string_view(record->label) << '"';
}

}  // namespace

void reject_two_views(const algorithm_call& call, view_record a, view_record b) {
  error_message message = begin_message(call);
  append_view(append_view(message << "the range begins in ", a) << " and ends in ", b)
      << "; both iterators must be of one View or its subviews";
  hpk::raise(std::move(message), call.where);
}

void reject_reversed_range(const algorithm_call& call, view_record record, index_t count) {
  error_message message = begin_message(call);
  append_view(message << "the range in ", record)
      << " ends " << -count << " elements before it begins; write the lower iterator first";
  hpk::raise(std::move(message), call.where);
}

void reject_range_beyond(const algorithm_call& call, view_record record, index_t begin, index_t end,
                         index_t size) {
  error_message message = begin_message(call);
  append_view(message << "the range [" << begin << ", " << end << ") leaves ", record)
      << ", which has " << size << " elements; stay between begin(view) and end(view)";
  hpk::raise(std::move(message), call.where);
}

void reject_short_range(const algorithm_call& call, view_record record, index_t available,
                        index_t count, bool counted) {
  error_message message = begin_message(call);
  append_view(message << count << " elements are "
                      << (counted ? "asked for, but only " : "needed, but only ") << available
                      << " are left in ",
              record)
      << (counted ? "; write a smaller count" : "; give it a View that is large enough");
  hpk::raise(std::move(message), call.where);
}

void reject_overlap(const algorithm_call& call, view_record a, view_record b, bool in_place) {
  error_message message = begin_message(call);
  append_view(append_view(message << "the output in ", b) << " overlaps the input in ", a)
      << (in_place ? "; write to the same elements, or only to other elements"
                   : "; write to other elements, because elements are read and written at the same "
                     "time");
  hpk::raise(std::move(message), call.where);
}

void reject_split(const algorithm_call& call, view_record record, index_t n, index_t count) {
  error_message message = begin_message(call);
  append_view(message << "the middle, element " << n << ", is outside of the range "
                      << "of " << count << " elements in ",
              record)
      << "; write one from 0 to " << count;
  hpk::raise(std::move(message), call.where);
}

void reject_negative(const algorithm_call& call, index_t n) {
  error_message message = begin_message(call);
  message << "the distance is " << n << "; write 0 or more, or shift in the other direction";
  hpk::raise(std::move(message), call.where);
}

}  // namespace hpk::detail::algorithms
