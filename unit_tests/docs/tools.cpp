// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/tools.md, where they belong; blocks.py compiles this file.
// Blocks that are whole programs stand in namespaces, where main() needs a return.
#pragma GCC diagnostic ignored "-Wreturn-type"
#include <hpk/core.hpp>
#include <hpk/profiling.hpp>
#include <hpk/progress.hpp>
#include <hpk/tuning.hpp>

#include <vector>

void marks() {
#include "marks-in-a-program.block"
}

namespace progress {
#include "the-progress-of-a-loop.block"
}

struct Matrix;
void solve_by_rows(Matrix& matrix);
void solve_by_blocks(Matrix& matrix);

void tuning(Matrix& matrix) {
#include "tuning.block"
}
