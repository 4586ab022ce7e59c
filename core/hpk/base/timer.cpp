// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/timer.hpp>

#include <chrono>

namespace hpk::detail {

std::int64_t steady_nanoseconds() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace hpk::detail
