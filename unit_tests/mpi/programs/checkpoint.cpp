// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// checkpoint <what> <path> <number>: writes a checkpoint, is killed while it writes, or reads one
// and prints its number. killed.cmake checks what remains.
#include <hpk/mpi.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <sys/time.h>

namespace {

using hpk::index_t;

constexpr index_t n = 50'000;

void write(const std::string& path, int number, std::string_view killed) {
  const hpk::mpi::Communicator all = hpk::mpi::world();
  const bool is_last = all.rank() == all.size() - 1;
  const index_t begin = hpk::mpi::block_begin(n, all.size(), all.rank());
  const index_t end = hpk::mpi::block_begin(n, all.size(), all.rank() + 1);
  const hpk::View<int*, hpk::HostSpace> u("u", end - begin);
  hpk::deep_copy(u, number);
  hpk::mpi::CheckpointWriter out(all, path);
  out.write("u", u, {{n}, {begin}});
  // The other ranks are in write(), or before commit().
  if (killed == "in_write" && is_last) std::raise(SIGKILL);
  out.write("v", u, {{n}, {begin}});
  out.write("number", number);
  all.barrier();
  if (killed == "before_commit" && is_last) std::raise(SIGKILL);
  out.commit();
}

void read(const std::string& path) {
  const hpk::mpi::Communicator all = hpk::mpi::world();
  const hpk::mpi::CheckpointReader in(all, path);
  const hpk::View<int*, hpk::HostSpace> u("u", n), v("v", n);
  int number = 0, different = 0;
  in.read("number", number);
  in.read("u", u);
  in.read("v", v);
  for (index_t i = 0; i < n; ++i) different += (u(i) != number) + (v(i) != number);
  if (all.rank() == 0)
    std::printf("%s checkpoint %d\n", different == 0 ? "complete" : "mixed", number);
}

int run(std::string_view what, const std::string& path, int number) {
  if (what == "read") {
    read(path);
  } else if (what == "at_any_moment") {
    // SIGALRM ends the program, as SIGKILL does, after `number` microseconds.
    if (hpk::mpi::world().rank() == 0) {
      const itimerval timer{{}, {0, number}};
      setitimer(ITIMER_REAL, &timer, nullptr);
    }
    for (int k = 2;; ++k) write(path, k, "");
  } else {
    write(path, number, what);
  }
  return 0;
}

}  // namespace

int main(int argc, char* argv[]) {
  hpk::mpi::ScopeGuard guard(argc, argv);
  if (argc != 4) return 1;
  return run(argv[1], argv[2], std::atoi(argv[3]));
}
