// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/grid_view.hpp>

namespace hpk::mpi::detail {

void expect_halo_fits(const grid_facts& grid, const std::string& label, const index_t* halo,
                      const std::source_location& where) {
  error_message why;
  for (int d = 0; d < grid.dimensions; ++d) {
    const bool exchanges = grid.ranks[d] > 1 || grid.periodic[d];
    const index_t smallest = grid.extents[d] / grid.ranks[d];
    if (halo[d] >= 0 && (!exchanges || halo[d] <= smallest)) continue;
    why << "hpk::mpi::GridView: View \"" << label << "\": the halo of " << halo[d]
        << " cells in dimension " << d;
    if (halo[d] < 0) {
      why << " is negative";
    } else {
      why << " is wider than the smallest block, of " << smallest << " cells (" << grid.extents[d]
          << " cells in " << grid.ranks[d]
          << " blocks), and only the next block's cells are exchanged; use fewer ranks in this "
             "dimension";
    }
    raise(why, where);
  }
}

}  // namespace hpk::mpi::detail
