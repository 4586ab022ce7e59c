// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram: in the naive version all lanes add to the same bins in memory; in the fast one each
// team adds to private bins in scratch.
#include "examples.hpp"

namespace histogram_kernels {

using counts_view = hpk::View<int*>;
using values_view = hpk::View<int*>;
constexpr int n = 1 << 20;
constexpr int bins = 16;

void histogram_naive(const values_view& values, const counts_view& counts) {
  // page: naive
  hpk::parallel_for("histogram", n, HPK_LAMBDA(int i) { hpk::atomic_add(&counts(values(i)), 1); });
  // page: end
}

void histogram_fast(const values_view& values, const counts_view& counts) {
  // page: fast
  using policy = hpk::TeamPolicy<>;
  using member = policy::member_type;
  using own_view = hpk::View<int[bins], member::scratch_memory_space, hpk::MemoryUnmanaged>;
  constexpr int teams = 256;
  hpk::parallel_for(
      "histogram",
      policy(teams, hpk::AUTO).set_scratch_size(0, hpk::PerTeam(own_view::shmem_size())),
      HPK_LAMBDA(const member& team) {
        const own_view own(team.team_scratch(0));
        const int first = team.league_rank() * (n / teams);
        hpk::parallel_for(hpk::TeamThreadRange(team, bins), [&](int bin) { own(bin) = 0; });
        team.team_barrier();
        hpk::parallel_for(hpk::TeamThreadRange(team, first, first + n / teams),
                          [&](int i) { hpk::atomic_add(&own(values(i)), 1); });
        team.team_barrier();
        hpk::parallel_for(hpk::TeamThreadRange(team, bins),
                          [&](int bin) { hpk::atomic_add(&counts(bin), own(bin)); });
      });
  // page: end
}

}  // namespace histogram_kernels

bool histogram(std::string_view version) {
  using namespace histogram_kernels;
  const values_view values("values", n);
  hpk::parallel_for("fill", n, HPK_LAMBDA(int i) { values(i) = i * 7 / 3 % bins; });
  const auto is_right = [&](auto* kernel) {
    const counts_view counts("counts", bins);
    kernel(values, counts);
    const auto result = on_host(counts);
    int expected[bins] = {};
    for (int i = 0; i < n; ++i) ++expected[i * 7 / 3 % bins];
    for (int bin = 0; bin < bins; ++bin) {
      if (result(bin) != expected[bin]) return false;
    }
    return true;
  };
  return (!is_wanted(version, "naive") || is_right(&histogram_naive)) &&
         (!is_wanted(version, "fast") || is_right(&histogram_fast));
}
