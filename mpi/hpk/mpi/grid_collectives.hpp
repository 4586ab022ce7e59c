// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gather and scatter of a whole grid, for plots, small files and initial data. A grid that does not
// fit on one rank is written and read by all ranks together (npy.hpp, checkpoint.hpp).
#pragma once

#include <hpk/mpi/grid_view.hpp>
#include <hpk/mpi/halo_exchange.hpp>
#include <hpk/mpi/point_to_point.hpp>

#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

namespace hpk::mpi {

namespace detail {

template <class V, int N, class D, class... Ps>
std::string fault_of_whole(const CartesianGrid<N>& grid, const GridView<V, N>& view,
                           const View<D, Ps...>& whole, int root) {
  using whole_view = View<D, Ps...>;
  static_assert(whole_view::rank() == V::rank(),
                "hpk::mpi: the View of the whole grid has another rank; write one of as many "
                "dimensions as the GridView's View");
  static_assert(
      std::is_same_v<typename whole_view::non_const_value_type, typename V::non_const_value_type>,
      "hpk::mpi: the View of the whole grid has another element type; write the one of "
      "the GridView");
  error_message why;
  if (grid.communicator().rank() != root) return {};
  if (V::rank() > 1 && order_of(view.view()) != order_of(whole)) {
    why << "the View \"" << whole.label() << "\" of the whole grid is " << name_of_order(whole)
        << ", the GridView is " << name_of_order(view.view()) << "; write Views of the same layout";
    return why.str();
  }
  const auto extents = view.subarray().extents;
  for (std::size_t r = 0; r != V::rank(); ++r) {
    if (static_cast<index_t>(whole.extent(r)) == extents[r]) continue;
    why << "the View \"" << whole.label() << "\" of the whole grid has extent " << whole.extent(r)
        << " in dimension " << r << "; the grid has " << extents[r];
    break;
  }
  return why.str();
}

}  // namespace detail

/// Copies the cells of all ranks into `whole` on rank `root`, where it has the extents of the grid.
/// Other ranks do not use `whole`. The root needs memory for a packed copy of all cells during the
/// call. Waits for all kernels. Collective.
template <class V, int N, class D, class... Ps>
void gather(const CartesianGrid<N>& grid, const GridView<V, N>& view, const View<D, Ps...>& whole,
            int root, const std::source_location& where = std::source_location::current()) {
  static_assert(detail::accept_received<View<D, Ps...>>());
  const Communicator& comm = grid.communicator();
  detail::expect_agreement(
      comm,
      detail::about("hpk::mpi::gather", view.view(), detail::not_given, detail::not_given, where),
      {.root = root}, detail::fault_of_whole(grid, view, whole, root));
  const auto cells = view.owned();
  std::vector<Request> requests;
  requests.push_back(isend(comm, cells, root, detail::tag_of_whole_grids, where));
  for (int rank = 0; comm.rank() == root && rank < comm.size(); ++rank) {
    requests.push_back(irecv(comm, detail::part_of(whole, grid.owned_by(rank)), rank,
                             detail::tag_of_whole_grids, where));
  }
  wait_all(requests);
}
/// Copies to each rank its cells of `whole` on rank `root`. Does not fill the halo. Waits for all
/// kernels. Collective.
template <class V, int N, class D, class... Ps>
void scatter(const CartesianGrid<N>& grid, const View<D, Ps...>& whole, const GridView<V, N>& view,
             int root, const std::source_location& where = std::source_location::current()) {
  static_assert(detail::accept_received<V>());
  const Communicator& comm = grid.communicator();
  detail::expect_agreement(
      comm,
      detail::about("hpk::mpi::scatter", view.view(), detail::not_given, detail::not_given, where),
      {.root = root}, detail::fault_of_whole(grid, view, whole, root));
  Request received = irecv(comm, view.owned(), root, detail::tag_of_whole_grids, where);
  if (comm.rank() == root) {
    std::vector<Request> requests;
    for (int rank = 0; rank < comm.size(); ++rank) {
      requests.push_back(isend(comm, detail::part_of(whole, grid.owned_by(rank)), rank,
                               detail::tag_of_whole_grids, where));
    }
    wait_all(requests);
  }
  received.wait();
}

}  // namespace hpk::mpi
