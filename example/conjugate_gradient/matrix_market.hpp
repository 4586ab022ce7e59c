// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads sparse matrices in the Matrix Market exchange format: coordinate; real, integer or pattern;
// general, symmetric or skew-symmetric. Checks the whole file: header, sizes, every index and
// number, duplicate entries, a missing end, and text after the end. Errors are reported in one line
// that begins with file and line. https://math.nist.gov/MatrixMarket/formats.html
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace matrix_market {

/// An error in a file; what() is one line, "file:line: ...".
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The relation between entries (i, j) and (j, i) that the header promises.
enum class symmetry { general, symmetric, skew_symmetric };

/// One nonzero; indices from 0.
struct entry {
  int row;
  int column;
  double value;
  std::int64_t line;  ///< line of the file
};

/// The matrix of a file, with both triangles filled in.
struct matrix {
  std::string file;
  int rows = 0;
  int columns = 0;
  symmetry promised = symmetry::general;
  std::vector<entry> entries;  ///< ordered by row, then column, without duplicates
};

/// Reads a file. Throws matrix_market::error.
matrix read(const std::string& file);

/// Throws matrix_market::error with the entry unless the matrix is square and entries (i, j) and
/// (j, i) are equal.
void expect_symmetric(const matrix& a);

/// Throws matrix_market::error with the row unless every entry (i, i) exists and is above zero, as
/// in every positive definite matrix.
void expect_positive_diagonal(const matrix& a);

}  // namespace matrix_market
