// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions of work: recommended divisions cover all items within the limits of the space, and
// given divisions are checked.
#include <hpk/linear_index.hpp>
#include <hpk/work_division.hpp>

#include <support/spaces.hpp>

#include <limits>
#include <string>

namespace parallel_work_division_test {
namespace {

using hpk::divide_work;
using hpk::WorkDivision;

template <class Exec>
class Division : public testing::Test {};
TYPED_TEST_SUITE(Division, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Division, covers_all_within_the_limits) {
  constexpr hpk::index_t most = std::numeric_limits<hpk::index_t>::max();
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const hpk::index_t items :
         {hpk::index_t{0}, hpk::index_t{1}, hpk::index_t{2}, hpk::index_t{63}, hpk::index_t{1000},
          hpk::index_t{1} << 33, most}) {
      for (const hpk::index_t elements : {1, 3, 4, 1000}) {
        const WorkDivision d = divide_work(exec, items, elements);
        ASSERT_EQ(d.items, items);
        ASSERT_TRUE(d.covers_all() && d.is_valid_on(exec)) << items << " " << elements;
        ASSERT_GE(d.elements, elements);
        // Every team has work.
        WorkDivision fewer = d;
        fewer.league_size -= 1;
        ASSERT_EQ(fewer.covers_all(), items == 0) << items << " " << elements;
      }
    }
  }
}

HPK_TYPED_TEST(Division, is_the_policy_of_a_launch) {
  const TypeParam exec;
  for (const int items : {0, 1, 7, 1000, 4097}) {
    const hpk::View<int*, TypeParam> seen("seen", items);
    for (WorkDivision d : {divide_work(exec, items), divide_work(exec, items, 5),
                           WorkDivision{items, 3, 2, 10000}}) {
      hpk::parallel_for(
          d.policy(exec), HPK_LAMBDA(const typename hpk::TeamPolicy<TypeParam>::member_type& team) {
            hpk::parallel_for(hpk::LeagueThreadRange(team, items), [&](int i) { seen(i) += 1; });
          });
    }
    const auto host = hpk_test::on_host(seen);
    for (int i = 0; i < items; ++i) ASSERT_EQ(host(i), 3) << i << " of " << items;
  }
}

template <class Member>
struct takes_scratch {
  int team_shmem_size(int threads) const { return threads * 1024; }
  HPK_FUNCTION void operator()(const Member&) const {}
};

HPK_TYPED_TEST(Division, leaves_room_for_the_scratch_of_the_kernel) {
  using member = typename hpk::TeamPolicy<TypeParam>::member_type;
  const TypeParam exec;
  const takes_scratch<member> kernel;
  const WorkDivision d = divide_work(exec, 10'000, kernel);
  EXPECT_TRUE(d.is_valid_on(exec));
  EXPECT_LE(static_cast<std::size_t>(kernel.team_shmem_size(d.team_size)),
            hpk::TeamPolicy<TypeParam>::scratch_size_max(0));
  hpk::parallel_for(d.policy(exec), kernel);
  exec.fence();
}

HPK_TYPED_TEST(Division, takes_the_points_of_a_box) {
  const TypeParam exec;
  const WorkDivision d = divide_work(exec, hpk::Array<int, 3>{5, 6, 7}, 2);
  EXPECT_EQ(d, divide_work(exec, 210, 2));
}

TEST(WorkDivisionErrors, say_what_to_write) {
  const hpk::DefaultHostExecutionSpace exec;
  const auto text = [&](const WorkDivision& d) {
    EXPECT_FALSE(d.is_valid_on(exec));
    return hpk_test::error_of([&] { static_cast<void>(d.policy(exec)); });
  };
  const std::string few = text({100, 3, 2, 10});
  EXPECT_TRUE(hpk_test::contains(few,
                                 "hpk::WorkDivision: 100 items in 3 teams of 2 threads with 10 "
                                 "elements each: there are too few teams; write at least 5 teams"));
  EXPECT_TRUE(hpk_test::contains(few, "work_division.cpp:"));
  EXPECT_TRUE(hpk_test::contains(text({100, 100, 2000, 1}), "have at most 1024 threads"));
  for (const WorkDivision& d : {WorkDivision{-1, 1, 1, 1}, WorkDivision{1, -1, 1, 1},
                                WorkDivision{1, 1, 0, 1}, WorkDivision{1, 1, 1, 0}})
    EXPECT_TRUE(hpk_test::contains(text(d), "items and teams are 0 or more"));
  EXPECT_TRUE(hpk_test::contains(
      hpk_test::error_of([&] { static_cast<void>(divide_work(exec, -1)); }),
      "hpk::divide_work: -1 items, at least 1 for each thread; write 0 items or more"));
  EXPECT_TRUE(
      hpk_test::contains(hpk_test::error_of([&] { static_cast<void>(divide_work(exec, 1, 0)); }),
                         "at least 0 for each thread"));
}

}  // namespace
}  // namespace parallel_work_division_test
