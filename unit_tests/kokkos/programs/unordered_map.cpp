// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the vertices that edges of a mesh share, in Kokkos::UnorderedMap: insertion with an
// operation, retry after rehash, erasure in its mode, iteration over slots, sets, host mirrors.
#include <Kokkos_Core.hpp>
#include <Kokkos_UnorderedMap.hpp>

#include <cstdint>
#include <cstdio>

using Device = Kokkos::DefaultExecutionSpace;
using map_type = Kokkos::UnorderedMap<uint32_t, int, Device>;
using set_type = Kokkos::UnorderedMap<int, void, Device>;
using ops = Kokkos::UnorderedMapInsertOpTypes<Kokkos::View<int*, Device>, uint32_t>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  const int n = 1000;
  map_type map(100);
  bool failed = true;
  int rounds = 0;
  while (failed) {
    map.clear();
    Kokkos::parallel_for(n, KOKKOS_LAMBDA(int i) { map.insert(static_cast<uint32_t>(i * 7), i); });
    Kokkos::fence();
    failed = map.failed_insert();
    if (failed) map.rehash(2 * map.capacity());
    ++rounds;
  }
  std::printf("size %d, retried %s, room %s\n", static_cast<int>(map.size()),
              rounds > 1 ? "yes" : "no", map.capacity() >= 1000u ? "yes" : "no");

  Kokkos::parallel_for(
      10 * n, KOKKOS_LAMBDA(int i) {
        map.insert(static_cast<uint32_t>(i % n * 7), 1, typename ops::AtomicAdd());
      });
  long sum = 0;
  Kokkos::parallel_reduce(
      map.capacity(),
      KOKKOS_LAMBDA(uint32_t i, long& total) {
        if (map.valid_at(i)) total += map.value_at(i) - static_cast<long>(map.key_at(i)) / 7;
      },
      sum);
  std::printf("sum %ld\n", sum);

  const bool began = map.begin_erase();
  const bool began_again = map.begin_erase();
  std::printf("begin %d again %d\n", began, began_again);
  Kokkos::parallel_for(n / 2, KOKKOS_LAMBDA(int i) { map.erase(static_cast<uint32_t>(i * 14)); });
  const bool ended = map.end_erase();
  const bool ended_again = map.end_erase();
  std::printf("end %d again %d\n", ended, ended_again);
  std::printf("size %d\n", static_cast<int>(map.size()));

  int found = 0;
  const Kokkos::UnorderedMap<const uint32_t, const int, Device> read = map;
  Kokkos::parallel_reduce(
      2 * n,
      KOKKOS_LAMBDA(int i, int& total) {
        const uint32_t slot = read.find(static_cast<uint32_t>(i * 7));
        if (slot != Kokkos::UnorderedMapInvalidIndex) ++total;
        if (read.exists(static_cast<uint32_t>(i * 7)) != (slot != Kokkos::UnorderedMapInvalidIndex))
          total += 1000000;
      },
      found);
  std::printf("found %d\n", found);

  typename map_type::HostMirror host = Kokkos::create_mirror(map);
  Kokkos::deep_copy(host, map);
  std::printf("host: size %d, 7 -> %d, 14 %s\n", static_cast<int>(host.size()),
              host.value_at(host.find(7)), host.exists(14) ? "there" : "erased");

  typename map_type::HostMirror grown;
  Kokkos::deep_copy(grown, map);
  std::printf("copied: size %d, 7 -> %d\n", static_cast<int>(grown.size()),
              grown.value_at(grown.find(7)));

  set_type set(50);
  Kokkos::View<int[3], Device> outcomes("outcomes");
  Kokkos::parallel_for(
      200, KOKKOS_LAMBDA(int i) {
        const Kokkos::UnorderedMapInsertResult result = set.insert(i % 50);
        Kokkos::atomic_inc(&outcomes(result.success() ? 0 : result.existing() ? 1 : 2));
      });
  auto counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outcomes);
  std::printf("set: new %d, existing %d, failed %d, size %d\n", counts(0), counts(1), counts(2),
              static_cast<int>(set.size()));

  // Generic code also queries read-only maps, with const keys.
  Kokkos::UnorderedMap<const uint32_t, int, Device> values = map;
  int refused = 0;
  Kokkos::parallel_reduce(
      1,
      KOKKOS_LAMBDA(int, int& total) {
        total += values.insert(3, 1).failed() + 2 * int(values.erase(7));
      },
      refused);
  const bool rehashed = values.rehash(5000);
  const bool erases = values.begin_erase() && values.end_erase();
  std::printf("const keys: refused %d, rehashed %d, erases %d, size %d\n", refused, rehashed,
              erases, static_cast<int>(values.size()));
  try {
    const Kokkos::UnorderedMap<const int, int, Device> alone(10);
  } catch (const std::runtime_error&) {
    std::printf("not made alone\n");
  }
  map_type pair(1);
  Kokkos::parallel_for(1, KOKKOS_LAMBDA(int) { pair.insert(12, 34); });
  Kokkos::Impl::UnorderedMapPrint<map_type>(pair).apply();
  Kokkos::fence();
}
