// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 2 of the tutorial: reductions and scans.
#include <hpk/core.hpp>

#include "../check.hpp"

int main() {
  const int n = 100;
  hpk::View<int*> counts("counts", n), offsets("offsets", n);
  hpk::parallel_for("fill", n, HPK_LAMBDA(int i) { counts(i) = i % 7; });

  int total = 0;
  // Exercise a: add up all counts in total.

  int largest = 0;
  // Exercise b: find the largest count, with the reducer hpk::Max<int>.

  // Exercise c: set offsets(i) to the sum of all counts before i, by a parallel_scan.

  tutorial::Check check;
  check.expect("total", total, 295);
  check.expect("largest", largest, 6);
  check.expect("offsets(0)", tutorial::element(offsets, 0), 0);
  check.expect("offsets(10)", tutorial::element(offsets, 10), 24);
  check.expect("offsets(99)", tutorial::element(offsets, 99), 294);
  return check.verdict();
}
