// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram in five ways: atomic_add, the Atomic memory trait, atomic_fetch_add to sort by bin,
// one copy per thread by UniqueToken, and team scratch. All must agree with a plain loop.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace KE = Kokkos::Experimental;

constexpr int num_bins = 16;

// A cheap hash instead of a random generator: the same numbers everywhere.
KOKKOS_INLINE_FUNCTION std::uint32_t hash(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ (x >> 16);
}

// Uneven bins: the lower ones are hit more often.
KOKKOS_INLINE_FUNCTION int bin_of(std::uint32_t value) {
  const int a = value % num_bins, b = (value >> 8) % num_bins;
  return a < b ? a : b;
}

template <class Device>
struct AtomicHistogram {
  using execution_space = typename Device::execution_space;
  Kokkos::View<const std::uint32_t*, Device> values;
  Kokkos::View<int[num_bins], Device> counts;

  KOKKOS_INLINE_FUNCTION void operator()(const int i) const {
    Kokkos::atomic_add(&counts(bin_of(values(i))), 1);
  }
};

static int failures = 0;

template <class Counts>
void check(const std::string& what, const Counts& counts, const std::vector<int>& expected) {
  auto h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  bool same = h.extent(0) == expected.size();
  for (size_t b = 0; same && b < expected.size(); ++b) same = h(b) == expected[b];
  if (!same) {
    std::cout << "FAILED: " << what << std::endl;
    ++failures;
  }
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  using Exec = Kokkos::DefaultExecutionSpace;
  const int n = 20000;

  Kokkos::View<std::uint32_t*> values("values", n);
  Kokkos::parallel_for(n, KOKKOS_LAMBDA(const int i) { values(i) = hash(i); });
  std::vector<int> expected(num_bins, 0);
  for (int i = 0; i < n; ++i) ++expected[bin_of(hash(i))];

  AtomicHistogram<Exec::device_type> functor{values, decltype(functor.counts)("counts")};
  Kokkos::parallel_for("atomic_add", n, functor);
  check("atomic_add", functor.counts, expected);

  // The Atomic memory trait: ordinary operators on a View.
  Kokkos::View<int*> plain("plain", num_bins);
  Kokkos::View<int*, Kokkos::MemoryTraits<Kokkos::Atomic>> atomic = plain;
  Kokkos::parallel_for(
      "trait", n, KOKKOS_LAMBDA(const int i) {
        const int b = bin_of(values(i));
        if (i % 2 == 0)
          atomic(b) += 1;
        else
          atomic(b)++;
      });
  check("Atomic trait", plain, expected);

  // One copy of the bins per concurrent thread, as ScatterView does, then a sum over the copies.
  KE::UniqueToken<Exec> token;
  const int copies = token.size();
  Kokkos::View<int**> duplicated("duplicated", copies, num_bins);
  Kokkos::parallel_for(
      "duplicated", n, KOKKOS_LAMBDA(const int i) {
        const int id = token.acquire();
        duplicated(id, bin_of(values(i))) += 1;
        token.release(id);
      });
  Kokkos::View<int*> summed("summed", num_bins);
  Kokkos::parallel_for(
      "contribute", num_bins, KOKKOS_LAMBDA(const int b) {
        for (int c = 0; c < copies; ++c) summed(b) += duplicated(c, b);
      });
  check("UniqueToken", summed, expected);

  // A histogram per team in scratch memory, added to the result once per team.
  using team_policy = Kokkos::TeamPolicy<Exec>;
  using scratch_bins =
      Kokkos::View<int*, Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const int league = 25, chunk = n / league;
  Kokkos::View<int*> by_teams("by_teams", num_bins);
  auto policy = team_policy(league, Kokkos::AUTO)
                    .set_scratch_size(0, Kokkos::PerTeam(scratch_bins::shmem_size(num_bins)));
  Kokkos::parallel_for(
      "teams", policy, KOKKOS_LAMBDA(const team_policy::member_type& team) {
        scratch_bins local(team.team_scratch(0), num_bins);
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, num_bins), [&](int b) { local(b) = 0; });
        team.team_barrier();
        const int first = team.league_rank() * chunk;
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, first, first + chunk),
                             [&](int i) { Kokkos::atomic_inc(&local(bin_of(values(i)))); });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, num_bins),
                             [&](int b) { Kokkos::atomic_add(&by_teams(b), local(b)); });
      });
  check("team scratch", by_teams, expected);

  // Sort by bin: atomic_fetch_add assigns every value a unique place.
  Kokkos::View<int*> next("next", num_bins), sorted("sorted", n);
  Kokkos::parallel_scan(
      num_bins, KOKKOS_LAMBDA(int b, int& offset, bool last) {
        if (last) next(b) = offset;
        offset += plain(b);
      });
  Kokkos::parallel_for(
      n,
      KOKKOS_LAMBDA(int i) { sorted(Kokkos::atomic_fetch_add(&next(bin_of(values(i))), 1)) = i; });
  auto h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sorted);
  // The order inside a bin is unspecified, so it is sorted before the comparison.
  std::vector<int> order(n), result(h.data(), h.data() + n);
  for (int i = 0; i < n; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [](int a, int b) { return bin_of(hash(a)) < bin_of(hash(b)); });
  for (int b = 0, begin = 0; b < num_bins; begin += expected[b++])
    std::sort(result.begin() + begin, result.begin() + begin + expected[b]);
  if (result != order) {
    std::cout << "FAILED: sort by bin" << std::endl;
    ++failures;
  }
  for (int b = 0; b < num_bins; b += 5) std::cout << "bin " << b << ": " << expected[b] << "\n";
  std::cout << (failures == 0 ? "all histograms agree" : "histograms differ") << std::endl;
  return failures == 0 ? 0 : 1;
}
