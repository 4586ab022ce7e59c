// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: axpby of two halves, then a dot product, then a step that reads it, submitted repeatedly;
// handles with erased types, a chain, host nodes, and a graph filled later.

#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>
#include <cstdio>

using exec_space = Kokkos::DefaultExecutionSpace;
using vector_type = Kokkos::View<double*, exec_space>;
using scalar_type = Kokkos::View<double, exec_space>;
using node_type = Kokkos::Experimental::GraphNodeRef<exec_space>;

struct Axpby {
  double alpha, beta;
  vector_type x, y;
  KOKKOS_FUNCTION void operator()(const int i) const { x(i) = alpha * x(i) + beta * y(i); }
};
struct Dot {
  vector_type x, y;
  KOKKOS_FUNCTION void operator()(const int i, double& sum) const { sum += x(i) * y(i); }
};
struct Shift {
  vector_type x;
  scalar_type by;
  KOKKOS_FUNCTION void operator()(const int i) const { x(i) += by(); }
};
struct Increment {
  scalar_type value;
  KOKKOS_FUNCTION void operator()() const { value() += 1; }
};

static double value_of(const scalar_type& v) {
  double value = 0;
  Kokkos::deep_copy(value, v);
  return value;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  const int n = 100;
  vector_type x("x", n), y("y", n), z("z", n);
  scalar_type dot("dot"), most("most"), count("count");
  Kokkos::deep_copy(x, 1.0);
  Kokkos::deep_copy(y, 2.0);
  Kokkos::deep_copy(z, 3.0);
  const exec_space exec{};

  auto graph = Kokkos::Experimental::create_graph(exec, [&](const auto& root) {
    auto a = root.then_parallel_for("x", n, Axpby{2, 1, x, y});
    auto b = root.then_parallel_for(Kokkos::RangePolicy<exec_space>(0, n), Axpby{1, 1, z, y});
    node_type both = Kokkos::Experimental::when_all(a, b);
    auto c = both.then_parallel_reduce("dot", n, Dot{x, z}, dot);
    c.then_parallel_for("shift", n, Shift{x, dot});
    both.then_parallel_reduce(Kokkos::RangePolicy<exec_space>(0, n), Dot{z, z},
                              Kokkos::Sum<double, exec_space>(most));
  });
  graph.instantiate();
  for (int k = 0; k < 3; ++k) {
    graph.submit(exec);
    exec.fence();
    std::printf("submit %d: dot %.0f, sum of squares %.0f\n", k, value_of(dot), value_of(most));
  }

  Kokkos::Experimental::Graph<exec_space> later(exec);
  node_type node = later.root_node();
  for (int k = 0; k < 10; ++k) node = node.then("increment", Increment{count});
  int calls = 0;
  const auto last = node.then_host("count calls", [&] { ++calls; });
  using kind = Kokkos::Experimental::GraphNodeKind;
  if (node.get_node_kind() != kind::Kernel || last.get_node_kind() != kind::Host)
    std::printf("a node of another kind\n");
  later.submit();
  later.submit(later.get_execution_space());
  Kokkos::fence();
  std::printf("count %.0f, calls %d\n", value_of(count), calls);
}
