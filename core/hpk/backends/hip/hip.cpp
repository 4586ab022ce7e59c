// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/hip/hip.hpp>

#include <hip/hip_runtime_api.h>

namespace hpk::gpu {
namespace {

struct library {
  using device_properties = hipDeviceProp_t;
  using pointer_attributes = hipPointerAttribute_t;
  static constexpr const char* prefix = "hip";
  static constexpr hipError_t unloaded = hipErrorDeinitialized;
  // The calls below whose names the libraries do not share.
  static constexpr const char* allocate_pinned_call = "HostMalloc";
  static constexpr const char* get_dependencies_call = "StreamGetCaptureInfo_v2";
  static constexpr const char* instantiate_call = "GraphInstantiate";
  static std::size_t most_scratch(const hipDeviceProp_t& facts) { return facts.sharedMemPerBlock; }
  static hipError_t allocate_pinned(void** data, std::size_t bytes) {
    return hipHostMalloc(data, bytes, hipHostMallocPortable);
  }
  static bool is_pageable(const hipPointerAttribute_t& of) { return of.devicePointer == nullptr; }
  static hipError_t free_pinned(void* data) { return hipHostFree(data); }
  // The library does not know the sizes of arguments. One compiler compiles for hosts and devices,
  // with one layout.
  static hipError_t argument_bytes(const void*, std::size_t&) { return hipSuccess; }
  // Sets the dependencies of the next node that a stream records.
  static hipError_t set_dependencies(hipStream_t stream, hipGraphNode_t* nodes, std::size_t count) {
    return hipStreamUpdateCaptureDependencies(stream, nodes, count,
                                              hipStreamSetCaptureDependencies);
  }
  static hipError_t get_dependencies(hipStream_t stream, const hipGraphNode_t** nodes,
                                     std::size_t* count) {
    hipStreamCaptureStatus state = hipStreamCaptureStatusNone;
    return hipStreamGetCaptureInfo_v2(stream, &state, nullptr, nullptr, nodes, count);
  }
  static hipError_t instantiate(hipGraphExec_t* made, hipGraph_t graph) {
    return hipGraphInstantiate(made, graph, nullptr, nullptr, 0);
  }
  // Making a device current takes none of the device's memory.
  static bool has_context(int) noexcept { return true; }
  // Calls hipStreamGetDevice if the library declares it. A template, because HIP 5 does not.
  template <class Stream>
  static hipError_t device_of(Stream stream, int& device) {
    if constexpr (requires { hipStreamGetDevice(stream, &device); }) {
      return hipStreamGetDevice(stream, &device);
    } else {
      return hipGetDevice(&device);
    }
  }
};

}  // namespace
}  // namespace hpk::gpu

#if HIP_VERSION < 50300000
// HIP 5.2 declares hipLaunchHostFunc, but its library lacks it. Remove with support for 5.2.
namespace {
hipError_t launch_host_function(hipStream_t stream, hipHostFn_t function, void* data) {
  struct host_function {
    hipHostFn_t function;
    void* data;
  };
  auto* const owned = new host_function{function, data};
  const auto run = [](hipStream_t, hipError_t, void* given) {
    auto* const taken = static_cast<host_function*>(given);
    taken->function(taken->data);
    delete taken;
  };
  const hipError_t error = hipStreamAddCallback(stream, run, owned, 0);
  if (error != hipSuccess) delete owned;
  return error;
}
}  // namespace
#define hipLaunchHostFunc launch_host_function
#endif

#define HPK_GPU(Name) hip##Name
#include <hpk/backends/gpu/vendor_calls.hpp>
// Must follow vendor_calls.hpp.
#include <hpk/backends/gpu/event_calls.hpp>
#include <hpk/backends/gpu/graph_calls.hpp>
#include <hpk/backends/gpu/memory_calls.hpp>

namespace hpk {

namespace gpu {
template class vendor<hip::spelling>;
template class vendor_machine<hip::runtime, HIP>;
}  // namespace gpu

HIP::HIP(NewInstance what) : space_base(gpu::new_machine<HIP>(what)) {}
HIP::HIP(ihipStream_t* stream)
    : space_base(gpu::new_machine<HIP>(hip::runtime::adopt_stream(stream))) {}
ihipStream_t* HIP::hip_stream() const {
  return static_cast<ihipStream_t*>(instance().stream()->native);
}
int HIP::hip_device() const { return instance().device(); }

}  // namespace hpk
