// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/parallel/patterns/block_scan.hpp>

#include <thread>

namespace hpk::detail {

void wait_for_part(unsigned round) noexcept {
  // Folding a part takes microseconds, unless its thread was preempted.
  constexpr unsigned quick = 2000;
  if (round >= quick) std::this_thread::yield();
}

}  // namespace hpk::detail
