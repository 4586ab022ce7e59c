// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of a program are found for objects of hpk::mpi, with any name.
#include <hpk/mpi.hpp>

#include <support/own_functions.hpp>

#include <gtest/gtest.h>

namespace own_functions_test {
namespace {

using grid = hpk::mpi::GridView<hpk::View<double**>>;

static_assert(
    hpk_test::finds_own_functions<
        hpk::mpi::Communicator, hpk::mpi::CartesianGrid<2>, hpk::mpi::Request, hpk::mpi::Status,
        hpk::mpi::Distribution, grid, hpk::mpi::HaloExchange<grid>, hpk::mpi::CrsMatrix<double>,
        hpk::mpi::exact_sum, hpk::mpi::Subarray<2>, hpk::mpi::Import<>, hpk::mpi::Box<2>>);

TEST(OwnFunctionsOfMpi, are_called_with_objects_of_hpk) {
  EXPECT_EQ(program_user::call_all(hpk::mpi::Status()), program_user::number_of_calls);
}

}  // namespace
}  // namespace own_functions_test
