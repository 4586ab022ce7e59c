// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life of an allocation: labels, view_alloc and its older spelling, resize and realloc,
// use_count and span, and Views of Views on the host (SequentialHostInit, placement new).

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <new>
#include <string>

#include "check.hpp"

typedef Kokkos::View<int**> matrix_type;

void fill(const matrix_type& a) {
  Kokkos::parallel_for(
      "fill", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {a.extent(0), a.extent(1)}),
      KOKKOS_LAMBDA(const int i, const int j) { a(i, j) = 10 * i + j + 1; });
}

// Sum of a(i, j) by a plain loop over a host copy.
long sum(const matrix_type& a) {
  auto h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
  long s = 0;
  for (size_t k = 0; k < h.size(); ++k) s += h(k / h.extent(1), k % h.extent(1));
  return s;
}

long expected_sum(int n, int m) {
  long s = 0;
  for (int k = 0; k < n * m; ++k) s += 10 * (k / m) + k % m + 1;
  return s;
}

void shapes_and_labels() {
  Kokkos::View<int*> empty;
  REQUIRE(!empty.is_allocated() && empty.data() == nullptr && empty.size() == 0);
  REQUIRE(empty.use_count() == 0 && empty.label() == "");

  const std::string name = std::string("matrix_") + std::to_string(7);
  matrix_type a(name, 5, 4);
  REQUIRE(a.is_allocated() && a.label() == "matrix_7");
  REQUIRE(a.span() == 20 && a.span_is_contiguous() && a.use_count() == 1);
  {
    matrix_type b = a;
    auto row = Kokkos::subview(a, 1, Kokkos::ALL);
    REQUIRE(a.use_count() == 3 && row.use_count() == 3 && b == a);
  }
  REQUIRE(a.use_count() == 1);
  // Several ways to allocate without initializing; every element is written before it is read.
  Kokkos::View<double*> u(Kokkos::view_alloc("u", Kokkos::WithoutInitializing), 9);
  Kokkos::View<double*> v(Kokkos::ViewAllocateWithoutInitializing("v"), 9);
  auto props = Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("w"),
                                  Kokkos::DefaultExecutionSpace());
  Kokkos::View<double*> w(props, 9);
  Kokkos::deep_copy(u, 1.5);
  Kokkos::deep_copy(v, 2.0);
  Kokkos::deep_copy(w, 4.0);
  double total = 0;
  Kokkos::parallel_reduce(9, KOKKOS_LAMBDA(int i, double& s) { s += u(i) * v(i) + w(i); }, total);
  REQUIRE(total == 63.0);
  REQUIRE(u.label() == "u" && v.label() == "v" && w.label() == "w");
  std::printf("%s, %s, %s, %s: total %g\n", a.label().c_str(), u.label().c_str(), v.label().c_str(),
              w.label().c_str(), total);
}

void resize_and_realloc() {
  matrix_type a("a", 6, 5);
  fill(a);
  REQUIRE(sum(a) == expected_sum(6, 5));
  matrix_type old = a;

  // Growing preserves the values and adds zeros; other handles refer to the old allocation.
  Kokkos::resize(a, 8, 7);
  REQUIRE(a.extent(0) == 8 && a.extent(1) == 7 && a.label() == "a");
  REQUIRE(sum(a) == expected_sum(6, 5));
  REQUIRE(old.extent(0) == 6 && old.data() != a.data() && old.use_count() == 1);
  fill(a);
  REQUIRE(sum(old) == expected_sum(6, 5) && sum(a) == expected_sum(8, 7));
  // Shrinking preserves the common part. Equal extents change nothing.
  Kokkos::resize(a, 3, 2);
  REQUIRE(a.span() == 6 && sum(a) == expected_sum(3, 2));
  const int* before = a.data();
  Kokkos::resize(a, 3, 2);
  REQUIRE(a.data() == before && sum(a) == expected_sum(3, 2));
  Kokkos::resize(Kokkos::WithoutInitializing, a, 4, 4);
  fill(a);
  REQUIRE(sum(a) == expected_sum(4, 4));
  // realloc resets all elements, also when the extents are equal.
  Kokkos::realloc(a, 4, 4);
  REQUIRE(sum(a) == 0 && a.label() == "a");
  fill(a);
  Kokkos::realloc(a, 10, 3);
  REQUIRE(sum(a) == 0 && a.extent(0) == 10 && a.extent(1) == 3);
  Kokkos::realloc(Kokkos::view_alloc(Kokkos::WithoutInitializing), a, 2, 9);
  fill(a);
  REQUIRE(sum(a) == expected_sum(2, 9));
  std::printf("%s is %dx%d, sum %ld\n", a.label().c_str(), a.extent_int(0), a.extent_int(1),
              sum(a));
}

void views_of_views() {
  using inner_type = Kokkos::View<int*>;
  const int n = 5;
  Kokkos::View<inner_type*, Kokkos::HostSpace> outer(
      Kokkos::view_alloc("outer", Kokkos::SequentialHostInit), n);
  for (int i = 0; i < n; ++i) {
    REQUIRE(!outer(i).is_allocated());
    outer(i) = inner_type("inner_" + std::to_string(i), i + 1);
  }
  // The same handles again in storage that is constructed and destroyed by hand.
  Kokkos::View<inner_type*, Kokkos::HostSpace> placed(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "placed"), n);
  for (int i = 0; i < n; ++i) new (&placed(i)) inner_type(outer(i));
  int total = 0, expected = 0;
  for (int i = 0; i < n; ++i) {
    REQUIRE(outer(i).use_count() == 2 && placed(i).label() == "inner_" + std::to_string(i));
    inner_type inner = placed(i);
    int part = 0;
    Kokkos::parallel_for(i + 1, KOKKOS_LAMBDA(const int k) { inner(k) = i + 10 * k; });
    Kokkos::parallel_reduce(i + 1, KOKKOS_LAMBDA(int k, int& s) { s += inner(k); }, part);
    total += part;
    for (int k = 0; k <= i; ++k) expected += i + 10 * k;
  }
  REQUIRE(total == expected);
  inner_type last = outer(n - 1);
  REQUIRE(last.use_count() == 3);
  for (int i = 0; i < n; ++i) placed(i).~inner_type();
  REQUIRE(last.use_count() == 2);
  outer = decltype(outer)();
  REQUIRE(last.use_count() == 1 && last.extent(0) == 5);
  std::printf("views of views: %d\n", total);
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  shapes_and_labels();
  resize_and_realloc();
  views_of_views();
  Kokkos::finalize();
  return errors == 0 ? 0 : 1;
}
