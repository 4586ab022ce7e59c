// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

extern "C" int sum_below(int n) {
  int sum = 0;
  Kokkos::parallel_reduce(n, KOKKOS_LAMBDA(int i, int& update) { update += i; }, sum);
  return sum;
}
extern "C" void begin() { Kokkos::initialize(); }
extern "C" void end() { Kokkos::finalize(); }
