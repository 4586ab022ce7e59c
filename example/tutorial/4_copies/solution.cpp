// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 4 of the tutorial, solved: mirrors, deep_copy and subviews.
#include <hpk/core.hpp>

#include <algorithm>

#include "../check.hpp"

int main() {
  const int rows = 4, columns = 5;
  hpk::View<double**> table("table", rows, columns);
  hpk::View<double*> row("row", columns);

  const auto table_on_host = hpk::create_mirror_view(table);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) table_on_host(r, c) = r * c;
  hpk::deep_copy(table, table_on_host);

  const auto column = hpk::subview(table, hpk::ALL, 2);
  hpk::parallel_for("add", rows, HPK_LAMBDA(int r) { column(r) += 100; });

  hpk::deep_copy(row, hpk::subview(table, 3, hpk::ALL));

  double largest = 0;
  const auto row_on_host = hpk::create_mirror_view_and_copy(hpk::HostSpace(), row);
  for (int c = 0; c < columns; ++c) largest = std::max(largest, row_on_host(c));

  tutorial::Check check;
  check.expect("table(3, 4)", tutorial::element(table, 3, 4), 12);
  check.expect("table(0, 2)", tutorial::element(table, 0, 2), 100);
  check.expect("row(1)", tutorial::element(row, 1), 3);
  check.expect("largest", largest, 106);
  return check.verdict();
}
