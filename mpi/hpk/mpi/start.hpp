// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the start of a program sets.
#pragma once

#include <hpk/mpi/communicator.hpp>

namespace hpk::mpi::detail {

/// Makes the communicator that world() returns; a null one for none.
void set_world(Communicator all);
bool has_world();
/// Whether MPI has started, and has not ended.
bool mpi_runs();
/// Whether a communicator is the one that world() returns.
bool is_world(const Communicator& comm);

}  // namespace hpk::mpi::detail
