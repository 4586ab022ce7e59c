// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicator: a handle to a communicator of MPI that belongs to hpk, so that messages of hpk and
// of the program never meet, and errors come back as exceptions.
#pragma once

#include <hpk/core.hpp>

#include <mpi.h>

#include <memory>
#include <source_location>

namespace hpk::mpi {

/// Stands for no rank: a message to or from it is empty and done at once (MPI_PROC_NULL).
inline constexpr int no_rank = MPI_PROC_NULL;
/// A message from any rank, or with any tag.
inline constexpr int any_rank = MPI_ANY_SOURCE;
inline constexpr int any_tag = MPI_ANY_TAG;

/// Ranks that exchange messages. A handle: copies are the same communicator, which is freed with
/// the last of them.
///
/// Threads: as MPI was started; with MPI_THREAD_MULTIPLE any thread may use it.
class Communicator {
 public:
  /// A handle to none; only assignment and is_null() are allowed.
  Communicator() = default;
  /// A duplicate of an MPI communicator. Collective over its ranks.
  explicit Communicator(MPI_Comm native,
                        const std::source_location& where = std::source_location::current());

  bool is_null() const noexcept { return state_ == nullptr; }
  /// The number of this process, from 0 on.
  int rank() const noexcept { return state_->rank; }
  int size() const noexcept { return state_->size; }
  /// hpk's duplicate; give messages of your own another one.
  MPI_Comm native() const noexcept { return state_->native; }
  /// Whether messages carry type, number of elements and label, and collectives compare their calls
  /// before they begin. The environment variable HPK_MPI_CHECKS of rank 0 decides, on or off;
  /// without it they do where hpk was built with checks.
  bool checks_messages() const noexcept { return state_->chosen.checks; }
  /// Whether MPI is given addresses of memory on a vendor's devices, so that messages and
  /// collectives that move elements need no copies on the host. The environment variable
  /// HPK_MPI_GPU_AWARE of rank 0 decides, on or off; without it they are where the MPI says that it
  /// takes them. Memory that hpk emulates is never given to it.
  bool is_gpu_aware(gpu_vendor vendor) const noexcept {
    return vendor == gpu_vendor::nvidia ? state_->chosen.gpu_nvidia
           : vendor == gpu_vendor::amd  ? state_->chosen.gpu_amd
                                        : false;
  }

  /// The ranks with the same color, ordered by key, then by rank. Ranks with color MPI_UNDEFINED
  /// get a null handle. Collective.
  Communicator split(int color, int key = 0,
                     const std::source_location& where = std::source_location::current()) const;
  /// The ranks that run on the same machine as this one. Collective.
  Communicator split_by_machine(
      const std::source_location& where = std::source_location::current()) const;
  /// Returns when all ranks have called it. Does not wait for kernels.
  void barrier(const std::source_location& where = std::source_location::current()) const;

  friend bool operator==(const Communicator& a, const Communicator& b) noexcept {
    return a.state_ == b.state_;
  }

 private:
  // Chosen by rank 0.
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

/// All ranks of the program. Throws hpk::error while there is no hpk::mpi::ScopeGuard.
Communicator world(const std::source_location& where = std::source_location::current());

}  // namespace hpk::mpi
