// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/collectives.hpp>

#include <algorithm>

namespace hpk::mpi::detail {

void expect_parts(const Communicator& comm, const call& what, index_t part, index_t all) {
  if (all == part * comm.size()) return;
  error_message why;
  why << "parts of " << part << " elements for each of " << comm.size() << " ranks do not make "
      << all << " elements";
  fail(comm, what, why.str());
}

part_table::part_table(const Communicator& comm, const call& what, std::vector<int> of_ranks,
                       index_t room)
    : counts(std::move(of_ranks)) {
  error_message why;
  if (counts.size() != static_cast<std::size_t>(comm.size())) {
    why << "there are " << counts.size() << " counts for " << comm.size() << " ranks";
    fail(comm, what, why.str());
  }
  for (const int count : counts) {
    if (count < 0) {
      why << "a count is " << count << "; write 0 or more";
      fail(comm, what, why.str());
    }
    begins.push_back(static_cast<int>(total));
    total += count;
    if (total > INT_MAX)
      fail(comm, what, "there are more elements than the largest int, in which MPI counts parts");
  }
  if (total > room) {
    why << "the parts of all ranks have " << total << " elements, and there is room for " << room;
    fail(comm, what, why.str());
  }
}

std::vector<int> gather_counts(const Communicator& comm, const call& what, index_t mine) {
  // Above the largest int: a number that part_table refuses on all ranks.
  const int count = static_cast<int>(std::min<index_t>(mine, INT_MAX));
  std::vector<int> all(static_cast<std::size_t>(comm.size()));
  expect_success(MPI_Allgather(&count, 1, MPI_INT, all.data(), 1, MPI_INT, comm.native()), comm,
                 what);
  return all;
}

}  // namespace hpk::mpi::detail
