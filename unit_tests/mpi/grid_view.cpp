// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of grids: the indices of the whole grid, and the part of a rank.
#include <hpk/mpi/grid_view.hpp>

#include "grid_support.hpp"

namespace grid_view_test {
namespace {

using namespace mpi_test;
using hpk_test::expect_error;

TEST(GridViewFacts, say_what_a_rank_has) {
  const CartesianGrid<2> grid(world(), {12, 9}, {true, false});
  const GridView<hpk::View<float** [2], hpk::LayoutLeft, hpk::HostSpace>, 2> u(
      "u", grid, hpk::Array<index_t, 2>{2, 1});
  EXPECT_EQ(u.label(), "u");
  EXPECT_EQ(u.owned_box(), grid.owned());
  for (int d = 0; d < 2; ++d) {
    EXPECT_EQ(u.begin(d), grid.owned().begin[d]);
    EXPECT_EQ(u.end(d), grid.owned().end[d]);
    EXPECT_EQ(u.halo(d), 2 - d);
    EXPECT_EQ(u.global_extent(d), grid.extent(d));
    EXPECT_EQ(static_cast<index_t>(u.view().extent(d)), u.end(d) - u.begin(d) + 2 * u.halo(d));
    EXPECT_EQ(static_cast<index_t>(u.owned().extent(d)), u.end(d) - u.begin(d));
    EXPECT_EQ(u.to_local(d, u.begin(d)), u.halo(d));
    EXPECT_EQ(u.to_global(d, u.to_local(d, 5)), 5);
  }
  EXPECT_EQ(u.owned().extent(2), 2u);
  const auto part = u.subarray();
  EXPECT_EQ(part.extents, (hpk::Array<index_t, 3>{12, 9, 2}));
  EXPECT_EQ(part.begin, (hpk::Array<index_t, 3>{u.begin(0), u.begin(1), 0}));
}

TEST(GridViewFacts, owned_and_parts_are_the_same_memory) {
  const CartesianGrid<2> grid(world(), {8, 8});
  const GridView<hpk::View<int**, hpk::HostSpace>> u("u", grid, 1);
  u(u.begin(0), u.begin(1)) = 3;
  EXPECT_EQ(u.owned()(0, 0), 3);
  EXPECT_EQ(u.view()(1, 1), 3);
  const auto corner = u.part({{u.begin(0) - 1, u.begin(1) - 1}, {u.begin(0) + 1, u.begin(1) + 1}});
  EXPECT_EQ(corner.extent(0), 2u);
  EXPECT_EQ(corner(1, 1), 3);
  EXPECT_EQ(corner(0, 0), 0);
  const GridView<hpk::View<const int**, hpk::HostSpace>> read_only = u;
  EXPECT_EQ(read_only(u.begin(0), u.begin(1)), 3);
  static_assert(!std::is_convertible_v<decltype(read_only), decltype(u)>);
  EXPECT_EQ(GridView<hpk::View<int**>>().view().size(), 0u);
}

TEST(GridViewFacts, halos_that_do_not_fit_are_an_error) {
  const Communicator all = world();
  const CartesianGrid<1> grid(all, {4 * all.size()}, {true});
  using view = hpk::View<int*, hpk::HostSpace>;
  expect_error([&] { GridView<view> wide("wide", grid, 5); },
               {"\"wide\"", "the halo of 5 cells in dimension 0",
                "wider than the smallest block, of 4 cells"});
  expect_error([&] { GridView<view> negative("negative", grid, -1); },
               {"\"negative\"", "the halo of -1 cells in dimension 0 is negative"});
  // There is no exchange in an open dimension with one block: the program sets its halo.
  const CartesianGrid<1> alone(Communicator(MPI_COMM_SELF), {2});
  const GridView<view> u("u", alone, 5);
  EXPECT_EQ(u.view().extent(0), 12u);
}

template <class Exec>
struct GridViewIn : testing::Test {};
TYPED_TEST_SUITE(GridViewIn, hpk_test::spaces, hpk_test::space_names);

// A kernel sets the halo beyond the ends of the grid, and counts cells.
TYPED_TEST(GridViewIn, kernels_use_the_indices_of_the_whole_grid) {
  const CartesianGrid<3> grid(world(), {6, 5, 7});
  const GridView<hpk::View<int***, TypeParam>> u("u", grid, 1);
  Box<3> all = u.owned_box();
  for (int d = 0; d < 3; ++d) {
    --all.begin[d];
    ++all.end[d];
  }
  hpk::parallel_for(
      hpk::mpi::policy_over(TypeParam(), all), HPK_LAMBDA(index_t i, index_t j, index_t k) {
        u(i, j, k) = static_cast<int>((i + 1) * 100 + (j + 1) * 10 + k + 1);
      });
  const auto host = hpk_test::on_host(u.view());
  int wrong = 0;
  visit(all, [&](auto c) {
    wrong += host(u.to_local(0, c[0]), u.to_local(1, c[1]), u.to_local(2, c[2])) !=
             (c[0] + 1) * 100 + (c[1] + 1) * 10 + c[2] + 1;
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace grid_view_test
