// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP: GPUs of AMD. What is spelled here is what they spell in their own way; the rest is gpu/.
#pragma once

#include <hpk/backends/gpu/memory.hpp>
#include <hpk/backends/gpu/vendor.hpp>
#include <hpk/spaces/instance.hpp>

#include <source_location>
#include <utility>

#if HPK_HAS_HIP_COMPILER
#include <hpk/backends/gpu/kernel.hpp>
#endif

struct ihipStream_t;
struct ihipGraph;
struct hipGraphExec;

namespace hpk::hip {

/// How HIP spells what gpu::vendor leaves open.
struct spelling {
  static constexpr const char* name = "HIP";
  using graph_type = ihipGraph*;
  using executable_type = hipGraphExec*;
  static constexpr bool compiled_here = HPK_HAS_HIP_COMPILER != 0;
#if HPK_HAS_HIP_COMPILER
  // 64 or 32 lanes, as the architecture has it.
  static __device__ int subgroup() { return warpSize; }
  static __device__ unsigned shuffle_word(unsigned word, int from, int width, int /*first*/,
                                          int /*lanes*/) {
    return static_cast<unsigned>(__shfl(static_cast<int>(word), from, width));
  }
  static __device__ bool any(bool flag, int /*lanes*/) { return __any(flag) != 0; }
  static __device__ std::uint64_t ballot(bool flag, int /*lanes*/) { return __ballot(flag); }
  // Lanes go in step; the compiler and the memory have to be told.
  static __device__ void sync(int /*first*/, int /*lanes*/) {
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

/// Memory of an AMD GPU: kernels of HIP and copies reach it; host code must not.
struct HIPSpace : seam::memory_space_base<HIPSpace, HIP> {
  /// "HIP"
  static constexpr const char* name() noexcept { return "HIP"; }
};
/// Memory that host and GPU reach; fence in between. Its Views become Views of HIPSpace.
struct HIPManagedSpace : seam::memory_space_base<HIPManagedSpace, HIP> {
  /// "HIPManaged"
  static constexpr const char* name() noexcept { return "HIPManaged"; }
};
/// Host memory that kernels of HIP reach too; fence in between. Its Views become Views of
/// HostSpace.
struct HIPHostPinnedSpace : seam::memory_space_base<HIPHostPinnedSpace, DefaultHostExecutionSpace> {
  /// "HIPHostPinned"
  static constexpr const char* name() noexcept { return "HIPHostPinned"; }
};

/// Runs kernels on a GPU of AMD. Launches return early, in the order of their instance: a HIP
/// stream. Launching needs a file that is compiled as HIP (hpk_language in CMake); all else does
/// not.
class HIP : public seam::space_base<HIP, HIPSpace, LayoutLeft> {
 public:
  using shared_memory_space = HIPManagedSpace;     ///< memory that host code and kernels reach
  using pinned_memory_space = HIPHostPinnedSpace;  ///< memory of the host that kernels reach too
  /// The default instance, on the device that the settings choose.
  HIP() = default;
  /// An instance with a stream of its own, as `what` asks for.
  explicit HIP(NewInstance what);
  /// An instance over a stream of the program, a hipStream_t of the current device, which must
  /// outlive it.
  explicit HIP(ihipStream_t* stream);
  /// "HIP"
  static constexpr const char* name() noexcept { return "HIP"; }
  /// The stream of this instance.
  ihipStream_t* hip_stream() const;
  /// The number of its device.
  int hip_device() const;
};

namespace gpu {
extern template class vendor_machine<hip::runtime, HIP>;
}

namespace seam {

/// The machine of HIP.
template <>
class machine<HIP> : public gpu::vendor_machine<hip::runtime, HIP> {
 public:
  using gpu::vendor_machine<hip::runtime, HIP>::vendor_machine;
  /// The name of capture() in Kokkos.
  template <class Node>
  struct capture_names {
    template <class F>
    auto hip_capture(const HIP&, F&& callable,
                     const std::source_location& where = std::source_location::current()) const {
      return static_cast<const Node&>(*this).capture(std::forward<F>(callable), where);
    }
  };
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
