// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long programs take that are built for a debugger: sums, loops and copies inside of kernels,
// beside the same by hand over pointers. scripts/bench_debug builds this file with -O0 -g and with
// -O3, and prints both.
#include <hpk/core.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

using exec = hpk::OpenMP;
constexpr int n = 10'000'000;

// The median of the ratios of several rounds, and the time of an hpk call.
template <class Hpk, class Hand>
void compare(const char* name, double elements, const Hpk& hpk, const Hand& hand) {
  std::vector<double> ratios;
  std::vector<double> times;
  for (int round = 0; round < 9; ++round) {
    hpk::Timer timer;
    hand();
    const double by_hand = timer.seconds();
    timer.reset();
    hpk();
    times.push_back(timer.seconds());
    ratios.push_back(times.back() / by_hand);
  }
  std::sort(ratios.begin(), ratios.end());
  std::sort(times.begin(), times.end());
  std::printf("%-28s %8.2f ns an element, %5.2f x the loop by hand\n", name,
              times[4] / elements * 1e9, ratios[4]);
}

template <class Kernel>
double sum_by_hand(const Kernel& kernel) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < n; ++i) kernel(i, sum);
  return sum;
}

}  // namespace

int main() {
  const hpk::View<double*, exec> x("x", n);
  hpk::deep_copy(x, 1.0);
  double* const p = x.data();
  double sum = 0;
  double other = 0;
  const auto add_index = [](int i, double& update) { update += i; };
  const auto add_element = [=](int i, double& update) { update += x(i); };
  const auto add_by_hand = [=](int i, double& update) { update += p[i]; };
  const hpk::RangePolicy<exec> range(0, n);
  compare(
      "sum of indices", n, [&] { hpk::parallel_reduce(range, add_index, sum); },
      [&] { other = sum_by_hand(add_index); });
  compare(
      "sum of elements", n, [&] { hpk::parallel_reduce(range, add_element, sum); },
      [&] { other = sum_by_hand(add_by_hand); });
  if (sum != other) return 1;

  const auto set = [=](int i) { x(i) = i; };
  const auto set_by_hand = [=](int i) { p[i] = i; };
  compare(
      "assignment", n, [&] { hpk::parallel_for(range, set); },
      [&] {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < n; ++i) set_by_hand(i);
      });

  constexpr int extent = 6;
  constexpr int rows = extent * extent * extent * extent * extent * extent * extent;
  const hpk::View<double********, exec> to("to", extent, extent, extent, extent, extent, extent,
                                           extent, extent);
  const hpk::View<double********, exec> from("from", extent, extent, extent, extent, extent, extent,
                                             extent, extent);
  hpk::deep_copy(from, 2.0);
  compare(
      "local_deep_copy of rank 8", rows * extent,
      [&] {
        hpk::parallel_for(hpk::RangePolicy<exec>(0, 1),
                          [=](int) { hpk::local_deep_copy(to, from); });
      },
      [a = to.data(), b = from.data()] {
        for (int k = 0; k < rows * extent; ++k) a[k] = b[k];
      });
  return to(1, 1, 1, 1, 1, 1, 1, 1) == 2.0 ? 0 : 1;
}
