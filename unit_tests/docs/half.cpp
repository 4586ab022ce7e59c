// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/half.md, where they belong; blocks.py compiles this file.
#include <hpk/core.hpp>

using hpk::Experimental::half_t;

void half_precision(int n, hpk::View<half_t*> h) {
  half_t half_result;
  float float_result;
#include "reductions-and-scans-accumulate-in-float.block"
}
