// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distribution: n things in order, of which each rank has a contiguous part.
#pragma once

#include <hpk/mpi/block.hpp>
#include <hpk/mpi/communicator.hpp>

#include <memory>
#include <source_location>
#include <vector>

namespace hpk::mpi {

/// The things 0, ..., n-1 (rows of a matrix, elements of a vector), of which each rank of a
/// communicator has a contiguous part, in the order of the ranks. A handle; copies are cheap.
///
/// Threads: any; a Distribution does not change.
class Distribution {
 public:
  /// A null handle; only assignment is allowed.
  Distribution() = default;
  /// Divides n things evenly by block_begin(), without a table or messages. Throws hpk::error if n
  /// is negative, or if n times the number of ranks does not fit into index_t.
  Distribution(Communicator comm, index_t n,
               const std::source_location& where = std::source_location::current());
  /// Returns a distribution in which each rank has the `count` things that it passes. Collective:
  /// one allgather, and a table of as many numbers as there are ranks, which copies share. Throws
  /// hpk::error if a count is negative.
  static Distribution of_counts(
      const Communicator& comm, index_t count,
      const std::source_location& where = std::source_location::current());

  /// Returns the communicator whose ranks have the parts.
  const Communicator& communicator() const noexcept { return comm_; }
  /// Returns n, the number of things on all ranks.
  index_t size() const noexcept { return size_; }
  /// Return the first thing of a rank, and its number of things.
  ///@{
  index_t begin(int rank) const noexcept {
    if (begins_ != nullptr) return (*begins_)[static_cast<std::size_t>(rank)];
    return block_begin(size_, comm_.size(), rank);
  }
  index_t count(int rank) const noexcept { return begin(rank + 1) - begin(rank); }
  ///@}
  /// Return the first thing and the number of things of this rank.
  ///@{
  index_t begin() const noexcept { return begin_; }
  index_t count() const noexcept { return count_; }
  ///@}
  /// Returns the rank that has a thing, 0 <= thing < n. A distribution with a table searches it by
  /// bisection.
  int owner(index_t thing) const noexcept;

 private:
  Communicator comm_;
  index_t size_ = 0, begin_ = 0, count_ = 0;
  std::shared_ptr<const std::vector<index_t>> begins_;  // begins by rank, then n; null if even
};

}  // namespace hpk::mpi
