// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of floats that do not depend on the order: fixed-point and binned sums agree bit by bit in
// all policies, plain sums only within an error bound; results in Views, nested sums, and scans.
#include <Kokkos_Core.hpp>

#include <cstdio>

using exec = Kokkos::DefaultExecutionSpace;
using team_policy = Kokkos::TeamPolicy<exec>;
using member = team_policy::member_type;

constexpr int rows = 48, cols = 37, n = rows * cols;
static int failures = 0;

static void check(bool good, const char* what) {
  if (!good) std::printf("FAILED: %s\n", what), ++failures;
}

// some float with 24 random bits and exponents from -12 to 11
KOKKOS_INLINE_FUNCTION float sample(int i) {
  unsigned x = 2654435761u * (i + 1);
  x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
  const float mantissa = static_cast<float>(x & 0xFFFFFF) / 16777216.0f + 1.0f;
  const float power = static_cast<float>(1u << ((x >> 24) % 24)) / 4096.0f;
  return (x >> 31 ? -mantissa : mantissa) * power;
}

// The sum as an integer multiple of 2^-36: exact for the samples, so equal in any order.
struct FixedPoint {
  using value_type = long long;
  static constexpr double unit = 1.0 / (1ll << 36);
  KOKKOS_INLINE_FUNCTION static long long of(float x) {
    return static_cast<long long>(static_cast<double>(x) / unit);
  }
  Kokkos::View<const float**> a;
  KOKKOS_INLINE_FUNCTION void operator()(const int i, const int j, long long& sum) const {
    sum += of(a(i, j));
  }
  KOKKOS_INLINE_FUNCTION void operator()(const member& team, long long& sum) const {
    long long row = 0;
    const int i = team.league_rank();
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, cols),
        [&](const int j, long long& update) { update += of(a(i, j)); }, row);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { sum += row; });
  }
};

// Sums by exponent; a custom reduction of an array with init and join.
struct BinnedSum {
  typedef double value_type[];
  const unsigned value_count = 32;
  Kokkos::View<const float**> a;
  KOKKOS_INLINE_FUNCTION void operator()(const int k, double sums[]) const {
    const float x = a(k / cols, k % cols);
    int bin = 0;
    for (float bound = 1.0f / 4096; Kokkos::fabs(x) >= bound; bound *= 2) ++bin;
    sums[bin] += x;
  }
  KOKKOS_INLINE_FUNCTION void init(double sums[]) const {
    for (unsigned k = 0; k < value_count; ++k) sums[k] = 0;
  }
  KOKKOS_INLINE_FUNCTION void join(double dst[], const double src[]) const {
    for (unsigned k = 0; k < value_count; ++k) dst[k] += src[k];
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  Kokkos::View<float**> a("a", rows, cols);
  Kokkos::parallel_for(
      "samples", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {rows, cols}),
      KOKKOS_LAMBDA(int i, int j) { a(i, j) = sample(i * cols + j); });
  auto h_a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
  long long exact = 0;
  double h_abs = 0, bins[32] = {};
  int different = 0;
  for (int i = 0; i < n; ++i) {
    const float x = sample(i);
    different += h_a(i / cols, i % cols) != x;
    exact += FixedPoint::of(x);
    h_abs += std::fabs(x);
    int bin = 0;
    while (std::fabs(x) >= std::ldexp(1.0f, bin - 12)) ++bin;
    bins[bin] += x;
  }
  check(different == 0, "samples");

  // One functor in three policies, and a lambda over a flat range with all kinds of results.
  const FixedPoint f{a};
  long long md, teams, flat, view_host;
  Kokkos::parallel_reduce(
      "md", Kokkos::MDRangePolicy<Kokkos::Rank<2, Kokkos::Iterate::Left>>({0, 0}, {rows, cols}), f,
      md);
  Kokkos::parallel_reduce("teams", team_policy(rows, Kokkos::AUTO), f, teams);
  auto each = KOKKOS_LAMBDA(const int k, long long& sum) {
    sum += FixedPoint::of(a(k / cols, k % cols));
  };
  Kokkos::parallel_reduce("dynamic", Kokkos::RangePolicy<Kokkos::Schedule<Kokkos::Dynamic>>(0, n),
                          each, Kokkos::Sum<long long>(flat));
  Kokkos::View<long long, exec> sum_view("sum_view");
  Kokkos::parallel_reduce("into a View", Kokkos::RangePolicy<exec>(0, n), each,
                          Kokkos::Sum<long long, exec::memory_space>(sum_view));
  Kokkos::View<long long, Kokkos::HostSpace> host_view("host_view");
  Kokkos::parallel_reduce("into a View on the host", n, each, host_view);
  Kokkos::fence();
  Kokkos::deep_copy(view_host, sum_view);
  check(md == exact, "MDRangePolicy");
  check(teams == exact, "TeamPolicy");
  check(flat == exact, "Schedule<Dynamic>");
  check(view_host == exact, "Sum with a View");
  check(host_view() == exact, "View on the host");

  // Within a bin there are few distinct exponents: doubles represent these sums exactly, in any
  // order.
  double binned[32];
  Kokkos::parallel_reduce("bins", n, BinnedSum{32, a}, binned);
  check(std::equal(bins, bins + 32, binned), "binned sums");

  // Plain sums depend on the order; each of n additions errs by half an ulp of the partial sum.
  float plain = 0;
  double wide = 0;
  Kokkos::parallel_reduce(
      n,
      KOKKOS_LAMBDA(const int k, float& s, double& d) {
        s += a(k / cols, k % cols);
        d += a(k / cols, k % cols);
      },
      plain, wide);
  const double value = exact * FixedPoint::unit;
  check(std::fabs(plain - value) <= n * (FLT_EPSILON / 2) * h_abs, "float sum");
  check(std::fabs(wide - value) <= n * (DBL_EPSILON / 2) * h_abs, "double sum");

  // Three levels: rows of blocks by teams, blocks by threads, elements by vector lanes.
  Kokkos::View<long long*> row_sums("row_sums", rows);
  Kokkos::parallel_for(
      "nested", team_policy(rows, Kokkos::AUTO), KOKKOS_LAMBDA(const member& team) {
        const int i = team.league_rank();
        long long row = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, (cols + 7) / 8),
            [&](const int block, long long& outer) {
              long long inner = 0;
              Kokkos::parallel_reduce(
                  Kokkos::ThreadVectorRange(team, 8 * block, Kokkos::min(int(cols), 8 * block + 8)),
                  [&](const int j, long long& s) { s += FixedPoint::of(a(i, j)); },
                  Kokkos::Sum<long long>(inner));
              outer += inner;
            },
            row);
        Kokkos::single(Kokkos::PerTeam(team), [=] { row_sums(i) = row; });
      });
  // Prefix sums of the rows, exclusive; the total is the same number once more.
  Kokkos::View<long long*> prefix("prefix", rows + 1);
  long long total = 0;
  Kokkos::parallel_scan(
      "prefix", rows,
      KOKKOS_LAMBDA(const int i, long long& update, const bool final) {
        update += row_sums(i);
        if (final) prefix(i + 1) = update;
      },
      total);
  auto h_prefix = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), prefix);
  long long running = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += i % cols == 0 && h_prefix(i / cols) != running;
    running += FixedPoint::of(sample(i));
  }
  check(wrong == 0 && h_prefix(rows) == exact, "scan of nested sums");
  check(total == exact, "total of the scan");
  std::printf("%d samples, sum %lld units\n", n, exact);
  return failures != 0;
}
