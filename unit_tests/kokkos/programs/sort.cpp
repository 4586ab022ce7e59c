// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts of Views: ascending, by a comparator, of a part, on an instance, of a strided View, and by
// key, as in programs that rank particles, edges or words.
#include <Kokkos_Core.hpp>
#include <Kokkos_Sort.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

using space = Kokkos::DefaultExecutionSpace;

struct Descending {
  template <class T>
  KOKKOS_FUNCTION bool operator()(const T& a, const T& b) const {
    return a > b;
  }
};

template <class V>
void fill(const V& view) {
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<space>(0, view.extent(0)),
      KOKKOS_LAMBDA(int i) { view(i) = static_cast<typename V::value_type>(i * 7919 % 1009); });
}

template <class V>
void print(const char* what, const V& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  std::printf("%s:", what);
  for (std::size_t i = 0; i < host.extent(0); i += host.extent(0) / 8)
    std::printf(" %g", static_cast<double>(host(i)));
  int unordered = 0;
  for (std::size_t i = 1; i < host.extent(0); ++i) unordered += host(i) < host(i - 1) ? 1 : 0;
  std::printf(", %d steps down\n", unordered);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  constexpr int n = 1000;

  Kokkos::View<int*> ints("ints", n);
  fill(ints);
  Kokkos::sort(ints);
  print("ascending", ints);

  Kokkos::View<double*> doubles("doubles", n);
  fill(doubles);
  const space exec;
  Kokkos::sort(exec, doubles);
  exec.fence();
  print("on an instance", doubles);
  Kokkos::sort(exec, doubles, Descending());
  exec.fence();
  print("descending", doubles);
  Kokkos::sort(doubles, Descending());

  fill(ints);
  Kokkos::sort(ints, 100, 900);
  print("a part", ints);
  fill(ints);
  Kokkos::sort(exec, ints, 0, 500);
  exec.fence();
  print("the first half", ints);

  Kokkos::View<float**, Kokkos::LayoutRight> table("table", n, 3);
  const auto column = Kokkos::subview(table, Kokkos::ALL, 1);
  fill(column);
  Kokkos::sort(exec, column);
  exec.fence();
  Kokkos::View<float*> copy("copy", n);
  Kokkos::deep_copy(exec, copy, column);
  exec.fence();
  print("a column", copy);

  // Edges by length.
  Kokkos::View<unsigned*> length("length", n);
  Kokkos::View<int*> edge("edge", n);
  fill(length);
  Kokkos::parallel_for("number", n, KOKKOS_LAMBDA(int i) { edge(i) = i; });
  Kokkos::Experimental::sort_by_key(exec, length, edge);
  exec.fence();
  print("lengths", length);
  const auto lengths = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), length);
  const auto edges = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), edge);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += lengths(i) == static_cast<unsigned>(edges(i) * 7919 % 1009) ? 0 : 1;
  std::printf("edges that lost their length: %d\n", wrong);
  Kokkos::Experimental::sort_by_key(exec, length, edge, Descending());
  exec.fence();
  Kokkos::deep_copy(lengths, length);
  std::printf("longest %u, shortest %u\n", lengths(0), lengths(n - 1));

  Kokkos::View<int*> none("none", 0);
  Kokkos::sort(none);
  return 0;
}
