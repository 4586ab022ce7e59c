// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program of docs/debugging.md: diffusion along a rod, with a mistake. The argument selects
// the mistake.
#include <hpk/core.hpp>

#include <cstdio>
#include <cstring>

int main(int argc, char* argv[]) {
  const auto is = [&](const char* mistake) {
    return argc > 1 && std::strcmp(argv[1], mistake) == 0;
  };
  const int n = 100000;
  const int wrong_step = is("wrong") ? 7 : 0;
  const int reach = is("outside") ? 2 : 1;
  const bool races = is("race");
  hpk::View<double*> u("u", n);
  hpk::View<double*> next("next", n);
  hpk::parallel_for("start", n, HPK_LAMBDA(int i) { u(i) = i % 100 == 0 ? 100.0 : 20.0; });
  double sum = 0;
  for (int step = 1; step <= 10; ++step) {
    const double extra = step == wrong_step ? 1e-13 : 0;
    const auto to = races ? u : next;
    hpk::parallel_for(
        "step", hpk::RangePolicy(1, n - 1), HPK_LAMBDA(int i) {
          to(i) = 0.25 * (u(i - 1) + 2 * u(i) + u(i + reach)) + (i == 517 ? extra : 0);
        });
    if (!races) hpk::deep_copy(u, next);
    hpk::parallel_reduce("sum", n, HPK_LAMBDA(int i, double& update) { update += u(i); }, sum);
  }
  if (is("split")) {
    // As many parts as workers, up to 64.
    const int parts = hpk::min(hpk::DefaultExecutionSpace().concurrency(), 64);
    hpk::View<double[64]> partial("partial");
    hpk::parallel_for(
        "sum of parts", parts, HPK_LAMBDA(int p) {
          for (int i = p; i < n; i += parts) partial(p) += u(i);
        });
  }
  std::printf("sum %.17g\n", sum);
}
