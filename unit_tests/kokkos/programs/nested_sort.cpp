// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts in kernels: each team sorts the row of a matrix, or each thread one of several, with and
// without values and comparators, in global memory and in scratch.
#include <Kokkos_Core.hpp>
#include <Kokkos_NestedSort.hpp>

#include <cstdio>

using policy = Kokkos::TeamPolicy<>;
using member = policy::member_type;
using matrix = Kokkos::View<int**, Kokkos::LayoutRight>;

struct Greater {
  KOKKOS_FUNCTION bool operator()(int a, int b) const { return a > b; }
};

static matrix make_matrix(int rows, int columns) {
  matrix m("matrix", rows, columns);
  Kokkos::parallel_for(
      "fill", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {rows, columns}),
      KOKKOS_LAMBDA(int i, int j) { m(i, j) = (j * 37 + i * 11) % 101; });
  return m;
}

static int count_unsorted(const matrix& m, int sign) {
  int wrong = 0;
  const int columns = m.extent_int(1);
  Kokkos::parallel_reduce(
      "check", m.extent_int(0),
      KOKKOS_LAMBDA(int i, int& sum) {
        for (int j = 1; j < columns; ++j) sum += sign * m(i, j) < sign * m(i, j - 1) ? 1 : 0;
      },
      wrong);
  return wrong;
}

static void by_teams() {
  constexpr int rows = 20, columns = 77;
  const matrix keys = make_matrix(rows, columns);
  const matrix values = make_matrix(rows, columns);
  Kokkos::parallel_for(
      "rows", policy(rows, Kokkos::AUTO), KOKKOS_LAMBDA(const member& team) {
        const int i = team.league_rank();
        const auto row = Kokkos::subview(keys, i, Kokkos::ALL);
        Kokkos::Experimental::sort_team(team, row);
      });
  std::printf("teams, ascending: %d wrong\n", count_unsorted(keys, 1));
  Kokkos::parallel_for(
      "rows by key", policy(rows, Kokkos::AUTO), KOKKOS_LAMBDA(const member& team) {
        const int i = team.league_rank();
        const auto row = Kokkos::subview(keys, i, Kokkos::ALL);
        const auto row_values = Kokkos::subview(values, i, Kokkos::ALL);
        Kokkos::Experimental::sort_team(team, row, Greater());
        Kokkos::Experimental::sort_by_key_team(team, row_values, row, Greater());
        Kokkos::Experimental::sort_by_key_team(team, row_values, row);
      });
  std::printf("teams, by key: %d wrong\n", count_unsorted(values, 1));
}

static void by_threads() {
  constexpr int rows = 24, columns = 40;
  const matrix keys = make_matrix(rows, columns);
  const matrix values = make_matrix(rows, columns);
  Kokkos::parallel_for(
      "thread rows", policy(rows / 4, 2, 2), KOKKOS_LAMBDA(const member& team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 4), [&](int k) {
          const int i = 4 * team.league_rank() + k;
          const auto row = Kokkos::subview(keys, i, Kokkos::ALL);
          const auto row_values = Kokkos::subview(values, i, Kokkos::ALL);
          Kokkos::Experimental::sort_by_key_thread(team, row, row_values, Greater());
          Kokkos::Experimental::sort_thread(team, row_values, Greater());
        });
      });
  std::printf("threads, descending: %d + %d wrong\n", count_unsorted(keys, -1),
              count_unsorted(values, -1));
}

// The median of each row, found in scratch.
static void in_scratch() {
  constexpr int rows = 5, columns = 101;
  const matrix keys = make_matrix(rows, columns);
  Kokkos::View<int*> median("median", rows);
  using scratch = Kokkos::View<int*, Kokkos::DefaultExecutionSpace::scratch_memory_space,
                               Kokkos::MemoryUnmanaged>;
  Kokkos::parallel_for(
      "medians",
      policy(rows, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(scratch::shmem_size(columns))),
      KOKKOS_LAMBDA(const member& team) {
        const scratch row(team.team_scratch(0), columns);
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, columns),
                             [&](int j) { row(j) = keys(team.league_rank(), j); });
        team.team_barrier();
        Kokkos::Experimental::sort_team(team, row);
        Kokkos::single(Kokkos::PerTeam(team),
                       [&] { median(team.league_rank()) = row(columns / 2); });
      });
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), median);
  std::printf("medians:");
  for (int i = 0; i < rows; ++i) std::printf(" %d", host(i));
  std::printf("\n");
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  by_teams();
  by_threads();
  in_scratch();
  return 0;
}
