// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse solver whose inner work is in low precision: conjugate gradients on a matrix that is
// stored in half precision where the device has it, refined with residuals in double precision;
// functions of complex numbers on half types.
#include <Kokkos_Core.hpp>
#include <Kokkos_StaticCrsGraph.hpp>

#include <cmath>
#include <cstdio>
#include <type_traits>
#include <vector>

using exec_space = Kokkos::DefaultExecutionSpace;
#if defined(KOKKOS_HALF_T_IS_FLOAT) && !KOKKOS_HALF_T_IS_FLOAT
using low_type = Kokkos::Experimental::half_t;
static_assert(sizeof(low_type) == 2, "half precision is told truthfully");
#else
using low_type = float;
static_assert(sizeof(Kokkos::Experimental::half_t) == sizeof(float));
#endif
#if defined(KOKKOS_BHALF_T_IS_FLOAT) && !KOKKOS_BHALF_T_IS_FLOAT
static_assert(sizeof(Kokkos::Experimental::bhalf_t) == 2);
#else
static_assert(std::is_same_v<Kokkos::Experimental::bhalf_t, float>);
#endif

using graph_type = Kokkos::StaticCrsGraph<int, exec_space, void, void, int>;
template <class Scalar>
using vector_type = Kokkos::View<Scalar*, exec_space>;

template <class Scalar>
struct Matrix {
  graph_type graph;
  vector_type<Scalar> values;
  int rows() const { return graph.numRows(); }
};

template <class Scalar, class Value>
struct Residual {  // r = b - A x
  Matrix<Value> A;
  vector_type<Scalar> b, x, r;
  KOKKOS_FUNCTION void operator()(const int i) const {
    Scalar sum = b(i);
    for (int k = A.graph.row_map(i); k < A.graph.row_map(i + 1); ++k)
      sum -= static_cast<Scalar>(A.values(k)) * x(A.graph.entries(k));
    r(i) = sum;
  }
};

// The product with a team per block of rows.
template <class Scalar, class Value>
void multiply(const Matrix<Value>& A, const vector_type<Scalar>& x, const vector_type<Scalar>& y) {
  const int rows = A.rows(), block = 16;
  using policy = Kokkos::TeamPolicy<exec_space>;
  const auto graph = A.graph;
  const auto values = A.values;
  Kokkos::parallel_for(
      "multiply", policy((rows + block - 1) / block, Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename policy::member_type& team) {
        const int first = team.league_rank() * block;
        Kokkos::parallel_for(
            Kokkos::TeamThreadRange(team, first, Kokkos::min(first + block, rows)), [&](int i) {
              const auto row = graph.rowConst(i);
              Scalar sum = 0;
              Kokkos::parallel_reduce(
                  Kokkos::ThreadVectorRange(team, static_cast<int>(row.length)),
                  [&](int k, Scalar& s) {
                    s += static_cast<Scalar>(values(graph.row_map(i) + k)) * x(row(k));
                  },
                  sum);
              Kokkos::single(Kokkos::PerThread(team), [&] { y(i) = sum; });
            });
      });
}

template <class Scalar>
Scalar dot(const vector_type<Scalar>& x, const vector_type<Scalar>& y) {
  Scalar result = 0;
  Kokkos::parallel_reduce(
      "dot", x.extent(0), KOKKOS_LAMBDA(const int i, Scalar& sum) { sum += x(i) * y(i); }, result);
  return result;
}

template <class Scalar>
void axpby(const Scalar a, const vector_type<Scalar>& x, const Scalar b,
           const vector_type<Scalar>& y) {
  Kokkos::parallel_for(
      "axpby", x.extent(0), KOKKOS_LAMBDA(const int i) { y(i) = a * x(i) + b * y(i); });
}

// Steps of conjugate gradients from zero, until the residual is smaller by the factor.
template <class Scalar, class Value>
int conjugate_gradients(const Matrix<Value>& A, const vector_type<Scalar>& b,
                        const vector_type<Scalar>& x, const Scalar factor) {
  vector_type<Scalar> r("r", A.rows()), p("p", A.rows()), q("q", A.rows());
  Kokkos::deep_copy(x, Scalar(0));
  Kokkos::deep_copy(r, b);
  Kokkos::deep_copy(p, b);
  Scalar rr = dot<Scalar>(r, r);
  const Scalar stop = factor * factor * rr;
  int steps = 0;
  while (rr > stop && steps < 500) {
    multiply(A, p, q);
    const Scalar alpha = rr / dot<Scalar>(p, q), old = rr;
    axpby<Scalar>(alpha, p, 1, x);
    axpby<Scalar>(-alpha, q, 1, r);
    rr = dot<Scalar>(r, r);
    axpby<Scalar>(1, r, rr / old, p);
    ++steps;
  }
  return steps;
}

template <class To, class From>
void convert(const vector_type<From>& from, const vector_type<To>& to, const double scale) {
  Kokkos::parallel_for(
      "convert", from.extent(0), KOKKOS_LAMBDA(const int i) {
        to(i) = static_cast<To>(static_cast<float>(from(i) * static_cast<From>(scale)));
      });
}

// Diffusion on a square with a coefficient for each edge; not exact in half precision.
static double coefficient(const int a, const int b) {
  return 0.7 + 0.1 * ((a * 13 + b * 13 + (a < b ? b - a : a - b)) % 7);
}
static Matrix<double> assemble(const int side) {
  std::vector<std::vector<int>> columns(side * side);
  std::vector<double> entries;
  for (int i = 0; i < side * side; ++i) {
    double diagonal = 0.05;
    const std::size_t place = entries.size();
    columns[i].push_back(i);
    entries.push_back(0);
    const int x = i % side, y = i / side;
    const int near[4] = {x > 0 ? i - 1 : -1, x < side - 1 ? i + 1 : -1, y > 0 ? i - side : -1,
                         y < side - 1 ? i + side : -1};
    for (const int j : near) {
      if (j < 0) continue;
      columns[i].push_back(j);
      entries.push_back(-coefficient(i, j));
      diagonal += coefficient(i, j);
    }
    entries[place] = diagonal;
  }
  Matrix<double> A;
  A.graph = Kokkos::create_staticcrsgraph<graph_type>("graph", columns);
  A.values = vector_type<double>("values", entries.size());
  const auto host = Kokkos::create_mirror_view(A.values);
  for (std::size_t k = 0; k < entries.size(); ++k) host(k) = entries[k];
  Kokkos::deep_copy(A.values, host);
  return A;
}

// real, imag and conj of real numbers of every precision, on the host and in a kernel.
template <class Half>
static int complex_functions() {
  int wrong = 0;
  Kokkos::parallel_reduce(
      "half", 100,
      KOKKOS_LAMBDA(const int i, int& sum) {
        const Half h = static_cast<Half>(0.25f * static_cast<float>(i));
        const auto c = Kokkos::conj(h);
        if (static_cast<float>(Kokkos::real(h)) != 0.25f * static_cast<float>(i)) ++sum;
        if (static_cast<float>(Kokkos::imag(h)) != 0) ++sum;
        if (static_cast<float>(Kokkos::real(c)) != 0.25f * static_cast<float>(i)) ++sum;
        if (static_cast<float>(Kokkos::imag(c)) != 0) ++sum;
      },
      wrong);
  const Half h = static_cast<Half>(1.5f);
  return wrong + (static_cast<double>(Kokkos::real(h)) == 1.5 ? 0 : 1) +
         (static_cast<double>(Kokkos::conj(h).real()) == 1.5 ? 0 : 1);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  const int side = 24, n = side * side;
  const Matrix<double> A = assemble(side);
  Matrix<low_type> low{A.graph, vector_type<low_type>("values in low precision", A.values.size())};
  convert(A.values, low.values, 1);

  vector_type<double> b("b", n), x("x", n), r("r", n);
  vector_type<float> r_low("r, low", n), z_low("z, low", n);
  const auto host_b = Kokkos::create_mirror_view(b);
  for (int i = 0; i < n; ++i) host_b(i) = 1 + i % 5;
  Kokkos::deep_copy(b, host_b);

  // The inner solver alone is only as accurate as its matrix.
  const double norm_b = std::sqrt(dot<double>(b, b));
  double norm = norm_b;
  int outer = 0, inner = 0;
  Kokkos::deep_copy(r, b);
  while (norm > 1e-6 * norm_b && outer < 30) {
    convert(r, r_low, 1 / norm);  // small numbers would underflow
    inner += conjugate_gradients<float>(low, r_low, z_low, 1e-2f);
    const auto correction = z_low;
    const double scale = norm;
    Kokkos::parallel_for(
        "correct", n, KOKKOS_LAMBDA(const int i) { x(i) += scale * correction(i); });
    Kokkos::parallel_for("residual", n, Residual<double, double>{A, b, x, r});
    norm = std::sqrt(dot<double>(r, r));
    ++outer;
  }

  // The same solution on the host, all in double precision.
  const auto map = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), A.graph.row_map);
  const auto entries = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), A.graph.entries);
  const auto values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), A.values);
  const auto host_x = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  std::vector<double> plain(n);
  for (int sweep = 0; sweep < 2000; ++sweep)
    for (int i = 0; i < n; ++i) {
      double sum = host_b(i);
      for (int k = map(i) + 1; k < map(i + 1); ++k) sum -= values(k) * plain[entries(k)];
      plain[i] = sum / values(map(i));
    }
  double error = 0, largest = 0, total = 0;
  for (int i = 0; i < n; ++i) {
    error = std::fmax(error, std::fabs(host_x(i) - plain[i]));
    largest = std::fmax(largest, std::fabs(plain[i]));
    total += host_x(i);
  }
  const int halves = complex_functions<Kokkos::Experimental::half_t>() +
                     complex_functions<Kokkos::Experimental::bhalf_t>() +
                     complex_functions<float>();
  const bool good = norm < 1e-6 * norm_b && error < 1e-5 * largest && halves == 0;
  std::printf("%d rows, %d entries\n", A.rows(), static_cast<int>(A.values.size()));
  std::printf("residual %s, solution %s, mean %.2f\n", norm < 1e-6 * norm_b ? "ok" : "too large",
              error < 1e-5 * largest ? "ok" : "WRONG", total / n);
  std::printf("refined %s, steps in low precision %s\n", outer > 1 && outer < 10 ? "ok" : "WRONG",
              inner > outer ? "ok" : "WRONG");
  std::printf("complex functions of half types: %d wrong\n", halves);
  return good ? 0 : 1;
}
