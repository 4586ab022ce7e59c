// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/teams.md, where they belong; blocks.py compiles this file.
#include <hpk/core.hpp>
#include <hpk/scratch_layout.hpp>
#include <hpk/work_division.hpp>

using Exec = hpk::DefaultExecutionSpace;
using member = hpk::TeamPolicy<>::member_type;

void teams(int rows, int columns, hpk::View<double**> a, hpk::View<double*> x,
           hpk::View<double*> y) {
#include "teams.block"
}

void vector_lanes(int teams, int rows, hpk::View<int*> begin, hpk::View<double*> value,
                  hpk::View<int*> column, hpk::View<double*> x, hpk::View<double*> y) {
#include "vector-lanes.block"
}

HPK_FUNCTION void sub_groups(const member& team, bool keep) {
#include "sub-groups.block"
}

HPK_FUNCTION void all_threads(const member& team, int n, hpk::View<double*> x) {
#include "all-threads-of-a-league.block"
}

void work_division(Exec exec, int items, hpk::View<double*> x) {
#include "all-threads-of-a-league-2.block"
}

void scratch(hpk::TeamPolicy<> policy, int n) {
#include "scratch.block"
}
