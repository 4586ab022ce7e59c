// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that both host code and kernels of the default space can access, with the same names for
// every default space.
#pragma once

#include <hpk/backends/backends.hpp>

namespace hpk {

/// Whether SharedSpace is available.
inline constexpr bool has_shared_space = seam::has_shared_memory<DefaultExecutionSpace>;
/// Whether SharedHostPinnedSpace is available.
inline constexpr bool has_shared_host_pinned_space = seam::has_pinned_memory<DefaultExecutionSpace>;

/// Memory that host code and kernels of DefaultExecutionSpace can access and that migrates to the
/// accessing side: HostSpace, CudaUVMSpace, HIPManagedSpace or EmuManagedSpace.
using SharedSpace = DefaultExecutionSpace::shared_memory_space;
/// Host memory that kernels of DefaultExecutionSpace can access too: HostSpace,
/// CudaHostPinnedSpace, HIPHostPinnedSpace or EmuHostPinnedSpace.
using SharedHostPinnedSpace = DefaultExecutionSpace::pinned_memory_space;

}  // namespace hpk
