// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/gpu/memory.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/memory/allocation.hpp>

namespace hpk::gpu {

void reject_host_access(const seam::element_access& access) {
  detail::text message;
  message << "hpk::View ";
  if (access.record != nullptr) {
    message << '"' << access.record->label << "\" in " << access.record->space << "Space";
  } else {
    message << "(wrapped memory) on a device";
  }
  message << ": host code accesses element (";
  for (int r = 0; r < access.rank; ++r) message << (r == 0 ? "" : ", ") << access.index[r];
  message << "); read it on the host through hpk::create_mirror_view and hpk::deep_copy, or in a "
             "kernel";
  detail::raise(message.str());
}

}  // namespace hpk::gpu
