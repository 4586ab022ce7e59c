// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = A x and y^T A x with one team a row: nested reductions over the threads of a team,
// Kokkos::single, an explicit team_reduce with 32 threads a team, and atomics for A^T x.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using team_policy = Kokkos::TeamPolicy<>;
using member_type = team_policy::member_type;
using matrix_type = Kokkos::View<double**>;
using vector_type = Kokkos::View<double*>;

// Every thread of the team takes each team_size-th column; team_reduce adds up the parts.
struct StridedMatvec {
  matrix_type a;
  vector_type x;
  vector_type y;

  KOKKOS_INLINE_FUNCTION void operator()(const member_type& team) const {
    const int row = team.league_rank();
    const int columns = a.extent_int(1);
    double part = 0;
    for (int j = team.team_rank(); j < columns; j += team.team_size()) part += a(row, j) * x(j);
    team.team_reduce(Kokkos::Sum<double>(part));
    if (team.team_rank() == 0) y(row) = part;
  }
};

bool check(bool ok, const char* what) {
  if (!ok) std::printf("FAILED: %s\n", what);
  return ok;
}

// All values are small integers in doubles, so any order of summation gives the same bits.
bool same(const vector_type& device, const std::vector<double>& expected) {
  auto host = Kokkos::create_mirror_view(device);
  Kokkos::deep_copy(host, device);
  if (host.extent(0) != expected.size()) return false;
  for (size_t i = 0; i < expected.size(); ++i)
    if (host(i) != expected[i]) return false;
  return true;
}

int main(int argc, char* argv[]) {
  int rows = 67;
  int columns = 129;
  for (int k = 1; k + 1 < argc; k += 2) {
    if (std::strcmp(argv[k], "-N") == 0) rows = std::atoi(argv[k + 1]);
    if (std::strcmp(argv[k], "-M") == 0) columns = std::atoi(argv[k + 1]);
  }

  Kokkos::initialize(argc, argv);
  bool ok = true;
  {
    matrix_type a("A", rows, columns);
    vector_type x("x", columns);
    vector_type y("y", rows);

    matrix_type::host_mirror_type h_a = Kokkos::create_mirror_view(a);
    auto h_x = Kokkos::create_mirror_view(x);
    auto h_y = Kokkos::create_mirror_view(y);
    for (int i = 0; i < rows; ++i) {
      h_y(i) = 1 + i % 2;
      for (int j = 0; j < columns; ++j) h_a(i, j) = (3 * i + 5 * j) % 7 - 2;
    }
    for (int j = 0; j < columns; ++j) h_x(j) = j % 4 - 1;
    Kokkos::deep_copy(a, h_a);
    Kokkos::deep_copy(x, h_x);
    Kokkos::deep_copy(y, h_y);

    std::vector<double> expected(rows, 0.0), expected_transposed(columns, 0.0);
    double expected_product = 0;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        expected[i] += h_a(i, j) * h_x(j);
        expected_transposed[j] += h_a(i, j) * h_y(i);
      }
      expected_product += h_y(i) * expected[i];
    }

    // The nested reduction returns its sum to every thread; one of them stores it.
    vector_type ax("Ax", rows);
    Kokkos::parallel_for(
        "nested matvec", team_policy(rows, Kokkos::AUTO), KOKKOS_LAMBDA(const member_type& team) {
          const int row = team.league_rank();
          double sum = 0;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, columns),
              [&](const int j, double& part) { part += a(row, j) * x(j); }, sum);
          Kokkos::single(Kokkos::PerTeam(team), [&]() { ax(row) = sum; });
        });
    ok &= check(same(ax, expected), "nested matvec");

    // The same with a given team size, if the space supports it.
    vector_type strided("strided Ax", rows);
    const StridedMatvec functor{a, x, strided};
    const int largest =
        team_policy(rows, Kokkos::AUTO).team_size_max(functor, Kokkos::ParallelForTag());
    ok &= check(largest >= 1, "team_size_max");
    const int team_size = std::min(32, largest);
    Kokkos::parallel_for("strided matvec", team_policy(rows, team_size), functor);
    ok &= check(same(strided, expected), "strided matvec");

    // y^T A x: every team adds once to the sum over the league.
    for (int repeat = 0; repeat < 3; ++repeat) {
      double product = -1;
      Kokkos::parallel_reduce(
          "yAx", team_policy(rows, Kokkos::AUTO()),
          KOKKOS_LAMBDA(const member_type& team, double& update) {
            const int row = team.league_rank();
            double dot = 0;
            Kokkos::parallel_reduce(
                Kokkos::TeamThreadRange(team, columns),
                [=](const int j, double& part) { part += a(row, j) * x(j); }, dot);
            if (team.team_rank() == 0) update += y(row) * dot;
          },
          product);
      ok &= check(product == expected_product, "y^T A x");
      if (repeat == 0) std::printf("y^T A x = %.0f\n", product);
    }

    // A^T y with the rows spread over the teams: several teams add to one element.
    vector_type aty("A^T y", columns);
    Kokkos::parallel_for(
        "transposed", team_policy(rows, Kokkos::AUTO), KOKKOS_LAMBDA(const member_type& team) {
          const int row = team.league_rank();
          const double scale = y(row);
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, columns), [&](const int j) {
            Kokkos::atomic_add(&aty(j), a(row, j) * scale);
          });
        });
    ok &= check(same(aty, expected_transposed), "A^T y");

    double row_sum = 0;
    Kokkos::parallel_reduce(
        "sum of Ax", rows, KOKKOS_LAMBDA(const int i, double& update) { update += ax(i); },
        row_sum);
    double expected_sum = 0;
    for (double value : expected) expected_sum += value;
    ok &= check(row_sum == expected_sum, "sum of A x");
    std::printf("sum of A x = %.0f over %d rows\n", row_sum, rows);
  }
  Kokkos::finalize();
  std::printf("%s\n", ok ? "all checks passed" : "some checks failed");
  return ok ? 0 : 1;
}
