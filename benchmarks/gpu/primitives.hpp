// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB, or hipCUB if it is installed.
#pragma once

#include <vendor.hpp>

#if HPK_ENABLE_CUDA
#include <cub/cub.cuh>
#define GPU_BENCH_HAS_PRIMITIVES 1
namespace gpu_bench {
namespace primitives = cub;
}
#elif __has_include(<hipcub/hipcub.hpp>)
#include <hipcub/hipcub.hpp>
#define GPU_BENCH_HAS_PRIMITIVES 1
namespace gpu_bench {
namespace primitives = hipcub;
}
#else
#define GPU_BENCH_HAS_PRIMITIVES 0
#endif
