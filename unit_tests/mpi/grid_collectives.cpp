// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole grids gathered on one rank and scattered from it.
#include <hpk/mpi/grid_collectives.hpp>

#include "grid_support.hpp"

namespace grid_collectives_test {
namespace {

using namespace mpi_test;
using hpk_test::expect_error;

template <class Exec>
struct WholeGrid : testing::Test {};
TYPED_TEST_SUITE(WholeGrid, hpk_test::spaces, hpk_test::space_names);

TYPED_TEST(WholeGrid, is_gathered_and_scattered) {
  const Communicator all = world();
  const CartesianGrid<2> grid(all, {7, 9});
  using view = hpk::View<int**, hpk::LayoutRight, TypeParam>;
  const GridView<view> u("u", grid, 1), v("v", grid, 2);
  set_numbers(grid, u);
  const int root = all.size() - 1;
  const hpk::View<int**, hpk::LayoutRight, hpk::HostSpace> whole(
      "whole", all.rank() == root ? 7 : 0, all.rank() == root ? 9 : 0);
  hpk::mpi::gather(grid, u, whole, root);
  if (all.rank() == root) {
    for (int k = 0; k < 63; ++k) EXPECT_EQ(whole(k / 9, k % 9), k);
  }
  hpk::mpi::scatter(grid, whole, v, root);
  const auto a = hpk_test::on_host(u.owned()), b = hpk_test::on_host(v.owned());
  int wrong = 0;
  for (std::size_t i = 0; i < a.extent(0); ++i)
    for (std::size_t j = 0; j < a.extent(1); ++j) wrong += a(i, j) != b(i, j);
  EXPECT_EQ(wrong, 0);
}

TEST(WholeGrid, of_other_extents_or_layout_is_an_error) {
  const Communicator all = world();
  if (all.size() > 1 && !all.checks_messages()) return;  // without checks only the root throws
  const CartesianGrid<2> grid(all, {7, 9});
  const GridView<hpk::View<int**, hpk::LayoutRight, hpk::HostSpace>> u("u", grid, 1);
  const hpk::View<int**, hpk::LayoutRight, hpk::HostSpace> small("small", 7, 8);
  expect_error([&] { hpk::mpi::gather(grid, u, small, 0); },
               {"\"u\"", "\"small\" of the whole grid has extent 8 in dimension 1", "has 9"});
  const hpk::View<int**, hpk::LayoutLeft, hpk::HostSpace> left("left", 7, 9);
  expect_error([&] { hpk::mpi::scatter(grid, left, u, 0); },
               {"\"left\" of the whole grid is LayoutLeft", "same layout"});
}

}  // namespace
}  // namespace grid_collectives_test
