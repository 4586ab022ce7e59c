// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers with a vote: the result that every thread gets, and the effect as a barrier, in teams of
// any size and with vector lanes.
#include <hpk/team_votes.hpp>

#include <support/widths.hpp>

namespace parallel_team_votes_test {
namespace {

template <class Exec>
class TeamVotes : public testing::Test {};
TYPED_TEST_SUITE(TeamVotes, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(TeamVotes, count_the_threads_and_are_barriers) {
  using policy_type = hpk::TeamPolicy<TypeParam>;
  for (const hpk_test::team_size& t : hpk_test::team_sizes<TypeParam>()) {
    const int size = t.threads;
    const hpk::View<int, TypeParam> wrong("wrong");
    policy_type policy(3, size, t.vector);
    policy.set_scratch_size(0, hpk::PerTeam(sizeof(int) * static_cast<unsigned>(size)));
    hpk::parallel_for(
        policy, HPK_LAMBDA(const typename policy_type::member_type& team) {
          auto* const values = static_cast<int*>(
              team.team_shmem().get_shmem(sizeof(int) * static_cast<unsigned>(size)));
          const int me = team.team_rank();
          bool right = true;
          for (int round = 0; round < 4; ++round) {
            hpk::single(hpk::PerThread(team), [&] { values[me] = me + round; });
            // The thread writes, and all threads see the value after each kind of barrier.
            const bool flag = me % 3 == round;
            if (round % 2 == 0) {
              int expected = 0;
              for (int k = 0; k < size; ++k) expected += k % 3 == round ? 1 : 0;
              right = right && hpk::team_barrier_count(team, flag) == expected;
            } else if (round == 1) {
              right = right && hpk::team_barrier_and(team, true);
            } else {
              right = right && !hpk::team_barrier_or(team, flag);
            }
            right = right && values[(me + 1) % size] == (me + 1) % size + round;
            team.team_barrier();
          }
          right = right && hpk::team_barrier_and(team, me != 0) == false;
          right = right && hpk::team_barrier_or(team, me == size - 1);
          if (!right) hpk::atomic_inc(wrong.data());
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size << " " << t.vector;
  }
}

}  // namespace
}  // namespace parallel_team_votes_test
