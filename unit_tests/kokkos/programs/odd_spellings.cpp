// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spellings of older programs: enumerators and class constants for sizes, value types with
// user-defined copy constructors, reducers with execution spaces as arguments, names that were in
// Kokkos::Experimental, and unqualified functions after using namespace Kokkos.
#include <Kokkos_Core.hpp>

using namespace Kokkos;
namespace KE = Kokkos::Experimental;
using exec_space = DefaultExecutionSpace;
using member_type = TeamPolicy<>::member_type;

enum { N = 4 };
enum axis : short { X, Y, Z };

struct sizes {
  enum { M = 3 };
  static const int K = 8;
  static constexpr int L = 5;
};

template <class T, int n>
struct array_of {
  T values[n];
  KOKKOS_INLINE_FUNCTION array_of() {
    for (int i = 0; i < n; i++) values[i] = 0;
  }
  KOKKOS_INLINE_FUNCTION array_of(const array_of& other) {
    for (int i = 0; i < n; i++) values[i] = other.values[i];
  }
  KOKKOS_INLINE_FUNCTION array_of& operator=(const array_of& other) {
    for (int i = 0; i < n; i++) values[i] = other.values[i];
    return *this;
  }
  KOKKOS_INLINE_FUNCTION array_of& operator+=(const array_of& other) {
    for (int i = 0; i < n; i++) values[i] += other.values[i];
    return *this;
  }
};
typedef array_of<int, 4> counts;

namespace Kokkos {
template <>
struct reduction_identity<counts> {
  KOKKOS_FORCEINLINE_FUNCTION static counts sum() { return counts(); }
};
}  // namespace Kokkos

struct points {};
struct prefixes {};
struct two_kernels {
  View<long*> before;
  KOKKOS_FUNCTION void operator()(points, int i) const { before(i) = -1; }
  KOKKOS_FUNCTION void operator()(prefixes, int i, long& sum, bool last) const {
    if (last) before(i) = sum;
    sum += i;
  }
};

int failures = 0;
void check(const char* what, double value, double wanted) {
  if (value == wanted) return;
  std::printf("FAILED: %s is %g, not %g\n", what, value, wanted);
  failures++;
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    // Sizes.
    View<int*> v("v", sizes::K);
    View<int**> w("w", N, sizes::M);
    Kokkos::resize(v, sizes::K + sizes::L);
    check("extent", v.extent_int(0), 13);
    int counted = 0;
    parallel_for(sizes::K, KOKKOS_LAMBDA(int i) { v(i) = 1; });
    parallel_reduce(sizes::K, KOKKOS_LAMBDA(int i, int& sum) { sum += v(i); }, counted);
    check("a count without a definition", counted, 8);
    parallel_for(N, KOKKOS_LAMBDA(int i) { v(i) = i; });
    parallel_for("bounds", RangePolicy<>(X, Z), KOKKOS_LAMBDA(int i) { v(i) += 1; });
    const char few = 3;
    parallel_for(few, KOKKOS_LAMBDA(int i) { v(i) += 10; });
    int total = 0;
    parallel_scan(
        N,
        KOKKOS_LAMBDA(int i, int& sum, bool last) {
          sum += i;
          if (last) v(i) += 100 * sum;
        },
        total);
    check("scan", total, 6);
    parallel_for(
        TeamPolicy<>(N, AUTO), KOKKOS_LAMBDA(const member_type& team) {
          const int row = team.league_rank();
          parallel_for(TeamThreadRange(team, sizes::M), [&](int j) { w(row, j) = j; });
          team.team_barrier();
          parallel_for(TeamVectorRange(team, X, Z), [&](int j) { w(row, j) += 10; });
        });
    MDRangePolicy<Rank<2>> box({{0, 0}}, {{N, sizes::M}}, {{2, 2}});
    parallel_reduce(box, KOKKOS_LAMBDA(int i, int j, int& sum) { sum += w(i, j); }, total);
    check("box", total, 4 * (0 + 1 + 2 + 20));

    // Reducers and value types.
    int sum = 0, most = 0;
    parallel_reduce(N, KOKKOS_LAMBDA(int i, int& s) { s += v(i); }, Sum<int, HostSpace>(sum));
    check("sum", sum, 0 + 1 + 2 + 3 + 2 + 30 + 100 * (0 + 1 + 3 + 6));
    typedef DefaultHostExecutionSpace::device_type host_device;
    parallel_reduce(
        N, KOKKOS_LAMBDA(int i, int& m) { m = v(i) > m ? v(i) : m; }, Max<int, host_device>(most));
    check("max", most, 603);
    View<int, exec_space> on_device("on_device");
    parallel_reduce(
        N, KOKKOS_LAMBDA(int i, int& s) { s += v(i); }, Sum<int, exec_space>(on_device));
    int copied = 0;
    deep_copy(copied, on_device);
    check("sum in a View", copied, sum);
    counts by_rest, in_teams;
    parallel_reduce(
        1000, KOKKOS_LAMBDA(int i, counts& c) { c.values[i % 4] += i; }, Sum<counts>(by_rest));
    check("class with a copy constructor", by_rest.values[3], 125250);
    parallel_reduce(
        TeamPolicy<>(10, AUTO),
        KOKKOS_LAMBDA(const member_type& team, counts& c) {
          counts mine;
          parallel_reduce(
              TeamThreadRange(team, 100), [&](int i, counts& x) { x.values[i % 4] += i; },
              Sum<counts>(mine));
          single(PerTeam(team), [&]() { c += mine; });
        },
        in_teams);
    check("the same in teams", in_teams.values[0], 10 * 1200);

    // Call operators for two tags, no value_type.
    two_kernels kernels{View<long*>("before", 5)};
    parallel_for(RangePolicy<points>(0, 5), kernels);
    parallel_scan(RangePolicy<prefixes>(0, 5), kernels);
    auto before = create_mirror_view_and_copy(HostSpace(), kernels.before);
    check("prefix", before(4), 6);

    // Names.
    const double x = 2.0;
    check("functions", sqrt(x * 2) + pow(x, 3) + fabs(-x) + fmax(x, 1.0), 2 + 8 + 2 + 2);
    check("Experimental", KE::sqrt(4.0) + KE::max(1, 2) + KE::fabs(-1.0), 5);
    View<double**> a("a", 3, 4), b("b", 3, 4);
    parallel_for(
        TeamPolicy<>(1, AUTO), KOKKOS_LAMBDA(const member_type& team) {
          KE::local_deep_copy(team, a, 2.0);
          team.team_barrier();
          KE::local_deep_copy(team, b, a);
        });
    auto host_b = create_mirror_view_and_copy(HostSpace(), b);
    check("local_deep_copy", host_b(2, 3), 2);
    printf("box %d, scan to %d, largest %d\n", total, before(4) == 6 ? 6 : 0, most);
  }
  Kokkos::finalize();
  if (failures == 0) std::cout << "all checks passed" << std::endl;
  return failures == 0 ? 0 : 1;
}
