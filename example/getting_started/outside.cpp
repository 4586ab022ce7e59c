// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mistake that a checked build finds: the range begins one index too early.
#include <hpk/core.hpp>

int main() {
  const int n = 1000;
  hpk::View<double*> u("u", n), slope("slope", n);
  hpk::parallel_for("slopes", n, HPK_LAMBDA(int i) { slope(i) = u(i) - u(i - 1); });
}
