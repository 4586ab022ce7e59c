// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuda: NVIDIA GPUs. Contains what is specific to CUDA; gpu/ has the common code.
#pragma once

#include <hpk/backends/gpu/memory.hpp>
#include <hpk/backends/gpu/vendor.hpp>
#include <hpk/seam/settings.hpp>
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

/// The CUDA-specific functions that gpu::vendor requires.
struct spelling {
  static constexpr const char* name = "Cuda";
  static constexpr gpu_vendor manufacturer = gpu_vendor::nvidia;
  using graph_type = CUgraph_st*;
  using executable_type = CUgraphExec_st*;
  static constexpr bool compiled_here = HPK_HAS_CUDA_COMPILER != 0;
  static constexpr seam::backend_option async_malloc = {
      "cuda-async-malloc",
      "bool",
      "take device memory of Cuda from a stream-ordered pool, not from cudaMalloc",
      "true or false",
      0,
      [](std::int64_t v) { return v == 0 || v == 1; }};
  static constexpr seam::backend_option order_null_stream = {
      "cuda-order-null-stream", "bool", "order the default instance of Cuda with the null stream",
      "true or false",          1,      [](std::int64_t v) { return v == 0 || v == 1; }};
#if HPK_HAS_CUDA_COMPILER
  // All GPUs of NVIDIA have 32. A constant avoids divisions.
  static constexpr __device__ int subgroup() { return 32; }
  // A constant mask needs no instructions that compare the masks of lanes. It may name lanes that
  // the block does not have or that have ended.
  static constexpr unsigned warp = 0xffff'ffff;
  static __device__ unsigned mask(int first, int lanes) {
    return (lanes >= 32 ? warp : (1u << lanes) - 1u) << (first & 31);
  }
  // If one lane sees all others in the same instruction, every lane does.
  static __device__ bool is_whole() { return __activemask() == warp; }
  static constexpr bool has_masks = true;
  static __device__ unsigned shuffle_word(unsigned word, int from, int width) {
    return __shfl_sync(warp, word, from, width);
  }
  static __device__ unsigned shuffle_word(unsigned word, int from, int width, int first) {
    return __shfl_sync(mask(first, width), word, from, width);
  }
  static __device__ unsigned shuffle_xor_word(unsigned word, int by) {
    return __shfl_xor_sync(warp, word, by);
  }
  static __device__ bool any(bool flag) { return __any_sync(warp, flag) != 0; }
  static __device__ std::uint64_t ballot(bool flag) { return __ballot_sync(warp, flag); }
  static __device__ void sync() { __syncwarp(); }
  static __device__ void sync(int first, int width) { __syncwarp(mask(first, width)); }
#endif
};
using runtime = gpu::vendor<spelling>;

}  // namespace hpk::cuda

namespace hpk::gpu {
extern template class vendor<cuda::spelling>;
}

namespace hpk {

class Cuda;

/// Memory of an NVIDIA GPU, accessible to kernels of Cuda and to copies, not to host code.
struct CudaSpace : seam::memory_space_base<CudaSpace, Cuda> {
  /// "Cuda"
  static constexpr const char* name() noexcept { return "Cuda"; }
};
/// Managed memory, which moves between host and GPU on access; fence in between. Its Views convert
/// to Views of CudaSpace.
struct CudaUVMSpace : seam::memory_space_base<CudaUVMSpace, Cuda> {
  /// "CudaUVM"
  static constexpr const char* name() noexcept { return "CudaUVM"; }
};
/// Pinned host memory, which kernels of Cuda can also access; fence in between. Its Views convert
/// to Views of HostSpace.
struct CudaHostPinnedSpace
    : seam::memory_space_base<CudaHostPinnedSpace, DefaultHostExecutionSpace> {
  /// "CudaHostPinned"
  static constexpr const char* name() noexcept { return "CudaHostPinned"; }
};

/// Runs kernels on an NVIDIA GPU. An instance is a CUDA stream; launches are asynchronous, in
/// stream order. Launching requires a file compiled by nvcc (hpk_language in CMake); everything
/// else does not.
class Cuda : public seam::space_base<Cuda, CudaSpace, LayoutLeft> {
 public:
  using shared_memory_space = CudaUVMSpace;         ///< accessible to host code and kernels
  using pinned_memory_space = CudaHostPinnedSpace;  ///< host memory, accessible to kernels
  /// The default instance, on the device that the settings choose.
  Cuda() = default;
  /// An instance with its own stream.
  explicit Cuda(NewInstance what);
  /// An instance that uses the program's cudaStream_t, which must outlive it.
  explicit Cuda(CUstream_st* stream);
  /// "Cuda"
  static constexpr const char* name() noexcept { return "Cuda"; }
  /// The stream of this instance.
  CUstream_st* cuda_stream() const;
  /// The device number of this instance.
  int cuda_device() const;
};

namespace gpu {
extern template class vendor_machine<cuda::runtime, Cuda>;
}

namespace classes {
/// The members that nodes of a Graph<Cuda> have for programs written for Kokkos.
template <class Node>
struct cuda_capture_names {
  /// GraphNodeRef::capture().
  template <class F>
  auto cuda_capture(const Cuda&, F&& callable,
                    const std::source_location& where = std::source_location::current()) const {
    return static_cast<const Node&>(*this).capture(std::forward<F>(callable), where);
  }
};
/// The members that a Graph<Cuda> has for programs written for Kokkos.
template <class Graph>
struct cuda_graph_names {
  /// Graph::native_graph() and Graph::native_graph_exec().
  ///@{
  auto cuda_graph() const { return static_cast<const Graph&>(*this).native_graph(); }
  auto cuda_graph_exec() const { return static_cast<const Graph&>(*this).native_graph_exec(); }
  ///@}
};
}  // namespace classes

namespace seam {

/// The machine of Cuda.
template <>
class machine<Cuda> : public gpu::vendor_machine<cuda::runtime, Cuda> {
 public:
  using gpu::vendor_machine<cuda::runtime, Cuda>::vendor_machine;
  static constexpr backend_option options[] = {cuda::spelling::async_malloc,
                                               cuda::spelling::order_null_stream};
  template <class Node>
  using capture_names = classes::cuda_capture_names<Node>;
  template <class Graph>
  using graph_names = classes::cuda_graph_names<Graph>;
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
