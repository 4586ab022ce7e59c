// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/policies.md, where they belong; blocks.py compiles this file.
#include <hpk/core.hpp>
#include <hpk/graph.hpp>
#include <hpk/launch_task.hpp>

#include <cstdio>

using Exec = hpk::DefaultExecutionSpace;

void mdrange(int rows, int columns, hpk::View<double**> next, hpk::View<double**> u) {
#include "mdrange.block"
}

void scans(int n, int b, int e, hpk::View<int*> counts, hpk::View<int*> offset,
           hpk::View<int*> below, hpk::View<int*> x) {
  int total, largest;
  const auto kernel = HPK_LAMBDA(int i, int& sum, bool final) {
    if (final) offset(i) = sum;
    sum += counts(i);
  };
#include "scans.block"
}

void properties() {
#include "properties.block"
}

namespace resolved {
#include "what-a-launch-will-do.block"
}

using vector = hpk::View<double*>;

void launches_as_objects(int n, vector x, vector y, Exec other, hpk::Graph<> graph) {
#include "launches-as-objects.block"
}

HPK_FUNCTION void solve(int i);

void work_graphs(int n) {
#include "work-graphs.block"
}

struct Box {
  double least, largest;
};

#include "what-decides-the-bits-of-a-result.block"
