// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 8 of the tutorial, solved: mistakes that only a GPU shows, and the profile.
#include <hpk/core.hpp>

#include "../check.hpp"

using member = hpk::TeamPolicy<>::member_type;
using scratch = hpk::View<double*, member::scratch_memory_space, hpk::MemoryUnmanaged>;

int main() {
  const int rows = 20, columns = 64;
  hpk::View<double*> weight("weight", columns);
  hpk::deep_copy(weight, 0.5);
  hpk::View<double**> a("a", rows, columns);
  hpk::View<double*> y("y", rows);
  const auto on_host = hpk::create_mirror_view(y);

  hpk::parallel_for(
      "weigh", hpk::MDRangePolicy({0, 0}, {rows, columns}),
      HPK_LAMBDA(int r, int c) { a(r, c) = weight(c) * r; });

  hpk::TeamPolicy<> policy(rows, hpk::AUTO);
  policy.set_scratch_size(0, hpk::PerTeam(scratch::shmem_size(columns)));
  hpk::parallel_for(
      "fold", policy, HPK_LAMBDA(const member& team) {
        const int r = team.league_rank();
        const scratch line(team.team_scratch(0), columns);
        hpk::parallel_for(hpk::TeamThreadRange(team, columns), [&](int c) { line(c) = a(r, c); });
        team.team_barrier();
        double sum = 0;
        hpk::parallel_reduce(
            hpk::TeamThreadRange(team, columns / 2),
            [&](int c, double& part) { part += line(c) + line(columns - 1 - c); }, sum);
        hpk::single(hpk::PerTeam(team), [&] { y(r) = sum; });
      });

  hpk::deep_copy(on_host, y);
  tutorial::Check check;
  check.expect("y(1)", on_host(1), 32);
  check.expect("y(19)", on_host(19), 608);
  return check.verdict();
}
