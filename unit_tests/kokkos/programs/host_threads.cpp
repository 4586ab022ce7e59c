// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several host threads launch on one instance: no non-atomic update of one View is lost.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <thread>
#include <vector>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  const int n = 1000;
  Kokkos::View<int*> counts("counts", n);
  Kokkos::View<int*> ones("ones", n);
  Kokkos::deep_copy(ones, 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([=] {
      for (int round = 0; round < 40; ++round) {
        Kokkos::parallel_for(
            Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n / 10, 10}),
            KOKKOS_LAMBDA(int i, int j) { counts(10 * i + j) += ones(10 * i + j); });
        Kokkos::parallel_for(n, KOKKOS_LAMBDA(int i) { counts(i) = counts(i) + 1; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  Kokkos::fence();
  int wrong = 0;
  Kokkos::parallel_reduce(
      n, KOKKOS_LAMBDA(int i, int& update) { update += counts(i) != 3 * 40 * 2; }, wrong);
  std::printf("wrong: %d\n", wrong);
}
