// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A typical application file with kernels: ten of them, over ranges, MDRanges and teams, on the
// default space.
#include <hpk/core.hpp>

namespace {

using hpk::View;
using vector = View<double*>;
using matrix = View<double**>;
using teams = hpk::TeamPolicy<>;
using member = teams::member_type;
using rows_of_scratch = View<double*, member::scratch_memory_space, hpk::MemoryUnmanaged>;

}  // namespace

double run_ten_kernels(int n, const vector& x, const vector& y, const matrix& a) {
  hpk::parallel_for("fill", n, HPK_LAMBDA(int i) { x(i) = 0.5 * i; });
  hpk::parallel_for("axpy", hpk::RangePolicy<>(0, n), HPK_LAMBDA(int i) { y(i) += 2 * x(i); });
  double dot = 0;
  hpk::parallel_reduce("dot", n, HPK_LAMBDA(int i, double& sum) { sum += x(i) * y(i); }, dot);
  double largest = 0;
  hpk::parallel_reduce(
      "largest", hpk::RangePolicy<>(0, n),
      HPK_LAMBDA(int i, double& most) {
        if (y(i) > most) most = y(i);
      },
      hpk::Max<double>(largest));
  double total = 0;
  hpk::parallel_scan(
      "prefix", n,
      HPK_LAMBDA(int i, double& before, bool last) {
        if (last) x(i) = before;
        before += y(i);
      },
      total);
  hpk::parallel_for(
      "outer product", hpk::MDRangePolicy<hpk::Rank<2>>({0, 0}, {n, n}),
      HPK_LAMBDA(int i, int j) { a(i, j) = x(i) * y(j); });
  hpk::parallel_for(
      "blocks", hpk::MDRangePolicy<hpk::Rank<3>>({0, 0, 0}, {n, n, 4}, {8, 8, 4}),
      HPK_LAMBDA(int i, int j, int k) { a(i, j) += k; });
  double norm = 0;
  hpk::parallel_reduce(
      "norm", hpk::MDRangePolicy<hpk::Rank<2>>({0, 0}, {n, n}),
      HPK_LAMBDA(int i, int j, double& sum) { sum += a(i, j) * a(i, j); }, norm);
  hpk::parallel_for(
      "matvec", teams(n, hpk::AUTO), HPK_LAMBDA(const member& team) {
        const int i = team.league_rank();
        double sum = 0;
        hpk::parallel_reduce(
            hpk::TeamThreadRange(team, n), [&](int j, double& s) { s += a(i, j) * x(j); }, sum);
        hpk::single(hpk::PerTeam(team), [&] { y(i) = sum; });
      });
  teams with_scratch(n, hpk::AUTO);
  with_scratch.set_scratch_size(0, hpk::PerTeam(rows_of_scratch::shmem_size(n)));
  hpk::parallel_for(
      "reversed", with_scratch, HPK_LAMBDA(const member& team) {
        const int i = team.league_rank();
        const rows_of_scratch row(team.team_scratch(0), n);
        hpk::parallel_for(hpk::TeamThreadRange(team, n), [&](int j) { row(j) = a(i, j); });
        team.team_barrier();
        hpk::parallel_for(hpk::TeamThreadRange(team, n), [&](int j) { a(i, j) = row(n - 1 - j); });
      });
  return dot + largest + total + norm;
}
