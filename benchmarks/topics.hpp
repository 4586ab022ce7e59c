// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The topics of hpk_bench, in the order of its table; each function registers its pairs.
#pragma once

namespace bench {

void add_launch();
void add_small_launches();
void add_graph();
void add_axpy();
void add_stream();
void add_reduce();
void add_scan();
void add_allocation();
void add_copy();
void add_access();
void add_stencil();
void add_team();
void add_histogram();
void add_math();
void add_views_of_containers();
void add_dynamic_views();
void add_bitset();
void add_scatter();
void add_unordered_map();
void add_dlpack();
void add_c_interface();
void add_algorithms();
void add_sort();
void add_bin_sort();
void add_random();
void add_simd();
void add_tasks();
void add_lockstep();
void add_debug_builds();

}  // namespace bench
