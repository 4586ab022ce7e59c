// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU space of a build that has one, and common names for the calls of its vendor.
#pragma once

#include <support/spaces.hpp>

#include <hpk/graph.hpp>

#if HPK_ENABLE_CUDA
#include <cuda_runtime.h>
#endif
#if HPK_ENABLE_HIP
#include <hip/hip_runtime.h>
#endif

namespace hpk_test {

#if HPK_ENABLE_CUDA
using exec_space = hpk::Cuda;
#define HPK_TEST_NATIVE(Name) cuda##Name
inline cudaStream_t stream_of(const hpk::Cuda& exec) { return exec.cuda_stream(); }
inline int device_of(const hpk::Cuda& exec) { return exec.cuda_device(); }
inline cudaGraph_t graph_of(const hpk::Graph<exec_space>& graph) { return graph.cuda_graph(); }
inline cudaGraphExec_t executable_of(const hpk::Graph<exec_space>& graph) {
  return graph.cuda_graph_exec();
}
#else
using exec_space = hpk::HIP;
#define HPK_TEST_NATIVE(Name) hip##Name
inline hipStream_t stream_of(const hpk::HIP& exec) { return exec.hip_stream(); }
inline int device_of(const hpk::HIP& exec) { return exec.hip_device(); }
inline hipGraph_t graph_of(const hpk::Graph<exec_space>& graph) { return graph.hip_graph(); }
inline hipGraphExec_t executable_of(const hpk::Graph<exec_space>& graph) {
  return graph.hip_graph_exec();
}
#endif

}  // namespace hpk_test
