// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/offset_range.hpp>

#include <utility>

namespace hpk::detail {

namespace {

// Sets `extent` to the number of indices in [begin, end). Returns false if it is negative or does
// not fit into int64.
bool count(std::int64_t begin, std::int64_t end, std::size_t& extent) {
  std::int64_t difference = 0;
  if (end < begin || __builtin_sub_overflow(end, begin, &difference)) return false;
  extent = static_cast<std::size_t>(difference);
  return true;
}

void list(error_message& message, int count, const std::int64_t* values) {
  for (int r = 0; r < count; ++r) message << (r == 0 ? "" : ", ") << values[r];
}

[[noreturn]] void reject_range(std::string_view label, int dimension, std::int64_t first,
                               std::int64_t last, bool inclusive,
                               const std::source_location& where) {
  error_message message;
  message << "hpk::OffsetView \"" << label << "\": dimension " << dimension << " is "
          << (inclusive ? "{" : "[") << first << ", " << last << (inclusive ? "}" : ")");
  if (inclusive)
    message << ", which includes the last index and must not end before " << first
            << " - 1, nor have more indices than 63 bits count; write hpk::half_open_range(begin, "
               "end) for an end that is not included";
  else
    message << ", where the end is not included and must not be below the begin, nor be further "
               "away than 63 bits count";
  hpk::raise(std::move(message), where);
}

}  // namespace

offset_shape shape_of_ranges(const std::string& label, int rank, const offset_range (&ranges)[8],
                             const std::source_location& where) {
  int given = 0;
  while (given != 8 && !ranges[given].is_absent()) ++given;
  if (given != rank) {
    error_message message;
    message << "hpk::OffsetView \"" << label << "\": " << given
            << " ranges were given for the rank " << rank
            << "; write one {first, last} for each dimension";
    hpk::raise(std::move(message), where);
  }
  offset_shape shape;
  for (int r = 0; r != rank; ++r) {
    const bool inclusive = !ranges[r].is_half_open();
    std::int64_t end = ranges[r].last();
    const bool ends = !inclusive || !__builtin_add_overflow(end, 1, &end);
    if (!ends || !count(ranges[r].first(), end, shape.extents[r]))
      reject_range(label, r, ranges[r].first(), ranges[r].last(), inclusive, where);
    shape.begins[r] = ranges[r].first();
  }
  return shape;
}

offset_shape shape_of_bounds(int rank, const std::int64_t* begins, const std::int64_t* ends,
                             const std::source_location& where) {
  offset_shape shape;
  for (int r = 0; r != rank; ++r) {
    if (!count(begins[r], ends[r], shape.extents[r]))
      reject_range("wrapped memory", r, begins[r], ends[r], false, where);
    shape.begins[r] = begins[r];
  }
  return shape;
}

void reject_offset_count(const char* what, std::size_t given, int rank) {
  error_message message;
  message << "hpk::OffsetView: " << given << ' ' << what << " were given for the rank " << rank
          << "; write one for each dimension";
  hpk::raise(std::move(message));
}

void reject_offset_index(const std::string& label, int rank, const std::int64_t* index,
                         const std::int64_t* begins, const std::int64_t* ends,
                         const call_place& place) {
  error_message message;
  message << "hpk::OffsetView \"" << label << "\": index (";
  list(message, rank, index);
  message << ") is outside of the indices from (";
  list(message, rank, begins);
  message << ") to (";
  list(message, rank, ends);
  message << "), ends not included";
  add_call_place(message, place);
  hpk::raise(std::move(message));
}

void reject_offset_slice(const std::string& label, int dimension, std::int64_t first,
                         std::int64_t end, std::int64_t dimension_begin,
                         std::int64_t dimension_end) {
  error_message message;
  message << "hpk::subview: slice " << dimension << " of OffsetView \"" << label << "\" is ["
          << first << ", " << end << "), outside of the indices [" << dimension_begin << ", "
          << dimension_end << ") of that dimension";
  hpk::raise(std::move(message));
}

}  // namespace hpk::detail
