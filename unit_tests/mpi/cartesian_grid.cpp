// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cartesian grids: the cells and the neighbours of each rank.
#include <hpk/mpi/cartesian_grid.hpp>

#include "support.hpp"

#include <limits>

namespace cartesian_grid_test {
namespace {

using namespace mpi_test;
using hpk::index_t;
using hpk::mpi::Box;
using hpk::mpi::CartesianGrid;
using hpk_test::expect_error;

template <int N>
void expect_one_owner_each(const CartesianGrid<N>& grid) {
  index_t cells = 0, all = 1;
  for (int rank = 0; rank < grid.communicator().size(); ++rank) {
    const Box<N> box = grid.owned_by(rank);
    cells += box.size();
    EXPECT_GE(box.size(), 1);
    EXPECT_EQ(grid.rank_of(box.begin), rank);
    hpk::Array<index_t, N> last = box.end;
    for (int d = 0; d < N; ++d) --last[d];
    EXPECT_EQ(grid.rank_of(last), rank);
  }
  int ranks = 1;
  for (int d = 0; d < N; ++d) {
    all *= grid.extent(d);
    ranks *= grid.ranks(d);
  }
  EXPECT_EQ(cells, all);
  EXPECT_EQ(ranks, grid.communicator().size());
  EXPECT_EQ(grid.owned(), grid.owned_by(grid.communicator().rank()));
}

TEST(CartesianGrid, gives_each_cell_to_one_rank) {
  expect_one_owner_each(CartesianGrid<1>(world(), {13}));
  expect_one_owner_each(CartesianGrid<2>(world(), {13, 7}));
  expect_one_owner_each(CartesianGrid<3>(world(), {5, 4, 9}));
  expect_one_owner_each(CartesianGrid<3>(world(), {1, 1, 4}));
}

// The division with the smallest surface; of equal ones, the one that divides the first dimension
// more.
TEST(CartesianGrid, divides_the_longest_sides) {
  const int p = world().size();
  const CartesianGrid<2> tall(world(), {1000, 10}), wide(world(), {10, 1000});
  EXPECT_EQ(tall.ranks(0), p);
  EXPECT_EQ(wide.ranks(1), p);
  // Four strips have the surface of four squares, and fewer neighbours.
  const CartesianGrid<2> square(world(), {100, 100});
  EXPECT_EQ(square.ranks(0), p);
  const CartesianGrid<2> told(world(), {100, 100}, {}, {0, p});
  EXPECT_EQ(told.ranks(0), 1);
  EXPECT_EQ(told.ranks(1), p);
}

TEST(CartesianGrid, knows_neighbours_in_open_and_periodic_dimensions) {
  const Communicator all = world();
  const int p = all.size(), r = all.rank();
  const CartesianGrid<2> grid(all, {8, 8}, {true, false}, {p, 1});
  EXPECT_EQ(grid.neighbour({0, 0}), r);
  EXPECT_EQ(grid.neighbour({1, 0}), (r + 1) % p);
  EXPECT_EQ(grid.neighbour({-1, 0}), (r + p - 1) % p);
  EXPECT_EQ(grid.neighbour({0, 1}), hpk::mpi::no_rank);
  EXPECT_EQ(grid.neighbour({1, -1}), hpk::mpi::no_rank);
  EXPECT_TRUE(grid.is_periodic(0));
  EXPECT_FALSE(grid.is_periodic(1));
  const CartesianGrid<1> line(all, {p});
  EXPECT_EQ(line.coordinate(0), r);
  EXPECT_EQ(line.neighbour({1}), r + 1 < p ? r + 1 : hpk::mpi::no_rank);
}

TEST(CartesianGrid, refuses_what_it_cannot_divide) {
  const Communicator all = world();
  expect_error([&] { CartesianGrid<2> grid(all, {4, 0}); },
               {"hpk::mpi::CartesianGrid", "dimension 1 has 0 cells", "cartesian_grid.cpp"});
  expect_error([&] { CartesianGrid<1> grid(all, {8}, {}, {-1}); },
               {"dimension 0 can't have -1 blocks"});
  expect_error([&] { CartesianGrid<2> grid(all, {8, 8}, {}, {all.size() + 1, 1}); },
               {"ranks can't have one block each", "8 x 8 cells"});
  if (all.size() > 1) {
    expect_error([&] { CartesianGrid<1> grid(all, {std::numeric_limits<index_t>::max()}); },
                 {"too many for"});
    expect_error([&] { CartesianGrid<1> grid(all, {all.size() - 1}); },
                 {"at least one cell in each dimension"});
  }
}

TEST(CartesianGrid, is_the_same_on_all_ranks) {
  const Communicator all = world();
  if (!all.checks_messages() || all.size() < 2) return;  // checks find one rank's mistake
  expect_error([&] { CartesianGrid<1> grid(all, {8 + all.rank()}); },
               {"the ranks do not make the same call", "8 cells"});
}

TEST(Box, counts_its_indices) {
  constexpr Box<2> box{{1, 2}, {4, 4}};
  static_assert(box.size() == 6 && box.extent(0) == 3);
  static_assert(box.contains({1, 3}) && !box.contains({1, 4}) && !box.contains({0, 3}));
  static_assert(Box<2>{{1, 2}, {0, 9}}.size() == 0);
}

template <class Exec>
struct PolicyOver : testing::Test {};
TYPED_TEST_SUITE(PolicyOver, hpk_test::spaces, hpk_test::space_names);

template <int N, class Exec>
index_t count_in(const Box<N>& box) {
  index_t count = 0;
  if constexpr (N == 1) {
    hpk::parallel_reduce(
        hpk::mpi::policy_over(Exec(), box), HPK_LAMBDA(index_t, index_t & sum) { ++sum; }, count);
  } else if constexpr (N == 2) {
    hpk::parallel_reduce(
        hpk::mpi::policy_over(Exec(), box), HPK_LAMBDA(index_t, index_t, index_t & sum) { ++sum; },
        count);
  } else {
    hpk::parallel_reduce(
        hpk::mpi::policy_over(Exec(), box),
        HPK_LAMBDA(index_t, index_t, index_t, index_t & sum) { ++sum; }, count);
  }
  return count;
}

TYPED_TEST(PolicyOver, visits_each_index) {
  EXPECT_EQ((count_in<1, TypeParam>({{-2}, {5}})), 7);
  EXPECT_EQ((count_in<2, TypeParam>({{-2, 3}, {5, 6}})), 21);
  EXPECT_EQ((count_in<3, TypeParam>({{-2, 3, 0}, {5, 6, 2}})), 42);
  EXPECT_EQ((count_in<1, TypeParam>({{3}, {1}})), 0);
  EXPECT_EQ((count_in<2, TypeParam>({{3, 1}, {1, 5}})), 0);
}

}  // namespace
}  // namespace cartesian_grid_test
