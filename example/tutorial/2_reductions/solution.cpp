// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 2 of the tutorial, solved: reductions and scans.
#include <hpk/core.hpp>

#include "../check.hpp"

int main() {
  const int n = 100;
  hpk::View<int*> counts("counts", n), offsets("offsets", n);
  hpk::parallel_for("fill", n, HPK_LAMBDA(int i) { counts(i) = i % 7; });

  int total = 0;
  hpk::parallel_reduce("total", n, HPK_LAMBDA(int i, int& sum) { sum += counts(i); }, total);

  int largest = 0;
  hpk::parallel_reduce(
      "largest", n,
      HPK_LAMBDA(int i, int& most) {
        if (counts(i) > most) most = counts(i);
      },
      hpk::Max<int>(largest));

  hpk::parallel_scan(
      "offsets", n, HPK_LAMBDA(int i, int& sum, bool final) {
        if (final) offsets(i) = sum;
        sum += counts(i);
      });

  tutorial::Check check;
  check.expect("total", total, 295);
  check.expect("largest", largest, 6);
  check.expect("offsets(0)", tutorial::element(offsets, 0), 0);
  check.expect("offsets(10)", tutorial::element(offsets, 10), 24);
  check.expect("offsets(99)", tutorial::element(offsets, 99), 294);
  return check.verdict();
}
