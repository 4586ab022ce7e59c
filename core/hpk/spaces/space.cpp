// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/spaces/space.hpp>
#include <hpk/tools/callbacks.hpp>
#include <hpk/tools/started_backends.hpp>

namespace hpk {

namespace {
HPK_NOINLINE void reject_fence(std::string_view name) {
  seam::expect_outside_kernel(detail::name_of_fence(name, {}));
}
}  // namespace

void fence(std::string_view name) {
  if (seam::inside_queue()) [[unlikely]]
    reject_fence(name);
  seam::fence_all_backends(name);
}

}  // namespace hpk
