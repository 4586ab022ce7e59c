// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuda: GPUs of NVIDIA. What is spelled here is what they spell in their own way; the rest is
// gpu/.
#pragma once

#include <hpk/backends/gpu/memory.hpp>
#include <hpk/backends/gpu/vendor.hpp>
#include <hpk/spaces/instance.hpp>

#include <source_location>
#include <utility>

#if HPK_HAS_CUDA_COMPILER
#include <hpk/backends/gpu/kernel.hpp>
#endif

struct CUstream_st;
struct CUgraph_st;
struct CUgraphExec_st;

namespace hpk::cuda {

/// How CUDA spells what gpu::vendor leaves open.
struct spelling {
  static constexpr const char* name = "Cuda";
  using graph_type = CUgraph_st*;
  using executable_type = CUgraphExec_st*;
  static constexpr bool compiled_here = HPK_HAS_CUDA_COMPILER != 0;
#if HPK_HAS_CUDA_COMPILER
  static __device__ int subgroup() { return warpSize; }
  static __device__ unsigned mask(int lanes) {
    return lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1u;
  }
  static __device__ unsigned mask(int first, int lanes) { return mask(lanes) << (first % 32); }
  static __device__ unsigned shuffle_word(unsigned word, int from, int width, int first,
                                          int lanes) {
    return __shfl_sync(mask(first, lanes), word, from, width);
  }
  static __device__ bool any(bool flag, int lanes) { return __any_sync(mask(lanes), flag) != 0; }
  static __device__ std::uint64_t ballot(bool flag, int lanes) {
    return __ballot_sync(mask(lanes), flag);
  }
  static __device__ void sync(int first, int lanes) { __syncwarp(mask(first, lanes)); }
#endif
};
using runtime = gpu::vendor<spelling>;

}  // namespace hpk::cuda

namespace hpk::gpu {
extern template class vendor<cuda::spelling>;
}

namespace hpk {

class Cuda;

/// Memory of an NVIDIA GPU: kernels of Cuda and copies reach it; host code must not.
struct CudaSpace : seam::memory_space_base<CudaSpace, Cuda> {
  /// "Cuda"
  static constexpr const char* name() noexcept { return "Cuda"; }
};
/// Memory that moves between host and GPU as they touch it; fence in between. Its Views become
/// Views of CudaSpace.
struct CudaUVMSpace : seam::memory_space_base<CudaUVMSpace, Cuda> {
  /// "CudaUVM"
  static constexpr const char* name() noexcept { return "CudaUVM"; }
};
/// Host memory that kernels of Cuda reach too; fence in between. Its Views become Views of
/// HostSpace.
struct CudaHostPinnedSpace
    : seam::memory_space_base<CudaHostPinnedSpace, DefaultHostExecutionSpace> {
  /// "CudaHostPinned"
  static constexpr const char* name() noexcept { return "CudaHostPinned"; }
};

/// Runs kernels on a GPU of NVIDIA. Launches return early, in the order of their instance: a CUDA
/// stream. Launching needs a file that nvcc compiles (hpk_language in CMake); all else does not.
class Cuda : public seam::space_base<Cuda, CudaSpace, LayoutLeft> {
 public:
  using shared_memory_space = CudaUVMSpace;         ///< memory that host code and kernels reach
  using pinned_memory_space = CudaHostPinnedSpace;  ///< memory of the host that kernels reach too
  /// The default instance, on the device that the settings choose.
  Cuda() = default;
  /// An instance with a stream of its own, as `what` asks for.
  explicit Cuda(NewInstance what);
  /// An instance over a stream of the program, a cudaStream_t, which must outlive it.
  explicit Cuda(CUstream_st* stream);
  /// "Cuda"
  static constexpr const char* name() noexcept { return "Cuda"; }
  /// The stream of this instance.
  CUstream_st* cuda_stream() const;
  /// The number of its device.
  int cuda_device() const;
};

namespace gpu {
extern template class vendor_machine<cuda::runtime, Cuda>;
}

namespace seam {

/// The machine of Cuda.
template <>
class machine<Cuda> : public gpu::vendor_machine<cuda::runtime, Cuda> {
 public:
  using gpu::vendor_machine<cuda::runtime, Cuda>::vendor_machine;
  /// The name of capture() in Kokkos.
  template <class Node>
  struct capture_names {
    template <class F>
    auto cuda_capture(const Cuda&, F&& callable,
                      const std::source_location& where = std::source_location::current()) const {
      return static_cast<const Node&>(*this).capture(std::forward<F>(callable), where);
    }
  };
  static constexpr std::uint32_t tool_id() noexcept { return 2u << 24; }
};
/// Device memory of Cuda.
template <>
class memory<CudaSpace> : public gpu::vendor_memory<cuda::runtime, Cuda, gpu::memory_kind::device> {
};
/// Managed memory of Cuda.
template <>
class memory<CudaUVMSpace>
    : public gpu::vendor_memory<cuda::runtime, Cuda, gpu::memory_kind::managed> {};
/// Pinned memory of Cuda.
template <>
class memory<CudaHostPinnedSpace>
    : public gpu::vendor_memory<cuda::runtime, Cuda, gpu::memory_kind::pinned> {};

}  // namespace seam
}  // namespace hpk
