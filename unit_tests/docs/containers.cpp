// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/containers.md, where they belong; blocks.py compiles this file.
#include <hpk/containers.hpp>
#include <hpk/core.hpp>

#include <cstdio>
#include <vector>

void dual_view(int n) {
#include "dualview.block"
}

void dual_view_accesses(int n) {
  hpk::DualView<double*> x("x", n);
#include "dualview-2.block"
}

namespace dyn_rank_view {
#include "dynrankview.block"
}

namespace dynamic_view {
#include "dynamicview.block"
}

void offset_view(int n) {
#include "offsetview.block"
}

void unordered_map() {
#include "unorderedmap.block"
}

void bitset() {
#include "bitset.block"
}

void scatter_view(int n, int pairs, hpk::View<int*> first, hpk::View<int*> second,
                  hpk::View<double*> f) {
#include "scatterview.block"
}

HPK_FUNCTION void use(int column);

void static_crs_graph() {
#include "staticcrsgraph.block"
}

void jagged_view(int n, hpk::View<int*> lengths) {
#include "jaggedview.block"
}

HPK_FUNCTION bool leaves(int i);

void append_buffer(int n) {
#include "appendbuffer.block"
}

HPK_FUNCTION void visit(int node, const hpk::WorkQueue<int>& queue);

void work_queue(int root) {
#include "workqueue.block"
}
