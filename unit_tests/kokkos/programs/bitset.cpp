// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kokkos::Bitset: a pool of ids that lanes acquire and release, and a set of visited items.
#include <Kokkos_Bitset.hpp>
#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  using Device = Kokkos::DefaultExecutionSpace;
  const unsigned n = 333;
  Kokkos::Bitset<Device> ids(n);
  Kokkos::View<int, Device> lost("lost");
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(unsigned i) {
        unsigned hint = i;
        for (unsigned tries = 0; tries < 1000 * ids.max_hint(); ++tries) {
          const auto found = ids.find_any_unset_near(
              hint, Kokkos::Bitset<Device>::BIT_SCAN_FORWARD_MOVE_HINT_FORWARD);
          if (found.first && ids.set(found.second)) return;
          hint = found.second;
        }
        Kokkos::atomic_inc(&lost());
      });
  int none = 0;
  Kokkos::deep_copy(none, lost);
  std::printf("taken %u of %u, lost %d\n", static_cast<unsigned>(ids.count()),
              static_cast<unsigned>(ids.size()), none);
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(unsigned i) {
        if (i % 3 == 0) ids.reset(i);
      });
  Kokkos::ConstBitset<Device> view = ids;
  int wrong = 0;
  Kokkos::parallel_reduce(
      n, KOKKOS_LAMBDA(unsigned i, int& sum) { sum += view.test(i) != (i % 3 != 0); }, wrong);
  std::printf("left %u, wrong %d\n", static_cast<unsigned>(view.count()), wrong);
  Kokkos::Bitset<Device> copy(n);
  Kokkos::deep_copy(copy, ids);
  ids.clear();
  std::printf("copy %u, cleared %u\n", static_cast<unsigned>(copy.count()),
              static_cast<unsigned>(ids.count()));
  ids.set();
  std::printf("all %u\n", static_cast<unsigned>(ids.count()));
}
