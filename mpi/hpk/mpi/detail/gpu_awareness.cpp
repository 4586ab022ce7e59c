// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/detail/gpu_awareness.hpp>

#include <mpi.h>

// The headers of the MPI define which queries it supports: Open MPI in mpi-ext.h, MPICH in mpi.h.
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <cstdlib>
#include <string_view>

namespace hpk::mpi::detail {

namespace {

bool is_on(const char* value) {
  const std::string_view text = value != nullptr ? value : "";
  return !text.empty() && text != "0";
}
[[maybe_unused]] answer answer_of(int yes) { return yes != 0 ? answer::yes : answer::no; }

#if defined(MPIX_GPU_SUPPORT_CUDA)
answer ask_mpich(int which) {
  int supported = 0;
  return MPIX_GPU_query_support(which, &supported) == MPI_SUCCESS ? answer_of(supported)
                                                                  : answer::unknown;
}
#endif
answer ask_for_nvidia() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return answer_of(MPIX_Query_cuda_support());
#elif defined(MPIX_GPU_SUPPORT_CUDA)
  return ask_mpich(MPIX_GPU_SUPPORT_CUDA);
#else
  return answer::unknown;
#endif
}
answer ask_for_amd() {
#if defined(MPIX_ROCM_AWARE_SUPPORT)
  return answer_of(MPIX_Query_rocm_support());
#elif defined(MPIX_GPU_SUPPORT_HIP)
  return ask_mpich(MPIX_GPU_SUPPORT_HIP);
#else
  return answer::unknown;
#endif
}

}  // namespace

gpu_awareness decide_gpu_awareness(const gpu_facts& facts) {
  if (facts.wish != nullptr) {
    const std::string_view wish = facts.wish;
    const bool on = wish == "on" || wish == "1", off = wish == "off" || wish == "0";
    return {.nvidia = on, .amd = on, .is_understood = on || off};
  }
  const auto takes = [](answer said, bool is_turned_on) {
    return said == answer::yes || (said == answer::unknown && is_turned_on);
  };
  const bool mpich = is_on(facts.mpich_gpu);
  return {.nvidia = takes(facts.nvidia, mpich || is_on(facts.mvapich_cuda)),
          .amd = takes(facts.amd, mpich || is_on(facts.mvapich_rocm))};
}

gpu_facts find_gpu_facts() {
  return {.wish = std::getenv("HPK_MPI_GPU_AWARE"),
          .nvidia = ask_for_nvidia(),
          .amd = ask_for_amd(),
          .mpich_gpu = std::getenv("MPICH_GPU_SUPPORT_ENABLED"),
          .mvapich_cuda = std::getenv("MV2_USE_CUDA"),
          .mvapich_rocm = std::getenv("MV2_USE_ROCM")};
}

}  // namespace hpk::mpi::detail
