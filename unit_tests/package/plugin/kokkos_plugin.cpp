// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin for the drop-in.
#include <Kokkos_Core.hpp>

extern "C" long plugin_sum(long below) {
  const Kokkos::ScopeGuard guard;
  long sum = 0;
  Kokkos::parallel_reduce(below, KOKKOS_LAMBDA(long i, long& partial) { partial += i * i; }, sum);
  return sum;
}
