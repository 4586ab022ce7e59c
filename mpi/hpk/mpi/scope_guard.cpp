// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/detail/start.hpp>
#include <hpk/mpi/scope_guard.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

namespace hpk::mpi {

namespace {

const char* name_of_level(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

bool asks_for_help(int argc, char* argv[]) {
  for (int k = 1; k < argc; ++k) {
    if (std::string_view(argv[k]) == "--hpk-help") return true;
  }
  return false;
}

[[noreturn]] void abort_all(const char* why) {
  std::fprintf(stderr, "hpk: %s\n", why);
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::abort();
}

}  // namespace

ScopeGuard::ScopeGuard(int& argc, char* argv[], int thread_level, const std::source_location& where)
    : exceptions_(std::uncaught_exceptions()) {
  int ended = 0, started = 0, given = 0;
  MPI_Finalized(&ended);
  if (ended != 0) {
    raise(error_message() << "hpk::mpi::ScopeGuard: MPI has ended, and cannot start again; keep "
                             "one guard in main",
          where);
  }
  MPI_Initialized(&started);
  if (started == 0) {
    MPI_Init_thread(&argc, &argv, thread_level, &given);
    owns_mpi_ = true;
  } else {
    MPI_Query_thread(&given);
  }
  if (given < thread_level) {
    if (owns_mpi_) MPI_Finalize();
    raise(error_message() << "hpk::mpi::ScopeGuard: this MPI gives " << name_of_level(given)
                          << ", and " << name_of_level(thread_level)
                          << " was asked for; call MPI_Init_thread with it, or leave the start to "
                             "the guard",
          where);
  }
  if (detail::has_world()) return;
  const Communicator all(MPI_COMM_WORLD, where);
  if (asks_for_help(argc, argv) && !is_initialized()) {
    // initialize() prints it and exits.
    if (owns_mpi_) std::atexit([] { MPI_Finalize(); });
    if (all.rank() != 0) std::exit(EXIT_SUCCESS);
  }
  error_message origin;
  origin << "rank " << all.rank() << " of " << all.size();
  set_message_origin(origin.str());
  if (!is_initialized()) {
    try {
      initialize(argc, argv);
    } catch (const std::exception& e) {
      // The destructor of the guard will not run, and other ranks may have accepted the options
      // that this rank rejects.
      if (owns_mpi_) abort_all(e.what());
      set_message_origin({});
      throw;
    }
    owns_hpk_ = true;
  }
  detail::set_world(all);
  owns_world_ = true;
}

ScopeGuard::~ScopeGuard() {
  if (std::uncaught_exceptions() > exceptions_ && owns_mpi_) {
    error_message text;
    text << "rank " << world().rank() << " of " << world().size()
         << ": an exception ends this rank, and with it the others";
    abort_all(text.str().c_str());
  }
  if (owns_world_) {
    detail::set_world({});
    set_message_origin({});
  }
  if (owns_hpk_ && is_initialized()) finalize();
  if (owns_mpi_) MPI_Finalize();
}

}  // namespace hpk::mpi
