// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls whose names or arguments differ between the vendors. Included only by runtime.cpp.
#pragma once

#include <gpu/pretend/state.hpp>

extern "C" {

#if HPK_PRETEND_HIP
CALL(HostMalloc)(void** data, std::size_t bytes, unsigned) {
  return run("HostMalloc", needs::context,
             [&] { return allocate(data, bytes, current, pretend::memory::pinned); });
}
CALL(HostFree)(void* data) {
  return run_always("HostFree", needs::context,
                    [&] { return release("HostFree", data, pretend::memory::pinned); });
}
CALL(StreamGetCaptureInfo_v2)
(hipStream_t stream, capture_state* capture, unsigned long long*, hipGraph_t*,
 const hipGraphNode_t** nodes, std::size_t* count) {
  return get_dependencies("StreamGetCaptureInfo_v2", stream, capture, nodes, count);
}
CALL(StreamUpdateCaptureDependencies)
(hipStream_t stream, hipGraphNode_t* nodes, std::size_t count, unsigned) {
  return set_dependencies("StreamUpdateCaptureDependencies", stream, nodes, count);
}
CALL(GraphInstantiate)
(hipGraphExec_t* made, hipGraph_t graph, hipGraphNode_t*, char*, std::size_t) {
  return run("GraphInstantiate", needs::context, [&] { return instantiate(made, graph); });
}
#else
CALL(HostAlloc)(void** data, std::size_t bytes, unsigned) {
  return run("HostAlloc", needs::context,
             [&] { return allocate(data, bytes, current, pretend::memory::pinned); });
}
CALL(FreeHost)(void* data) {
  return run_always("FreeHost", needs::context,
                    [&] { return release("FreeHost", data, pretend::memory::pinned); });
}
CALL(FuncGetParamInfo)(const void*, std::size_t, std::size_t*, std::size_t* bytes) {
  return run("FuncGetParamInfo", needs::context, [&] {
    if (all().argument_bytes != 0) *bytes = all().argument_bytes;
    return ok;
  });
}
CALL(GetDriverEntryPointByVersion)
(const char* name, void** function, unsigned, unsigned long long,
 cudaDriverEntryPointQueryResult* answer) {
  return run("GetDriverEntryPointByVersion", needs::nothing, [&] {
    if (std::strcmp(name, "cuDevicePrimaryCtxGetState") != 0) return SPELLED(ErrorInvalidValue);
    *function = reinterpret_cast<void*>(+[](CUdevice number, unsigned*, int* active) {
      const std::lock_guard lock(all().guard);
      *active = of(number).has_context ? 1 : 0;
      return CUDA_SUCCESS;
    });
    *answer = cudaDriverEntryPointSuccess;
    return ok;
  });
}
CALL(StreamGetCaptureInfo)
(cudaStream_t stream, capture_state* capture, unsigned long long*, cudaGraph_t*,
 const cudaGraphNode_t** nodes, const cudaGraphEdgeData**, std::size_t* count) {
  return get_dependencies("StreamGetCaptureInfo", stream, capture, nodes, count);
}
CALL(StreamUpdateCaptureDependencies)
(cudaStream_t stream, cudaGraphNode_t* nodes, const cudaGraphEdgeData*, std::size_t count,
 unsigned) {
  return set_dependencies("StreamUpdateCaptureDependencies", stream, nodes, count);
}
CALL(GraphInstantiateWithFlags)(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long) {
  return run("GraphInstantiateWithFlags", needs::context, [&] { return instantiate(made, graph); });
}
#endif

}  // extern "C"
