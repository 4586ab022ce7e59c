// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RangePolicy of a team handle.
#include <hpk/parallel/nested/team_range.hpp>

#include <support/spaces.hpp>

namespace parallel_team_range_test {
namespace {

using member = hpk::TeamPolicy<hpk::DefaultExecutionSpace>::member_type;
static_assert(std::is_same_v<decltype(hpk::RangePolicy(std::declval<const member&>(), 0, 10u)),
                             hpk::RangePolicy<member>>);
static_assert(hpk::RangePolicy<member>::chunk_size() == 1);

template <class Exec>
class TeamRange : public testing::Test {};
TYPED_TEST_SUITE(TeamRange, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(TeamRange, is_a_range_over_all_lanes_of_a_team) {
  using policy = hpk::TeamPolicy<TypeParam>;
  constexpr int league = 5;
  for (const int size : {1, 2, 7, 32}) {
    for (const int n : {0, 1, 6, 100}) {
      hpk::View<int**, TypeParam> squares("squares", league, 101);
      hpk::View<long* [3], TypeParam> sums("sums", league);
      hpk::View<long**, TypeParam> before("before", league, 101);
      hpk::parallel_for(
          "teams", policy(league, size), HPK_LAMBDA(const typename policy::member_type& team) {
            const int row = team.league_rank();
            hpk::RangePolicy range(team, 1, n + 1);
            hpk::parallel_for(range.set_chunk_size(8), [&](int i) { squares(row, i) = i * i; });
            long sum = 0;
            long largest = 0;
            hpk::parallel_reduce(range, [&](int i, long& update) { update += i; }, sum);
            hpk::parallel_reduce(
                range,
                [&](int i, long& update, long& most) {
                  update += 2 * i;
                  most = i > most ? i : most;
                },
                sum, hpk::Max<long>(largest));
            long total = 0;
            hpk::parallel_scan(
                range,
                [&](int i, long& update, bool final) {
                  if (final) before(row, i) = update;
                  update += i;
                },
                total);
            if (n == 0) largest = 0;
            hpk::single(hpk::PerTeam(team), [&] {
              sums(row, 0) = sum;
              sums(row, 1) = largest;
              sums(row, 2) = total;
            });
          });
      const auto squares_there = hpk_test::on_host(squares);
      const auto sums_there = hpk_test::on_host(sums);
      const auto before_there = hpk_test::on_host(before);
      for (int row = 0; row < league; ++row) {
        const long all = long{n} * (n + 1) / 2;
        ASSERT_EQ(sums_there(row, 0), 2 * all) << size << ' ' << n;
        ASSERT_EQ(sums_there(row, 1), n);
        ASSERT_EQ(sums_there(row, 2), all);
        for (int i = 0; i <= 100; ++i) {
          const bool inside = i >= 1 && i <= n;
          ASSERT_EQ(squares_there(row, i), inside ? i * i : 0);
          ASSERT_EQ(before_there(row, i), inside ? long{i} * (i - 1) / 2 : 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace parallel_team_range_test
