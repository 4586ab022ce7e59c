// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ScopeGuard: the start and the end of a program of several ranks.
#pragma once

#include <hpk/mpi/communicator.hpp>

#include <source_location>

namespace hpk::mpi {

/// Starts MPI and hpk at construction, and ends them in the right order at destruction; of the two,
/// those that the program did not start itself. Makes world(). The first line of main:
/// `hpk::mpi::ScopeGuard guard(argc, argv);`
///
/// --hpk-help is printed by rank 0 only. Messages of hpk name the rank. When an exception ends the
/// guard, other ranks may wait for this one for ever: then it calls MPI_Abort, if it started MPI.
class [[nodiscard]] ScopeGuard {
 public:
  /// Throws hpk::error where MPI gives less than the asked support of threads, after MPI has ended,
  /// and for errors of hpk::initialize. Inside of another guard it does nothing.
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
