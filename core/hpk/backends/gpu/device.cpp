// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/gpu/device.hpp>
#include <hpk/spaces/instance.hpp>

#include <charconv>
#include <cstdlib>

namespace hpk::gpu {

int local_rank() noexcept {
  // In order: Open MPI, MPICH and Intel MPI, MVAPICH2, PMIx launchers, Slurm, Flux.
  for (const char* name :
       {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
        "PMI_LOCAL_RANK", "PALS_LOCAL_RANKID", "SLURM_LOCALID", "FLUX_TASK_LOCAL_ID"}) {
    const char* text = std::getenv(name);
    if (text == nullptr) continue;
    int rank = -1;
    const std::string_view all(text);
    const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), rank);
    if (error == std::errc() && end == all.data() + all.size() && rank >= 0) return rank;
  }
  return -1;
}

int choose_device(const seam::settings& from, int devices, std::string_view space) {
  if (from.device_id >= 0) {
    seam::check_device(from.device_id, devices, space);
    return from.device_id;
  }
  const int rank = local_rank();
  return rank < 0 ? 0 : rank % devices;
}

}  // namespace hpk::gpu
