// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 4 of the tutorial: mirrors, deep_copy and subviews.
#include <hpk/core.hpp>

#include <algorithm>

#include "../check.hpp"

int main() {
  const int rows = 4, columns = 5;
  hpk::View<double**> table("table", rows, columns);
  hpk::View<double*> row("row", columns);

  // Exercise a: make a host mirror of table, set its element (r, c) to r * c in plain loops, and
  // copy it to table.

  // Exercise b: make a subview of column 2 of table, and add 100 to its elements in a parallel_for.

  // Exercise c: copy row 3 of table to row.

  double largest = 0;
  // Exercise d: copy row to a host mirror, and find its largest element in a plain loop.

  tutorial::Check check;
  check.expect("table(3, 4)", tutorial::element(table, 3, 4), 12);
  check.expect("table(0, 2)", tutorial::element(table, 0, 2), 100);
  check.expect("row(1)", tutorial::element(row, 1), 3);
  check.expect("largest", largest, 106);
  return check.verdict();
}
