// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the host compiler act as a GPU compiler, so that files may launch kernels: the compiler
// includes this header first. Kernels are compiled as host code. The pretend runtime only counts
// their launches and never calls them.
#pragma once

#if HPK_PRETEND_HIP
#define __HIPCC__ 1
#else
#define __CUDACC__ 1
#endif

// The standard library and GoogleTest check for a GPU compiler, so they are included before the
// macros.
#define __host__
#define __device__
#define __global__
#define __grid_constant__
#define __launch_bounds__(...)

struct pretend_index {
  unsigned x, y, z;
};
inline constexpr pretend_index blockIdx{0, 0, 0};
inline constexpr pretend_index threadIdx{0, 0, 0};
inline constexpr pretend_index blockDim{1, 1, 1};
inline constexpr pretend_index gridDim{1, 1, 1};
inline constexpr int warpSize = 32;

inline void __syncthreads() {}
inline unsigned __shfl_sync(unsigned, unsigned word, int, int) { return word; }
inline unsigned __shfl_xor_sync(unsigned, unsigned word, int) { return word; }
inline unsigned __activemask() { return 1; }
inline int __any_sync(unsigned, bool flag) { return flag; }
inline unsigned __ballot_sync(unsigned, bool flag) { return flag; }
inline void __syncwarp(unsigned = 1) {}
[[noreturn]] inline void __trap() { __builtin_trap(); }

inline int __shfl(int word, int, int) { return word; }
inline int __shfl_xor(int word, int) { return word; }
inline int __any(bool flag) { return flag; }
inline unsigned long long __ballot(bool flag) { return flag; }
void __builtin_amdgcn_fence(int, const char*);
void __builtin_amdgcn_wave_barrier();
