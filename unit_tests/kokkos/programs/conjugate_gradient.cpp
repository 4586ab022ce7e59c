// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conjugate gradients without a stored matrix for the five-point Laplacian on a square; axpby and
// dot are function templates over the types of the Views, as mini-apps write them.

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

template <class VectorZ, class VectorX, class VectorY>
void axpby(const VectorZ& z, double alpha, const VectorX& x, double beta, const VectorY& y) {
  using execution_space = typename VectorZ::execution_space;
  const int n = static_cast<int>(z.extent(0));
  Kokkos::parallel_for(
      "axpby", Kokkos::RangePolicy<execution_space>(0, n),
      KOKKOS_LAMBDA(const int i) { z(i) = alpha * x(i) + beta * y(i); });
}

template <class VectorX, class VectorY>
typename VectorX::non_const_value_type dot(const VectorX& x, const VectorY& y) {
  using execution_space = typename VectorX::execution_space;
  using scalar = typename VectorX::non_const_value_type;
  scalar result = 0;
  Kokkos::parallel_reduce(
      "dot", Kokkos::RangePolicy<execution_space>(0, static_cast<int>(x.extent(0))),
      KOKKOS_LAMBDA(const int i, scalar& sum) { sum += x(i) * y(i); }, result);
  return result;
}

// out = A in on an n by n grid with zeros around it.
template <class Device>
class Laplacian {
 public:
  typedef Device device_type;
  typedef typename Device::execution_space execution_space;
  typedef Kokkos::View<const double*, Device, Kokkos::MemoryTraits<Kokkos::RandomAccess>> in_type;
  typedef Kokkos::View<double*, Device> out_type;

  explicit Laplacian(int n) : n_(n) {}

  void apply(const out_type& out, const in_type& in) const {
    Laplacian bound(*this);
    bound.in_ = in;
    bound.out_ = out;
    Kokkos::parallel_for("laplacian", n_ * n_, bound);
  }

  KOKKOS_INLINE_FUNCTION void operator()(const int k) const {
    const int i = k / n_, j = k % n_;
    double value = 4 * in_(k);
    if (i > 0) value -= in_(k - n_);
    if (i < n_ - 1) value -= in_(k + n_);
    if (j > 0) value -= in_(k - 1);
    if (j < n_ - 1) value -= in_(k + 1);
    out_(k) = value;
  }

 private:
  int n_;
  in_type in_;
  out_type out_;
};

template <class Operator, class Vector>
std::vector<double> solve(const Operator& a, const Vector& x, const Vector& b, double tolerance,
                          int limit) {
  Vector r("r", x.extent(0)), p("p", x.extent(0)), ap("Ap", x.extent(0));
  a.apply(ap, x);
  axpby(r, 1.0, b, -1.0, ap);
  Kokkos::deep_copy(p, r);
  double rho = dot(r, r);
  const double stop = tolerance * tolerance * rho;
  std::vector<double> history(1, std::sqrt(rho));
  while (rho > stop && static_cast<int>(history.size()) <= limit) {
    a.apply(ap, p);
    const double alpha = rho / dot(p, ap);
    axpby(x, 1.0, x, alpha, p);
    axpby(r, 1.0, r, -alpha, ap);
    const double next = dot(r, r);
    axpby(p, 1.0, r, next / rho, p);
    rho = next;
    history.push_back(std::sqrt(rho));
  }
  return history;
}

// The same product in plain loops.
static std::vector<double> host_apply(const std::vector<double>& in, int n) {
  std::vector<double> out(in.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int k = i * n + j;
      out[k] = 4 * in[k] - (i > 0 ? in[k - n] : 0) - (i < n - 1 ? in[k + n] : 0) -
               (j > 0 ? in[k - 1] : 0) - (j < n - 1 ? in[k + 1] : 0);
    }
  return out;
}

static double host_dot(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

static std::vector<double> host_solve(const std::vector<double>& b, int n, int steps) {
  std::vector<double> x(b.size(), 0.0), r = b, p = b;
  double rho = host_dot(r, r);
  std::vector<double> history(1, std::sqrt(rho));
  for (int s = 0; s < steps; ++s) {
    const std::vector<double> ap = host_apply(p, n);
    const double alpha = rho / host_dot(p, ap);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
    }
    const double next = host_dot(r, r);
    for (size_t i = 0; i < x.size(); ++i) p[i] = r[i] + next / rho * p[i];
    rho = next;
    history.push_back(std::sqrt(rho));
  }
  return history;
}

static void require(bool ok, const char* what) {
  if (!ok) throw std::runtime_error(what);
}

static void run() {
  typedef Kokkos::DefaultExecutionSpace::device_type device;
  typedef Kokkos::View<double*, device> vector_type;
  const int n = 24, size = n * n;
  vector_type b("b", size), x("x", size), exact("exact", size);
  const vector_type::HostMirror h_exact = Kokkos::create_mirror_view(exact);
  std::vector<double> host_exact(size);
  for (int k = 0; k < size; ++k) host_exact[k] = h_exact(k) = 1 + (7 * (k / n) + 3 * (k % n)) % 5;
  Kokkos::deep_copy(exact, h_exact);

  const Laplacian<device> laplacian(n);
  laplacian.apply(b, exact);
  const std::vector<double> host_b = host_apply(host_exact, n);
  auto h_b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), b);
  for (int k = 0; k < size; ++k) require(h_b(k) == host_b[k], "right-hand side (integers)");
  require(dot(b, exact) == host_dot(host_b, host_exact), "dot of integer vectors");

  const double tolerance = 1e-9;
  const std::vector<double> history = solve(laplacian, x, b, tolerance, 10 * n);
  const int steps = static_cast<int>(history.size()) - 1;
  require(history.back() <= tolerance * history.front(), "convergence");
  require(steps >= 40 && steps <= 80, "number of steps");

  // Sums in another order differ in the last bits; on this well-conditioned matrix (about 250)
  // the iteration magnifies that by far less than 1e6 before the residual has fallen to 1e-4.
  const std::vector<double> expected = host_solve(host_b, n, steps);
  int compared = 0;
  for (int s = 0; s <= steps && expected[s] > 1e-4 * expected[0]; ++s, ++compared)
    require(std::abs(history[s] - expected[s]) <= 1e-8 * expected[s], "history of the residual");
  require(compared > 20, "number of residuals compared");

  // The error is at most the condition number times the relative residual, so 1e-6 is ample.
  axpby(b, 1.0, x, -1.0, exact);
  const double error = std::sqrt(dot(b, b) / dot(exact, exact));
  require(error < 1e-6, "error of the solution");

  for (int s = 0; s <= 40; s += 10) std::printf("residual after %2d steps: %.1e\n", s, history[s]);
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  int status = 0;
  try {
    run();
    std::printf("all checks passed\n");
  } catch (const std::exception& failure) {
    std::printf("FAILED: %s\n", failure.what());
    status = 1;
  }
  Kokkos::finalize();
  return status;
}
