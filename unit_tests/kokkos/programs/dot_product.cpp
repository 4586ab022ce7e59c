// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dot product in many ways: plain count, RangePolicy, label, functor with value_type, Sum
// reducer, a result in a View, and the inner product <y, A x> of the tutorials.

#include <Kokkos_Core.hpp>

#include <cmath>
#include <iostream>
#include <limits>

namespace K = Kokkos;

// The old style: a functor with the device as template parameter.
template <class Device>
struct Dot {
  typedef Device execution_space;
  typedef typename K::View<double*, Device>::const_type vector_type;
  typedef double value_type;

  vector_type x, y;

  Dot(vector_type x_, vector_type y_) : x(x_), y(y_) {}

  KOKKOS_INLINE_FUNCTION
  void operator()(int i, value_type& update) const { update += x(i) * y(i); }
};

template <class X, class Y>
struct DotInt {
  using value_type = long long;
  X x;
  Y y;
  KOKKOS_FUNCTION void operator()(const int64_t i, value_type& sum) const {
    sum += static_cast<long long>(x(i)) * y(i);
  }
};

static int failures = 0;

template <class T>
void check(const char* what, T result, T expected) {
  if (result == expected) return;
  std::cout << "FAILED: " << what << " gives " << result << ", expected " << expected << std::endl;
  ++failures;
}

int main(int argc, char* argv[]) {
  K::ScopeGuard guard(argc, argv);

  const int n = 5000;
  K::View<double*> x("x", n), y("y", n);
  auto x_h = K::create_mirror_view(x);
  auto y_h = K::create_mirror_view(y);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    x_h(i) = i % 11 - 5;
    y_h(i) = 0.25 * (i % 7);
    expected += x_h(i) * y_h(i);  // multiples of 1/4 below 2^53: exact in any order
  }
  K::deep_copy(x, x_h);
  K::deep_copy(y, y_h);

  double r = -1;
  K::parallel_reduce(n, KOKKOS_LAMBDA(int i, double& sum) { sum += x(i) * y(i); }, r);
  check("count", r, expected);

  r = 99;  // the old value of the result must not count
  K::parallel_reduce(
      K::RangePolicy<>(0, n), KOKKOS_LAMBDA(const int& i, double& sum) { sum += x(i) * y(i); }, r);
  check("RangePolicy", r, expected);

  r = 0;
  K::parallel_reduce(
      "dot", K::RangePolicy<K::DefaultExecutionSpace, K::IndexType<int64_t>>(0, n),
      KOKKOS_LAMBDA(const int64_t i, double& sum) { sum += x(i) * y(i); }, r);
  check("label and IndexType", r, expected);

  r = 0;
  K::parallel_reduce(n, Dot<K::DefaultExecutionSpace>(x, y), r);
  check("functor", r, expected);

  r = 0;
  K::parallel_reduce(
      "dot_sum", n, KOKKOS_LAMBDA(const int i, double& sum) { sum += x(i) * y(i); },
      K::Sum<double>(r));
  check("Sum reducer", r, expected);

  K::View<double> result("result");
  K::parallel_reduce("dot_view", K::RangePolicy(0, n), Dot<K::DefaultExecutionSpace>(x, y), result);
  K::deep_copy(r, result);
  check("View result", r, expected);

  r = 1;
  K::parallel_reduce("empty", 0, Dot<K::DefaultExecutionSpace>(x, y), r);
  check("empty range", r, 0.0);

  // The functor on the host, over the mirrors.
  Dot<K::DefaultHostExecutionSpace> host_dot(x_h, y_h);
  K::parallel_reduce("dot_host", n, host_dot, r);
  check("host space", r, expected);
  std::cout << "dot = " << expected << "\n";

  // Mixed integer types.
  K::View<int*> p("p", n);
  K::View<short*> q("q", n);
  K::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) {
        p(i) = 3 * i;
        q(i) = static_cast<short>(i % 5);
      });
  long long isum = 0, iexpected = 0;
  for (int i = 0; i < n; ++i) iexpected += 3LL * i * (i % 5);
  K::parallel_reduce(n, DotInt<K::View<int*>, K::View<short*>>{p, q}, isum);
  check("integers", isum, iexpected);
  std::cout << "integer dot = " << isum << "\n";

  // <y, A x>, one row per iteration.
  const int N = 64, M = 48;
  K::View<double**> A("A", N, M);
  K::View<double*> u("u", M), v("v", N);
  auto A_h = K::create_mirror_view(A);
  double yAx_expected = 0;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < M; ++i) {
      A_h(j, i) = 1.0 / (1 + i + j);
      yAx_expected += A_h(j, i);
    }
  K::deep_copy(A, A_h);
  K::deep_copy(u, 1.0);
  K::deep_copy(v, 1.0);
  double yAx = 0;
  K::parallel_reduce(
      "yAx", N,
      KOKKOS_LAMBDA(int j, double& update) {
        double temp = 0;
        for (int i = 0; i < M; ++i) temp += A(j, i) * u(i);
        update += v(j) * temp;
      },
      yAx);
  // The order of the N*M positive additions is free, so the error bound is N*M*eps relative.
  const double tolerance = N * M * std::numeric_limits<double>::epsilon() * yAx_expected;
  if (!(std::fabs(yAx - yAx_expected) <= tolerance)) {
    std::cout << "FAILED: <y,Ax> = " << yAx << ", expected " << yAx_expected << "\n";
    ++failures;
  }
  std::cout << (failures == 0 ? "all dot products agree" : "dot products differ") << std::endl;
  return failures == 0 ? 0 : 1;
}
