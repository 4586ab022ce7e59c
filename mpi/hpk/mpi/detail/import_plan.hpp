// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of an Import that does not depend on Views: senders, receivers and elements of its
// messages, and the requests under way.
#pragma once

#include <hpk/mpi/detail/call.hpp>
#include <hpk/mpi/detail/datatype.hpp>
#include <hpk/mpi/distribution.hpp>

#include <hpk/core.hpp>

#include <cstddef>
#include <vector>

namespace hpk::mpi::detail {

/// A rank that elements are sent to or received from, and the elements: `count` of them from
/// position `begin` on, in the list of sent elements or of ghosts.
struct neighbour {
  int rank = no_rank;
  index_t begin = 0;
  index_t count = 0;
};

/// The senders, receivers and elements of the messages of an exchange.
struct import_plan {
  Communicator comm;                             // the program's, for error messages
  Communicator own_comm;                         // private, so that messages match no others
  std::vector<index_t> ghosts;                   // global, ascending, without duplicates
  std::vector<index_t> sent;                     // local, in the order of destinations
  std::vector<neighbour> sources, destinations;  // ordered by rank
};

/// Returns what is wrong with an index; empty if it is valid.
std::string fault_of_index(const Distribution& owned, index_t position, index_t needed);
/// Finds the plan for the indices that this rank needs; ignores indices that it owns. All indices
/// are valid. Collective.
import_plan find_plan(const Distribution& owned, const call& what, std::vector<index_t> needed);

/// The messages of one exchange.
class messages {
 public:
  messages() = default;
  messages(const messages&) = delete;
  messages& operator=(const messages&) = delete;

  bool under_way() const noexcept { return under_way_; }
  /// Begins one message from each source and one to each destination; elements have `bytes` bytes.
  /// If it throws, no message is under way.
  void begin(const import_plan& plan, const call& what, MPI_Datatype type, std::size_t bytes,
             std::byte* ghosts, const std::byte* sent);
  /// Waits for the messages. Throws hpk::error if elements are missing.
  void end(const import_plan& plan, const call& what, MPI_Datatype type);
  /// Waits for the messages and ignores errors; used while an exception is handled.
  void wait() noexcept;
  /// For destructors: waits for the messages and returns true. If an exception thrown after they
  /// began unwinds the stack, the other ranks may never take or send them: then it cancels the
  /// receives and returns false, and sends may still be under way.
  bool finish_or_give_up(std::size_t sources) noexcept;

 private:
  std::vector<MPI_Request> requests_;  // receives, then sends
  std::vector<MPI_Status> statuses_;
  bool under_way_ = false;
  int exceptions_ = 0;
};

}  // namespace hpk::mpi::detail
