// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an Import is without its Views: who sends what to whom, and the messages under way.
#pragma once

#include <hpk/mpi/call.hpp>
#include <hpk/mpi/datatype.hpp>
#include <hpk/mpi/distribution.hpp>

#include <hpk/core.hpp>

#include <cstddef>
#include <vector>

namespace hpk::mpi::detail {

/// A rank that elements go to or come from, and which: `count` of them from `begin` on, in the list
/// of those sent or of the ghosts.
struct neighbour {
  int rank = no_rank;
  index_t begin = 0;
  index_t count = 0;
};

/// Who sends what to whom.
struct import_plan {
  Communicator comm;            // of the program, which errors are about
  Communicator own_comm;        // of this plan alone, so that its messages meet no others
  std::vector<index_t> ghosts;  // global, ascending, each once
  std::vector<index_t> sent;    // local; those for one rank behind those for the one before
  std::vector<neighbour> sources, destinations;  // by rank
};

/// What is wrong with an index, or nothing.
std::string fault_of_index(const Distribution& owned, index_t position, index_t needed);
/// Finds the plan for the indices that this rank needs; those it owns are left out. Collective. All
/// indices are right.
import_plan find_plan(const Distribution& owned, const call& what, std::vector<index_t> needed);

/// The messages of one exchange.
class messages {
 public:
  messages() = default;
  messages(const messages&) = delete;
  messages& operator=(const messages&) = delete;

  bool under_way() const noexcept { return under_way_; }
  /// Begins one message from or to each neighbour, of elements of a type with so many bytes. If it
  /// throws, none is under way.
  void begin(const import_plan& plan, const call& what, MPI_Datatype type, std::size_t bytes,
             std::byte* ghosts, const std::byte* sent);
  /// Waits for them. Throws if not all elements came.
  void end(const import_plan& plan, const call& what, MPI_Datatype type);
  /// Waits for them and looks at nothing, for an exception that is on its way.
  void wait() noexcept;
  /// For destructors: waits, or, if an exception unwinds the stack that was thrown after they
  /// began, gives them up, since nobody may be there to take them, and returns false: some may be
  /// left.
  bool finish_or_give_up(std::size_t sources) noexcept;

 private:
  std::vector<MPI_Request> requests_;  // of receives, then of sends
  std::vector<MPI_Status> statuses_;
  bool under_way_ = false;
  int exceptions_ = 0;
};

}  // namespace hpk::mpi::detail
