// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conjugate gradients for the Laplacian of a square grid, in compressed sparse rows. The
// preconditioner does two sweeps of Jacobi's method.
#include "fault.hpp"
#include "routines.hpp"

namespace first_wrong_bit {

namespace {

using vector = hpk::View<double*>;
using const_vector = hpk::View<const double*>;

/// A sum with a user-defined initial value.
class sum_from {
 public:
  using reducer = sum_from;
  using value_type = double;
  using result_view_type = hpk::View<double, hpk::HostSpace, hpk::MemoryUnmanaged>;
  sum_from(double& result, double start) : result_(&result), start_(start) {}
  HPK_FUNCTION void init(double& value) const { value = start_; }
  HPK_FUNCTION void join(double& to, const double& from) const { to += from; }
  HPK_FUNCTION double& reference() const { return *result_; }
  HPK_FUNCTION result_view_type view() const { return result_view_type(result_); }
  HPK_FUNCTION bool references_scalar() const { return true; }

 private:
  double* result_;
  double start_;
};

class solver {
 public:
  explicit solver(const arguments& given) : given_(given) {
    make_matrix();
    make_right_side();
    invert_diagonal();
    precondition();
    dot(r_, z_, 0);
    hpk::deep_copy(p_, z_);
  }

  void iterate(int number) {
    multiply();
    double rho = 0;
    hpk::deep_copy(rho, hpk::subview(history_, number));
    update(rho / dot_by_blocks());
    precondition();
    // Fault 10: the next result overwrites the first one.
    dot(r_, z_, given_.has(10) ? 0 : number + 1);
    turn(number);
  }

  // The kernels; public because GPU compilers require it.

  void make_matrix() {
    const int n = n_;
    const int rows = rows_;
    const hpk::View<int*> count("entries in row", rows);
    const int last = given_.has(1) ? n - 2 : n - 1;
    hpk::parallel_for(
        "count entries", given_.range(rows), HPK_LAMBDA(int i) {
          const int x = i % n;
          const int y = i / n;
          count(i) = 1 + (x > 0) + (x < last) + (y > 0) + (y < n - 1);
        });
    const hpk::View<int*> begin = begin_;
    const bool leaves_end = given_.has(6);
    int entries = 0;
    hpk::parallel_scan(
        "row offsets", given_.range(rows),
        HPK_LAMBDA(int i, int& sum, bool is_final) {
          if (is_final) begin(i) = sum;
          sum += count(i);
          if (is_final && i == rows - 1 && !leaves_end) begin(rows) = sum;
        },
        entries);
    columns_ = hpk::View<int*>("columns", entries);
    values_ = vector("values", entries);
    const auto columns = columns_;
    const auto values = values_;
    const auto diagonal = diagonal_;
    hpk::parallel_for(
        "fill entries", given_.range(rows), HPK_LAMBDA(int i) {
          const int x = i % n;
          const int y = i / n;
          int k = begin(i);
          const auto put = [&](bool is_there, int column, double value) {
            if (!is_there) return;
            columns(k) = column;
            values(k++) = value;
          };
          diagonal(i) = 4.1 + 0.3 * (i % 4);
          put(y > 0, i - n, -1);
          put(x > 0, i - 1, -1.1);
          put(true, i, diagonal(i));
          put(x < last, i + 1, -1.1);
          put(y < n - 1, i + n, -1);
        });
  }

  void make_right_side() {
    const auto host = hpk::create_mirror(r_);
    // Fault 4: the grid is accessed as if its first index were the fastest.
    if (given_.has(4)) {
      fill(hpk::View<double**, hpk::LayoutLeft, hpk::HostSpace>(host.data(), n_, n_));
    } else {
      fill(hpk::View<double**, hpk::LayoutRight, hpk::HostSpace>(host.data(), n_, n_));
    }
    hpk::deep_copy(r_, host);
  }
  template <class Grid>
  void fill(const Grid& grid) {
    for (int y = 0; y < n_; ++y)
      for (int x = 0; x < n_; ++x) grid(y, x) = 1 + 0.1 * ((3 * y + 5 * x) % 7);
  }

  void invert_diagonal() {
    const auto host = hpk::create_mirror(diagonal_);
    // Fault 5: the mirror is not filled.
    if (!given_.has(5)) hpk::deep_copy(host, diagonal_);
    for (int i = 0; i < rows_; ++i) host(i) = 1 / host(i);
    hpk::deep_copy(inverse_, host);
  }

  void precondition() {
    const const_vector r = r_;
    const const_vector inverse = inverse_;
    const vector old = old_z_;
    const vector z = z_;
    hpk::parallel_for(
        "scale", given_.range(rows_), HPK_LAMBDA(int i) { old(i) = inverse(i) * r(i); });
    hpk::deep_copy(z, old);
    const hpk::View<const int*> begin = begin_;
    const hpk::View<const int*> columns = columns_;
    const const_vector values = values_;
    const bool reads_new = given_.has(3);
    hpk::parallel_for(
        "sweep", given_.range(rows_), HPK_LAMBDA(int i) {
          double rest = r(i);
          for (int k = begin(i); k < begin(i + 1); ++k)
            rest -= values(k) * (reads_new ? z(columns(k)) : old(columns(k)));
          z(i) = old(i) + 0.6 * inverse(i) * rest;
        });
  }

  // q = A p: threads of a team share the rows, vector lanes share the entries.
  void multiply() {
    using policy = hpk::TeamPolicy<>;
    using member = policy::member_type;
    constexpr int rows_of_team = 16;
    const int rows = rows_;
    const hpk::View<const int*> begin = begin_;
    const hpk::View<const int*> columns = columns_;
    const const_vector values = values_;
    const const_vector p = p_;
    const vector q = q_;
    const int less = given_.has(2) ? 1 : 0;
    hpk::parallel_for(
        "spmv", policy(given_.space, (rows + rows_of_team - 1) / rows_of_team, 4, 2),
        HPK_LAMBDA(const member& team) {
          const int first = team.league_rank() * rows_of_team;
          const int end = first + rows_of_team < rows ? first + rows_of_team : rows;
          hpk::parallel_for(hpk::TeamThreadRange(team, first, end), [&](int i) {
            double sum = 0;
            hpk::parallel_reduce(
                hpk::ThreadVectorRange(team, begin(i), begin(i + 1) - less),
                [&](int k, double& s) { s += values(k) * p(columns(k)); }, sum);
            hpk::single(hpk::PerThread(team), [&] { q(i) = sum; });
          });
        });
  }

  double dot_by_blocks() {
    constexpr int most_blocks = 64;
    // Fault 8: as many blocks as workers.
    const int blocks = given_.has(8) ? hpk::DefaultExecutionSpace().concurrency() : 16;
    const int rows = rows_;
    const const_vector p = p_;
    const const_vector q = q_;
    const vector partial("partial sums", most_blocks);
    hpk::parallel_for(
        "dot of blocks", given_.range(most_blocks), HPK_LAMBDA(int b) {
          double sum = 0;
          if (b < blocks)
            for (int i = rows * b / blocks; i < rows * (b + 1) / blocks; ++i) sum += p(i) * q(i);
          partial(b) = sum;
        });
    double all = 0;
    hpk::parallel_reduce(
        "sum of blocks", given_.range(most_blocks),
        HPK_LAMBDA(int b, double& sum) { sum += partial(b); },
        sum_from(all, given_.has(7) ? 1 : 0));
    return all;
  }

  void dot(const const_vector& x, const const_vector& y, int place) {
    hpk::parallel_reduce(
        "dot", given_.range(rows_), HPK_LAMBDA(int i, double& sum) { sum += x(i) * y(i); },
        hpk::subview(history_, place));
  }

  void update(double alpha) {
    const vector x = x_;
    const vector r = r_;
    const const_vector p = p_;
    const const_vector q = q_;
    const auto add_scaled = (given_.has(9) ? fused : plain).add_scaled;
    hpk::parallel_for(
        "update", given_.range(rows_), HPK_LAMBDA(int i) {
          x(i) = add_scaled(alpha, p(i), x(i));
          r(i) = add_scaled(-alpha, q(i), r(i));
        });
  }

  void turn(int number) {
    const vector history = history_;
    const const_vector z = z_;
    const vector p = p_;
    hpk::parallel_for(
        "turn", given_.range(rows_), HPK_LAMBDA(int i) {
          const double beta = history(number + 1) / history(number);
          p(i) = z(i) + beta * p(i);
        });
  }

 private:
  arguments given_;
  int n_ = given_.size_or(24);
  int rows_ = n_ * n_;
  hpk::View<int*> begin_{hpk::view_alloc("row begin", hpk::WithoutInitializing), rows_ + 1};
  hpk::View<int*> columns_;
  vector values_;
  vector diagonal_{"diagonal", rows_}, inverse_{"inverse", rows_};
  vector x_{"x", rows_}, r_{"r", rows_}, z_{"z", rows_}, old_z_{"old z", rows_};
  vector p_{"p", rows_}, q_{"q", rows_}, history_{"history", given_.steps + 1};
};

}  // namespace

void conjugate_gradient(const arguments& given) {
  solver all(given);
  for (int number = 0; number < given.steps; ++number) all.iterate(number);
}

}  // namespace first_wrong_bit
