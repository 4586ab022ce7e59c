// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A substitute for the header of the CUDA toolkit, with the parts that hpk uses.
#pragma once

#define CUDART_VERSION 13000

#define HPK_PRETEND(Name) cuda##Name
#define HPK_PRETEND_STREAM CUstream_st
#define HPK_PRETEND_EVENT CUevent_st
#define HPK_PRETEND_GRAPH CUgraph_st
#define HPK_PRETEND_NODE CUgraphNode_st
#define HPK_PRETEND_EXECUTABLE CUgraphExec_st
#define HPK_PRETEND_POOL CUmemPoolHandle_st
#define HPK_PRETEND_UNLOADED CudartUnloading
#define HPK_PRETEND_PROPERTIES cudaDeviceProp
#define HPK_PRETEND_ATTRIBUTES cudaPointerAttributes

#include <gpu/pretend/runtime.hpp>

extern "C" {

cudaError_t cudaHostAlloc(void** data, size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void* data);
// Leaves offset and size unchanged, since the caller knows them, unless a test sets another size.
cudaError_t cudaFuncGetParamInfo(const void* kernel, size_t index, size_t* offset, size_t* bytes);

constexpr int cudaEnableDefault = 0;
enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess = 0 };
// Finds cuDevicePrimaryCtxGetState.
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* answer);

struct cudaGraphEdgeData;
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* state,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** nodes, const cudaGraphEdgeData** edges,
                                     size_t* count);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData* edges, size_t count,
                                                unsigned flags);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph,
                                          unsigned long long flags);

}  // extern "C"
