// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A substitute for the header of ROCm, with the parts that hpk uses.
#pragma once

#define HIP_VERSION 60000000

#define HPK_PRETEND(Name) hip##Name
#define HPK_PRETEND_STREAM ihipStream_t
#define HPK_PRETEND_EVENT ihipEvent_t
#define HPK_PRETEND_GRAPH ihipGraph
#define HPK_PRETEND_NODE hipGraphNode
#define HPK_PRETEND_EXECUTABLE hipGraphExec
#define HPK_PRETEND_POOL ihipMemPoolHandle_t
#define HPK_PRETEND_UNLOADED Deinitialized
#define HPK_PRETEND_PROPERTIES hipDeviceProp_t
#define HPK_PRETEND_ATTRIBUTES hipPointerAttribute_t

#include <gpu/pretend/runtime.hpp>

constexpr unsigned hipHostMallocPortable = 1;

extern "C" {

hipError_t hipHostMalloc(void** data, size_t bytes, unsigned flags);
hipError_t hipHostFree(void* data);
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* state,
                                      unsigned long long* id, hipGraph_t* graph,
                                      const hipGraphNode_t** nodes, size_t* count);
hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t* nodes,
                                              size_t count, unsigned flags);
hipError_t hipGraphInstantiate(hipGraphExec_t* made, hipGraph_t graph, hipGraphNode_t* failed,
                               char* text, size_t bytes);

}  // extern "C"
