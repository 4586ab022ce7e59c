// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/mpi.md, where they belong; blocks.py compiles this file.
#include <hpk/core.hpp>
#include <hpk/mpi.hpp>

using Exec = hpk::DefaultExecutionSpace;

namespace start {
struct Kernel {
  HPK_FUNCTION void operator()(int i, double& largest) const;
} kernel;
#include "views-over-mpi.block"
}  // namespace start

const hpk::mpi::Communicator all = hpk::mpi::world();

void exact_sums(Exec exec, int n, hpk::View<double*> x, hpk::View<double*> y) {
#include "sums-whose-bits-do-not-depend-on-the-number-of-ranks.block"
}

void grids(Exec exec, int n) {
#include "grids.block"
}

using Grid = hpk::mpi::GridView<hpk::View<double**>>;

void files(hpk::View<double*> x, Grid u, int n, int begin) {
#include "files.block"
}

void checkpoints(Grid u, int step) {
#include "checkpoints.block"
}

void sparse_matrices(Exec exec, int n, hpk::View<hpk::index_t*> row_map,
                     hpk::View<hpk::index_t*> columns, hpk::View<double*> values,
                     hpk::View<double*> x, hpk::View<double*> y, hpk::View<hpk::index_t*> needed,
                     hpk::View<double*> ghosts) {
#include "sparse-matrices.block"
}
