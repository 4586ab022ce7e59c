// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/parallel/inline_launch.hpp>

#include <algorithm>

namespace hpk::detail {

void launch_memory::learn_share(index_t share, std::int64_t nanoseconds,
                                std::int64_t worth) noexcept {
  const index_t fits = share * worth / std::max<std::int64_t>(nanoseconds, 1);
  if (fits < share) untimed_.store(15, memory_order::relaxed);
  const index_t now = limit_.load(memory_order::relaxed);
  if (now < 0) {
    if (fits >= share) limit_.store(now + 1, memory_order::relaxed);
  } else {
    limit_.store(std::min(fits, 2 * now + 1), memory_order::relaxed);
  }
}

void launch_memory::learn_mistake() noexcept {
  const index_t penalty = std::min<index_t>(2 * penalty_.load(memory_order::relaxed) + 8, 64);
  penalty_.store(penalty, memory_order::relaxed);
  limit_.store(-penalty, memory_order::relaxed);
}

}  // namespace hpk::detail
