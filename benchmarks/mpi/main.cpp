// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpiexec -n 2 hpk_bench_mpi [--quick | --check] [--benchmark_...]: runs the pairs on two ranks, of
// which rank 0 reports. Options and exit code are those of hpk_bench; scripts/bench --mpi calls
// this.
#include "two_ranks.hpp"

#include <cstdio>
#include <cstring>
#include <ostream>

namespace bench {

namespace {

hpk::mpi::Communicator& ranks() {
  static hpk::mpi::Communicator both;
  return both;
}

// What rank 0 measured.
double of_rank_0(double time) {
  MPI_Bcast(&time, 1, MPI_DOUBLE, 0, ranks().native());
  return time;
}

/// For all ranks but one: they run the same, and say nothing.
class no_report : public benchmark::BenchmarkReporter {
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

int run_all(int argc, char** argv) {
  const bool reports = ranks().rank() == 0;
  plan& mine = current_plan();
  mine.shared = &of_rank_0;
  mine.settle = 5e-3;  // no workers have to come to rest
  int kept = 1;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--quick") == 0) {
      mine.timed = 4e-3;
      mine.budget = 0.1;
      mine.least_rounds = 3;
    } else if (std::strcmp(argv[k], "--check") == 0) {
      mine.check_only = true;
    } else if (reports || std::strncmp(argv[k], "--benchmark_out", 15) != 0) {
      argv[kept++] = argv[k];
    }
  }
  argc = kept;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("compiler", HPK_BENCH_COMPILER);
  benchmark::AddCustomContext("flags", HPK_BENCH_FLAGS);
  benchmark::AddCustomContext("configuration", hpk::configuration(hpk::configuration_format::json));
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
  const std::size_t pairs =
      reports ? benchmark::RunSpecifiedBenchmarks() : benchmark::RunSpecifiedBenchmarks(&silent);
  benchmark::Shutdown();
  if (pairs == 0) return 2;
  return disagreements() == 0 ? 0 : 1;
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
