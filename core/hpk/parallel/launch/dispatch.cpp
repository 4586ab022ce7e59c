// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/parallel/launch/dispatch.hpp>

namespace hpk::detail {

namespace {
text about(const seam::launch_info& info) {
  text message;
  message << "hpk::" << info.pattern;
  if (!info.label.empty()) message << " \"" << info.label << '"';
  message << ": ";
  return message;
}
}  // namespace

void reject_index_range(const seam::launch_info& info, number begin, number end, number highest) {
  text message = about(info);
  message << "the range [" << begin << ", " << end
          << ") does not fit the kernel's index type, which "
          << "ends at " << highest << "; let the kernel take hpk::index_t";
  raise(message.str(), info.where);
}

void reject_iteration_count(const seam::launch_info& info) {
  text message = about(info);
  message << "the range has more iterations than a signed 64-bit integer counts";
  raise(message.str(), info.where);
}

index_t count_values(index_t parts, index_t each, std::size_t bytes,
                     const seam::launch_info& info) {
  index_t count = 0;
  index_t all = 0;
  if (!__builtin_mul_overflow(parts, each, &count) && !__builtin_mul_overflow(count, bytes, &all))
    return count;
  text message = about(info);
  message << parts << " times " << each << " values of " << bytes
          << " bytes exceed the address space; check the functor's value_count";
  raise(message.str(), info.where);
}

void reject_value_memory(index_t parts, index_t each, std::size_t bytes,
                         const seam::launch_info& info) {
  text message = about(info);
  message << "no memory is left for " << parts << " times " << each << " partial values of "
          << bytes << " bytes";
  raise_bad_alloc(message.str(), info.where);
}

void reject_null_result(const seam::launch_info& info, bool is_pointer) {
  text message = about(info);
  message << (is_pointer ? "the result is a null pointer; pass the address of a variable"
                         : "the result View is not allocated; construct it with a label");
  raise(message.str(), info.where);
}

void reject_result_length(const seam::launch_info& info, index_t length, index_t value_count) {
  text message = about(info);
  if (value_count < 0) {
    message << "the functor's value_count is " << value_count << "; it is the length of an array";
  } else {
    message << "the result has " << length << " elements, but the functor's value_count is "
            << value_count << "; make them equal";
  }
  raise(message.str(), info.where);
}

}  // namespace hpk::detail
