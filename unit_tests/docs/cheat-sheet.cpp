// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/cheat-sheet.md, where they belong; blocks.py compiles this file.
#include <hpk/algorithms.hpp>
#include <hpk/containers.hpp>
#include <hpk/core.hpp>

#include "functions-and-classes-for-kernels.block"

void sheet(int n, int m, double* pointer, hpk::View<int*> k, hpk::DefaultExecutionSpace exec) {
#include "views.block"
  {
#include "copies.block"
  }
  {
#include "patterns.block"
  }
  {
#include "teams.block"
  }
  {
#include "atomics.block"
  }
  {
#include "algorithms.block"
  }
  {
#include "containers.block"
  }
  {
#include "instances.block"
  }
}

#include "program.block"
