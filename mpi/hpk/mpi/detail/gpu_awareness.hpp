// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether MPI accepts addresses of device memory: the known facts, and the decision.
#pragma once

namespace hpk::mpi::detail {

/// An MPI's answer to a query.
enum class answer { unknown, no, yes };
/// The facts that decide. Texts are values of environment variables, null if not set.
struct gpu_facts {
  const char* wish = nullptr;          ///< HPK_MPI_GPU_AWARE
  answer nvidia = answer::unknown;     ///< MPIX_Query_cuda_support() or MPICH's equivalent
  answer amd = answer::unknown;        ///< MPIX_Query_rocm_support() or MPICH's equivalent
  const char* mpich_gpu = nullptr;     ///< MPICH_GPU_SUPPORT_ENABLED of Cray's MPI
  const char* mvapich_cuda = nullptr;  ///< MV2_USE_CUDA
  const char* mvapich_rocm = nullptr;  ///< MV2_USE_ROCM
};
/// The vendors whose device memory is passed to MPI.
struct gpu_awareness {
  bool nvidia = false, amd = false;
  bool is_understood = true;  ///< whether HPK_MPI_GPU_AWARE is valid
};
/// Decides by HPK_MPI_GPU_AWARE; without it by MPI's answer; if that is unknown, by the variable
/// that turns GPU support on.
gpu_awareness decide_gpu_awareness(const gpu_facts& facts);
/// Queries MPI and the environment of this rank.
gpu_facts find_gpu_facts();

}  // namespace hpk::mpi::detail
