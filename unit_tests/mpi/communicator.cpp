// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators: duplicates, parts, and rejected arguments.
#include <hpk/mpi/communicator.hpp>

#include "support.hpp"

#include <string>

namespace communicator_test {
namespace {

using namespace mpi_test;
using hpk_test::expect_error;

TEST(Communicator, is_a_duplicate) {
  const Communicator all = world();
  int rank = -1, size = -1, relation = MPI_UNEQUAL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  EXPECT_EQ(all.rank(), rank);
  EXPECT_EQ(all.size(), size);
  MPI_Comm_compare(all.native(), MPI_COMM_WORLD, &relation);
  EXPECT_EQ(relation, MPI_CONGRUENT);
  EXPECT_TRUE(all == world());
  const Communicator mine(MPI_COMM_SELF);
  EXPECT_EQ(mine.size(), 1);
  EXPECT_FALSE(mine == all);
  EXPECT_TRUE(Communicator().is_null());
}

TEST(Communicator, is_split) {
  const Communicator all = world();
  const Communicator half = all.split(all.rank() % 2, -all.rank());
  EXPECT_EQ(half.size(), (all.size() + 1 - all.rank() % 2) / 2);
  EXPECT_EQ(half.rank(), half.size() - 1 - all.rank() / 2);
  EXPECT_EQ(half.checks_messages(), all.checks_messages());
  const Communicator none = all.split(all.rank() == 0 ? 1 : MPI_UNDEFINED);
  EXPECT_EQ(none.is_null(), all.rank() != 0);
  EXPECT_EQ(all.split_by_machine().size(), all.size());
  expect_error([&] { static_cast<void>(all.split(-4)); }, {"color is negative"});
  all.barrier();
}

TEST(Communicator, of_nothing_is_an_error) {
  expect_error([] { Communicator none(MPI_COMM_NULL); },
               {"hpk::mpi::Communicator", "MPI_COMM_NULL", "communicator.cpp"});
}

// hpk reports errors of MPI as exceptions; the program's communicator keeps its error handler.
TEST(Communicator, leaves_the_errors_of_the_program_alone) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  EXPECT_EQ(handler, MPI_ERRORS_ARE_FATAL);
}

TEST(Communicator, errors_name_the_rank) {
  const std::string me =
      "rank " + std::to_string(world().rank()) + " of " + std::to_string(world().size());
  expect_error([] { hpk::View<int*> x("x", -1); }, {me.c_str(), "\"x\""});
}

TEST(Communicator, compares_the_calls_of_its_ranks) {
  const Communicator all = world();
  if (!all.checks_messages() || all.size() == 1) GTEST_SKIP() << "needs HPK_MPI_CHECKS=on, 2 ranks";
  const hpk::View<int*, hpk::HostSpace> x("x", 3 + (all.rank() == 0 ? 1 : 0));
  expect_error([&] { hpk::mpi::broadcast(all, x, 0); },
               {"hpk::mpi::broadcast", "do not make the same call", "of 4 elements",
                "of 3 elements", "root 0"});
  expect_error(
      [&] {
        if (all.rank() == 0) {
          all.barrier();
        } else {
          hpk::mpi::broadcast(all, x, 0);
        }
      },
      {"do not make the same call", "hpk::mpi::broadcast with root 0", "Communicator::barrier"});
}

TEST(Communicator, makes_all_ranks_throw_when_a_call_is_wrong_on_one) {
  const Communicator all = world();
  if (!all.checks_messages() || all.size() == 1) GTEST_SKIP() << "needs HPK_MPI_CHECKS=on, 2 ranks";
  const hpk::View<int*, hpk::HostSpace> x("x", 3), y("y", 2);
  const std::string place = all.rank() == 1 ? "hpk::mpi::gather" : "wrong on rank 1";
  expect_error([&] { hpk::mpi::gather(all, x, y, 1); }, {place.c_str(), "do not make 2 elements"});
  expect_error([&] { hpk::mpi::broadcast(all, x, all.rank() == 0 ? 99 : 0); }, {"no rank 99"});
}

}  // namespace
}  // namespace communicator_test
