// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/gpu/machine.hpp>

#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>

namespace hpk::gpu {

namespace {
[[noreturn]] void reject(const seam::launch_info& info, std::string_view what, std::size_t asked,
                         std::size_t most) {
  detail::text message;
  message << "hpk::" << info.pattern;
  if (!info.label.empty()) message << " \"" << info.label << '"';
  message << ": a group asks for " << asked << ' ' << what << ", but may have at most " << most;
  detail::raise(message.str(), info.where);
}
}  // namespace

void reject_in_kernel(std::string_view pattern) {
  seam::expect_outside_kernel((detail::text() << "hpk::" << pattern).str());
  detail::raise("hpk: called inside a kernel");
}

void check_shape(const seam::shape& shape, const seam::machine_properties& limits,
                 const seam::launch_info& info) {
  if (shape.lanes < 1 || shape.lanes > limits.largest_lanes) {
    reject(info, "lanes", static_cast<std::size_t>(shape.lanes < 0 ? 0 : shape.lanes),
           static_cast<std::size_t>(limits.largest_lanes));
  }
  for (int level = 0; level < 2; ++level) {
    if (shape.scratch[level] > limits.scratch_bytes[level]) {
      reject(info, level == 0 ? "bytes of scratch of level 0" : "bytes of scratch of level 1",
             shape.scratch[level], limits.scratch_bytes[level]);
    }
  }
}

}  // namespace hpk::gpu
