// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches cache lines from other CPUs before they are needed. Reading: HPK_PREFETCH.
#pragma once

#include <cstddef>

namespace hpk::detail {

/// Fetches the cache lines of memory that is about to be written, all at once, so that stores need
/// not wait for them one after another. Does nothing for more than 4 KiB, which would push out what
/// a kernel reads. Changes no byte. Any thread of a host.
void fetch_for_stores(const void* memory, std::size_t bytes) noexcept;

}  // namespace hpk::detail
