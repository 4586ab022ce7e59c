// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything of hpk::mpi: point-to-point messages, collectives, files, distributed containers and
// the start of a program of several ranks. hpk::mpi moves Views; dividing the work among ranks
// remains a task of the program. docs/mpi.md shows how MPI and hpk fit together.
#pragma once

#include <hpk/mpi/block.hpp>
#include <hpk/mpi/cartesian_grid.hpp>
#include <hpk/mpi/checkpoint.hpp>
#include <hpk/mpi/collectives.hpp>
#include <hpk/mpi/communicator.hpp>
#include <hpk/mpi/crs_matrix.hpp>
#include <hpk/mpi/distribution.hpp>
#include <hpk/mpi/exact_dot.hpp>
#include <hpk/mpi/grid_collectives.hpp>
#include <hpk/mpi/grid_view.hpp>
#include <hpk/mpi/halo_exchange.hpp>
#include <hpk/mpi/import.hpp>
#include <hpk/mpi/npy.hpp>
#include <hpk/mpi/point_to_point.hpp>
#include <hpk/mpi/reductions.hpp>
#include <hpk/mpi/request.hpp>
#include <hpk/mpi/scope_guard.hpp>
