// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans: exclusive and inclusive prefix sums, a running maximum with init and join, totals in a
// scalar and in a View, and stream compaction as its most common use.

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <vector>

typedef Kokkos::DefaultExecutionSpace ExecSpace;
typedef Kokkos::View<int*, ExecSpace> IntVector;

static int errors = 0;

template <class ViewType, class T>
void check_vector(const char* what, const ViewType& v, const std::vector<T>& expected) {
  auto h = Kokkos::create_mirror_view(v);
  Kokkos::deep_copy(h, v);
  int wrong = v.extent(0) != expected.size();
  for (size_t i = 0; wrong == 0 && i < expected.size(); ++i) wrong += h(i) != expected[i];
  if (wrong != 0) std::printf("FAILED: %s\n", what);
  errors += wrong;
}

void check_value(const char* what, long value, long expected) {
  if (value != expected) std::printf("FAILED: %s: %ld, not %ld\n", what, value, expected);
  errors += value != expected;
}

// A running maximum: the old style with typedefs and all members written out.
struct RunningMax {
  typedef ExecSpace execution_space;
  typedef int value_type;

  IntVector in, out;

  KOKKOS_INLINE_FUNCTION
  void operator()(const int i, value_type& update, const bool final_pass) const {
    if (in(i) > update) update = in(i);
    if (final_pass) out(i) = update;
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& update) const { update = -1000000; }
  KOKKOS_INLINE_FUNCTION void join(value_type& update, const value_type& input) const {
    if (input > update) update = input;
  }
};

// Two sums in one scan.
struct Pair {
  int kept = 0;
  long weight = 0;
  KOKKOS_FUNCTION void operator+=(const Pair& o) { kept += o.kept, weight += o.weight; }
};

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    const int n = 12345;
    IntVector in("in", n), out("out", n);
    Kokkos::parallel_for("fill", n, KOKKOS_LAMBDA(int i) { in(i) = (i * 7919) % 1009 - 500; });
    auto h_in = Kokkos::create_mirror_view(in);
    Kokkos::deep_copy(h_in, in);
    check_value("in(1)", h_in(1), 7919 % 1009 - 500);

    // Exclusive: write before adding.
    std::vector<int> expected(n);
    int sum = 0;
    for (int i = 0; i < n; sum += h_in(i++)) expected[i] = sum;
    Kokkos::parallel_scan(
        "exclusive", n, KOKKOS_LAMBDA(const int i, int& partial, const bool is_final) {
          const int x = in(i);
          if (is_final) out(i) = partial;
          partial += x;
        });
    check_vector("exclusive scan", out, expected);

    // Inclusive and with the total: add before writing.
    for (int i = 0; i < n; ++i) expected[i] += h_in(i);
    int total = 123;
    Kokkos::parallel_scan(
        "inclusive", Kokkos::RangePolicy<ExecSpace>(0, n),
        KOKKOS_LAMBDA(const int i, int& partial, bool is_final) {
          partial += in(i);
          if (is_final) out(i) = partial;
        },
        total);
    check_vector("inclusive scan", out, expected);
    check_value("total", total, sum);
    std::printf("sum of %d numbers: %d\n", n, total);

    // In place, over part of the range, the total in a View.
    IntVector part("part", n);
    Kokkos::deep_copy(part, in);
    Kokkos::View<long, ExecSpace> total_view("total");
    Kokkos::parallel_scan(
        Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<int>>(100, 200),
        KOKKOS_LAMBDA(const int i, long& partial, const bool is_final) {
          const int x = part(i);
          if (is_final) part(i) = static_cast<int>(partial);
          partial += x;
        },
        total_view);
    long part_total = 0;
    Kokkos::deep_copy(part_total, total_view);
    long part_sum = 0;
    for (int i = 0; i < n; ++i) expected[i] = h_in(i);
    for (int i = 100; i < 200; part_sum += h_in(i++)) expected[i] = static_cast<int>(part_sum);
    check_vector("scan in place", part, expected);
    check_value("total in a View", part_total, part_sum);

    // The functor with init and join.
    Kokkos::parallel_scan("running max", n, RunningMax{in, out});
    int max = -1000000;
    for (int i = 0; i < n; ++i) expected[i] = max = h_in(i) > max ? h_in(i) : max;
    check_vector("running maximum", out, expected);
    int max_total = 0;
    Kokkos::parallel_scan(n, RunningMax{in, out}, max_total);
    check_value("total of the maximum", max_total, max);

    // Compaction: count first, allocate exactly, then scatter by a scan, which preserves the order.
    int positive = 0;
    Kokkos::parallel_reduce(
        "count", n, KOKKOS_LAMBDA(int i, int& c) { c += in(i) > 300 ? 1 : 0; }, positive);
    IntVector kept("kept", positive);
    Pair last;
    Kokkos::parallel_scan(
        "compact", n,
        KOKKOS_LAMBDA(const int i, Pair& p, const bool is_final) {
          if (in(i) <= 300) return;
          if (is_final) kept(p.kept) = i;
          p.kept += 1;
          p.weight += in(i);
        },
        last);
    std::vector<int> indices;
    long weight = 0;
    for (int i = 0; i < n; ++i) {
      if (h_in(i) <= 300) continue;
      indices.push_back(i);
      weight += h_in(i);
    }
    check_value("number kept", positive, indices.size());
    check_vector("indices kept", kept, indices);
    check_value("kept by the scan", last.kept, positive);
    check_value("weight", last.weight, weight);
    std::printf("kept %d, weight %ld, maximum %d\n", last.kept, last.weight, max);
  }
  Kokkos::finalize();
  return errors == 0 ? 0 : 1;
}
