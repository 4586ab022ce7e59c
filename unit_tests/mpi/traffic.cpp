// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the MPI calls with which hpk sends, and checks the formulas of docs/mpi.md.
#include "traffic.hpp"

#include <hpk/mpi.hpp>
#include <hpk/mpi/exact_sum.hpp>

#include "grid_support.hpp"

#include <unordered_map>

namespace {

mpi_test::traffic all_sent;
// The bytes that each start of a persistent request sends.
std::unordered_map<MPI_Request, long> planned;

long bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<long>(count) * size;
}
void count_message(long bytes) {
  ++all_sent.messages;
  all_sent.bytes += bytes;
}

}  // namespace

mpi_test::traffic mpi_test::sent_so_far() { return all_sent; }

extern "C" {

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  count_message(bytes_of(count, type));
  return PMPI_Send(data, count, type, to, tag, comm);
}
int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  count_message(bytes_of(count, type));
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}
int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  count_message(bytes_of(count, type));
  return PMPI_Issend(data, count, type, to, tag, comm, request);
}
int MPI_Send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  const int code = PMPI_Send_init(data, count, type, to, tag, comm, request);
  planned[*request] = bytes_of(count, type);
  return code;
}
int MPI_Startall(int count, MPI_Request* requests) {
  for (int k = 0; k < count; ++k) {
    const auto found = planned.find(requests[k]);
    if (found != planned.end()) count_message(found->second);
  }
  return PMPI_Startall(count, requests);
}
int MPI_Request_free(MPI_Request* request) {
  planned.erase(*request);
  return PMPI_Request_free(request);
}
int MPI_Allgather(const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype to,
                  MPI_Comm comm) {
  ++all_sent.collectives;
  return PMPI_Allgather(in, n, type, out, m, to, comm);
}
int MPI_Allreduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++all_sent.collectives;
  return PMPI_Allreduce(in, out, n, type, op, comm);
}
int MPI_Bcast(void* data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
  ++all_sent.collectives;
  return PMPI_Bcast(data, n, type, root, comm);
}
}

namespace traffic_test {
namespace {

using namespace mpi_test;
using hpk::mpi::HaloExchange;
using hpk::mpi::Stencil;

constexpr long header = 128;  // of checked messages

TEST(Traffic, of_a_message_is_its_elements) {
  const Communicator all = world();
  const hpk::View<double*, hpk::HostSpace> x("x", 10), y("y", 10);
  const traffic sent = sent_by([&] {
    hpk::mpi::Request in = hpk::mpi::irecv(all, y, previous_rank(all));
    hpk::mpi::send(all, x, next_rank(all));
    in.wait();
  });
  EXPECT_EQ(sent.messages, 1);
  EXPECT_EQ(sent.bytes, 80 + (all.checks_messages() ? header : 0));
}

TEST(Traffic, of_a_collective_is_one_call_and_one_to_compare) {
  const Communicator all = world();
  const long checks = all.checks_messages() ? 1 : 0;
  const hpk::View<double*, hpk::HostSpace> x("x", 10), y("y", 10);
  EXPECT_EQ(sent_by([&] { hpk::mpi::broadcast(all, x, 0); }), (traffic{0, 0, 1 + checks}));
  EXPECT_EQ(sent_by([&] { hpk::mpi::allreduce(all, x, y); }), (traffic{0, 0, 1 + checks}));
  hpk::mpi::exact_sum sum;
  EXPECT_EQ(sent_by([&] { hpk::mpi::allreduce(all, hpk::Sum(sum)); }), (traffic{0, 0, 1 + checks}));
  static_assert(sizeof(hpk::mpi::exact_sum) == 568);
}

// Expects one message per neighbouring rank, with the cells of each direction.
template <int N>
void expect_formula(const CartesianGrid<N>& grid, index_t width) {
  using data = std::conditional_t<N == 1, double*, std::conditional_t<N == 2, double**, double***>>;
  const long checked = grid.communicator().checks_messages() ? header : 0;
  const GridView<hpk::View<data, hpk::HostSpace>> u("u", grid, width);
  for (const Stencil shape : {Stencil::star, Stencil::box}) {
    HaloExchange halo(grid, u, shape);
    traffic expected;
    visit(Box<3>{{-1, -1, -1}, {2, 2, 2}}, [&](const auto& to) {
      hpk::Array<int, N> step;
      int axes = 0;
      index_t cells = 1;
      for (int d = 0; d < 3; ++d) {
        if (d >= N && to[d] != 0) return;
        if (d >= N) continue;
        step[d] = static_cast<int>(to[d]);
        axes += step[d] != 0;
        cells *= step[d] == 0 ? u.end(d) - u.begin(d) : width;
      }
      const int peer = grid.neighbour(step);
      if (axes == 0 || (axes > 1 && shape == Stencil::star)) return;
      if (peer == hpk::mpi::no_rank || peer == grid.communicator().rank()) return;
      ++expected.messages;
      expected.bytes += 8 * cells;
    });
    EXPECT_EQ(halo.messages(), expected.messages);
    EXPECT_EQ(halo.bytes(), expected.bytes);
    expected.bytes += checked * expected.messages;
    for (int step = 0; step < 2; ++step) EXPECT_EQ(sent_by([&] { halo.exchange(); }), expected);
    EXPECT_LE(expected.messages, shape == Stencil::star ? 2 * N : N == 1 ? 2 : N == 2 ? 8 : 26);
  }
}
TEST(Traffic, of_a_halo_is_its_cells_in_one_message_for_each_neighbour) {
  expect_formula(CartesianGrid<1>(world(), {40}), 2);
  expect_formula(CartesianGrid<2>(world(), {12, 12}, {true, false}), 1);
  expect_formula(CartesianGrid<2>(world(), {12, 12}, {true, true}, {0, 1}), 2);
  expect_formula(CartesianGrid<3>(world(), {8, 8, 8}, {true, true, true}), 1);
}

}  // namespace
}  // namespace traffic_test
