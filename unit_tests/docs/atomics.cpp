// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/atomics.md, where they belong; blocks.py compiles this file.
#include <hpk/core.hpp>

double compute(int i);
void use_all(const hpk::View<double*>& values);

void order_and_scope(hpk::View<double*> values, hpk::View<int> arrived, int n, int i) {
#include "order-and-scope.block"
}
