// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 1 of the tutorial: Views and parallel_for.
#include <hpk/core.hpp>

#include "../check.hpp"

int main() {
  const int n = 1000;
  hpk::View<double*> x("x", n), y("y", n);
  hpk::parallel_for("fill x", n, HPK_LAMBDA(int i) { x(i) = i; });

  // Exercise a: set every element of y to 2 * x(i) + 1.

  // Exercise b: halve the elements 500 to 999 of y, with an hpk::RangePolicy.

  tutorial::Check check;
  check.expect("y(0)", tutorial::element(y, 0), 1);
  check.expect("y(499)", tutorial::element(y, 499), 999);
  check.expect("y(999)", tutorial::element(y, 999), 999.5);
  return check.verdict();
}
