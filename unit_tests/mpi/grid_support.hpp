// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Support for tests of grids: cells with their number in the whole grid.
#pragma once

#include <hpk/mpi/grid_view.hpp>

#include "support.hpp"

#include <type_traits>

namespace mpi_test {

using hpk::index_t;
using hpk::mpi::Box;
using hpk::mpi::CartesianGrid;
using hpk::mpi::GridView;

/// The value of halo cells that no exchange fills.
constexpr int unset = -1;

/// The indices of a cell in the whole grid.
template <int N>
using cell_of = hpk::Array<index_t, static_cast<std::size_t>(N)>;
template <int N>
index_t number_of(const CartesianGrid<N>& grid, const std::type_identity_t<cell_of<N>>& cell) {
  index_t number = 0;
  for (int d = 0; d < N; ++d) number = number * grid.extent(d) + cell[d];
  return number;
}
/// Calls f(cell) for each cell of a box, on this thread.
template <int N, class F>
void visit(const Box<N>& box, const F& f) {
  cell_of<N> cell = box.begin;
  for (index_t k = 0; k < box.size(); ++k) {
    index_t rest = k;
    for (int d = N - 1; d >= 0; --d) {
      cell[d] = box.begin[d] + rest % box.extent(d);
      rest /= box.extent(d);
    }
    f(cell);
  }
}
template <class V, int N>
auto& element(const V& view, const cell_of<N>& local) {
  if constexpr (N == 1) {
    return view(local[0]);
  } else if constexpr (N == 2) {
    return view(local[0], local[1]);
  } else {
    return view(local[0], local[1], local[2]);
  }
}
template <int N, class G>
Box<N> with_halo(const G& u) {
  Box<N> all = u.owned_box();
  for (int d = 0; d < N; ++d) {
    all.begin[d] -= u.halo(d);
    all.end[d] += u.halo(d);
  }
  return all;
}
/// Sets the cells of this rank to their numbers in the whole grid, and the halo to `unset`.
template <int N, class G>
void set_numbers(const CartesianGrid<N>& grid, const G& u) {
  const auto host = hpk::create_mirror_view(u.view());
  hpk::deep_copy(host, unset);
  visit(u.owned_box(), [&](auto cell) {
    auto local = cell;
    for (int d = 0; d < N; ++d) local[d] = u.to_local(d, cell[d]);
    element<decltype(host), N>(host, local) = static_cast<int>(number_of(grid, cell));
  });
  hpk::deep_copy(u.view(), host);
}
}  // namespace mpi_test
