// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One functor with several tagged call operators, chosen by RangePolicy<Tag> and TeamPolicy<Tag>,
// and a class that launches itself with *this as the functor.

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <vector>

struct TagFill {};
struct TagScale {};
struct TagSum {};
struct TagPrefix {};
struct TagRowSum {};

template <class Device>
struct MatrixOps {
  typedef typename Device::execution_space execution_space;
  typedef long value_type;
  typedef Kokkos::View<long**, Device> matrix_type;
  typedef Kokkos::View<long*, Device> vector_type;
  typedef typename Kokkos::TeamPolicy<execution_space>::member_type member_type;

  matrix_type a;
  vector_type rows;
  int ncols;

  MatrixOps(int n, int m) : a("a", n, m), rows("rows", n), ncols(m) {}

  KOKKOS_INLINE_FUNCTION void operator()(const TagFill&, const int i) const {
    for (int j = 0; j < ncols; ++j) a(i, j) = 100 * i + j;
  }

  KOKKOS_INLINE_FUNCTION void operator()(TagScale, const int i) const { rows(i) *= 2; }

  KOKKOS_INLINE_FUNCTION void operator()(TagSum, const int i, long& sum) const { sum += rows(i); }

  KOKKOS_INLINE_FUNCTION
  void operator()(const TagPrefix, const int i, long& update, const bool is_final) const {
    const long mine = a(i, 0);
    if (is_final) rows(i) = update;
    update += mine;
  }

  KOKKOS_INLINE_FUNCTION void operator()(const TagRowSum&, const member_type& team) const {
    const int i = team.league_rank();
    long sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, ncols), [&](const int j, long& s) { s += a(i, j); }, sum);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { rows(i) = sum; });
  }

  // A team reduction: only one thread of each team contributes.
  KOKKOS_INLINE_FUNCTION
  void operator()(const TagRowSum&, const member_type& team, long& total) const {
    long sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, ncols),
        [&](const int j, long& s) { s += a(team.league_rank(), j); }, sum);
    if (team.team_rank() == 0) {
      Kokkos::single(Kokkos::PerThread(team), [&]() { total += sum; });
    }
  }
};

// A class that keeps its data and launches itself.
class Counter {
 public:
  struct Init {};
  struct Count {};

  explicit Counter(int n) : n_(n), values_("Counter::values", n) {}
  void init() { Kokkos::parallel_for("Counter::init", Kokkos::RangePolicy<Init>(0, n_), *this); }

  int count(int modulus) {
    modulus_ = modulus;
    int result = 0;
    Kokkos::parallel_reduce("Counter::count",
                            Kokkos::RangePolicy<Count, Kokkos::DefaultExecutionSpace>(0, n_), *this,
                            result);
    return result;
  }

  KOKKOS_FUNCTION void operator()(Init, int i) const { values_(i) = 7 * i + 3; }
  KOKKOS_FUNCTION void operator()(Count, int i, int& hits) const {
    if (values_(i) % modulus_ == 0) ++hits;
  }

 private:
  int n_;
  int modulus_ = 1;
  Kokkos::View<int*> values_;
};

static bool check(const char* what, long result, long expected) {
  if (result != expected) std::printf("FAILED: %s: %ld, expected %ld\n", what, result, expected);
  return result == expected;
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  bool ok = true;
  {
    using Device = Kokkos::DefaultExecutionSpace::device_type;
    using Exec = Kokkos::DefaultExecutionSpace;
    const int n = 60, m = 37;
    MatrixOps<Device> ops(n, m);
    auto h_rows = Kokkos::create_mirror_view(ops.rows);

    Kokkos::parallel_for("fill", Kokkos::RangePolicy<Exec, TagFill>(0, n), ops);
    Kokkos::parallel_for("rows", Kokkos::TeamPolicy<Exec, TagRowSum>(n, Kokkos::AUTO), ops);
    Kokkos::parallel_for("scale", Kokkos::RangePolicy<TagScale>(n / 2, n), ops);
    long sum = 0;
    Kokkos::parallel_reduce("sum", Kokkos::RangePolicy<TagSum>(0, n), ops, sum);
    Kokkos::deep_copy(h_rows, ops.rows);

    long expected_sum = 0, expected_total = 0;
    for (int i = 0; i < n; ++i) {
      long row = 0;
      for (int j = 0; j < m; ++j) row += 100 * i + j;
      expected_total += row;
      if (i >= n / 2) row *= 2;
      expected_sum += row;
      ok = check("row sum", h_rows(i), row) && ok;
    }
    ok = check("sum of rows", sum, expected_sum) && ok;

    long total = 0;
    Kokkos::parallel_reduce("total", Kokkos::TeamPolicy<TagRowSum>(n, Kokkos::AUTO()), ops, total);
    ok = check("team total", total, expected_total) && ok;

    Kokkos::parallel_scan("prefix", Kokkos::RangePolicy<Exec, TagPrefix>(0, n), ops);
    Kokkos::deep_copy(h_rows, ops.rows);
    long prefix = 0;
    for (int i = 0; i < n; prefix += 100 * i, ++i) ok = check("prefix", h_rows(i), prefix) && ok;
    std::printf("sum = %ld, total = %ld, last prefix = %ld\n", sum, total, h_rows(n - 1));

    Counter counter(1000);
    counter.init();
    for (int modulus : {2, 5, 9}) {
      int expected = 0;
      for (int i = 0; i < 1000; ++i) expected += (7 * i + 3) % modulus == 0;
      const int hits = counter.count(modulus);
      ok = check("counter", hits, expected) && ok;
      std::printf("multiples of %d: %d\n", modulus, hits);
    }
  }
  Kokkos::finalize();
  return ok ? 0 : 1;
}
