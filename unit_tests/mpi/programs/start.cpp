// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Start and end of a program with several ranks. The first argument selects the program;
// CMakeLists.txt has its expected output.
#include <hpk/mpi.hpp>

#include <cstdio>
#include <string_view>

namespace {

void say(const char* what) {
  std::printf("%s, %d of %d\n", what, hpk::mpi::world().rank(), hpk::mpi::world().size());
}

int run(std::string_view what, int& argc, char* argv[]) {
  int given = 0;
  if (what == "own_mpi") MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
  if (what == "without_threads") MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &given);
  if (what == "own_hpk") hpk::initialize(argc, argv);
  if (what == "no_guard") static_cast<void>(hpk::mpi::world());
  {
    hpk::mpi::ScopeGuard guard(argc, argv);
    say("inside");
    // The other ranks wait for a message that never comes.
    const hpk::View<int*, hpk::HostSpace> x("x", 3);
    if (what == "error" && hpk::mpi::world().rank() == 1) hpk::raise(hpk::error_message() << "no");
    if (what == "abort" && hpk::mpi::world().rank() == 1) hpk::abort("no");
    if (what == "error" || what == "abort") hpk::mpi::recv(hpk::mpi::world(), x, 1);
  }
  int ended = 0;
  MPI_Finalized(&ended);
  const bool right =
      (ended != 0) == (what != "own_mpi") && hpk::is_initialized() == (what == "own_hpk");
  std::puts(right ? "right end" : "wrong end");
  if (what == "own_mpi") MPI_Finalize();
  if (what == "own_hpk") hpk::finalize();
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    return run(argc > 1 ? argv[1] : "", argc, argv);
  } catch (const std::exception& e) {
    std::printf("caught: %s\n", e.what());
    return 1;
  }
}
