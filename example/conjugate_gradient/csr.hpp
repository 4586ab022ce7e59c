// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse matrix in compressed rows, in Views of a space: the entries of row i are
// value(row_begin(i)) .. value(row_begin(i + 1) - 1), each with its column. The rows are filled on
// the host and copied to the space, so the same code serves spaces with separate memory.
#pragma once

#include <hpk/core.hpp>

#include "matrix_market.hpp"

namespace cg {

/// The matrix, and the inverse of its diagonal for the Jacobi preconditioner.
template <class Space>
struct csr_matrix {
  hpk::View<hpk::index_t*, Space> row_begin;
  hpk::View<int*, Space> column;
  hpk::View<double*, Space> value;
  hpk::View<double*, Space> inverse_diagonal;

  int rows() const { return inverse_diagonal.extent_int(0); }
  hpk::index_t entries() const { return static_cast<hpk::index_t>(value.extent(0)); }
};

/// Builds the rows. The entries must be ordered, and each row must have one on the diagonal (see
/// expect_positive_diagonal).
template <class Space>
csr_matrix<Space> make_csr(const matrix_market::matrix& from) {
  csr_matrix<Space> a;
  a.row_begin = hpk::View<hpk::index_t*, Space>("row_begin", from.rows + 1);
  a.column = hpk::View<int*, Space>("column", from.entries.size());
  a.value = hpk::View<double*, Space>("value", from.entries.size());
  a.inverse_diagonal = hpk::View<double*, Space>("inverse_diagonal", from.rows);

  const auto row_begin = hpk::create_mirror_view(a.row_begin);
  const auto column = hpk::create_mirror_view(a.column);
  const auto value = hpk::create_mirror_view(a.value);
  const auto inverse_diagonal = hpk::create_mirror_view(a.inverse_diagonal);
  hpk::index_t next = 0;
  for (const matrix_market::entry& e : from.entries) {
    column(next) = e.column;
    value(next) = e.value;
    if (e.row == e.column) inverse_diagonal(e.row) = 1.0 / e.value;
    row_begin(e.row + 1) = ++next;
  }
  hpk::deep_copy(a.row_begin, row_begin);
  hpk::deep_copy(a.column, column);
  hpk::deep_copy(a.value, value);
  hpk::deep_copy(a.inverse_diagonal, inverse_diagonal);
  return a;
}

}  // namespace cg
