// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AXPY, y = a x + y, on the default spaces: fill through host mirrors, compute with a lambda and
// with a functor, copy back and compare with a plain loop. Options: -N length, -t to print times.

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef Kokkos::View<double*> ViewVectorType;
typedef Kokkos::View<const double*> ConstViewVectorType;

struct Axpy {
  double a;
  ConstViewVectorType x;
  ViewVectorType y;

  Axpy(double a_, ConstViewVectorType x_, ViewVectorType y_) : a(a_), x(x_), y(y_) {}

  KOKKOS_INLINE_FUNCTION
  void operator()(const int i) const { y(i) += a * x(i); }
};

int main(int argc, char* argv[]) {
  int N = 10007;
  bool print_time = false;
  int errors = 0;

  Kokkos::initialize(argc, argv);
  {
    for (int i = 1; i < argc; i++) {
      if (std::strcmp(argv[i], "-N") == 0 && i + 1 < argc) {
        N = std::atoi(argv[++i]);
      } else if (std::strcmp(argv[i], "-t") == 0) {
        print_time = true;
      }
    }

    ViewVectorType x("x", N);
    ViewVectorType y("y", N);

    // A new View is filled with zeros.
    ViewVectorType::HostMirror h_y = Kokkos::create_mirror_view(y);
    Kokkos::deep_copy(h_y, y);
    for (int i = 0; i < N; i++) {
      if (h_y(i) != 0.0) {
        std::printf("FAILED: y(%d) is not zero after allocation\n", i);
        errors++;
        break;
      }
    }

    // Multiples of 1/2 and small factors: every value below is exact in a double.
    ViewVectorType::HostMirror h_x = Kokkos::create_mirror_view(x);
    std::vector<double> expected(N);
    for (int i = 0; i < N; i++) {
      h_x(i) = 0.5 * (i % 17);
      h_y(i) = 1.0 * i;
      expected[i] = h_y(i);
    }
    Kokkos::deep_copy(x, h_x);
    Kokkos::deep_copy(y, h_y);

    Kokkos::Timer timer;

    const double a = 3.0;
    Kokkos::parallel_for("axpy_lambda", N, KOKKOS_LAMBDA(const int i) { y(i) += a * x(i); });
    Kokkos::parallel_for(Kokkos::RangePolicy<>(0, N), Axpy(-2.0, x, y));

    // Only the upper half, on an explicitly named space.
    typedef Kokkos::DefaultExecutionSpace ExecSpace;
    typedef Kokkos::RangePolicy<ExecSpace> range_policy;
    Kokkos::parallel_for("axpy_half", range_policy(N / 2, N), Axpy(0.5, x, y));

    Kokkos::fence();
    if (print_time) {
      std::printf("time: %g s\n", timer.seconds());
    }

    for (int i = 0; i < N; i++) {
      expected[i] += 3.0 * (0.5 * (i % 17));
      expected[i] += -2.0 * (0.5 * (i % 17));
      if (i >= N / 2) {
        expected[i] += 0.5 * (0.5 * (i % 17));
      }
    }

    Kokkos::deep_copy(h_y, y);
    double host_sum = 0.0;
    for (int i = 0; i < N; i++) {
      host_sum += expected[i];
      if (h_y(i) != expected[i]) {
        std::printf("FAILED: y(%d) = %g, expected %g\n", i, h_y(i), expected[i]);
        errors++;
        break;
      }
    }

    double sum = 0.0;
    Kokkos::parallel_reduce(
        "sum", N, KOKKOS_LAMBDA(const int i, double& update) { update += y(i); }, sum);
    if (sum != host_sum) {
      std::printf("FAILED: sum is %g, expected %g\n", sum, host_sum);
      errors++;
    }

    std::printf("N = %d\n", N);
    std::printf("y(1) = %g, y(N-1) = %g\n", h_y(1), h_y(N - 1));
    std::printf("sum(y) = %.2f\n", sum);
  }
  Kokkos::finalize();

  if (errors == 0) {
    std::printf("vector_add: passed\n");
  }
  return errors == 0 ? 0 : 1;
}
