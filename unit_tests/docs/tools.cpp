// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/tools.md, where they belong; blocks.py compiles this file.
#include <hpk/core.hpp>
#include <hpk/profiling.hpp>
#include <hpk/tuning.hpp>

#include <vector>

void marks() {
#include "marks-in-a-program.block"
}

struct Matrix;
void solve_by_rows(Matrix& matrix);
void solve_by_blocks(Matrix& matrix);

void tuning(Matrix& matrix) {
#include "tuning.block"
}
