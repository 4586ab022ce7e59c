// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk_bench [--quick | --check] [--numbers] [--benchmark_...]: runs the pairs. --quick samples
// less; --check only compares the results of both sides; --numbers runs the pairs of numbers
// instead of those of patterns and Views. The exit code is 1 if the results of a pair differ, 2 if
// no pair ran. scripts/bench calls this program and makes a table and a picture from its JSON.
// hpk_bench_debug, which is compiled with -O0 -g, only has the pairs of debug_builds.cpp.
#include "pair.hpp"
#include "topics.hpp"

#if HPK_BENCH_WITH_OPENMP
#include <omp.h>
#endif

int main(int argc, char** argv) {
  bool numbers = false;
  if (!bench::take_options(argc, argv, &numbers)) return 2;

  // Both sides run on the same number of threads, for any setting of hpk.
#if HPK_BENCH_WITH_OPENMP
  omp_set_num_threads(hpk::DefaultHostExecutionSpace().concurrency());
#endif
#if HPK_BENCH_DEBUG_BUILD
  bench::add_debug_builds();
#else
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
    bench::add_dlpack();
    if constexpr (HPK_BENCH_WITH_C != 0) bench::add_c_interface();
    bench::add_algorithms();
    bench::add_sort();
    bench::add_bin_sort();
    bench::add_random();
    bench::add_simd();
    bench::add_tasks();
    bench::add_lockstep();
    bench::add_debug_builds();
  }
#endif
  return bench::run_pairs();
}
