// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP: AMD GPUs. Contains what is specific to HIP; gpu/ has the common code.
#pragma once

#include <hpk/backends/gpu/memory.hpp>
#include <hpk/backends/gpu/vendor.hpp>
#include <hpk/seam/settings.hpp>
#include <hpk/spaces/instance.hpp>

#include <source_location>
#include <utility>

#if HPK_HAS_HIP_COMPILER
// At the kernel clang warns of loops in the body that it can't unroll because of a barrier or
// shuffle.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#include <hpk/backends/gpu/kernel.hpp>
#pragma clang diagnostic pop
#endif

struct ihipStream_t;
struct ihipGraph;
struct hipGraphExec;

namespace hpk::hip {

/// The HIP-specific functions that gpu::vendor requires.
struct spelling {
  static constexpr const char* name = "HIP";
  static constexpr gpu_vendor manufacturer = gpu_vendor::amd;
  using graph_type = ihipGraph*;
  using executable_type = hipGraphExec*;
  static constexpr bool compiled_here = HPK_HAS_HIP_COMPILER != 0;
  static constexpr seam::backend_option async_malloc = {
      "hip-async-malloc",
      "bool",
      "take device memory of HIP from a stream-ordered pool, not from hipMalloc",
      "true or false",
      0,
      [](std::int64_t v) { return v == 0 || v == 1; }};
  static constexpr seam::backend_option order_null_stream = {
      "hip-order-null-stream", "bool", "order the default instance of HIP with the null stream",
      "true or false",         1,      [](std::int64_t v) { return v == 0 || v == 1; }};
#if HPK_HAS_HIP_COMPILER
  // 64 or 32 lanes, depending on the architecture.
  static __device__ int subgroup() { return warpSize; }
  // Whether all lanes exist; the lanes of a wavefront run in lockstep.
  static __device__ bool is_whole() {
    return static_cast<int>(blockDim.x) - static_cast<int>(threadIdx.x & ~(warpSize - 1u)) >=
           subgroup();
  }
  static constexpr bool has_masks = false;
  static __device__ unsigned shuffle_word(unsigned word, int from, int width, int /*first*/ = 0) {
    return static_cast<unsigned>(__shfl(static_cast<int>(word), from, width));
  }
  static __device__ unsigned shuffle_xor_word(unsigned word, int by) {
    return static_cast<unsigned>(__shfl_xor(static_cast<int>(word), by));
  }
  static __device__ bool any(bool flag) { return __any(flag) != 0; }
  static __device__ std::uint64_t ballot(bool flag) { return __ballot(flag); }
  // Lanes run in lockstep; only the compiler and the memory need to be synchronised.
  static __device__ void sync(int /*first*/ = 0, int /*width*/ = 0) {
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  }
#endif
};
using runtime = gpu::vendor<spelling>;

}  // namespace hpk::hip

namespace hpk::gpu {
extern template class vendor<hip::spelling>;
}

namespace hpk {

class HIP;

/// Memory of an AMD GPU, accessible to kernels of HIP and to copies, not to host code.
struct HIPSpace : seam::memory_space_base<HIPSpace, HIP> {
  /// "HIP"
  static constexpr const char* name() noexcept { return "HIP"; }
};
/// Managed memory, accessible to host and GPU; fence in between. Its Views convert to Views of
/// HIPSpace.
struct HIPManagedSpace : seam::memory_space_base<HIPManagedSpace, HIP> {
  /// "HIPManaged"
  static constexpr const char* name() noexcept { return "HIPManaged"; }
};
/// Pinned host memory, which kernels of HIP can also access; fence in between. Its Views convert to
/// Views of HostSpace.
struct HIPHostPinnedSpace : seam::memory_space_base<HIPHostPinnedSpace, DefaultHostExecutionSpace> {
  /// "HIPHostPinned"
  static constexpr const char* name() noexcept { return "HIPHostPinned"; }
};

/// Runs kernels on an AMD GPU. An instance is a HIP stream; launches are asynchronous, in stream
/// order. Launching requires a file compiled as HIP (hpk_language in CMake); everything else does
/// not.
class HIP : public seam::space_base<HIP, HIPSpace, LayoutLeft> {
 public:
  using shared_memory_space = HIPManagedSpace;     ///< accessible to host code and kernels
  using pinned_memory_space = HIPHostPinnedSpace;  ///< host memory, accessible to kernels
  /// The default instance, on the device that the settings choose.
  HIP() = default;
  /// An instance with its own stream.
  explicit HIP(NewInstance what);
  /// An instance that uses the program's hipStream_t, a stream of the current device, which must
  /// outlive it.
  explicit HIP(ihipStream_t* stream);
  /// "HIP"
  static constexpr const char* name() noexcept { return "HIP"; }
  /// The stream of this instance.
  ihipStream_t* hip_stream() const;
  /// The device number of this instance.
  int hip_device() const;
};

namespace gpu {
extern template class vendor_machine<hip::runtime, HIP>;
}

namespace classes {
/// The members that nodes of a Graph<HIP> have for programs written for Kokkos.
template <class Node>
struct hip_capture_names {
  /// GraphNodeRef::capture().
  template <class F>
  auto hip_capture(const HIP&, F&& callable,
                   const std::source_location& where = std::source_location::current()) const {
    return static_cast<const Node&>(*this).capture(std::forward<F>(callable), where);
  }
};
/// The members that a Graph<HIP> has for programs written for Kokkos.
template <class Graph>
struct hip_graph_names {
  /// Graph::native_graph() and Graph::native_graph_exec().
  ///@{
  auto hip_graph() const { return static_cast<const Graph&>(*this).native_graph(); }
  auto hip_graph_exec() const { return static_cast<const Graph&>(*this).native_graph_exec(); }
  ///@}
};
}  // namespace classes

namespace seam {

/// The machine of HIP.
template <>
class machine<HIP> : public gpu::vendor_machine<hip::runtime, HIP> {
 public:
  using gpu::vendor_machine<hip::runtime, HIP>::vendor_machine;
  static constexpr backend_option options[] = {hip::spelling::async_malloc,
                                               hip::spelling::order_null_stream};
  template <class Node>
  using capture_names = classes::hip_capture_names<Node>;
  template <class Graph>
  using graph_names = classes::hip_graph_names<Graph>;
  static constexpr std::uint32_t tool_id() noexcept { return 3u << 24; }
};
/// Device memory of HIP.
template <>
class memory<HIPSpace> : public gpu::vendor_memory<hip::runtime, HIP, gpu::memory_kind::device> {};
/// Managed memory of HIP.
template <>
class memory<HIPManagedSpace>
    : public gpu::vendor_memory<hip::runtime, HIP, gpu::memory_kind::managed> {};
/// Pinned memory of HIP.
template <>
class memory<HIPHostPinnedSpace>
    : public gpu::vendor_memory<hip::runtime, HIP, gpu::memory_kind::pinned> {};

}  // namespace seam
}  // namespace hpk
