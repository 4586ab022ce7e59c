// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/error.hpp>

#include <hpk/seam/launch.hpp>

namespace hpk {

void raise(error_message message, const std::source_location& where) {
  if (!seam::inside_kernel()) detail::raise(message.str(), where);
  const seam::launch_info& kernel = *seam::current_launch;
  message << ", in " << kernel.pattern;
  if (!kernel.label.empty()) message << " \"" << kernel.label << '"';
  detail::raise(message.str(), kernel.where);
}

}  // namespace hpk
