// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/halo_exchange.hpp>

namespace hpk::mpi::detail {

std::vector<direction> directions_of(int dimensions, Stencil shape) {
  std::vector<direction> result;
  for (int k = 0; k < 27; ++k) {
    const direction to{{k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1}};
    bool fits = k != 13 && (shape == Stencil::box || to.is_along_an_axis());
    for (int d = dimensions; d < 3; ++d) fits = fits && to.step[d] == 0;
    if (fits) result.push_back(to);
  }
  return result;
}

int tag_of(int view, int direction) { return (view % (largest_tag() / 27)) * 27 + direction; }

bool end_requests(std::vector<MPI_Request>& requests, bool is_unwound) {
  if (!is_unwound) {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    return true;
  }
  // Nobody may be there to take or send them: do not wait.
  const std::size_t receives = requests.size() / 2;
  bool ended = true;
  for (std::size_t k = 0; k < requests.size(); ++k) {
    int done = 0;
    MPI_Test(&requests[k], &done, MPI_STATUS_IGNORE);
    if (done != 0) continue;
    if (k < receives) {
      MPI_Cancel(&requests[k]);
      MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    } else {
      ended = false;
    }
  }
  return ended;
}

void free_requests(std::vector<MPI_Request>& requests) {
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended != 0) return;
  for (MPI_Request& each : requests)
    if (each != MPI_REQUEST_NULL) MPI_Request_free(&each);
}

}  // namespace hpk::mpi::detail
