// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly of a sparse matrix from quadrilateral elements: count with atomics, scan to the row
// map, fill, sort the rows and merge repeated columns, scan again; then y = A x with 64 rows a
// team, one row per thread.

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <map>
#include <vector>

using device = Kokkos::DefaultExecutionSpace::device_type;
constexpr int rows_per_team = 64;

template <class Device>
struct CrsMatrix {
  Kokkos::View<int*, Device> row_map;
  Kokkos::View<int*, Device> columns;
  Kokkos::View<double*, Device> values;
  int rows() const { return static_cast<int>(row_map.extent(0)) - 1; }
};

// The element matrix: integers, each row sums to zero.
KOKKOS_INLINE_FUNCTION double stiffness(int a, int b) {
  return a == b ? 4 : (a + b) % 2 != 0 ? -1 : -2;
}

KOKKOS_INLINE_FUNCTION int node_of(int element, int corner, int nx) {
  const int base = element / nx * (nx + 1) + element % nx;
  return base + (corner == 1 || corner == 2 ? 1 : 0) + (corner >= 2 ? nx + 1 : 0);
}

// row_map(i) = counts(0) + ... + counts(i - 1), and the total after the last row.
template <class Counts, class RowMap>
int scan_to_row_map(const Counts& counts, const RowMap& row_map) {
  const int rows = static_cast<int>(counts.extent(0));
  int total = 0;
  Kokkos::parallel_scan(
      "row map", Kokkos::RangePolicy<typename Counts::execution_space>(0, rows),
      KOKKOS_LAMBDA(const int i, int& update, const bool final) {
        const int count = counts(i);
        if (final) row_map(i) = update;
        update += count;
        if (final && i == rows - 1) row_map(rows) = update;
      },
      total);
  return total;
}

// Insertion sort of each row by column, then equal columns are added up; returns the new lengths.
template <class Device>
struct SortAndMerge {
  typedef typename Device::execution_space execution_space;
  CrsMatrix<Device> matrix;
  Kokkos::View<int*, Device> lengths;

  KOKKOS_INLINE_FUNCTION void operator()(const int row) const {
    const int begin = matrix.row_map(row), end = matrix.row_map(row + 1);
    for (int k = begin + 1; k < end; ++k) {
      const int column = matrix.columns(k);
      const double value = matrix.values(k);
      int place = k;
      for (; place > begin && matrix.columns(place - 1) > column; --place) {
        matrix.columns(place) = matrix.columns(place - 1);
        matrix.values(place) = matrix.values(place - 1);
      }
      matrix.columns(place) = column;
      matrix.values(place) = value;
    }
    int last = begin;
    for (int k = begin + 1; k < end; ++k) {
      const bool repeated = matrix.columns(k) == matrix.columns(last);
      if (!repeated) matrix.columns(++last) = matrix.columns(k);
      matrix.values(last) = matrix.values(k) + (repeated ? matrix.values(last) : 0.0);
    }
    lengths(row) = last + 1 - begin;
  }
};

CrsMatrix<device> assemble(int nx, int ny) {
  const int nodes = (nx + 1) * (ny + 1), elements = nx * ny;
  Kokkos::View<int* [4], device> corners("corners", elements);
  Kokkos::parallel_for(
      "corners", elements, KOKKOS_LAMBDA(const int e) {
        for (int a = 0; a < 4; ++a) corners(e, a) = node_of(e, a, nx);
      });

  Kokkos::View<int*, device> counts("counts", nodes);
  Kokkos::parallel_for(
      "count", elements, KOKKOS_LAMBDA(const int e) {
        for (int a = 0; a < 4; ++a) Kokkos::atomic_add(&counts(corners(e, a)), 4);
      });
  CrsMatrix<device> loose;
  loose.row_map = Kokkos::View<int*, device>("row map", nodes + 1);
  const int entries = scan_to_row_map(counts, loose.row_map);
  Kokkos::realloc(Kokkos::WithoutInitializing, loose.columns, entries);
  Kokkos::realloc(Kokkos::WithoutInitializing, loose.values, entries);

  Kokkos::deep_copy(counts, 0);
  Kokkos::parallel_for(
      "fill", elements, KOKKOS_LAMBDA(const int e) {
        for (int a = 0; a < 4; ++a) {
          const int row = corners(e, a);
          for (int b = 0; b < 4; ++b) {
            const int k = loose.row_map(row) + Kokkos::atomic_fetch_add(&counts(row), 1);
            loose.columns(k) = corners(e, b);
            loose.values(k) = stiffness(a, b);
          }
        }
      });
  Kokkos::parallel_for("sort and merge", nodes, SortAndMerge<device>{loose, counts});

  CrsMatrix<device> matrix;
  matrix.row_map = Kokkos::View<int*, device>("row map", nodes + 1);
  const int kept = scan_to_row_map(counts, matrix.row_map);
  matrix.columns = Kokkos::View<int*, device>("columns", kept);
  matrix.values = Kokkos::View<double*, device>("values", kept);
  Kokkos::parallel_for(
      "compress", nodes, KOKKOS_LAMBDA(const int row) {
        const int from = loose.row_map(row), to = matrix.row_map(row);
        for (int k = 0; k < counts(row); ++k) {
          matrix.columns(to + k) = loose.columns(from + k);
          matrix.values(to + k) = loose.values(from + k);
        }
      });
  return matrix;
}

void multiply(const CrsMatrix<device>& a, const Kokkos::View<const double*, device>& x,
              const Kokkos::View<double*, device>& y) {
  using policy_type = Kokkos::TeamPolicy<device::execution_space>;
  const int rows = a.rows();
  const int teams = (rows + rows_per_team - 1) / rows_per_team;
  const CrsMatrix<device> matrix = a;
  Kokkos::parallel_for(
      "multiply", policy_type(teams, Kokkos::AUTO, 4),
      KOKKOS_LAMBDA(const policy_type::member_type& team) {
        const int first = team.league_rank() * rows_per_team;
        const int last = Kokkos::min(first + rows_per_team, rows);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](const int row) {
          double sum = 0;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, matrix.row_map(row), matrix.row_map(row + 1)),
              [&](const int k, double& part) { part += matrix.values(k) * x(matrix.columns(k)); },
              sum);
          Kokkos::single(Kokkos::PerThread(team), [&]() { y(row) = sum; });
        });
      });
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  bool ok = true;
  auto check = [&ok](bool passed, const char* what) {
    if (!passed) std::printf("FAILED: %s\n", what);
    ok = ok && passed;
  };
  {
    const int nx = 21, ny = 17, nodes = (nx + 1) * (ny + 1);
    std::vector<std::map<int, double>> expected(nodes);
    for (int e = 0; e < nx * ny; ++e)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          expected[node_of(e, a, nx)][node_of(e, b, nx)] += stiffness(a, b);

    const CrsMatrix<device> matrix = assemble(nx, ny);
    auto row_map = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix.row_map);
    auto columns = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix.columns);
    auto values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix.values);
    bool lengths = matrix.rows() == nodes && row_map(0) == 0, entries = true;
    for (int i = 0; i < nodes; ++i)
      lengths = lengths && row_map(i + 1) - row_map(i) == static_cast<int>(expected[i].size());
    check(lengths, "lengths of the rows");
    for (int i = 0; lengths && i < nodes; ++i) {
      int k = row_map(i);
      for (const auto& [column, value] : expected[i])
        entries = entries && columns(k) == column && values(k++) == value;
    }
    check(entries, "columns and values");
    std::printf("%d rows, %d entries\n", matrix.rows(), row_map(nodes));

    Kokkos::View<double*, device> x("x", nodes), y("y", nodes);
    auto h_x = Kokkos::create_mirror_view(x);
    for (int i = 0; i < nodes; ++i) h_x(i) = i * i % 11 - 5;
    Kokkos::deep_copy(x, h_x);
    multiply(matrix, x, y);
    auto h_y = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
    bool product = true;  // integers in doubles: exact in any order
    for (int i = 0; i < nodes; ++i) {
      double sum = 0;
      for (const auto& [column, value] : expected[i]) sum += value * h_x(column);
      product = product && h_y(i) == sum;
    }
    check(product, "matrix times vector");
    std::printf("y(0) = %.0f, y(%d) = %.0f\n", h_y(0), nodes / 2, h_y(nodes / 2));
  }
  Kokkos::finalize();
  if (ok) std::printf("all checks passed\n");
  return ok ? 0 : 1;
}
