// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for the pairs of hpk_bench_mpi. Both ranks register and run the same pairs; a call of
// either side is a message from rank 0 to rank 1 and one back.
#pragma once

#include "pair.hpp"

#include <hpk/mpi.hpp>

namespace bench {

void add_halo();
void add_ping_pong();
void add_strided();

/// The two ranks, without checks of messages.
const hpk::mpi::Communicator& two_ranks();

/// Whether all elements of a View are `value`, on both ranks.
template <class V>
bool is_filled_on_both(const V& view, double value) {
  int same = 1;
  const auto host = hpk::create_mirror_view_and_copy(hpk::HostSpace(), view);
  for (index_t i = 0; i < static_cast<index_t>(host.extent(0)); ++i) {
    if constexpr (V::rank() == 1) {
      if (host(i) != value) same = 0;
    } else {
      for (index_t j = 0; j < static_cast<index_t>(host.extent(1)); ++j) {
        if constexpr (V::rank() == 2) {
          if (host(i, j) != value) same = 0;
        } else {
          for (index_t k = 0; k < static_cast<index_t>(host.extent(2)); ++k)
            if (host(i, j, k) != value) same = 0;
        }
      }
    }
  }
  int on_both = 0;
  MPI_Allreduce(&same, &on_both, 1, MPI_INT, MPI_MIN, two_ranks().native());
  return on_both != 0;
}

/// Whether a side copies elements from `out` of each rank to `in` of the other.
template <class V, class W, class Side>
bool passes_on(const V& out, const W& in, const Side& side) {
  const int rank = two_ranks().rank();
  hpk::deep_copy(out, 7 + rank);
  hpk::deep_copy(in, -1);
  side();
  return is_filled_on_both(in, 7 + (1 - rank));
}

/// Rank 0 sends first, rank 1 receives first.
template <class Send, class Receive>
void ping_pong(const Send& send, const Receive& receive) {
  if (two_ranks().rank() == 0) {
    send();
    receive();
  } else {
    receive();
    send();
  }
}

}  // namespace bench
