// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ScopeGuard: the start and the end of a program of several ranks.
#pragma once

#include <hpk/mpi/communicator.hpp>

#include <source_location>

namespace hpk::mpi {

/// Starts MPI and hpk in the constructor and ends them in the right order in the destructor, except
/// for those that the program has started itself. Makes world(). Write it as the first line of
/// main: `hpk::mpi::ScopeGuard guard(argc, argv);`
///
/// Only rank 0 prints `--hpk-help`. Messages of hpk name the rank. If an exception ends the guard,
/// other ranks could wait for this one forever, so the guard calls MPI_Abort if it has started MPI.
class [[nodiscard]] ScopeGuard {
 public:
  /// Throws hpk::error if MPI provides a lower thread level than `thread_level`, after it has ended
  /// MPI, and for errors of hpk::initialize. Does nothing inside another guard.
  ScopeGuard(int& argc, char* argv[], int thread_level = MPI_THREAD_FUNNELED,
             const std::source_location& where = std::source_location::current());
  ~ScopeGuard();
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;

 private:
  bool owns_mpi_ = false;
  bool owns_hpk_ = false;
  bool owns_world_ = false;
  int exceptions_;
};

}  // namespace hpk::mpi
