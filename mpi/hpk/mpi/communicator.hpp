// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicator: a handle to an MPI communicator that is private to hpk, so that messages of hpk
// never match messages of the program, and errors become exceptions. Also the special ranks and
// tags, and the Status of a message.
#pragma once

#include <hpk/core.hpp>

#include <mpi.h>

#include <memory>
#include <source_location>

/// Messages, collectives, grids, sparse matrices and files of Views over MPI (docs/mpi.md).
///
/// Functions with an execution space instance run after the work launched earlier in it, and work
/// launched there later runs after them. Functions without an instance wait for all kernels, and
/// every instance may use their results.
namespace hpk::mpi {

/// A null rank: a message to or from it is empty and completes at once (MPI_PROC_NULL).
inline constexpr int no_rank = MPI_PROC_NULL;
/// Wildcards of receives: any source, any tag.
///@{
inline constexpr int any_rank = MPI_ANY_SOURCE;
inline constexpr int any_tag = MPI_ANY_TAG;
///@}

/// The facts of a message that arrived.
struct Status {
  int source = no_rank;  ///< the rank that sent it
  int tag = any_tag;     ///< the tag that it was sent with
  index_t count = 0;     ///< number of elements
};

/// Ranks that exchange messages. A handle: copies are the same communicator, which is freed with
/// the last copy.
///
/// Threads: as the thread level of MPI allows; with MPI_THREAD_MULTIPLE any thread may use it.
class Communicator {
 public:
  /// A null handle; only assignment and is_null() are allowed.
  Communicator() = default;
  /// Duplicates an MPI communicator. Collective over its ranks.
  explicit Communicator(MPI_Comm native,
                        const std::source_location& where = std::source_location::current());

  /// Returns whether the handle has no communicator.
  bool is_null() const noexcept { return state_ == nullptr; }
  /// Returns the rank of this process, from 0 to size() - 1.
  int rank() const noexcept { return state_->rank; }
  /// Returns the number of ranks.
  int size() const noexcept { return state_->size; }
  /// Returns hpk's duplicate. Use another communicator for your own messages.
  MPI_Comm native() const noexcept { return state_->native; }
  /// Returns whether messages carry type, number of elements and label, and collectives compare
  /// their calls before they begin. The environment variable HPK_MPI_CHECKS of rank 0 (on or off)
  /// decides; by default messages are checked if hpk was built with checks.
  bool checks_messages() const noexcept { return state_->chosen.checks; }
  /// Returns whether hpk passes addresses of a vendor's device memory to MPI, so that messages and
  /// collectives that move elements need no copies on the host. The environment variable
  /// HPK_MPI_GPU_AWARE of rank 0 (on or off) decides; by default hpk passes them if MPI reports
  /// that it accepts them. Emulated device memory is never passed to MPI.
  bool is_gpu_aware(gpu_vendor vendor) const noexcept {
    return vendor == gpu_vendor::nvidia ? state_->chosen.gpu_nvidia
           : vendor == gpu_vendor::amd  ? state_->chosen.gpu_amd
                                        : false;
  }

  /// Returns the communicator of the ranks with the same color, ordered by key, then by rank. Ranks
  /// with color MPI_UNDEFINED get a null handle. Collective.
  Communicator split(int color, int key = 0,
                     const std::source_location& where = std::source_location::current()) const;
  /// Returns the communicator of the ranks that run on the same machine as this one. Collective.
  Communicator split_by_machine(
      const std::source_location& where = std::source_location::current()) const;
  /// Returns when all ranks have called it. Does not wait for kernels.
  void barrier(const std::source_location& where = std::source_location::current()) const;

  /// Whether both are copies of one communicator; two duplicates of one MPI_Comm are unequal.
  friend bool operator==(const Communicator& a, const Communicator& b) noexcept {
    return a.state_ == b.state_;
  }

 private:
  // The settings that rank 0 chose.
  struct settings {
    bool checks = false;
    bool gpu_nvidia = false, gpu_amd = false;
  };
  struct state {
    MPI_Comm native = MPI_COMM_NULL;
    int rank = 0;
    int size = 0;
    settings chosen;
    state() = default;
    state(const state&) = delete;
    ~state();
  };
  void adopt(MPI_Comm owned, const settings& chosen);
  std::shared_ptr<const state> state_;
};

/// Returns the communicator of all ranks of the program. Throws hpk::error while there is no
/// hpk::mpi::ScopeGuard.
Communicator world(const std::source_location& where = std::source_location::current());

}  // namespace hpk::mpi
