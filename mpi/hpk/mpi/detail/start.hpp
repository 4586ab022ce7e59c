// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal: whether MPI runs, and the communicator of the whole program.
#pragma once

#include <hpk/mpi/communicator.hpp>

namespace hpk::mpi::detail {

/// Sets the communicator that world() returns; a null one for none.
void set_world(Communicator all);
bool has_world();
/// Returns whether MPI has started and has not ended.
bool mpi_runs();
/// Returns whether a communicator is the one that world() returns.
bool is_world(const Communicator& comm);

}  // namespace hpk::mpi::detail
