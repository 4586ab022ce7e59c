// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/error.hpp>

#include <hpk/seam/launch.hpp>

namespace hpk {

void raise(error_message message, const std::source_location& where) {
  const seam::launch_info* inner = seam::load_launch();
  if (inner == nullptr) inner = seam::load_task();
  if (inner == nullptr) detail::raise(message.str(), where);
  message << ", in " << inner->pattern;
  if (!inner->label.empty()) message << " \"" << inner->label << '"';
  detail::raise(message.str(), inner->where);
}

}  // namespace hpk
