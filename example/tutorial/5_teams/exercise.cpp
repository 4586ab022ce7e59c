// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 5 of the tutorial: teams and scratch memory.
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
  // Exercise a: give each team scratch memory of level 0 for one View of `columns` elements.

  hpk::parallel_for(
      "rows", policy, HPK_LAMBDA(const member& team) {
        const int r = team.league_rank();

        // Exercise b: make a View `running` in team_scratch(0). All threads of the team together,
        // in a TeamThreadRange, set running(c) to a(r, c) * c. Then wait for the other threads.

        // Exercise c: add up running(c) * running(columns - 1 - c) over all c, by a parallel_reduce
        // over a TeamThreadRange.

        // Exercise d: let one thread of the team store the sum, instead of this line.
        if (team.team_rank() == 0) y(r) = 0;
      });

  tutorial::Check check;
  check.expect("y(0)", tutorial::element(y, 0), 166656);
  check.expect("y(9)", tutorial::element(y, 9), 166656);
  return check.verdict();
}
