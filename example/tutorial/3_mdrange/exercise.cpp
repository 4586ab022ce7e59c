// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 3 of the tutorial: MDRanges and layouts.
#include <hpk/core.hpp>

#include "../check.hpp"

int main() {
  const int rows = 4, columns = 6;
  hpk::View<double**> a("a", rows, columns), mean("mean", rows, columns);
  hpk::View<double**> transposed("transposed", columns, rows);

  // Exercise a: set a(r, c) to 10 * r + c, by a parallel_for over an MDRangePolicy.

  // Exercise b: set transposed(c, r) to a(r, c).

  // Exercise c: set the inner elements of mean to the mean of their four neighbours in a.

  // Exercise d: change the layout, so that the elements of a column are neighbours in memory.
  hpk::View<double**, hpk::LayoutRight> by_columns("by_columns", rows, columns);
  hpk::deep_copy(by_columns, a);

  tutorial::Check check;
  check.expect("a(3, 5)", tutorial::element(a, 3, 5), 35);
  check.expect("transposed(5, 3)", tutorial::element(transposed, 5, 3), 35);
  check.expect("mean(2, 4)", tutorial::element(mean, 2, 4), 24);
  check.expect("mean(0, 0)", tutorial::element(mean, 0, 0), 0);
  check.expect("stride between rows", static_cast<double>(by_columns.stride(0)), 1);
  check.expect("by_columns(3, 5)", tutorial::element(by_columns, 3, 5), 35);
  return check.verdict();
}
