// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Halos: their contents after an exchange, for each number of dimensions, layout and space.
#include <hpk/mpi/halo_exchange.hpp>

#include "grid_support.hpp"

#include <stdexcept>
#include <string>
#include <type_traits>

namespace halo_exchange_test {
namespace {

using namespace mpi_test;
using hpk::mpi::HaloExchange;
using hpk::mpi::Stencil;
using hpk_test::expect_error;

template <class Exec>
struct Halo : testing::Test {};
TYPED_TEST_SUITE(Halo, hpk_test::spaces, hpk_test::space_names);

// Returns the number of halo cells with wrong values after an exchange.
template <int N, class G>
int count_wrong_halo(const CartesianGrid<N>& grid, const G& u, Stencil shape) {
  const auto host = hpk_test::on_host(u.view());
  int wrong = 0;
  visit(with_halo<N>(u), [&](auto cell) {
    auto local = cell, source = cell;
    int outside = 0;
    bool exists = true;
    for (int d = 0; d < N; ++d) {
      local[d] = u.to_local(d, cell[d]);
      outside += cell[d] < u.begin(d) || cell[d] >= u.end(d);
      if (cell[d] < 0 || cell[d] >= grid.extent(d)) exists = exists && grid.is_periodic(d);
      source[d] = (cell[d] + grid.extent(d)) % grid.extent(d);
    }
    const bool is_filled = exists && (outside < 2 || shape == Stencil::box);
    const int expected = is_filled ? static_cast<int>(number_of(grid, source)) : unset;
    wrong += element<decltype(host), N>(host, local) != expected;
  });
  return wrong;
}

template <class V, int N>
void expect_filled(const CartesianGrid<N>& grid, const std::type_identity_t<cell_of<N>>& widths) {
  const typename V::execution_space exec;
  for (const Stencil shape : {Stencil::star, Stencil::box}) {
    const GridView<V> u("u", grid, widths);
    HaloExchange halo(grid, u, shape);
    for (int repeat = 0; repeat < 3; ++repeat) {
      set_numbers(grid, u);
      if (repeat == 0) {
        halo.exchange(exec);
        exec.fence();
      } else if (repeat == 1) {
        halo.exchange();
      } else {
        halo.begin(exec);
        halo.end(exec);
        exec.fence();
      }
      EXPECT_EQ(count_wrong_halo(grid, u, shape), 0) << N << " dimensions, " << repeat;
    }
  }
}
template <class Space, class Layout>
void expect_filled_in_layout() {
  const Communicator all = world();
  using line = hpk::View<int*, Layout, Space>;
  using plane = hpk::View<int**, Layout, Space>;
  using block = hpk::View<int***, Layout, Space>;
  for (const bool periodic : {false, true}) {
    expect_filled<line, 1>(CartesianGrid<1>(all, {13}, {periodic}), {2});
    expect_filled<plane, 2>(CartesianGrid<2>(all, {9, 8}, {periodic, false}), {2, 1});
    expect_filled<plane, 2>(CartesianGrid<2>(all, {9, 8}, {true, periodic}, {1, 0}), {1, 2});
    expect_filled<block, 3>(CartesianGrid<3>(all, {5, 6, 7}, {periodic, true, periodic}),
                            {1, 1, 1});
  }
  // A halo as wide as a block, and halos of width zero in one or all dimensions.
  expect_filled<plane, 2>(CartesianGrid<2>(all, {8, 3}, {true, true}, {0, 1}), {8 / all.size(), 0});
  expect_filled<plane, 2>(CartesianGrid<2>(all, {8, 3}, {true, true}), {0, 0});
}

TYPED_TEST(Halo, has_the_cells_of_the_neighbours) {
  expect_filled_in_layout<TypeParam, hpk::LayoutRight>();
  expect_filled_in_layout<TypeParam, hpk::LayoutLeft>();
}

TYPED_TEST(Halo, has_all_components_of_a_cell) {
  const CartesianGrid<1> grid(world(), {12}, {true});
  const GridView<hpk::View<double* [3], TypeParam>, 1> u("u", grid, 1);
  const GridView<hpk::View<double**, TypeParam>, 1> v("v", grid, 1, {3});
  EXPECT_EQ(u.view().extent(1), 3u);
  EXPECT_EQ(v.view().extent(1), 3u);
  const auto set = [&](const auto& w) {
    hpk::parallel_for(
        hpk::mpi::policy_over(TypeParam(), w.owned_box()), HPK_LAMBDA(index_t i) {
          for (int c = 0; c < 3; ++c) w(i, c) = static_cast<double>(10 * i + c);
        });
  };
  set(u);
  set(v);
  HaloExchange(grid, u).exchange();
  HaloExchange(grid, v).exchange();
  const auto expect = [&](const auto& w) {
    const auto host = hpk_test::on_host(w.view());
    for (const index_t i : {w.begin(0) - 1, w.end(0)}) {
      for (int c = 0; c < 3; ++c)
        EXPECT_EQ(host(w.to_local(0, i), c), static_cast<double>(10 * ((i + 12) % 12) + c));
    }
  };
  expect(u);
  expect(v);
}

// A kernel with the indices of the whole grid, over cells with and without neighbours.
TYPED_TEST(Halo, is_filled_while_the_interior_is_computed) {
  const index_t n = 12;
  const CartesianGrid<2> grid(world(), {n, n}, {true, true});
  using view = hpk::View<int**, TypeParam>;
  const GridView<view> u("u", grid, 1), sums("sums", grid, 0);
  HaloExchange halo(grid, u);
  for (int step = 0; step < 3; ++step) {
    hpk::parallel_for(
        hpk::mpi::policy_over(TypeParam(), u.owned_box()),
        HPK_LAMBDA(index_t i, index_t j) { u(i, j) = static_cast<int>(i * n + j + step); });
    halo.overlapped_for(
        "sums", TypeParam(), HPK_LAMBDA(index_t i, index_t j) {
          int sum = 0;
          for (index_t k = i - 1; k <= i + 1; ++k)
            for (index_t l = j - 1; l <= j + 1; ++l) sum += u(k, l);
          sums(i, j) = sum;
        });
    const auto host = hpk_test::on_host(sums.view());
    int wrong = 0;
    visit(sums.owned_box(), [&](auto cell) {
      int sum = 0;
      for (index_t k = cell[0] + n - 1; k <= cell[0] + n + 1; ++k)
        for (index_t l = cell[1] + n - 1; l <= cell[1] + n + 1; ++l)
          sum += static_cast<int>(k % n * n + l % n + step);
      wrong += host(sums.to_local(0, cell[0]), sums.to_local(1, cell[1])) != sum;
    });
    EXPECT_EQ(wrong, 0);
  }
}

// Each step runs on another instance; only the exchange fences.
TYPED_TEST(Halo, is_exchanged_in_one_instance_after_the_other) {
  const index_t n = 4 * world().size();
  const CartesianGrid<1> grid(world(), {n}, {true});
  using view = hpk::View<int* [512], hpk::LayoutLeft, TypeParam>;
  const GridView<view, 1> u("u", grid, 1);
  HaloExchange halo(grid, u);
  const auto instances = hpk::Experimental::partition_space(TypeParam(), 1, 1);
  const hpk::View<int*, TypeParam> wrong("wrong", 6);
  hpk::fence();
  for (int step = 0; step < 6; ++step) {
    const auto& exec = instances[static_cast<std::size_t>(step % 2)];
    hpk::fence();
    hpk::parallel_for(
        hpk::mpi::policy_over(exec, u.owned_box()), HPK_LAMBDA(index_t i) {
          for (int c = 0; c < 512; ++c) u(i, c) = static_cast<int>(1000 * step + i);
        });
    halo.exchange(exec);
    const index_t last = u.end(0);
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, 1), HPK_LAMBDA(int) {
          for (int c = 0; c < 512; ++c)
            wrong(step) += u(last, c) != static_cast<int>(1000 * step + last % n);
        });
  }
  hpk::fence();
  const auto found = hpk_test::on_host(wrong);
  for (int step = 0; step < 6; ++step) EXPECT_EQ(found(step), 0);
}

TEST(HaloBoxes, are_all_cells_once) {
  const CartesianGrid<3> grid(world(), {8, 8, 8}, {true, false, true});
  const GridView<hpk::View<int***, hpk::HostSpace>> u("u", grid, 1), seen("seen", grid, 0);
  const HaloExchange halo(grid, u);
  const auto count = [&](const Box<3>& box) {
    visit(box, [&](auto c) { ++seen(c[0], c[1], c[2]); });
  };
  count(halo.interior());
  EXPECT_LE(halo.boundary().size(), 6u);
  for (const Box<3>& box : halo.boundary()) count(box);
  int wrong = 0;
  visit(u.owned_box(), [&](auto c) { wrong += seen(c[0], c[1], c[2]) != 1; });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(halo.interior() == u.owned_box(), world().size() == 1);
}

// Exchanges of two Views overlap and begin in a different order on each rank.
TEST(HaloExchange, exchanges_of_several_views_do_not_mix) {
  const CartesianGrid<1> grid(world(), {12}, {true});
  using view = hpk::View<int*, hpk::HostSpace>;
  const GridView<view> u("u", grid, 1), v("v", grid, 1);
  HaloExchange halo_of_u(grid, u), halo_of_v(grid, v);
  for (index_t i = u.begin(0); i < u.end(0); ++i) {
    u(i) = static_cast<int>(i);
    v(i) = static_cast<int>(100 + i);
  }
  const hpk::DefaultHostExecutionSpace exec;
  HaloExchange<GridView<view>>* const both[] = {&halo_of_u, &halo_of_v};
  const int first = world().rank() % 2;
  both[first]->begin(exec);
  both[1 - first]->begin(exec);
  halo_of_u.end(exec);
  halo_of_v.end(exec);
  exec.fence();
  EXPECT_EQ(u(u.end(0)), u.end(0) % 12);
  EXPECT_EQ(v(v.end(0)), 100 + u.end(0) % 12);
}

TEST(HaloExchange, ends_with_an_exchange_under_way) {
  const CartesianGrid<1> grid(world(), {8}, {true});
  const GridView<hpk::View<int*, hpk::HostSpace>> u("u", grid, 1);
  const hpk::DefaultHostExecutionSpace exec;
  {
    HaloExchange halo(grid, u);
    halo.begin(exec);
  }
  try {
    HaloExchange halo(grid, u);
    halo.begin(exec);
    throw std::runtime_error("on all ranks");
  } catch (const std::runtime_error&) {
  }
  world().barrier();
  HaloExchange halo(grid, u);
  halo.exchange();
}

TEST(HaloExchange, kernels_that_throw_leave_no_exchange_under_way) {
  const Communicator all = world();
  const index_t n = 8 * all.size();
  const CartesianGrid<1> grid(all, {n}, {true});
  const GridView<hpk::View<int*, hpk::HostSpace>> u("u", grid, 1), sums("sums", grid, 0);
  const hpk::DefaultHostExecutionSpace exec;
  HaloExchange halo(grid, u);
  for (int step = 0; step < 4; ++step) {
    for (index_t i = u.begin(0); i < u.end(0); ++i) u(i) = static_cast<int>(1000 * step + i);
    const auto sum = [&](bool breaks) {
      halo.overlapped_for("sums", exec, [=](index_t i) {
        if (breaks) throw std::runtime_error("broken");
        sums(i) = u(i - 1) + u(i + 1);
      });
      exec.fence();
    };
    if (all.rank() == 0) {
      EXPECT_ANY_THROW(sum(true));
    } else {
      sum(false);
    }
    sum(false);
    for (const index_t i : {u.begin(0), u.end(0) - 1}) {
      EXPECT_EQ(sums(i), 2000 * step + (i + n - 1) % n + (i + 1) % n);
    }
  }
}

TEST(HaloExchange, misuse_is_an_error) {
  const Communicator all = world();
  const CartesianGrid<1> grid(all, {4 * all.size()}, {true});
  using view = hpk::View<int*, hpk::HostSpace>;
  const GridView<view> u("u", grid, 1);
  const hpk::DefaultHostExecutionSpace exec;
  HaloExchange halo(grid, u);
  expect_error([&] { halo.end(exec); },
               {"hpk::mpi::HaloExchange", "\"u\"", "the exchange has not begun"});
  halo.begin(exec);
  expect_error([&] { halo.begin(exec); },
               {"\"u\"", "the exchange has begun already", "halo_exchange.cpp"});
  halo.end(exec);
  const CartesianGrid<1> other(all, {8 * all.size()}, {true});
  expect_error([&] { HaloExchange wrong(other, u); }, {"\"u\"", "is not divided as the grid"});
}

TEST(HaloExchange, cells_that_change_under_way_are_an_error) {
  const Communicator all = world();
  if (!all.checks_messages() || all.size() < 2) return;  // only copies can be compared
  const CartesianGrid<1> grid(all, {4 * all.size()}, {true});
  const GridView<hpk::View<int*, hpk::HostSpace>> u("u", grid, 1);
  const hpk::DefaultHostExecutionSpace exec;
  HaloExchange halo(grid, u);
  halo.begin(exec);
  u(u.begin(0)) = 7;
  expect_error([&] { halo.end(exec); }, {"\"u\"", "cells were changed between begin and end"});
}

TEST(HaloExchange, ranks_that_differ_are_an_error) {
  const Communicator all = world();
  if (!all.checks_messages() || all.size() < 2) return;  // calls are not compared then
  const CartesianGrid<1> grid(all, {4 * all.size()}, {true});
  const GridView<hpk::View<int*, hpk::HostSpace>> u("u", grid, all.rank() == 0 ? 2 : 1);
  expect_error([&] { HaloExchange halo(grid, u); },
               {"the ranks do not make the same call", "halo 2"});
}

}  // namespace
}  // namespace halo_exchange_test
