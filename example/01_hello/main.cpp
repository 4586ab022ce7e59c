// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first program: fills an array and sums a function of it, both in parallel. The area under 4 /
// (1 + x * x) between 0 and 1 is pi. The bits are the same on every space, for any number of
// workers.
#include <hpk/core.hpp>

#include <cstdio>

int main() {
  const int n = 1'000'000;
  hpk::View<double*> x("x", n);
  hpk::parallel_for("middles", n, HPK_LAMBDA(int i) { x(i) = (i + 0.5) / n; });

  double pi = 0;
  hpk::parallel_reduce(
      "area", n, HPK_LAMBDA(int i, double& sum) { sum += 4.0 / (1.0 + x(i) * x(i)) / n; }, pi);

  std::printf("pi is about %.10f, by %d rectangles\n", pi, n);
}
