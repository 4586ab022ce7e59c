// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 1 of the tutorial, solved: Views and parallel_for.
#include <hpk/core.hpp>

#include "../check.hpp"

int main() {
  const int n = 1000;
  hpk::View<double*> x("x", n), y("y", n);
  hpk::parallel_for("fill x", n, HPK_LAMBDA(int i) { x(i) = i; });

  hpk::parallel_for("line", n, HPK_LAMBDA(int i) { y(i) = 2 * x(i) + 1; });

  hpk::parallel_for("halve", hpk::RangePolicy(500, n), HPK_LAMBDA(int i) { y(i) /= 2; });

  tutorial::Check check;
  check.expect("y(0)", tutorial::element(y, 0), 1);
  check.expect("y(499)", tutorial::element(y, 499), 999);
  check.expect("y(999)", tutorial::element(y, 999), 999.5);
  return check.verdict();
}
