// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mdspan in Kokkos' namespace, with any standard library: over memory of the program, from Views,
// in kernels, and parts of mdspans; Views with the arguments of an mdspan, and their parts.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstring>
#include <exception>
#include <type_traits>
#include <vector>

using matrix = Kokkos::mdspan<double, Kokkos::dextents<std::size_t, 2>>;

static double trace(const Kokkos::mdspan<const double, Kokkos::dextents<std::size_t, 2>>& a) {
  double sum = 0;
  for (std::size_t i = 0; i < a.extent(0); ++i) sum += a(i, i);
  return sum;
}

// A View with 32-bit index arithmetic.
using space = Kokkos::DefaultExecutionSpace;
using narrow_view =
    Kokkos::View<double, Kokkos::dextents<int32_t, 2>, Kokkos::layout_left,
                 Kokkos::Experimental::Accessor<double, space, Kokkos::MemoryTraits<>>>;
static_assert(std::is_same_v<narrow_view::index_type, int32_t>);
static_assert(std::is_same_v<narrow_view::execution_space, space>);
static void narrow() {
  const narrow_view a("a", 4, 6);
  Kokkos::parallel_for(
      Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {4, 6}),
      KOKKOS_LAMBDA(int i, int j) { a(i, j) = a.mapping()(i, j); });
  auto host = Kokkos::create_mirror_view(a);
  Kokkos::deep_copy(host, a);
  const auto part = Kokkos::subview(host, Kokkos::pair<int, int>(1, 3), 5);
  static_assert(std::is_same_v<decltype(part)::index_type, int32_t>);
  std::printf("narrow: %g %g\n", host(3, 5), part(1));
  Kokkos::View<double, Kokkos::dextents<int32_t, 1>, Kokkos::layout_right,
               Kokkos::Experimental::Accessor<double, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>>
      wrapped(host.data(), 24);
  std::printf("wrapped: %g\n", wrapped(22));
  try {
    narrow_view large("large", 3000000000, 1);
  } catch (const std::exception& e) {
    std::printf("%s\n", std::strstr(e.what(), "index type") ? "too large" : e.what());
  }
}

// Parts as mdspans and as Views.
static void parts() {
  using host_view = Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  static_assert(std::is_same_v<host_view::type, host_view::non_const_type>);
  const host_view v("v", 2, 3);
  for (int k = 0; k < 6; ++k) v.data()[k] = k;
  const host_view::mdspan_type natural = v;
  const auto plain = v.to_mdspan();
  const Kokkos::mdspan<const int, Kokkos::extents<int, 2, 3>, Kokkos::layout_stride> fixed = v;
  std::printf("parts: %d %d %d %d %d\n", natural(1, 1), plain(1, 2), fixed(0, 2),
              int(v.mapping()(1, 0)), v.accessor().access(v.data(), 1));
  const host_view back = plain;
  std::printf("back: %d, owners %d\n", back(1, 2), back.use_count());
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
  narrow();
  parts();
}
