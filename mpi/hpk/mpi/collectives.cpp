// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/collectives.hpp>

#include <climits>
#include <numeric>

namespace hpk::mpi::detail {

std::string fault_of_parts(const Communicator& comm, index_t part, index_t all) {
  error_message why;
  if (all != part * comm.size()) {
    why << "parts of " << part << " elements for each of " << comm.size() << " ranks do not make "
        << all << " elements";
  }
  return why.str();
}

part_table::part_table(const std::vector<index_t>& of_ranks) {
  for (const index_t count : of_ranks) {
    counts.push_back(static_cast<int>(count));
    begins.push_back(static_cast<int>(total));
    total += count;
  }
}

std::string fault_of_lengths(const Communicator& comm, const std::vector<index_t>& lengths,
                             index_t room) {
  error_message why;
  const index_t total = std::accumulate(lengths.begin(), lengths.end(), index_t{0});
  if (lengths.size() != static_cast<std::size_t>(comm.size())) {
    why << "there are " << lengths.size() << " counts for " << comm.size() << " ranks";
  } else if (const index_t least = *std::min_element(lengths.begin(), lengths.end()); least < 0) {
    why << "a count is " << least << "; write 0 or more";
  } else if (total > INT_MAX) {
    why << "the parts of all ranks have " << total << " elements; MPI counts them up to "
        << INT_MAX;
  } else if (total > room) {
    why << "the parts of all ranks have " << total << " elements, and there is room for " << room;
  }
  return why.str();
}

std::vector<index_t> gather_numbers(const Communicator& comm, const call& what, index_t mine) {
  const MPI_Datatype type = native_datatype<index_t>();
  std::vector<index_t> all(static_cast<std::size_t>(comm.size()));
  expect_success(MPI_Allgather(&mine, 1, type, all.data(), 1, type, comm.native()), comm, what);
  return all;
}

}  // namespace hpk::mpi::detail
