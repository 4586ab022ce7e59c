// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/instances.md, where they belong; blocks.py compiles this file.
#include <hpk/core.hpp>
#include <hpk/profiling.hpp>
#include <hpk/timed_event.hpp>

using Exec = hpk::DefaultExecutionSpace;

void timed_events(Exec exec, int n, hpk::View<double*> x) {
  const auto kernel = HPK_LAMBDA(int i) { x(i) = 1; };
#include "how-long-work-took.block"
}

void names_of_fences() {
#include "names-of-fences.block"
}

void tokens(int n) {
#include "tokens.block"
}
