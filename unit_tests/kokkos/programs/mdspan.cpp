// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mdspan in Kokkos' namespace, with any standard library: over memory of the program, from Views,
// in kernels, parts of it.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <vector>

using matrix = Kokkos::mdspan<double, Kokkos::dextents<std::size_t, 2>>;

static double trace(const Kokkos::mdspan<const double, Kokkos::dextents<std::size_t, 2>>& a) {
  double sum = 0;
  for (std::size_t i = 0; i < a.extent(0); ++i) sum += a(i, i);
  return sum;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  std::vector<double> memory(12);
  matrix a(memory.data(), 3, 4);
  for (std::size_t i = 0; i < a.extent(0); ++i)
    for (std::size_t j = 0; j < a.extent(1); ++j) a(i, j) = double(10 * i + j);
  std::printf("trace %g, size %zu\n", trace(a), a.size());

  const auto row = Kokkos::submdspan(a, 1, Kokkos::full_extent);
  std::printf("row 1 ends with %g\n", row(3));
  const Kokkos::mdspan<double, Kokkos::extents<int, 4, 3>, Kokkos::layout_left> turned(
      memory.data());
  std::printf("turned (3, 2) is %g\n", turned(3, 2));

  using view_type = Kokkos::View<double**, Kokkos::LayoutRight>;
  const view_type view("view", 3, 4);
  using view_span = Kokkos::mdspan<double, Kokkos::dextents<std::int64_t, 2>>;
  const auto span = Kokkos::to_mdspan<view_span>(view);
  Kokkos::parallel_for(12, KOKKOS_LAMBDA(int k) { span(k / 4, k % 4) = k; });
  double sum = 0;
  Kokkos::parallel_reduce(12, KOKKOS_LAMBDA(int k, double& s) { s += view(k / 4, k % 4); }, sum);
  std::printf("sum %g\n", sum);
  static_assert(Kokkos::dynamic_extent == std::size_t(-1));
}
