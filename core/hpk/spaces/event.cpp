// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/spaces/event.hpp>

#include <hpk/seam/launch.hpp>

namespace hpk {

bool Event::ready() const { return point_ == nullptr || point_->ready(); }

void Event::wait(std::string_view name) const {
  seam::expect_outside_kernel(name);
  if (point_ != nullptr) point_->wait();
}

}  // namespace hpk
