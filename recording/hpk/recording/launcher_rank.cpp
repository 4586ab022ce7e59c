// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/recording/launcher_rank.hpp>

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace hpk::detail {

namespace {

// Returns the number in a variable, or -1.
int number_in(const char* variable) noexcept {
  const char* const value = std::getenv(variable);
  if (value == nullptr) return -1;
  int found = -1;
  const char* const end = value + std::strlen(value);
  return std::from_chars(value, end, found).ptr == end ? found : -1;
}

// In order: Open MPI; MPICH and Intel MPI; MVAPICH2; Cray; Flux; srun with any MPI that uses PMIx.
constexpr struct {
  const char* rank;
  const char* ranks;
} launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                 {"PMI_RANK", "PMI_SIZE"},
                 {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                 {"PALS_RANKID", "PALS_SIZE"},
                 {"FLUX_TASK_RANK", "FLUX_JOB_SIZE"},
                 {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};

}  // namespace

std::pair<int, int> rank_by_launcher() noexcept {
  for (const auto& launcher : launchers) {
    const int rank = number_in(launcher.rank);
    const int ranks = number_in(launcher.ranks);
    if (rank >= 0 && rank < ranks) return {rank, ranks};
  }
  return {-1, 0};
}

std::string suffix_of_rank() {
  const int rank = rank_by_launcher().first;
  return rank < 0 ? std::string() : ".rank" + std::to_string(rank);
}

}  // namespace hpk::detail
