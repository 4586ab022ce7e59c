// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/parallel/kernel/walk.hpp>

namespace hpk::detail {

index_range find_worker_chunk(index_t n, index_t rank, index_t parts, index_t chunk,
                              index_t margin) noexcept {
  return worker_chunk(n, rank, parts, chunk, margin);
}

}  // namespace hpk::detail
