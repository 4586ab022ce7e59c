// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 5 of the tutorial, solved: teams and scratch memory.
#include <hpk/core.hpp>

#include "../check.hpp"

using member = hpk::TeamPolicy<>::member_type;
using scratch = hpk::View<double*, member::scratch_memory_space, hpk::MemoryUnmanaged>;

int main() {
  const int rows = 10, columns = 64;
  hpk::View<double**> a("a", rows, columns);
  hpk::View<double*> y("y", rows);
  hpk::deep_copy(a, 2.0);

  hpk::TeamPolicy<> policy(rows, hpk::AUTO);
  policy.set_scratch_size(0, hpk::PerTeam(scratch::shmem_size(columns)));

  hpk::parallel_for(
      "rows", policy, HPK_LAMBDA(const member& team) {
        const int r = team.league_rank();

        const scratch running(team.team_scratch(0), columns);
        hpk::parallel_for(hpk::TeamThreadRange(team, columns),
                          [&](int c) { running(c) = a(r, c) * c; });
        team.team_barrier();

        double sum = 0;
        hpk::parallel_reduce(
            hpk::TeamThreadRange(team, columns),
            [&](int c, double& part) { part += running(c) * running(columns - 1 - c); }, sum);

        hpk::single(hpk::PerTeam(team), [&] { y(r) = sum; });
      });

  tutorial::Check check;
  check.expect("y(0)", tutorial::element(y, 0), 166656);
  check.expect("y(9)", tutorial::element(y, 9), 166656);
  return check.verdict();
}
