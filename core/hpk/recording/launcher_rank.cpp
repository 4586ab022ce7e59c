// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/recording/launcher_rank.hpp>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace hpk::detail {

namespace {

// A number in one of the variables, or -1.
int number_in(std::initializer_list<const char*> variables) noexcept {
  for (const char* const name : variables) {
    const char* const value = std::getenv(name);
    if (value == nullptr) continue;
    int found = -1;
    const char* const end = value + std::strlen(value);
    if (std::from_chars(value, end, found).ptr == end && found >= 0) return found;
  }
  return -1;
}

}  // namespace

std::pair<int, int> rank_by_launcher() noexcept {
  // In order: Open MPI, MPICH and Intel MPI, MVAPICH2, Cray, Flux.
  const int ranks = number_in(
      {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "PALS_SIZE", "FLUX_JOB_SIZE"});
  const int rank = number_in(
      {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "PALS_RANKID", "FLUX_TASK_RANK"});
  if (rank < 0 || ranks < 1) return {-1, 0};
  return {rank, ranks};
}

std::string suffix_of_rank() {
  const int rank = rank_by_launcher().first;
  return rank < 0 ? std::string() : ".rank" + std::to_string(rank);
}

}  // namespace hpk::detail
