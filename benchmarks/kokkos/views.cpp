// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views: allocation, handles, and copies of their elements by deep_copy.
#include "kernels.hpp"

#include <utility>

namespace kernels {

namespace {

template <class Space>
struct views {
  static void allocate(measurement& m, index_t n) {
    const auto run = [=] {
      const row<Space> view("work", n);
      bench::keep(view);
      return view(0) + view(n - 1);
    };
    m.computed(run());
    m.time(run);
  }
  static void handle(measurement& m, index_t) {
    const row<Space> view("view", 8);
    const auto run = [&] {
      const row<Space> copy = view;
      bench::keep(copy);
      return copy.use_count();
    };
    m.computed(run());
    m.time(run);
  }

  static void bytes(measurement& m, index_t n) {
    const row<Space> from = integers<Space>(n, 17);
    const row<Space> to("to", n);
    const auto run = [=, space = Space()] { Kokkos::deep_copy(space, to, from); };
    run();
    m.computed(weighted_sum<Space>(to));
    m.time(run);
  }
  static void fill(measurement& m, index_t n) {
    const row<Space> to("to", n);
    const auto run = [=, space = Space()] { Kokkos::deep_copy(space, to, 1.5); };
    run();
    m.computed(weighted_sum<Space>(to));
    m.time(run);
  }

  // Rows of a matrix with gaps of 64 elements between them.
  using matrix = Kokkos::View<double**, Kokkos::LayoutRight, Space>;
  static matrix numbers(int rows, int columns) {
    const matrix a("a", rows, columns);
    Kokkos::parallel_for(
        "fill", Kokkos::RangePolicy<Space>(0, rows), KOKKOS_LAMBDA(int i) {
          for (int j = 0; j < columns; ++j) a(i, j) = (i * 31 + j) % 17 + 1;
        });
    return a;
  }
  template <class View>
  static double sum_of(const View& a, int n) {
    return weighted_sum<Space>(
        index_t{n} * n, KOKKOS_LAMBDA(index_t k) { return a(k / n, k % n); });
  }
  static void rows(measurement& m, int n) {
    const auto part = std::pair<int, int>(0, n);
    const matrix from = numbers(n, n + 64), to("to", n, n + 64);
    const auto source = Kokkos::subview(from, Kokkos::ALL(), part);
    const auto target = Kokkos::subview(to, Kokkos::ALL(), part);
    const auto run = [=, space = Space()] { Kokkos::deep_copy(space, target, source); };
    run();
    m.computed(sum_of(target, n));
    m.time(run);
  }
  static void fill_rows(measurement& m, int n) {
    const matrix to("to", n, n + 64);
    const auto target = Kokkos::subview(to, Kokkos::ALL(), std::pair<int, int>(0, n));
    const auto run = [=, space = Space()] { Kokkos::deep_copy(space, target, 1.5); };
    run();
    m.computed(sum_of(target, n));
    m.time(run);
  }
  static void transpose(measurement& m, int n) {
    const matrix from = numbers(n, n);
    const Kokkos::View<double**, Kokkos::LayoutLeft, Space> to("to", n, n);
    const auto run = [=, space = Space()] { Kokkos::deep_copy(space, to, from); };
    run();
    m.computed(sum_of(to, n));
    m.time(run);
  }
};

template <class Space>
void add_all() {
  using work = views<Space>;
  const std::string space = Space::name();
  const auto kernel = [&](const char* topic, const char* variant, index_t n,
                          void (*run)(measurement&, index_t)) {
    add(topic, space, variant, n, [=](measurement& m) { run(m, n); });
  };
  for (const index_t n : {128, 8 << 10, 8 << 20}) kernel("allocate", "zeros", n, &work::allocate);
  kernel("view", "handle", 1, &work::handle);
  for (const index_t n : {128, 16 << 10, 8 << 20}) {
    kernel("deep_copy", "bytes", n, &work::bytes);
    kernel("deep_copy", "fill", n, &work::fill);
  }
  const auto square = [&](const char* variant, int n, void (*run)(measurement&, int)) {
    add("deep_copy", space, variant, index_t{n} * n, [=](measurement& m) { run(m, n); });
  };
  for (const int n : {256, 4096}) {
    square("rows", n, &work::rows);
    square("fill_rows", n, &work::fill_rows);
    square("transpose", n, &work::transpose);
  }
}

}  // namespace

void add_views() {
  for_each_space([](auto space) { add_all<decltype(space)>(); });
}

}  // namespace kernels
