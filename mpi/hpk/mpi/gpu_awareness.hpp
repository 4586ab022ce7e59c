// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether MPI takes addresses of device memory: what is known about it, and what follows.
#pragma once

namespace hpk::mpi::detail {

/// What an MPI says about itself.
enum class answer { unknown, no, yes };
/// All that decides. Texts are environment variables, null where they are not set.
struct gpu_facts {
  const char* wish = nullptr;          ///< HPK_MPI_GPU_AWARE
  answer nvidia = answer::unknown;     ///< MPIX_Query_cuda_support() and the like
  answer amd = answer::unknown;        ///< MPIX_Query_rocm_support() and the like
  const char* mpich_gpu = nullptr;     ///< MPICH_GPU_SUPPORT_ENABLED, of Cray's MPI
  const char* mvapich_cuda = nullptr;  ///< MV2_USE_CUDA
  const char* mvapich_rocm = nullptr;  ///< MV2_USE_ROCM
};
/// Which memory is given to MPI.
struct gpu_awareness {
  bool nvidia = false, amd = false;
  bool is_understood = true;  ///< the wish
};
/// The wish decides; else what MPI says; if it does not, the variable that turns it on.
gpu_awareness decide_gpu_awareness(const gpu_facts& facts);
/// Asks MPI and the environment of this rank.
gpu_facts find_gpu_facts();

}  // namespace hpk::mpi::detail
