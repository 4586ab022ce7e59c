// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 3 of the tutorial, solved: MDRanges and layouts.
#include <hpk/core.hpp>

#include "../check.hpp"

int main() {
  const int rows = 4, columns = 6;
  hpk::View<double**> a("a", rows, columns), mean("mean", rows, columns);
  hpk::View<double**> transposed("transposed", columns, rows);

  const hpk::MDRangePolicy all({0, 0}, {rows, columns});
  hpk::parallel_for("fill", all, HPK_LAMBDA(int r, int c) { a(r, c) = 10 * r + c; });

  hpk::parallel_for("transpose", all, HPK_LAMBDA(int r, int c) { transposed(c, r) = a(r, c); });

  const hpk::MDRangePolicy inside({1, 1}, {rows - 1, columns - 1});
  hpk::parallel_for(
      "mean", inside, HPK_LAMBDA(int r, int c) {
        mean(r, c) = (a(r - 1, c) + a(r + 1, c) + a(r, c - 1) + a(r, c + 1)) / 4;
      });

  hpk::View<double**, hpk::LayoutLeft> by_columns("by_columns", rows, columns);
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
