// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HaloExchange: fills the halo of a GridView with the cells of the neighbours, while kernels work
// on the cells that need no halo. The messages are planned once. Each goes directly to its
// neighbour, including the neighbours at edges and corners, so an exchange has one step.
#pragma once

#include <hpk/mpi/grid_view.hpp>
#include <hpk/mpi/point_to_point.hpp>

#include <hpk/core.hpp>

#include <exception>
#include <memory>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hpk::mpi {

/// The neighbours of a cell that a kernel reads.
enum class Stencil {
  star,  ///< along the axes: exchanges faces, 2 N messages
  box    ///< also diagonal: exchanges faces, edges and corners, 3^N - 1 messages
};

namespace detail {

/// The direction to a neighbour: -1, 0 or 1 blocks in each dimension.
struct direction {
  int step[3] = {};
  /// Returns 0 to 26; 13 is the block itself.
  int number() const { return (step[0] + 1) * 9 + (step[1] + 1) * 3 + step[2] + 1; }
  int opposite() const { return 26 - number(); }
  bool is_along_an_axis() const { return (step[0] != 0) + (step[1] != 0) + (step[2] != 0) == 1; }
};
/// Returns the directions to the neighbours of a block.
std::vector<direction> directions_of(int dimensions, Stencil shape);
/// Returns the tag of a message that goes in a direction, for the HaloExchange with number `view`.
int tag_of(int view, int direction);
inline constexpr int tag_of_whole_grids = 13;

/// Frees persistent requests that are not under way.
void free_requests(std::vector<MPI_Request>& requests);

/// Returns the cells of a block that a neighbour's halo needs; halo_towards() returns the cells of
/// the block's halo that the neighbour owns.
template <int N>
Box<N> cells_towards(const Box<N>& owned, const index_t* halo, const direction& to) {
  Box<N> result = owned;
  for (int d = 0; d < N; ++d) {
    if (to.step[d] > 0) result.begin[d] = owned.end[d] - halo[d];
    if (to.step[d] < 0) result.end[d] = owned.begin[d] + halo[d];
  }
  return result;
}
template <int N>
Box<N> halo_towards(const Box<N>& owned, const index_t* halo, const direction& to) {
  Box<N> result = owned;
  for (int d = 0; d < N; ++d) {
    if (to.step[d] > 0) {
      result.begin[d] = owned.end[d];
      result.end[d] = owned.end[d] + halo[d];
    }
    if (to.step[d] < 0) {
      result.begin[d] = owned.begin[d] - halo[d];
      result.end[d] = owned.begin[d];
    }
  }
  return result;
}
/// Divides the cells of `all` outside `inner` into boxes that do not overlap.
template <int N>
std::vector<Box<N>> boxes_around(const Box<N>& all, const Box<N>& inner) {
  if (inner.size() == 0) return {all};
  std::vector<Box<N>> result;
  Box<N> rest = all;
  for (int d = 0; d < N; ++d) {
    Box<N> low = rest, high = rest;
    low.end[d] = inner.begin[d];
    high.begin[d] = inner.end[d];
    if (low.size() != 0) result.push_back(low);
    if (high.size() != 0) result.push_back(high);
    rest.begin[d] = inner.begin[d];
    rest.end[d] = inner.end[d];
  }
  return result;
}

}  // namespace detail

/// The exchange of the halo of one GridView. Make `HaloExchange halo(grid, u);` once and call
/// `halo.exchange(exec)` in each step, or overlap the messages with work on cells that read no
/// copies:
///
///     halo.begin(exec);
///     hpk::parallel_for(policy_over(exec, halo.interior()), kernel);
///     halo.end(exec);
///     for (const auto& box : halo.boundary()) hpk::parallel_for(policy_over(exec, box), kernel);
///
/// overlapped_for(label, exec, kernel) does the same. Between begin and end the cells of this rank
/// may not be written, and the halo may not be used. Beyond the ends of the grid the halo keeps the
/// values that the program has set.
///
/// Ranks may exchange the halos of several Views in any order, but make their HaloExchanges in the
/// same order. Move-only; holds the View and the buffers of its messages.
///
/// \tparam G the GridView's type
///
/// Threads: one at a time.
template <class G>
class HaloExchange {
  static constexpr int N = G::dimensions;
  static_assert(!std::is_const_v<typename G::value_type>,
                "hpk::mpi::HaloExchange: the halo is written; write a GridView of non-const "
                "elements");
  using slice = decltype(std::declval<const G&>().part(Box<N>()));
  using buffer = detail::message_buffer<slice>;

 public:
  /// Plans the messages. Collective; all ranks pass the same stencil, and Views of the same element
  /// type and halo. Throws hpk::error if they differ (in communicators that check messages), or if
  /// the View does not belong to this grid.
  HaloExchange(const CartesianGrid<N>& grid, const G& view, Stencil shape = Stencil::box,
               const std::source_location& where = std::source_location::current())
      : state_(new state(grid, view)) {
    const Communicator& comm = grid.communicator();
    error_message plan;
    for (int d = 0; d < N; ++d) plan << (d == 0 ? "halo " : " x ") << view.halo(d);
    plan << (shape == Stencil::star ? ", star" : ", box");
    detail::expect_agreement(
        comm, about(where),
        {.type = type_name<typename slice::non_const_value_type>(), .operation = plan.str()},
        view.owned_box() == grid.owned() ? ""
                                         : "the View is not divided as the grid; write the grid "
                                           "that it was made with");
    const int number = grid.facts().views++;
    state_->interior = view.owned_box();
    const index_t* const halo = view.halo().data();
    for (const detail::direction& to : detail::directions_of(N, shape)) {
      const int peer = detail::neighbour_in(grid.facts(), to.step);
      const slice cells = view.part(detail::cells_towards(view.owned_box(), halo, to));
      const slice copies = view.part(detail::halo_towards(view.owned_box(), halo, to));
      if (peer == no_rank || cells.size() == 0) continue;
      if (peer == comm.rank()) {
        // The neighbour across the periodic boundary is this rank: copy the cells of the opposite
        // side.
        detail::direction from = to;
        for (int& step : from.step) step = -step;
        state_->self_copies.push_back(
            {view.part(detail::cells_towards(view.owned_box(), halo, from)), copies});
        continue;
      }
      shrink(to, halo);
      state_->neighbours.push_back({buffer(comm, cells), buffer(comm, copies), peer,
                                    detail::tag_of(number, to.number()),
                                    detail::tag_of(number, to.opposite())});
      state_->bytes += static_cast<index_t>(cells.size() * sizeof(typename slice::value_type));
    }
    plan_requests(where);
    state_->boundary = detail::boxes_around(view.owned_box(), state_->interior);
  }
  /// Takes over the plan, and an exchange that has begun. The assignment also ends the previous
  /// exchange as the destructor does.
  ///@{
  HaloExchange(HaloExchange&&) = default;
  HaloExchange& operator=(HaloExchange&&) = default;
  ///@}
  /// Waits for an exchange that has begun. If an exception thrown after begin() unwinds the stack,
  /// it cancels the receives and does not wait for the sends.
  ~HaloExchange() = default;

  /// Returns the GridView whose halo is filled.
  const G& view() const noexcept { return state_->view; }
  /// Fills the halo: calls begin() and end().
  template <ExecutionSpace Exec>
  void exchange(const Exec& exec,
                const std::source_location& where = std::source_location::current()) {
    begin(exec, where);
    end(exec, where);
  }
  /// Waits for all kernels and fills the halo. Every instance may read the halo once the call
  /// returns.
  void exchange(const std::source_location& where = std::source_location::current()) {
    fence("hpk::mpi: all kernels are done");
    const typename G::execution_space exec;
    exchange(exec, where);
    exec.fence("hpk::mpi: the halo is filled");
  }

  /// Sends this rank's cells and begins to receive copies, after work launched earlier in the
  /// instance. Throws hpk::error if the exchange has begun already.
  template <ExecutionSpace Exec>
  void begin(const Exec& exec,
             const std::source_location& where = std::source_location::current()) {
    state& all = *state_;
    const Communicator& comm = all.grid.communicator();
    if (all.is_pending)
      detail::fail(comm, about(where), "the exchange has begun already; end it first");
    for (const neighbour_exchange& each : all.neighbours) each.leaving.pack_async(exec);
    // Waits for packing, and for the unpacking of the last exchange, which may have run in another
    // instance.
    exec.fence("hpk::mpi: the cells of a halo are packed");
    all.unpacked.wait("hpk::mpi: the last halo is unpacked");
    if constexpr (reports_host_access_v<slice>) {
      for (const neighbour_exchange& each : all.neighbours) {
        announce_host_read(each.leaving.view());
        announce_host_write(each.arriving.view());
      }
    }
    all.is_pending = true;
    all.exceptions = std::uncaught_exceptions();
    work_meanwhile([&] { start(exec, where); });
  }
  /// Waits for the copies and writes them to the halo; kernels launched in the instance afterwards
  /// may read them. Throws hpk::error if the exchange has not begun, or if a message does not fit;
  /// in communicators that check messages also if cells of this rank were changed since begin().
  template <ExecutionSpace Exec>
  void end(const Exec& exec, const std::source_location& where = std::source_location::current()) {
    state& all = *state_;
    if (!all.is_pending) {
      detail::fail(all.grid.communicator(), about(where),
                   "the exchange has not begun; call begin first, or exchange");
    }
    all.is_pending = false;
    std::vector<MPI_Status>& statuses = all.statuses;
    statuses.resize(all.requests.size());
    const int code =
        MPI_Waitall(static_cast<int>(all.requests.size()), all.requests.data(), statuses.data());
    const auto code_of = [&](std::size_t k) {
      return code == MPI_ERR_IN_STATUS ? statuses[k].MPI_ERROR : code;
    };
    for (std::size_t k = 0; k < all.neighbours.size(); ++k) {
      const neighbour_exchange& each = all.neighbours[k];
      expect(code_of(k), each, where);
      expect(code_of(all.neighbours.size() + k), each, where);
      each.arriving.expect_fits(all.grid.communicator(), about(each, where), statuses[k]);
      if (!each.leaving.is_unchanged(exec)) {
        detail::fail(all.grid.communicator(), about(each, where),
                     "cells were changed between begin and end; a kernel that runs meanwhile "
                     "writes another View");
      }
      each.arriving.unpack_async(exec);
    }
    all.unpacked = exec.record();
  }
  /// Fills the halo and calls the kernel for all cells of this rank, with the indices of the whole
  /// grid: begins the messages, computes the interior while they travel, then the boundary. The
  /// kernel may not write the exchanged View. If a launch throws, this function waits for the
  /// messages and ends the exchange; the halo is unspecified.
  template <ExecutionSpace Exec, class Kernel>
  void overlapped_for(const std::string& label, const Exec& exec, const Kernel& kernel,
                      const std::source_location& where = std::source_location::current()) {
    begin(exec, where);
    work_meanwhile([&] {
      if (interior().size() != 0) parallel_for(label, policy_over(exec, interior()), kernel, where);
    });
    end(exec, where);
    for (const Box<N>& box : boundary()) parallel_for(label, policy_over(exec, box), kernel, where);
  }

  /// Returns the cells of this rank that are at least a halo's width away from every neighbour.
  const Box<N>& interior() const noexcept { return state_->interior; }
  /// Returns the other cells of this rank as at most 2 N boxes that do not overlap.
  const std::vector<Box<N>>& boundary() const noexcept { return state_->boundary; }
  /// Returns the number of messages that this rank sends in an exchange; it receives as many.
  int messages() const noexcept { return static_cast<int>(state_->neighbours.size()); }
  /// Returns the number of bytes of the cells that this rank sends in an exchange.
  index_t bytes() const noexcept { return state_->bytes; }

 private:
  // A message to a neighbour, and the message from it.
  struct neighbour_exchange {
    buffer leaving, arriving;
    int peer, tag_out, tag_in;
  };
  // Cells of this rank that its own halo has copies of.
  struct self_copy {
    slice cells, copies;
  };
  struct state {
    CartesianGrid<N> grid;
    G view;
    std::vector<neighbour_exchange> neighbours;
    std::vector<self_copy> self_copies;
    std::vector<MPI_Request> requests;  // persistent receives, then sends
    std::vector<MPI_Status> statuses;
    Box<N> interior;
    std::vector<Box<N>> boundary;
    index_t bytes = 0;
    bool is_pending = false;
    int exceptions = 0;  // std::uncaught_exceptions() at begin()
    Event unpacked;      // after the last exchange is unpacked

    state(const CartesianGrid<N>& on, const G& of) : grid(on), view(of) {}
    state(const state&) = delete;
    void wait() noexcept {
      is_pending = false;
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    }
  };
  struct end_of_state {
    void operator()(state* all) const {
      if (all->is_pending) {
        if (std::uncaught_exceptions() > all->exceptions) {
          // Messages of other ranks stay in the communicator, so the state with communicator and
          // buffers is leaked.
          detail::give_up(all->requests, all->neighbours.size());
          return;
        }
        all->wait();
      }
      detail::free_requests(all->requests);
      // Copies from the buffers may still run.
      all->unpacked.wait("hpk::mpi: before the buffers of a halo are freed");
      delete all;
    }
  };

  detail::call about(const std::source_location& where) const {
    return detail::about("hpk::mpi::HaloExchange", state_->view.view(), detail::not_given,
                         detail::not_given, where);
  }
  static detail::call about(const neighbour_exchange& each, const std::source_location& where) {
    return detail::about("hpk::mpi::HaloExchange", each.arriving.view(), each.peer, each.tag_in,
                         where);
  }
  void expect(int code, const neighbour_exchange& each, const std::source_location& where) const {
    detail::expect_success(code, state_->grid.communicator(), about(each, where));
  }
  // Starts all messages, and copies the cells that stay on this rank.
  template <ExecutionSpace Exec>
  void start(const Exec& exec, const std::source_location& where) {
    state& all = *state_;
    const Communicator& comm = all.grid.communicator();
    // Open MPI rejects MPI_Startall with 0 requests.
    if (!all.neighbours.empty()) {
      detail::expect_success(
          MPI_Startall(static_cast<int>(all.neighbours.size()), all.requests.data()), comm,
          about(where));
    }
    std::size_t k = all.neighbours.size();
    for (const neighbour_exchange& each : all.neighbours) {
      const detail::elements_of out = each.leaving.elements();
      expect(MPI_Isend(each.leaving.data(), out.count(), out.type(), each.peer, each.tag_out,
                       comm.native(), &all.requests[k++]),
             each, where);
    }
    // Copies within this rank overlap with the messages.
    for (const self_copy& each : all.self_copies) deep_copy(exec, each.copies, each.cells);
  }
  // Calls `work` while the messages are under way. If it throws, waits for the messages and ends
  // the exchange, so that later exchanges can't receive them.
  template <class F>
  void work_meanwhile(const F& work) {
    try {
      work();
    } catch (...) {
      state_->wait();
      throw;
    }
  }
  // Receives are persistent requests. Sends are not: Open MPI sends short messages faster without.
  void plan_requests(const std::source_location& where) {
    state& all = *state_;
    const MPI_Comm comm = all.grid.communicator().native();
    all.requests.assign(2 * all.neighbours.size(), MPI_REQUEST_NULL);
    all.statuses.resize(all.requests.size());
    for (std::size_t k = 0; k < all.neighbours.size(); ++k) {
      const neighbour_exchange& each = all.neighbours[k];
      const detail::elements_of in = each.arriving.elements();
      expect(MPI_Recv_init(each.arriving.data(), in.count(), in.type(), each.peer, each.tag_in,
                           comm, &all.requests[k]),
             each, where);
    }
  }
  // Removes the cells near the face of a neighbour from the interior.
  void shrink(const detail::direction& to, const index_t* halo) {
    if (!to.is_along_an_axis()) return;
    Box<N>& interior = state_->interior;
    const Box<N>& owned = state_->view.owned_box();
    for (int d = 0; d < N; ++d) {
      if (to.step[d] < 0) interior.begin[d] = owned.begin[d] + halo[d];
      if (to.step[d] > 0) interior.end[d] = owned.end[d] - halo[d];
    }
  }

  std::unique_ptr<state, end_of_state> state_;
};

/// Deduces the type of the GridView.
template <int N, class G, class... Rest>
HaloExchange(const CartesianGrid<N>&, const G&, Rest...) -> HaloExchange<G>;

}  // namespace hpk::mpi
