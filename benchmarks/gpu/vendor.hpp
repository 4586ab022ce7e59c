// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that differ between vendors: the space, the runtime's calls, and the library of primitives
// if it is installed.
#pragma once

#include <hpk/core.hpp>

#if HPK_ENABLE_CUDA
#include <cuda_runtime.h>
#define GPU(name) cuda##name
#else
#include <hip/hip_runtime.h>
#define GPU(name) hip##name
#endif

namespace gpu_bench {

#if HPK_ENABLE_CUDA
using space = hpk::Cuda;
inline constexpr const char* primitives_name = "CUB";
template <class T>
__device__ T shuffle_down(T value, int by, int width) {
  return __shfl_down_sync(~0u, value, by, width);
}
#else
using space = hpk::HIP;
inline constexpr const char* primitives_name = "hipCUB";
template <class T>
__device__ T shuffle_down(T value, int by, int width) {
  return __shfl_down(value, by, width);
}
#endif

}  // namespace gpu_bench
