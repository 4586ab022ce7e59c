// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subviews: rows, columns, blocks and planes by Kokkos::ALL, indices, std::pair, Kokkos::pair and
// make_pair, made on the host and inside kernels, and subviews of subviews.

#include <Kokkos_Core.hpp>

#include <iostream>
#include <utility>
#include <vector>

using namespace Kokkos;

static int failed = 0;

void check(bool ok, const char* what) {
  if (ok) return;
  std::cout << "FAILED: " << what << '\n';
  ++failed;
}

// Sum over any rank-1 View, with any layout.
template <class Vector>
long sum_of(const Vector& v) {
  static_assert(Vector::rank == 1, "a vector is expected");
  long sum = 0;
  parallel_reduce(
      "sum_of", RangePolicy<typename Vector::execution_space>(0, v.extent(0)),
      KOKKOS_LAMBDA(const int i, long& s) { s += v(i); }, sum);
  return sum;
}

int main(int argc, char* argv[]) {
  ScopeGuard scope(argc, argv);

  const int n = 12, m = 9;
  View<long**> a("a", n, m);
  parallel_for(
      MDRangePolicy<Rank<2>>({0, 0}, {n, m}),
      KOKKOS_LAMBDA(int i, int j) { a(i, j) = 100 * i + j; });

  // One row and one column, made on the host, used in a kernel.
  auto row = subview(a, 5, ALL);
  auto col = subview(a, ALL(), 3);
  check(row.extent(0) == 9 && col.extent(0) == 12, "extents of row and column");
  check(row.stride(0) == a.stride(1) && col.stride(0) == a.stride(0), "strides of row and column");
  check(row.label() == "a", "a subview has the label of its parent");
  long row_sum = 0, col_sum = 0;
  for (int j = 0; j < m; ++j) row_sum += 500 + j;
  for (int i = 0; i < n; ++i) col_sum += 100 * i + 3;
  check(sum_of(row) == row_sum, "sum of a row");
  check(sum_of(col) == col_sum, "sum of a column");
  std::cout << "row " << row_sum << ", column " << col_sum << '\n';

  // A row or column of either layout fits a LayoutStride View.
  View<long*, LayoutStride> any = subview(a, 5, ALL);
  check(sum_of(any) == row_sum, "LayoutStride row");
  any = col;
  check(sum_of(any) == col_sum, "LayoutStride column");

  // Ranges: three ways to write [2, 7) x [1, 4).
  auto block1 = subview(a, std::pair<int, int>(2, 7), std::make_pair(1, 4));
  auto block2 = subview(a, Kokkos::pair<size_t, size_t>(2, 7), Kokkos::make_pair(1, 4));
  Subview<View<long**>, Kokkos::pair<int, int>, Kokkos::pair<int, int>> block3(
      a, Kokkos::pair<int, int>(2, 7), Kokkos::pair<int, int>(1, 4));
  check(block1.extent(0) == 5 && block1.extent(1) == 3, "extents of a block");
  check(block1.data() == block2.data() && block2.data() == block3.data(), "same blocks");
  deep_copy(block1, -1);

  // Inside a kernel: a row per iteration.
  View<long*> sums("sums", n);
  parallel_for(
      "row sums", n, KOKKOS_LAMBDA(const int i) {
        auto r = Kokkos::subview(a, i, Kokkos::ALL);
        auto tail = Kokkos::subview(r, Kokkos::make_pair(m - 2, m));
        long s = 0;
        for (size_t j = 0; j < r.extent(0); ++j) s += r(j);
        sums(i) = s + 1000 * (tail(0) + tail(1));
      });
  auto h_sums = create_mirror_view_and_copy(HostSpace(), sums);
  auto h_a = create_mirror_view_and_copy(HostSpace(), a);
  for (int i = 0; i < n; ++i) {
    long s = 0;
    for (int j = 0; j < m; ++j) {
      const long expected = i >= 2 && i < 7 && j >= 1 && j < 4 ? -1 : 100 * i + j;
      check(h_a(i, j) == expected, "elements after filling a block");
      s += expected;
    }
    check(h_sums(i) == s + 1000 * (200 * i + 2 * m - 3), "row sums in a kernel");
  }
  std::cout << "row sums " << h_sums(0) << " ... " << h_sums(n - 1) << '\n';

  // Copies between subviews, on the device and on the host.
  deep_copy(subview(a, 0, ALL), subview(a, 11, ALL));
  deep_copy(subview(a, ALL, 8), 7);
  deep_copy(h_a, a);
  auto h_row = subview(h_a, 0, make_pair(0, 8));
  for (int j = 0; j < 8; ++j) check(h_row(j) == 1100 + j, "row 0 is a copy of row 11");
  for (int i = 0; i < n; ++i) check(h_a(i, 8) == 7, "column 8 is filled");

  // Three dimensions: planes, lines, blocks and subviews of subviews.
  View<int***> c("c", 4, 5, 6);
  auto h_c = create_mirror_view(c);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 6; ++k) h_c(i, j, k) = 100 * i + 10 * j + k;
  deep_copy(c, h_c);
  auto plane = subview(c, 2, ALL, ALL);
  auto side = subview(c, ALL, ALL, 4);
  auto slab = subview(c, std::make_pair(1, 3), ALL, std::make_pair(2, 6));
  static_assert(decltype(plane)::rank == 2 && decltype(slab)::rank == 3, "ranks");
  auto line = subview(side, 3, ALL);                   // c(3, :, 4)
  auto nested = subview(slab, 1, make_pair(2, 5), 3);  // c(2, 2..4, 5)
  auto scalar = subview(subview(plane, 4, ALL), 1);    // c(2, 4, 1)
  static_assert(decltype(scalar)::rank() == 0, "an element");
  check(slab.extent(0) == 2 && slab.extent(1) == 5 && slab.extent(2) == 4, "extents of the slab");
  check(sum_of(line) == 5 * 304 + 100, "line of a side");
  check(sum_of(nested) == 3 * 205 + 10 * (2 + 3 + 4), "subview of a subview");
  int value = 0;
  deep_copy(value, scalar);
  check(value == 241, "element");
  std::cout << "line " << sum_of(line) << ", nested " << sum_of(nested) << ", element " << value
            << '\n';

  // Writing through the slab changes exactly its elements; an empty range changes none.
  deep_copy(slab, 5000);
  auto none = subview(c, ALL, make_pair(5, 5), 0);
  check(none.size() == 0 && none.extent(0) == 4, "empty range");
  deep_copy(none, 1);
  deep_copy(h_c, c);
  int inside = 0, outside = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 6; ++k) {
        if (i >= 1 && i < 3 && k >= 2)
          inside += h_c(i, j, k) == 5000;
        else
          outside += h_c(i, j, k) == 100 * i + 10 * j + k;
      }
  check(inside == 40 && outside == 80, "elements after filling the slab");

  // Another view of the same elements: atomic, without counting references.
  using atomic = Kokkos::MemoryTraits<Kokkos::Atomic | Kokkos::Unmanaged>;
  auto counts = subview<atomic>(c, 0, 0, ALL);
  static_assert(decltype(counts)::memory_traits::is_atomic, "traits of the subview");
  deep_copy(c, 0);
  parallel_for(600, KOKKOS_LAMBDA(int i) { counts(i % 6) += 1; });
  deep_copy(h_c, c);
  check(h_c(0, 0, 5) == 100 && h_c(0, 1, 0) == 0, "atomic subview");
  std::cout << inside << " elements filled, " << outside << " kept\n";
  return failed == 0 ? 0 : 1;
}
