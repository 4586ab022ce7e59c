// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algorithms on instances with any number of workers, where they fence, and in every team of a
// league.
#include <hpk/algorithms/detail/executor.hpp>
#include <hpk/algorithms/elementwise.hpp>

#include <support/algorithms.hpp>

namespace algorithms_executor_test {
namespace {

using hpk_test::read_row;
namespace KE = hpk::Experimental;

struct plus_three {
  HPK_FUNCTION void operator()(int& x) const { x += 3; }
};

template <class Exec>
class Executor : public testing::Test {};
TYPED_TEST_SUITE(Executor, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Executor, on_an_instance_it_waits) {
  const hpk::View<int*, hpk_test::shared_device<TypeParam>> x("x", 10007);
  int expected = 0;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    KE::for_each(exec, x, plus_three());
    expected += 3;
    // The algorithm has fenced already.
    for (std::size_t i = 0; i != x.size(); ++i) ASSERT_EQ(x(i), expected) << i;
  }
}

// Each team fills its row and reads it immediately.
template <class Exec>
struct rows {
  hpk::View<int**, hpk::LayoutRight, Exec> x, y;
  HPK_FUNCTION void operator()(const typename hpk::TeamPolicy<Exec>::member_type& team) const {
    const auto row = hpk::subview(x, team.league_rank(), hpk::ALL);
    const auto other = hpk::subview(y, team.league_rank(), hpk::ALL);
    KE::fill(team, row, team.league_rank());
    KE::for_each(team, row, plus_three());
    KE::copy_backward(team, row, other);
  }
};

HPK_TYPED_TEST(Executor, in_a_league_each_team_works_alone) {
  const hpk::View<int**, hpk::LayoutRight, TypeParam> x("x", 37, 41);
  const hpk::View<int**, hpk::LayoutRight, TypeParam> y("y", 37, 41);
  hpk::parallel_for(hpk::TeamPolicy<TypeParam>(37, hpk::AUTO), rows<TypeParam>{x, y});
  const auto got = hpk_test::on_host(y);
  for (int i = 0; i != 37; ++i) {
    for (int j = 0; j != 41; ++j) EXPECT_EQ(got(i, j), i + 3);
  }
}

}  // namespace
}  // namespace algorithms_executor_test
