// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpiexec -n 2 hpk_bench_mpi [--quick | --check] [--benchmark_...]: runs the pairs on two ranks;
// rank 0 prints the report. Options and exit code are those of hpk_bench. scripts/bench calls this
// program.
#include "two_ranks.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ostream>

namespace bench {

namespace {

hpk::mpi::Communicator& ranks() {
  static hpk::mpi::Communicator both;
  return both;
}

// Returns the time that rank 0 measured.
double of_rank_0(double time) {
  MPI_Bcast(&time, 1, MPI_DOUBLE, 0, ranks().native());
  return time;
}

/// The reporter of the other rank, which runs the same pairs and prints nothing.
class no_report : public benchmark::BenchmarkReporter {
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

int run_all(int argc, char** argv) {
  const bool reports = ranks().rank() == 0;
  plan& mine = current_plan();
  mine.shared = &of_rank_0;
  mine.settle = 5e-3;  // no workers have to become idle
  int kept = argc;
  if (!reports) {
    // One rank writes the report.
    kept =
        static_cast<int>(std::remove_if(argv + 1, argv + argc,
                                        [](const char* option) {
                                          return std::strncmp(option, "--benchmark_out", 15) == 0;
                                        }) -
                         argv);
  }
  if (!take_options(kept, argv)) return 2;
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(version, &length);
  benchmark::AddCustomContext("mpi", version);
  add_halo();
  add_ping_pong();
  add_strided();
  no_report silent;
  std::ostream nowhere(nullptr);
  silent.SetOutputStream(&nowhere);
  return run_pairs(reports ? nullptr : &silent);
}

}  // namespace

const hpk::mpi::Communicator& two_ranks() { return ranks(); }

}  // namespace bench

int main(int argc, char** argv) {
  hpk::mpi::ScopeGuard guard(argc, argv);
  const hpk::mpi::Communicator all = hpk::mpi::world();
  if (all.size() != 2) {
    if (all.rank() == 0) std::fprintf(stderr, "hpk_bench_mpi: run it on two ranks\n");
    return 2;
  }
  bench::ranks() = all;
  const int result = bench::run_all(argc, argv);
  bench::ranks() = {};
  return result;
}
