// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of a GPU's thread in its launch, for code that spreads threads over shared places.
#pragma once

#include <hpk/base/macros.hpp>

namespace hpk::detail {

/// Returns the number of the calling thread among all threads of the launch, on devices; 0 on
/// hosts.
HPK_INLINE_FUNCTION unsigned long long device_thread_number() {
  HPK_IF_ON_DEVICE((return static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;))
  HPK_IF_ON_HOST((return 0;))
}

}  // namespace hpk::detail
