# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Google Benchmark (benchmarks): the target hpk_tpl::benchmark, without a main().
find_package(benchmark 1.7 QUIET)
if(TARGET benchmark::benchmark)
  add_library(hpk_tpl::benchmark INTERFACE IMPORTED)
  target_link_libraries(hpk_tpl::benchmark INTERFACE benchmark::benchmark)
endif()
