// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conjugate gradient method with Jacobi preconditioning, for A x = b with A symmetric positive
// definite. Three launches make one step; each does all it can with the data it has loaded.
// Rounding makes the residual of the recursion drift from b - A x. So when that residual is small
// enough, the true one is computed; if the true one is too large, the method restarts from x. Sums
// are hpk reductions, so the bits of the answer depend neither on the space nor on its number of
// workers.
#pragma once

#include <hpk/core.hpp>

#include "csr.hpp"

#include <cmath>

namespace cg {

/// How a solve ended.
struct outcome {
  bool converged = false;
  bool positive_definite = true;  ///< false: found a direction with p^T A p <= 0
  int iterations = 0;
  double residual = 0;  ///< |b - A x| / |b|, computed from x at the end
};

/// Row i of A x.
template <class Space>
HPK_INLINE_FUNCTION double row_times(const csr_matrix<Space>& a, int i,
                                     const hpk::View<double*, Space>& x) {
  double sum = 0;
  const hpk::index_t end = a.row_begin(i + 1);
  for (hpk::index_t k = a.row_begin(i); k < end; ++k) sum += a.value(k) * x(a.column(k));
  return sum;
}

/// Two sums in one reduction.
struct two_sums {
  double rz = 0;  ///< r^T z with z the preconditioned residual
  double rr = 0;  ///< r^T r
  HPK_FUNCTION two_sums& operator+=(const two_sums& other) {
    rz += other.rz;
    rr += other.rr;
    return *this;
  }
};

/// Bytes that one step must move when no View stays in cache: each View named by a kernel is
/// counted once per kernel, read or written.
///   A p and p^T A p   value and column of every entry; row_begin, p, Ap of every row
///   x, r, two sums    x, r twice each (read, written); p, Ap, inverse_diagonal
///   next direction    p twice; r, inverse_diagonal
template <class Space>
double bytes_per_iteration(const csr_matrix<Space>& a) {
  const double product = 12.0 * static_cast<double>(a.entries()) + 24.0 * a.rows();
  const double update = 56.0 * a.rows();
  const double direction = 32.0 * a.rows();
  return product + update + direction;
}

/// Solver for one matrix on one instance of a space. Keeps its work Views between solves.
template <class Space>
class solver {
 public:
  using vector = hpk::View<double*, Space>;

  solver(const Space& space, const csr_matrix<Space>& a)
      : rows_(space, 0, a.rows()),
        a_(a),
        r_("r", a.rows()),
        p_("p", a.rows()),
        ap_("Ap", a.rows()) {}

  /// Solves A x = b from the x given, until |b - A x| <= tolerance * |b|.
  outcome solve(const vector& b, const vector& x, double tolerance, int max_iterations) const {
    const double target = tolerance * std::sqrt(dot(b, b));
    outcome result;
    two_sums sums = start(b, x);
    while (result.iterations < max_iterations && !(std::sqrt(sums.rr) <= target)) {
      const double p_ap = multiply();
      if (!(p_ap > 0)) {
        result.positive_definite = false;
        break;
      }
      const two_sums before = sums;
      sums = update(x, before.rz / p_ap);
      ++result.iterations;
      if (std::sqrt(sums.rr) <= target) {
        sums = start(b, x);
      } else {
        next_direction(sums.rz / before.rz);
      }
    }
    sums = start(b, x);
    result.converged = std::sqrt(sums.rr) <= target;
    result.residual = sums.rr == 0 ? 0 : std::sqrt(sums.rr / dot(b, b));
    return result;
  }

  // The steps of an iteration, for solve(). Public, because nvcc rejects kernel lambdas in
  // private member functions.
  double dot(const vector& u, const vector& v) const {
    double sum = 0;
    hpk::parallel_reduce(
        "dot", rows_, HPK_LAMBDA(int i, double& part) { part += u(i) * v(i); }, sum);
    return sum;
  }
  // r = b - A x, p = z = M^-1 r.
  two_sums start(const vector& b, const vector& x) const {
    two_sums sums;
    hpk::parallel_reduce(
        "residual", rows_,
        HPK_CLASS_LAMBDA(int i, two_sums& part) {
          const double ri = b(i) - row_times(a_, i, x);
          const double zi = a_.inverse_diagonal(i) * ri;
          r_(i) = ri;
          p_(i) = zi;
          part += {ri * zi, ri * ri};
        },
        sums);
    return sums;
  }
  // Ap = A p; returns p^T A p.
  double multiply() const {
    double sum = 0;
    hpk::parallel_reduce(
        "multiply", rows_,
        HPK_CLASS_LAMBDA(int i, double& part) {
          const double row = row_times(a_, i, p_);
          ap_(i) = row;
          part += p_(i) * row;
        },
        sum);
    return sum;
  }
  // x += alpha p, r -= alpha A p.
  two_sums update(const vector& x, double alpha) const {
    two_sums sums;
    hpk::parallel_reduce(
        "update", rows_,
        HPK_CLASS_LAMBDA(int i, two_sums& part) {
          x(i) += alpha * p_(i);
          const double ri = r_(i) - alpha * ap_(i);
          r_(i) = ri;
          part += {ri * a_.inverse_diagonal(i) * ri, ri * ri};
        },
        sums);
    return sums;
  }
  // p = z + beta p.
  void next_direction(double beta) const {
    hpk::parallel_for(
        "direction", rows_,
        HPK_CLASS_LAMBDA(int i) { p_(i) = a_.inverse_diagonal(i) * r_(i) + beta * p_(i); });
  }

 private:
  hpk::RangePolicy<Space> rows_;
  csr_matrix<Space> a_;
  vector r_;
  vector p_;
  vector ap_;
};

}  // namespace cg
