// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/graph.md, where they belong; blocks.py compiles this file.
#include <hpk/core.hpp>
#include <hpk/graph.hpp>

void graphs(hpk::DefaultExecutionSpace exec, int n, int steps, hpk::View<double*> x,
            hpk::View<double> residual) {
  const auto flux_kernel = HPK_LAMBDA(int i) { x(i) += 1; };
  const auto source_kernel = flux_kernel, update_kernel = flux_kernel;
  const auto residual_kernel = HPK_LAMBDA(int i, double& sum) { sum += x(i); };
#include "graphs.block"
}
