// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/cuda/cuda.hpp>

#include <cuda.h>
#include <cuda_runtime.h>

namespace hpk::gpu {
namespace {

struct library {
  using device_properties = cudaDeviceProp;
  using pointer_attributes = cudaPointerAttributes;
  static constexpr const char* prefix = "cuda";
  static constexpr cudaError_t unloaded = cudaErrorCudartUnloading;
  // The calls below whose names the libraries do not share.
  static constexpr const char* allocate_pinned_call = "HostAlloc";
  static constexpr const char* get_dependencies_call = "StreamGetCaptureInfo";
  static constexpr const char* instantiate_call = "GraphInstantiateWithFlags";
  static std::size_t most_scratch(const cudaDeviceProp& facts) {
    return facts.sharedMemPerBlockOptin;
  }
  static cudaError_t allocate_pinned(void** data, std::size_t bytes) {
    return cudaHostAlloc(data, bytes, cudaHostAllocPortable);
  }
  static bool is_pageable(const cudaPointerAttributes& of) {
    return of.type == cudaMemoryTypeUnregistered;
  }
  static cudaError_t free_pinned(void* data) { return cudaFreeHost(data); }
  // Sets `bytes` to the size of the kernel's first argument in device code, if the library knows
  // it.
  static cudaError_t argument_bytes([[maybe_unused]] const void* kernel,
                                    [[maybe_unused]] std::size_t& bytes) {
#if CUDART_VERSION >= 13000
    std::size_t offset = 0;
    return cudaFuncGetParamInfo(kernel, 0, &offset, &bytes);
#else
    return cudaSuccess;
#endif
  }
  // Sets the dependencies of the next node that a stream records.
  static cudaError_t set_dependencies(cudaStream_t stream, cudaGraphNode_t* nodes, size_t count) {
#if CUDART_VERSION >= 13000
    return cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, count,
                                               cudaStreamSetCaptureDependencies);
#else
    return cudaStreamUpdateCaptureDependencies(stream, nodes, count,
                                               cudaStreamSetCaptureDependencies);
#endif
  }
  static cudaError_t get_dependencies(cudaStream_t stream, const cudaGraphNode_t** nodes,
                                      size_t* count) {
    cudaStreamCaptureStatus state = cudaStreamCaptureStatusNone;
#if CUDART_VERSION >= 13000
    const cudaGraphEdgeData* edges = nullptr;
    return cudaStreamGetCaptureInfo(stream, &state, nullptr, nullptr, nodes, &edges, count);
#else
    return cudaStreamGetCaptureInfo_v2(stream, &state, nullptr, nullptr, nodes, count);
#endif
  }
  static cudaError_t instantiate(cudaGraphExec_t* made, cudaGraph_t graph) {
    return cudaGraphInstantiateWithFlags(made, graph, 0);
  }
  // Whether a device has a context of this process. Since CUDA 12 cudaSetDevice creates one.
  static bool has_context(int device) noexcept {
    static const auto ask = find_driver_function();
    CUdevice handle = device;
    unsigned flags = 0;
    int active = 0;
    return ask == nullptr || ask(handle, &flags, &active) != CUDA_SUCCESS || active != 0;
  }
  static auto find_driver_function() noexcept -> CUresult (*)(CUdevice, unsigned*, int*) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult answer{};
#if CUDART_VERSION >= 12050
    const cudaError_t error = cudaGetDriverEntryPointByVersion("cuDevicePrimaryCtxGetState", &found,
                                                               7000, cudaEnableDefault, &answer);
#else
    const cudaError_t error =
        cudaGetDriverEntryPoint("cuDevicePrimaryCtxGetState", &found, cudaEnableDefault, &answer);
#endif
    if (error != cudaSuccess) static_cast<void>(cudaGetLastError());
    if (error != cudaSuccess || answer != cudaDriverEntryPointSuccess) return nullptr;
    return reinterpret_cast<CUresult (*)(CUdevice, unsigned*, int*)>(found);
  }
  static cudaError_t device_of([[maybe_unused]] cudaStream_t stream, int& device) {
#if CUDART_VERSION >= 12080
    const cudaError_t error = cudaStreamGetDevice(stream, &device);
    if (error != cudaErrorCallRequiresNewerDriver) return error;
    static_cast<void>(cudaGetLastError());
#endif
    // Older libraries do not know the device, so streams of the program must be of the current
    // device.
    return cudaGetDevice(&device);
  }
};

}  // namespace
}  // namespace hpk::gpu

#define HPK_GPU(Name) cuda##Name
#include <hpk/backends/gpu/vendor_calls.hpp>
// Must follow vendor_calls.hpp.
#include <hpk/backends/gpu/event_calls.hpp>
#include <hpk/backends/gpu/graph_calls.hpp>
#include <hpk/backends/gpu/memory_calls.hpp>

namespace hpk {

namespace gpu {
template class vendor<cuda::spelling>;
template class vendor_machine<cuda::runtime, Cuda>;
}  // namespace gpu

Cuda::Cuda(NewInstance what) : space_base(gpu::new_machine<Cuda>(what)) {}
Cuda::Cuda(CUstream_st* stream)
    : space_base(gpu::new_machine<Cuda>(cuda::runtime::adopt_stream(stream))) {}
CUstream_st* Cuda::cuda_stream() const {
  return static_cast<CUstream_st*>(instance().stream()->native);
}
int Cuda::cuda_device() const { return instance().device(); }

}  // namespace hpk
