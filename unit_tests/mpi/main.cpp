// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs all tests on every rank in the same order. The program fails on all ranks if one fails.
#include <hpk/mpi.hpp>

#include <gtest/gtest.h>

int main(int argc, char* argv[]) {
  testing::InitGoogleTest(&argc, argv);
  hpk::mpi::ScopeGuard guard(argc, argv);
  const hpk::mpi::Communicator world = hpk::mpi::world();
  const int failed = RUN_ALL_TESTS();
  int failed_anywhere = 0;
  MPI_Allreduce(&failed, &failed_anywhere, 1, MPI_INT, MPI_MAX, world.native());
  return failed_anywhere;
}
