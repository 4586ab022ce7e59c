// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk_bench [--quick | --check] [--numbers] [--benchmark_...]: runs the pairs. --quick samples
// less;
// --check only compares what both sides computed; --numbers runs those of numbers instead of those
// of patterns and Views. The exit code is 1 when a pair computed different values, 2 when no pair
// was run. scripts/bench calls this and makes a table and a picture of its JSON.
#include "pair.hpp"
#include "topics.hpp"

#include <cstring>

#if HPK_BENCH_WITH_OPENMP
#include <omp.h>
#endif

int main(int argc, char** argv) {
  bench::plan& plan = bench::current_plan();
  bool numbers = false;
  int kept = 1;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--quick") == 0) {
      plan.timed = 4e-3;
      plan.budget = 0.1;
      plan.least_rounds = 3;
    } else if (std::strcmp(argv[k], "--check") == 0) {
      plan.check_only = true;
    } else if (std::strcmp(argv[k], "--numbers") == 0) {
      numbers = true;
    } else {
      argv[kept++] = argv[k];
    }
  }
  argc = kept;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;

  // Both sides run on equally many threads, however many hpk was told to use.
#if HPK_BENCH_WITH_OPENMP
  omp_set_num_threads(hpk::DefaultHostExecutionSpace().concurrency());
#endif
  benchmark::AddCustomContext("compiler", HPK_BENCH_COMPILER);
  benchmark::AddCustomContext("flags", HPK_BENCH_FLAGS);
  benchmark::AddCustomContext("configuration", hpk::configuration(hpk::configuration_format::json));
  if (numbers) {
    bench::add_math();
  } else {
    bench::add_launch();
    bench::add_small_launches();
    bench::add_graph();
    bench::add_axpy();
    bench::add_stream();
    bench::add_reduce();
    bench::add_scan();
    bench::add_allocation();
    bench::add_copy();
    bench::add_access();
    bench::add_stencil();
    bench::add_team();
    bench::add_histogram();
    bench::add_views_of_containers();
    bench::add_dynamic_views();
    bench::add_bitset();
    bench::add_scatter();
    bench::add_unordered_map();
    bench::add_algorithms();
    bench::add_sort();
    bench::add_bin_sort();
    bench::add_random();
    bench::add_simd();
    bench::add_tasks();
    bench::add_lockstep();
  }
  const std::size_t pairs = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (pairs == 0) return 2;
  return bench::disagreements() == 0 ? 0 : 1;
}
