// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions beyond a plain sum: several results at once, the built-in reducers, results in Views,
// MDRangePolicy, and a functor that reduces a whole array (value_type[] with value_count).

#include <Kokkos_Core.hpp>

#include <climits>
#include <cstdio>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;

static int failed = 0;
template <class A, class B>
static void check_eq(const A& result, const B& expected, const char* what) {
  if (result == expected) return;
  std::printf("FAILED: %s\n", what);
  ++failed;
}

// All column sums of a matrix in one reduction.
template <class Device>
struct ColumnSums {
  typedef typename Device::execution_space execution_space;
  typedef long value_type[];
  typedef typename Kokkos::View<const int**, Device>::size_type size_type;
  size_type value_count;
  Kokkos::View<const int**, Device> a;

  KOKKOS_INLINE_FUNCTION void operator()(const size_type i, long sums[]) const {
    for (size_type j = 0; j < value_count; ++j) sums[j] += a(i, j);
  }
  KOKKOS_INLINE_FUNCTION void join(long dst[], const long src[]) const {
    for (size_type j = 0; j < value_count; ++j) dst[j] += src[j];
  }
};

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    const int n = 3001;
    Kokkos::View<int*> v("v", n);
    Kokkos::parallel_for(n, KOKKOS_LAMBDA(int i) { v(i) = (i * 1013 + 1500) % 3001 - 700; });
    auto h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);

    long sum = 0;
    int min = INT_MAX, max = INT_MIN, min_at = -1, max_at = -1;
    unsigned bits = 0;
    for (int i = 0; i < n; ++i) {
      sum += h(i);
      if (h(i) < min) min = h(min_at = i);
      if (h(i) > max) max = h(max_at = i);
      if (h(i) % 7 == 3 && h(i) < 30) bits |= 1u << h(i);
    }
    check_eq(h(0), 800, "values");
    // Three results at once: a scalar, a reducer over a scalar and a View.
    long r_sum = 77;
    int r_max = 0;
    Kokkos::View<int, Kokkos::HostSpace> r_min("r_min");
    Kokkos::parallel_reduce(
        "three", n,
        KOKKOS_LAMBDA(const int i, long& s, int& lo, int& hi) {
          s += v(i);
          if (v(i) < lo) lo = v(i);
          if (v(i) > hi) hi = v(i);
        },
        r_sum, Kokkos::Min<int>(r_min), Kokkos::Max<int>(r_max));
    check_eq(r_sum, sum, "sum of three");
    check_eq(r_min() == min && r_max == max, true, "min and max of three");
    std::printf("sum %ld, min %d, max %d\n", r_sum, r_min(), r_max);

    // Values and places in one pass. The values are distinct, so the places are unique.
    typedef Kokkos::ValLocScalar<int, int> ValLoc;
    Kokkos::MinLoc<int, int>::value_type lo;
    Kokkos::MaxLoc<int, int>::value_type hi;
    Kokkos::MinMaxScalar<int> both;
    Kokkos::parallel_reduce(
        "reducers", Kokkos::RangePolicy<Exec>(0, n),
        KOKKOS_LAMBDA(int i, ValLoc& l, Kokkos::MinMaxScalar<int>& w) {
          const int x = v(i);
          if (x < l.val) l = {x, i};
          if (x < w.min_val) w.min_val = x;
          if (x > w.max_val) w.max_val = x;
        },
        Kokkos::MinLoc<int, int>(lo), Kokkos::MinMax<int>(both));
    Kokkos::parallel_reduce(
        n, KOKKOS_LAMBDA(int i, ValLoc& u) { u = v(i) > u.val ? ValLoc{v(i), i} : u; },
        Kokkos::MaxLoc<int, int>(hi));
    check_eq(lo.val == min && lo.loc == min_at, true, "MinLoc");
    check_eq(hi.val == max && hi.loc == max_at, true, "MaxLoc");
    check_eq(both.min_val == min && both.max_val == max, true, "MinMax");
    std::printf("min at %d, max at %d\n", lo.loc, hi.loc);

    // Logic and bits.
    int all_small = 0, all_positive = 1;
    unsigned r_bits = 0;
    Kokkos::parallel_reduce(
        n, KOKKOS_LAMBDA(int i, int& ok) { ok = ok && v(i) < 2301; }, Kokkos::LAnd<int>(all_small));
    Kokkos::parallel_reduce(
        n, KOKKOS_LAMBDA(int i, int& ok) { ok = ok && v(i) > 0; }, Kokkos::LAnd<int>(all_positive));
    Kokkos::parallel_reduce(
        n,
        KOKKOS_LAMBDA(int i, unsigned& b) {
          if (v(i) % 7 == 3 && v(i) < 30) b |= 1u << v(i);
        },
        Kokkos::BOr<unsigned>(r_bits));
    check_eq(all_small, max < 2301 ? 1 : 0, "LAnd true");
    check_eq(all_positive, min > 0 ? 1 : 0, "LAnd false");
    check_eq(r_bits, bits, "BOr");

    // MDRangePolicy; the result stays on the device until it is copied.
    const int rows = 70, cols = 9;
    Kokkos::View<int**> a("a", rows, cols);
    Kokkos::parallel_for(
        Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {rows, cols}),
        KOKKOS_LAMBDA(int i, int j) { a(i, j) = i * j - 5 * i; });
    std::vector<long> columns(cols, 0);
    int peak = INT_MIN;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) {
        columns[j] += i * j - 5 * i;
        if (i * j - 5 * i > peak) peak = i * j - 5 * i;
      }
    Kokkos::View<int, Exec::memory_space> r_peak("r_peak");
    Kokkos::parallel_reduce(
        "peak", Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>({0, 0}, {rows, cols}, {8, 3}),
        KOKKOS_LAMBDA(const int i, const int j, int& m) {
          if (a(i, j) > m) m = a(i, j);
        },
        Kokkos::Max<int, Exec::memory_space>(r_peak));
    int h_peak = 0;
    Kokkos::deep_copy(h_peak, r_peak);
    check_eq(h_peak, peak, "Max over MDRange into a View");

    // The array functor: into a C array, then into a View.
    ColumnSums<Exec::device_type> functor{cols, a};
    long sums[cols] = {1, 2, 3};
    Kokkos::parallel_reduce("columns", rows, functor, sums);
    Kokkos::View<long*, Kokkos::HostSpace> sums_view("sums", cols);
    Kokkos::parallel_reduce(Kokkos::RangePolicy<Exec>(0, rows), functor, sums_view);
    Kokkos::fence();  // a result in a View may arrive later
    for (int j = 0; j < cols; ++j) {
      check_eq(sums[j], columns[j], "column sums in an array");
      check_eq(sums_view(j), columns[j], "column sums in a View");
    }
    std::printf("bits %#x, peak %d, columns %ld %ld\n", r_bits, h_peak, sums[0], sums[cols - 1]);
  }
  Kokkos::finalize();
  return failed == 0 ? 0 : 1;
}
