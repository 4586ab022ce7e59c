// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix of Poisson's equation on a cube of n x n x n points, zero outside: seven-point
// differences, 6 on the diagonal and -1 for each neighbour.
#pragma once

#include "matrix_market.hpp"

#include <string>

namespace poisson {

/// The largest n for which an int can count the rows.
inline constexpr int longest_edge = 1290;

/// Returns the matrix of n^3 rows, ordered. 1 <= n <= longest_edge.
inline matrix_market::matrix make(int n) {
  matrix_market::matrix a;
  a.file = "Poisson's equation on " + std::to_string(n) + "^3 points";
  a.rows = a.columns = n * n * n;
  a.promised = matrix_market::symmetry::symmetric;
  a.entries.reserve(static_cast<std::size_t>(a.rows) * 7);
  const int step[3] = {n * n, n, 1};
  int row = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k, ++row) {
        const int at[3] = {i, j, k};
        for (int d = 0; d < 3; ++d) {
          if (at[d] > 0) a.entries.push_back({row, row - step[d], -1, 0});
        }
        a.entries.push_back({row, row, 6, 0});
        for (int d = 2; d >= 0; --d) {
          if (at[d] < n - 1) a.entries.push_back({row, row + step[d], -1, 0});
        }
      }
    }
  }
  return a;
}

}  // namespace poisson
