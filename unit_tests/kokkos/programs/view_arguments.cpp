// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments that programs pass for extents and indices: marks for omitted extents, floating-point
// numbers, objects that convert, class constants without a definition, and, in branches that never
// run, another number of extents than the View has. Arrays as elements.
#include <Kokkos_Core.hpp>
#include <Kokkos_StaticCrsGraph.hpp>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "check.hpp"

// Whether the act throws an error whose text contains both parts.
template <class Act>
bool stops(const Act& act, const std::string& part, const std::string& other = "") {
  try {
    act();
  } catch (const std::exception& e) {
    const std::string text = e.what();
    if (text.find(part) != text.npos && text.find(other) != text.npos) return true;
    std::printf("other error: %s\n", e.what());
  }
  return false;
}

constexpr size_t none = KOKKOS_INVALID_INDEX;

// A grid in two or three dimensions, with a number of components.
template <int dim>
struct grid {
  using field = std::conditional_t<dim == 2, Kokkos::View<double***>, Kokkos::View<double****>>;
  field u;
  explicit grid(int n) {
    if (dim == 2)
      u = field("u", n, n, 2);
    else
      u = field("u", n, n, n, 2);
    Kokkos::resize(u, n + 1, n + 1, dim == 2 ? 2 : n + 1, dim == 2 ? none : 2);
  }
};

// Frameworks pass on extents for every rank in this way.
template <class V>
void make_room(V& v, size_t n0 = KOKKOS_IMPL_CTOR_DEFAULT_ARG,
               size_t n1 = KOKKOS_IMPL_CTOR_DEFAULT_ARG, size_t n2 = KOKKOS_IMPL_CTOR_DEFAULT_ARG) {
  if (v.extent(0) < n0)
    Kokkos::realloc(
        Kokkos::view_alloc(Kokkos::DefaultExecutionSpace(), Kokkos::WithoutInitializing), v, n0, n1,
        n2);
  else
    Kokkos::resize(v, n0, n1, n2);
}

void extents_not_given() {
  const grid<2> flat(4);
  const grid<3> cube(4);
  REQUIRE(flat.u.size() == 50 && cube.u.size() == 250);
  Kokkos::View<int*> a("a", 3);
  Kokkos::View<int** [4]> b("b", 3, 2, none);
  make_room(a, 7);
  make_room(b, 2, 5);
  REQUIRE(a.extent(0) == 7 && b.extent(0) == 2 && b.extent(1) == 5 && b.extent(2) == 4);
  const int* const before = a.data();
  make_room(a, 7);
  REQUIRE(a.data() == before);
  Kokkos::realloc(Kokkos::DefaultExecutionSpace(), a, 8, none);
  Kokkos::View<int*, Kokkos::HostSpace> on_host("on_host", 1);
  Kokkos::resize(Kokkos::SequentialHostInit, on_host, 9, none);
  REQUIRE(a.extent(0) == 8 && a.label() == "a" && on_host.extent(0) == 9);
  const Kokkos::View<int*> c(Kokkos::view_alloc("c", Kokkos::WithoutInitializing), 4, none, none);
  const Kokkos::View<int*> d(c.data(), 2, none);
  REQUIRE(c.extent(0) == 4 && d.extent(0) == 2);
  using matrix = Kokkos::View<double**>;
  REQUIRE(matrix::required_allocation_size(3, 4, none) == 96);
  REQUIRE(matrix::shmem_size(3, 4, none, none) == matrix::shmem_size(3, 4));

  // Another number of extents than the View has is an error at run time.
  REQUIRE(stops([] { matrix("few", 3); }, "\"few\": 1 extent is given", "needs 2"));
  REQUIRE(stops([] { matrix("many", 3, 3, 3); }, "\"many\": 3 extents are given", "needs 2"));
  REQUIRE(stops([] { Kokkos::View<int* [2]>("fixed", 3, 2, 4); }, "3 extents", "1, or 2"));
  REQUIRE(stops([] { Kokkos::View<int>("one", 3); }, "1 extent is given", "needs 0"));
  REQUIRE(stops([] { matrix("mark", 3, none); }, "\"mark\"", "extent 1 of [3, -1]"));
  REQUIRE(stops([&] { Kokkos::resize(a, 3, 3); }, "\"a\": 2 extents are given", "needs 1"));
  REQUIRE(stops([&] { Kokkos::realloc(b, 3); }, "\"b\": 1 extent is given", "2, or 3"));
  REQUIRE(stops([&] { matrix::shmem_size(3); }, "1 extent is given", "needs 2"));
  REQUIRE(stops([&] { Kokkos::View<int**>(b.data(), 3); }, "1 extent is given", "needs 2"));
  REQUIRE(a.extent(0) == 8 && b.extent(0) == 2);
  std::printf("grids of %d and %d values\n", int(flat.u.size()), int(cube.u.size()));
}

struct size_of_box {
  int n;
  operator int() const { return n; }
};
struct length {
  double value;
  operator double() const { return value; }
};
enum sides { left_side, right_side, all_sides };

void extents_of_any_type() {
  const int particles = 10;
  Kokkos::View<double*> x("x", particles * 1.1);
  REQUIRE(x.extent(0) == 11);
  Kokkos::resize(x, particles * 1.55);
  REQUIRE(x.extent(0) == 15);
  const double* const before = x.data();
  Kokkos::resize(x, 15.9);
  REQUIRE(x.data() == before);
  Kokkos::realloc(x, 1.5f * particles + 1);
  REQUIRE(x.extent(0) == 16);
  Kokkos::View<float**> y("y", size_of_box{3}, length{2.7});
  REQUIRE(y.extent(0) == 3 && y.extent(1) == 2);
  const Kokkos::View<float**> z(Kokkos::view_alloc("z"), all_sides, 1e1f);
  REQUIRE(z.extent(0) == 2 && z.extent(1) == 10);
  REQUIRE(Kokkos::View<char*>::required_allocation_size(5.5) == 5);
  REQUIRE(Kokkos::View<char*>("none", -0.25).size() == 0);

  using array = Kokkos::View<int*>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  REQUIRE(stops([&] { array("nan", nan); }, "\"nan\": an extent is ", "nan"));
  REQUIRE(stops([&] { array("below", -2.5); }, "\"below\": an extent is -2.5"));
  REQUIRE(stops([&] { array("far", 1e19); }, "\"far\": an extent is ", "2^63 - 1"));
  REQUIRE(stops([&] { array("inf", std::numeric_limits<float>::infinity()); }, "\"inf\": an"));
  REQUIRE(stops([&] { Kokkos::resize(x, nan); }, "\"x\": an extent is "));
  REQUIRE(stops([&] { Kokkos::realloc(x, -1.5); }, "\"x\": an extent is -1.5"));
  REQUIRE(x.extent(0) == 16);
  std::printf("%d of %d\n", x.extent_int(0), y.extent_int(1));
}

// Numbers as indices: neighbours stored in a View of double, as in tables.
void indices_of_any_type() {
  const Kokkos::View<double*> next("next", 3), value("value", 3);
  const Kokkos::View<double**> box("box", 2, 3);
  Kokkos::parallel_for(
      3, KOKKOS_LAMBDA(int i) {
        next(i) = (i + 1) % 3;
        value(i) = 10 * i;
      });
  Kokkos::parallel_for(
      1, KOKKOS_LAMBDA(int) {
        box(1, next(0)) = value(next(1));
        box(0.5f, 2.0) = value[next(0)];
        box(1.0, right_side + 1) = value.access(next(0), 0);
      });
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), box);
  REQUIRE(host(1, 1) == 20 && host(0, 2) == 10 && host(1, 2) == 10);
  const auto row = Kokkos::subview(host, 1.0, Kokkos::make_pair(1.0, 3.0));
  REQUIRE(row.extent(0) == 2 && row(0) == 20);
  std::printf("value %g\n", host(1, 1));
}

// Elements that are arrays: the brackets of their type come last.
void arrays_as_elements() {
  using row = unsigned[3];
  const Kokkos::View<row*> table("table", 5);
  REQUIRE(table.rank() == 2 && table.rank_dynamic() == 1 && table.extent(1) == 3);
  Kokkos::parallel_for(
      5, KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < 3; ++j) table(i, j) = 10 * i + j;
      });
  const Kokkos::View<const unsigned* [3]> reading = table;
  unsigned sum = 0;
  Kokkos::parallel_reduce(5, KOKKOS_LAMBDA(int i, unsigned& s) { s += reading(i, 2); }, sum);
  REQUIRE(sum == 110);
  const Kokkos::View<row* [2]> pairs("pairs", 4);
  REQUIRE(pairs.extent(0) == 4 && pairs.extent(1) == 2 && pairs.extent(2) == 3);
  const Kokkos::StaticCrsGraph<row, Kokkos::DefaultExecutionSpace> graph;
  REQUIRE(graph.entries.rank() == 2 && graph.entries.extent(1) == 3 && graph.numRows() == 0);
  std::printf("sum of a column %u\n", sum);
}

// Class constants without a definition have no address.
struct sizes {
  static const int rows = 4, columns = 3, row = 2;
  static const size_t column = 1;
  static const bool on = true;
};

void constants_of_a_class() {
  const Kokkos::View<int**> w("w", sizes::rows, sizes::columns);
  Kokkos::View<int*> v("v", sizes::rows);
  Kokkos::deep_copy(w, sizes::on);
  Kokkos::parallel_for(
      1, KOKKOS_LAMBDA(int) {
        w(sizes::row, sizes::column) = sizes::rows;
        Kokkos::atomic_add(&w.access(sizes::row, sizes::column), sizes::rows);
        v[sizes::row] = Kokkos::subview(w, sizes::row, Kokkos::ALL)(sizes::column);
      });
  Kokkos::resize(v, sizes::row + sizes::column);
  Kokkos::realloc(v, sizes::rows);
  const auto part = Kokkos::subview(w, Kokkos::make_pair(sizes::on, sizes::rows), sizes::column);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), part);
  REQUIRE(part.extent(sizes::on) == 1 && host(1) == 8 && host(2) == 1 && w.stride(0) != 0);
  std::printf("constant index %d\n", host(1));
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  extents_not_given();
  extents_of_any_type();
  indices_of_any_type();
  arrays_as_elements();
  constants_of_a_class();
  Kokkos::finalize();
  return errors == 0 ? 0 : 1;
}
