// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solves A x = b by conjugate gradients with Jacobi preconditioning on all ranks of an MPI program.
// A comes from a Matrix Market file; b has a one in every row:
//
//     mpiexec -n 4 mpi_conjugate_gradient ../conjugate_gradient/1138_bus.mtx
//
// All printed digits are the same for any number of ranks: rows are added in the order of their
// entries, and dot products are exact before they are rounded.
#include <hpk/core.hpp>
#include <hpk/mpi.hpp>

#include "matrix_market.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

namespace {

using space = hpk::DefaultExecutionSpace;
using vector = hpk::View<double*, space>;
using hpk::mpi::exact_dot;

/// The rows of this rank, and the inverse of their diagonal.
struct system {
  hpk::mpi::CrsMatrix<double, space> a;
  vector inverse_diagonal;
};

/// Extracts the rows of this rank from the whole matrix, whose entries are ordered by row.
system make_system(const hpk::mpi::Distribution& parts, const matrix_market::matrix& whole) {
  const auto first = [&](hpk::index_t row) {
    return std::lower_bound(whole.entries.begin(), whole.entries.end(), row,
                            [](const auto& entry, hpk::index_t r) { return entry.row < r; });
  };
  const auto begin = first(parts.begin()), end = first(parts.begin() + parts.count());
  const auto rows = static_cast<std::size_t>(parts.count());
  const auto entries = static_cast<std::size_t>(end - begin);
  const hpk::View<hpk::index_t*, space> row_map("row_map", rows + 1), columns("columns", entries);
  const vector values("values", entries), inverse_diagonal("inverse diagonal", rows);
  const auto row_map_here = hpk::create_mirror_view(row_map);
  const auto columns_here = hpk::create_mirror_view(columns);
  const auto values_here = hpk::create_mirror_view(values);
  const auto inverse_here = hpk::create_mirror_view(inverse_diagonal);
  hpk::index_t k = 0;
  for (auto entry = begin; entry != end; ++entry) {
    const hpk::index_t row = entry->row - parts.begin();
    columns_here(k) = entry->column;
    values_here(k) = entry->value;
    if (entry->row == entry->column) inverse_here(row) = 1.0 / entry->value;
    row_map_here(row + 1) = ++k;  // no row is empty: each has its diagonal
  }
  hpk::deep_copy(row_map, row_map_here);
  hpk::deep_copy(columns, columns_here);
  hpk::deep_copy(values, values_here);
  hpk::deep_copy(inverse_diagonal, inverse_here);
  return {{parts, row_map, columns, values}, inverse_diagonal};
}

/// y += factor * x
void add(const space& exec, double factor, const vector& x, const vector& y) {
  hpk::parallel_for(
      "add", hpk::RangePolicy<space>(exec, 0, y.extent(0)),
      HPK_LAMBDA(int i) { y(i) += factor * x(i); });
}
/// z = D^-1 r
void precondition(const space& exec, const vector& inverse, const vector& r, const vector& z) {
  hpk::parallel_for(
      "precondition", hpk::RangePolicy<space>(exec, 0, z.extent(0)),
      HPK_LAMBDA(int i) { z(i) = inverse(i) * r(i); });
}
/// p = z + beta * p
void next_direction(const space& exec, double beta, const vector& z, const vector& p) {
  hpk::parallel_for(
      "direction", hpk::RangePolicy<space>(exec, 0, p.extent(0)),
      HPK_LAMBDA(int i) { p(i) = z(i) + beta * p(i); });
}

/// Solves from x = 0 until |r| <= tolerance * |b| and returns the number of steps. Rank 0 prints
/// |r| / |b|.
int solve(const system& given, const vector& b, const vector& x, double tolerance, int most) {
  const hpk::mpi::Communicator& all = given.a.rows().communicator();
  const space exec;
  const vector r("r", x.extent(0)), z("z", x.extent(0)), p("p", x.extent(0)), ap("Ap", x.extent(0));
  const auto report = [&](int step, double residual) {
    if (all.rank() == 0) std::printf("%6d  %.16e  %a\n", step, residual, residual);
  };
  hpk::deep_copy(exec, x, 0.0);
  hpk::deep_copy(exec, r, b);
  precondition(exec, given.inverse_diagonal, r, z);
  hpk::deep_copy(exec, p, z);
  const double size = std::sqrt(exact_dot(all, exec, b, b));
  double rz = exact_dot(all, exec, r, z);
  for (int step = 1; step <= most; ++step) {
    multiply(exec, given.a, p, ap);
    const double alpha = rz / exact_dot(all, exec, p, ap);
    add(exec, alpha, p, x);
    add(exec, -alpha, ap, r);
    const double residual = std::sqrt(exact_dot(all, exec, r, r)) / size;
    if (residual <= tolerance) {
      report(step, residual);
      return step;
    }
    if (step % 100 == 0) report(step, residual);
    precondition(exec, given.inverse_diagonal, r, z);
    const double next = exact_dot(all, exec, r, z);
    next_direction(exec, next / rz, z, p);
    rz = next;
  }
  return most;
}

/// Prints some elements of the solution, and a hash of all its bits.
void print_solution(const hpk::mpi::Distribution& parts, const vector& x) {
  const hpk::mpi::Communicator& all = parts.communicator();
  const vector whole("whole", all.rank() == 0 ? static_cast<std::size_t>(parts.size()) : 0);
  hpk::mpi::gatherv(all, x, whole, 0);
  if (all.rank() != 0) return;
  const auto here = hpk::create_mirror_view_and_copy(hpk::HostSpace(), whole);
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (std::size_t i = 0; i < here.extent(0); ++i)
    hash = (hash ^ hpk::bit_cast<std::uint64_t>(here(i))) * 1099511628211u;
  for (const std::size_t i : {std::size_t{0}, here.extent(0) / 2, here.extent(0) - 1})
    std::printf("x(%zu) = %.17g = %a\n", i, here(i), here(i));
  std::printf("bits of x: %016llx\n", static_cast<unsigned long long>(hash));
}

int run(const char* file) {
  const hpk::mpi::Communicator all = hpk::mpi::world();
  // Every rank reads the whole file. Matrices that are too large for that need a file per rank.
  const matrix_market::matrix whole = matrix_market::read(file);
  matrix_market::expect_symmetric(whole);
  matrix_market::expect_positive_diagonal(whole);
  const hpk::mpi::Distribution parts(all, whole.rows);
  const system given = make_system(parts, whole);
  const auto rows = static_cast<std::size_t>(parts.count());
  const vector b("b", rows), x("x", rows);
  hpk::deep_copy(b, 1.0);
  if (all.rank() == 0)
    std::printf("%d rows, %zu entries\n  step  |b - A x| / |b|\n", whole.rows,
                whole.entries.size());
  const int most = 10 * whole.rows;
  const int steps = solve(given, b, x, 1e-8, most);
  if (all.rank() == 0)
    std::printf(steps < most ? "solved in %d steps\n" : "not solved in %d steps\n", steps);
  print_solution(parts, x);
  return steps < most ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  const hpk::mpi::ScopeGuard guard(argc, argv);
  // Errors in the call are the same on all ranks.
  const bool is_root = hpk::mpi::world().rank() == 0;
  if (argc != 2) {
    if (is_root) std::fprintf(stderr, "usage: mpi_conjugate_gradient FILE\n");
    return 2;
  }
  try {
    return run(argv[1]);
  } catch (const matrix_market::error& problem) {
    if (is_root) std::fprintf(stderr, "mpi_conjugate_gradient: %s\n", problem.what());
    return 2;
  }
}
