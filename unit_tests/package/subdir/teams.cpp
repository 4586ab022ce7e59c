// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Teams of four with an hpk without Boost.Context: barriers, reductions and scratch on every space.
#include <hpk/core.hpp>

#include <cstdio>

template <class Space>
bool run(const Space&) {
  using policy = hpk::TeamPolicy<Space>;
  using member = typename policy::member_type;
  using scratch = hpk::View<int*, typename member::scratch_memory_space, hpk::MemoryUnmanaged>;
  constexpr int teams = 1000, size = 4;
  policy by_four(teams, size);
  by_four.set_scratch_size(0, hpk::PerTeam(scratch::shmem_size(size)));
  const hpk::View<int*, Space> sums("sums", teams);
  hpk::parallel_for(
      "turn", by_four, HPK_LAMBDA(const member& team) {
        const int me = team.team_rank();
        scratch ranks(team.team_scratch(0), size);
        int sum = 0;
        for (int round = 0; round < 10; ++round) {
          ranks(me) = me + round;
          team.team_barrier();
          int mine = ranks((me + 1) % size);
          team.team_reduce(hpk::Sum<int>(mine));
          sum += mine;
        }
        if (me == 0) sums(team.league_rank()) = sum;
      });
  long total = 0;
  hpk::parallel_reduce(
      "total", hpk::RangePolicy<Space>(0, teams),
      HPK_LAMBDA(hpk::index_t k, long& t) { t += sums(k); }, total);
  const bool right = total == teams * 240L;
  std::printf("teams of 4 are %s on %s\n", right ? "right" : "wrong", Space::name());
  return right;
}

int main() {
  bool all_right = true;
  hpk::for_each_space([&](const auto& space) { all_right = run(space) && all_right; });
  std::printf("%s", hpk::configuration().c_str());
  return all_right ? 0 : 1;
}
