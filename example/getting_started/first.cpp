// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first program of docs/getting-started.md: heat flows along a rod.
#include <hpk/core.hpp>

#include <cstdio>
#include <utility>

int main(int argc, char* argv[]) {
  const hpk::ScopeGuard guard(argc, argv);  // optional: understands --hpk-help and other flags

  const int n = 1'000'000;
  hpk::View<double*> u("u", n), next("next", n);  // two arrays of zeros

  hpk::parallel_for("heat one end", n / 2, HPK_LAMBDA(int i) { u(i) = 100; });
  hpk::deep_copy(next, u);

  for (int step = 0; step < 100; ++step) {
    hpk::parallel_for(
        "step", hpk::RangePolicy(1, n - 1),
        HPK_LAMBDA(int i) { next(i) = u(i) + 0.25 * (u(i - 1) - 2 * u(i) + u(i + 1)); });
    std::swap(u, next);  // exchanges the handles, not the elements
  }

  double sum = 0;
  hpk::parallel_reduce("mean", n, HPK_LAMBDA(int i, double& part) { part += u(i); }, sum);

  const auto on_host = hpk::create_mirror_view_and_copy(hpk::HostSpace(), u);
  std::printf("mean %.3f, in the middle %.3f\n", sum / n, on_host(n / 2));
}
