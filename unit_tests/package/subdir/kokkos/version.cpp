// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>
#include <Kokkos_UnorderedMap.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  int sum = 0;
  Kokkos::parallel_reduce(100, KOKKOS_LAMBDA(int i, int& u) { u += i; }, sum);
  std::cout << "version " << KOKKOS_VERSION << " sum " << sum << "\n";
}
