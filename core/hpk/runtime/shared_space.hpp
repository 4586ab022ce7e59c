// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that both host code and kernels of the default space can access, with the same names for
// every default space.
#pragma once

#include <hpk/backends/backends.hpp>

namespace hpk {

namespace detail {
template <class Exec>
inline constexpr bool has_shared = requires { typename Exec::shared_memory_space; };
template <class Exec>
inline constexpr bool has_pinned = requires { typename Exec::pinned_memory_space; };
}  // namespace detail

/// Whether SharedSpace is available.
inline constexpr bool has_shared_space = detail::has_shared<DefaultExecutionSpace>;
/// Whether SharedHostPinnedSpace is available.
inline constexpr bool has_shared_host_pinned_space = detail::has_pinned<DefaultExecutionSpace>;

/// Memory that host code and kernels of DefaultExecutionSpace can access and that migrates to where
/// it is used: HostSpace, CudaUVMSpace, HIPManagedSpace or EmuManagedSpace.
using SharedSpace = DefaultExecutionSpace::shared_memory_space;
/// Host memory that kernels of DefaultExecutionSpace can access too: HostSpace,
/// CudaHostPinnedSpace, HIPHostPinnedSpace or EmuHostPinnedSpace.
using SharedHostPinnedSpace = DefaultExecutionSpace::pinned_memory_space;

}  // namespace hpk
