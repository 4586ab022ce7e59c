// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A time step as a graph: recorded once, with the launches that may run at the same time side by
// side, then run by one call per step. Heat flows along a rod that is heated in the middle. The
// same launches without a graph give the same bits.
#include <hpk/core.hpp>
#include <hpk/graph.hpp>

#include <cstdio>

int main() {
  const int n = 1000, steps = 200;
  const hpk::DefaultExecutionSpace exec;
  const hpk::View<double*> heat("heat", n), flux("flux", n + 1), source("source", n);
  const hpk::View<double> change("change");

  const auto flow = HPK_LAMBDA(int i) {  // the ends are insulated
    flux(i) = i == 0 || i == n ? 0 : 0.25 * (heat(i - 1) - heat(i));
  };
  const auto burn = HPK_LAMBDA(int i) { source(i) = i == n / 2 ? 1 - 0.1 * heat(i) : 0; };
  const auto update = HPK_LAMBDA(int i) { heat(i) += flux(i) - flux(i + 1) + source(i); };
  const auto measure = HPK_LAMBDA(int i, double& most) {
    const double here = hpk::abs(flux(i) - flux(i + 1) + source(i));
    if (here > most) most = here;
  };

  // Both launches after `ready` only read flux and source, so that they may run at the same time.
  hpk::Graph graph("step", exec);
  const auto ready = hpk::when_all(graph.root_node().then_parallel_for("flow", n + 1, flow),
                                   graph.root_node().then_parallel_for("burn", n, burn));
  ready.then_parallel_for("update", n, update);
  ready.then_parallel_reduce("measure", n, measure, hpk::Max(change));
  for (int s = 0; s < steps; ++s) graph.submit(exec);

  double middle = 0, last = 0;
  hpk::deep_copy(middle, hpk::subview(heat, n / 2));
  hpk::deep_copy(last, change);
  std::printf("%d steps: %.4f in the middle, the last step changed at most %.6f\n", steps, middle,
              last);

  const hpk::View<double*> of_graph("of_graph", n);
  hpk::deep_copy(of_graph, heat);
  hpk::deep_copy(heat, 0);
  for (int s = 0; s < steps; ++s) {
    hpk::parallel_for("flow", n + 1, flow);
    hpk::parallel_for("burn", n, burn);
    hpk::parallel_for("update", n, update);
  }
  int different = 0;
  hpk::parallel_reduce(
      "compare", n,
      HPK_LAMBDA(int i, int& count) {
        if (heat(i) != of_graph(i)) ++count;
      },
      different);
  std::printf("same bits without the graph: %s\n", different == 0 ? "yes" : "no");
}
