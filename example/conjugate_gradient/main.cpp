// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solves A x = b on every enabled space and reports whether all spaces computed the same bits. A
// comes from a Matrix Market file or from Poisson's equation; b has a one in every row. Exit code
// 0: solved on all spaces; 1: not converged; 2: wrong call or file, with a message of one line.
#include <hpk/core.hpp>

#include "cg.hpp"
#include "command_line.hpp"
#include "poisson.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr const char* usage = R"(usage: conjugate_gradient [flags] FILE
       conjugate_gradient [flags] --poisson N

Solves A x = b by conjugate gradients with Jacobi preconditioning, on every enabled space. A is the
symmetric positive definite matrix of FILE (Matrix Market, coordinate), or that of Poisson's
equation on a cube of N x N x N points; b has a one in every row. Emu, which emulates a GPU to find
mistakes, takes no matrix of more than 100,000 rows.

  --tolerance T        solved when |b - A x| <= T |b|                     (default 1e-8)
  --max-iterations N   give up after N steps                              (default 10 for each row)
  --help               print this text and exit
  --hpk-help           print the flags of hpk and exit

Columns: workers of the space; steps until solved; the residual |b - A x| / |b|, computed anew from
the solution; median milliseconds of one solve; bytes that the steps must move / time (a small
matrix stays in cache).
)";

struct arguments {
  bool help = false;
  std::string file;
  int poisson = 0;  // points along an edge; 0: read the file
  double tolerance = 0;
  int max_iterations = 0;  // 0: by the number of rows
};

arguments read_arguments(int argc, char* argv[]) {
  example::command_line line(argc, argv);
  arguments result;
  result.help = line.take_switch("--help");
  result.tolerance = line.take_number("--tolerance", 1e-300, 1.0, 1e-8);
  result.max_iterations =
      line.take_number("--max-iterations", 1, std::numeric_limits<int>::max(), 0);
  result.poisson = line.take_number("--poisson", 1, poisson::longest_edge, 0);
  const std::vector<std::string> files = line.take_operands();
  if (result.help) return result;
  if (result.poisson != 0) {
    if (!files.empty())
      throw example::usage_error("write a file or --poisson, not both; --help says more");
    return result;
  }
  if (files.size() != 1) {
    throw example::usage_error("write one Matrix Market file, not " + std::to_string(files.size()) +
                               "; --help says more");
  }
  result.file = files[0];
  return result;
}

/// The result on one space.
struct solution {
  std::string space;
  bool on_host = false;  ///< runs on threads of the host; a device adds in another order
  cg::outcome outcome;
  std::vector<double> x;
};

/// Solves repeatedly, for half a second or 50 times, whichever comes first. Prints one row of the
/// table.
template <class Space>
solution run(const Space& space, const matrix_market::matrix& matrix, const arguments& given) {
  using vector = hpk::View<double*, Space>;
  const cg::csr_matrix<Space> a = cg::make_csr<Space>(matrix);
  const cg::solver<Space> solver(space, a);
  const vector b("b", a.rows());
  const vector x("x", a.rows());
  hpk::deep_copy(space, b, 1.0);
  solution result;
  std::vector<double> seconds;
  const hpk::Timer all;
  do {
    hpk::deep_copy(space, x, 0.0);
    space.fence();
    const hpk::Timer one;
    result.outcome = solver.solve(b, x, given.tolerance, given.max_iterations);
    space.fence();
    seconds.push_back(one.seconds());
  } while (all.seconds() < 0.5 && seconds.size() < 50);
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  const double median = seconds[seconds.size() / 2];
  const double bytes = cg::bytes_per_iteration(a) * result.outcome.iterations;

  result.space = space.name();
  result.on_host = hpk::SpaceAccessibility<Space, hpk::HostSpace>::accessible;
  const auto on_host = hpk::create_mirror_view_and_copy(hpk::HostSpace(), x);
  result.x.assign(on_host.data(), on_host.data() + on_host.size());
  std::printf("%-10s %7d %10d %10.2e %9.2f %8.2f\n", result.space.c_str(), space.concurrency(),
              result.outcome.iterations, result.outcome.residual, median * 1e3,
              bytes / median * 1e-9);
  std::fflush(stdout);
  return result;
}

void compare(std::vector<solution> solutions) {
  std::erase_if(solutions, [](const solution& s) { return !s.on_host; });
  const auto differs = [&](const solution& s) {
    return std::memcmp(s.x.data(), solutions[0].x.data(), s.x.size() * sizeof(double)) != 0;
  };
  const auto other = std::find_if(solutions.begin(), solutions.end(), differs);
  if (other != solutions.end()) {
    std::printf("same bits on all host spaces: no, %s and %s differ\n", solutions[0].space.c_str(),
                other->space.c_str());
  } else {
    std::printf("same bits on all host spaces: yes (%zu compared)\n", solutions.size());
  }
}

/// Returns whether all spaces converged; if not, prints in one line where the solver failed.
bool all_converged(const std::vector<solution>& solutions) {
  std::string names;
  const solution* last = nullptr;
  for (const solution& s : solutions) {
    if (s.outcome.converged) continue;
    names += (names.empty() ? "" : ", ") + s.space;
    last = &s;
  }
  if (last == nullptr) return true;
  std::fprintf(stderr,
               "conjugate_gradient: not solved on %s: residual %.2e after %d iterations%s\n",
               names.c_str(), last->outcome.residual, last->outcome.iterations,
               last->outcome.positive_definite ? "" : "; the matrix is not positive definite");
  return false;
}

matrix_market::matrix make_matrix(const arguments& given) {
  if (given.poisson != 0) return poisson::make(given.poisson);
  matrix_market::matrix matrix = matrix_market::read(given.file);
  matrix_market::expect_symmetric(matrix);
  matrix_market::expect_positive_diagonal(matrix);
  return matrix;
}

template <class Space>
bool takes(const Space& space, const matrix_market::matrix& matrix) {
  return matrix.rows <= 100000 || std::string_view(space.name()) != "Emu";
}

int solve_everywhere(arguments given) {
  const matrix_market::matrix matrix = make_matrix(given);
  if (given.max_iterations == 0) {
    given.max_iterations = std::min(matrix.rows, std::numeric_limits<int>::max() / 10) * 10;
  }
  std::printf("%s: %d rows, %zu entries; solve to %g\n\n", matrix.file.c_str(), matrix.rows,
              matrix.entries.size(), given.tolerance);
  std::printf("%-10s %7s %10s %10s %9s %8s\n", "space", "workers", "iterations", "residual", "ms",
              "GB/s");
  std::vector<solution> solutions;
  hpk::for_each_space([&](auto space) {
    if (takes(space, matrix)) solutions.push_back(run(space, matrix, given));
  });
  std::printf("\n");
  compare(solutions);
  return all_converged(solutions) ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const hpk::ScopeGuard scope(argc, argv);
    const arguments given = read_arguments(argc, argv);
    if (given.help) {
      std::fputs(usage, stdout);
      return 0;
    }
    return solve_everywhere(given);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "conjugate_gradient: %s\n", problem.what());
    return 2;
  }
}
