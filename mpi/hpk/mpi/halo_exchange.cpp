// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/detail/start.hpp>
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

void free_requests(std::vector<MPI_Request>& requests) {
  if (!mpi_runs()) return;
  for (MPI_Request& each : requests)
    if (each != MPI_REQUEST_NULL) MPI_Request_free(&each);
}

}  // namespace hpk::mpi::detail
