// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/parallel/dispatch.hpp>

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

void reject_null_result(const seam::launch_info& info) {
  text message = about(info);
  message << "the result View is not allocated; construct it with a label";
  raise(message.str(), info.where);
}

}  // namespace hpk::detail
