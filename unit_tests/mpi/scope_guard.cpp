// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guard inside the guard of main. programs/start.cpp tests start and end.
#include <hpk/mpi/scope_guard.hpp>

#include "support.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace scope_guard_test {
namespace {

using namespace mpi_test;
using hpk_test::expect_error;

TEST(ScopeGuard, inside_of_another_does_nothing) {
  const Communicator before = world();
  {
    int argc = 0;
    hpk::mpi::ScopeGuard inner(argc, nullptr);
    EXPECT_TRUE(before == world());
  }
  EXPECT_TRUE(before == world());
  EXPECT_TRUE(hpk::is_initialized());
  int ended = 1;
  MPI_Finalized(&ended);
  EXPECT_EQ(ended, 0);
}

TEST(ScopeGuard, divides_the_processors_among_the_workers_of_all_ranks) {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) GTEST_SKIP() << "a number of workers was given";
  const int ranks = world().split_by_machine().size();
  const int most = std::max(ranks, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
  hpk::for_each_space([&](auto space) {
    using space_type = decltype(space);
    if constexpr (hpk_test::is_host<space_type>) {
      EXPECT_LE(space.concurrency() * ranks, most) << space_type::name();
    }
  });
}

TEST(ScopeGuard, says_what_support_of_threads_is_missing) {
  int given = MPI_THREAD_SINGLE, argc = 0;
  MPI_Query_thread(&given);
  if (given == MPI_THREAD_MULTIPLE) GTEST_SKIP() << "MPI gave more than was asked for";
  expect_error([&] { hpk::mpi::ScopeGuard inner(argc, nullptr, MPI_THREAD_MULTIPLE); },
               {"hpk::mpi::ScopeGuard", "MPI_THREAD_MULTIPLE was asked for", "scope_guard.cpp"});
}

}  // namespace
}  // namespace scope_guard_test
