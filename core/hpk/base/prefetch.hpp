// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches cache lines from other CPUs before they are needed. For reads, see HPK_PREFETCH.
#pragma once

#include <cstddef>

namespace hpk::detail {

/// Prefetches all cache lines of memory that is about to be written, so that stores do not wait for
/// each line in turn. Does nothing for more than 4 KiB, which would evict the data that a kernel
/// reads. Does not modify the memory. Any host thread.
void fetch_for_stores(const void* memory, std::size_t bytes) noexcept;

}  // namespace hpk::detail
