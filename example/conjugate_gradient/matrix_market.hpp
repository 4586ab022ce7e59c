// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads sparse matrices in the Matrix Market exchange format: coordinate; real, integer or pattern;
// general, symmetric or skew-symmetric. The whole file is checked: header, sizes, every index and
// every number, entries given twice, a missing end, anything behind the end. What is wrong is told
// in one line that begins with file and line. https://math.nist.gov/MatrixMarket/formats.html
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace matrix_market {

/// What is wrong with a file; what() is one line, "file:line: ...".
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What the header promises about entries (i, j) and (j, i).
enum class symmetry { general, symmetric, skew_symmetric };

/// One nonzero; indices from 0.
struct entry {
  int row;
  int column;
  double value;
  std::int64_t line;  ///< where in the file it is given
};

/// A matrix as it stands in the file, with both triangles filled in.
struct matrix {
  std::string file;
  int rows = 0;
  int columns = 0;
  symmetry promised = symmetry::general;
  std::vector<entry> entries;  ///< ordered by row, then column; no pair of indices twice
};

/// Reads a file. Throws matrix_market::error.
matrix read(const std::string& file);

/// Throws matrix_market::error, naming the entry, unless the matrix is square and entries (i, j)
/// and (j, i) are equal.
void expect_symmetric(const matrix& a);

/// Throws matrix_market::error, naming the row, unless every entry (i, i) is there and above zero,
/// as in every positive definite matrix.
void expect_positive_diagonal(const matrix& a);

}  // namespace matrix_market
