// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ping-pong of contiguous Views: send and recv of hpk, compared with MPI_Send and MPI_Recv of the
// same memory; and isend and irecv at once, compared with MPI_Isend, MPI_Irecv and MPI_Waitall.
#include "two_ranks.hpp"

namespace bench {

namespace {

template <class Exec>
void compare_blocking(comparison& pair, index_t n) {
  using hpk::mpi::recv;
  using hpk::mpi::send;
  const hpk::mpi::Communicator& all = two_ranks();
  const int other = 1 - all.rank();
  const hpk::View<double*, Exec> out("out", n), in("in", n);
  const Exec exec;
  const auto hpk = [&] {
    ping_pong([&] { send(all, exec, out, other); }, [&] { recv(all, exec, in, other); });
  };
  const auto hand = [&] {
    const int count = static_cast<int>(n);
    ping_pong(
        [&] { MPI_Send(out.data(), count, MPI_DOUBLE, other, 0, all.native()); },
        [&] { MPI_Recv(in.data(), count, MPI_DOUBLE, other, 0, all.native(), MPI_STATUS_IGNORE); });
  };
  pair.agree(passes_on(out, in, hpk) && passes_on(out, in, hand));
  pair.time(hpk, hand);
}

template <class Exec>
void compare_requests(comparison& pair, index_t n) {
  const hpk::mpi::Communicator& all = two_ranks();
  const int other = 1 - all.rank();
  const hpk::View<double*, Exec> out("out", n), in("in", n);
  const Exec exec;
  const auto hpk = [&] {
    hpk::mpi::Request incoming = hpk::mpi::irecv(all, exec, in, other);
    hpk::mpi::Request outgoing = hpk::mpi::isend(all, exec, out, other);
    incoming.wait();
    outgoing.wait();
  };
  const auto hand = [&] {
    const int count = static_cast<int>(n);
    MPI_Request requests[2];
    MPI_Irecv(in.data(), count, MPI_DOUBLE, other, 0, all.native(), &requests[0]);
    MPI_Isend(out.data(), count, MPI_DOUBLE, other, 0, all.native(), &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  };
  pair.agree(passes_on(out, in, hpk) && passes_on(out, in, hand));
  pair.time(hpk, hand);
}

}  // namespace

void add_ping_pong() {
  for_each_space([](auto space) {
    using exec = decltype(space);
    for (const index_t n : {1, 128, 1 << 10, 1 << 13, 1 << 17}) {
      add("ping_pong", exec::name(), "blocking", n,
          [n](comparison& pair) { compare_blocking<exec>(pair, n); });
      add("ping_pong", exec::name(), "requests", n,
          [n](comparison& pair) { compare_requests<exec>(pair, n); });
    }
  });
}

}  // namespace bench
