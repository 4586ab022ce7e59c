// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gpu_bench [TEXT]: hpk on a GPU, compared with hand-written kernels and the vendor's library of
// primitives. Runs the rows whose names contain the text, or all. Prints the table of docs/gpu.md:
// medians in microseconds, and time by hand / time of hpk. A limit is a little below the first
// measured ratio, so a row below its limit has become slower. Exit code 0: all limits are reached;
// 1: a row is below its limit, or results differ; 3: no device. Does not use Google Benchmark.
#include <report.hpp>
#include <rows.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  using namespace gpu_bench;
  if (argc > 1) results().filter = argv[1];
  try {
    space().fence();
  } catch (const hpk::error& caught) {
    std::printf("%s\n", caught.what());
    return 3;
  }
  try {
    std::printf("%s\n", hpk::configuration().c_str());
    std::printf(
        "| what | by hand us | hpk us | ratio | limit |\n| --- | --- | --- | --- | --- |\n");
    for (const auto topic :
         {launches, allocations, streams, folds, stencils, teams, sparse_products, maps, sorts})
      topic();
  } catch (const std::exception& caught) {
    std::printf("gpu_bench: %s\n", caught.what());
    return 1;
  }
  const report& all = results();
  std::printf("%d rows: %d with different results, %d below their limit\n", all.rows, all.wrong,
              all.missed);
  return all.wrong + all.missed == 0 && all.rows != 0 ? 0 : 1;
}
