// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// require and prefer return a policy with one more property, which replaces one of its kind. The
// rest of the policy stays.
#include <support/spaces.hpp>

#include <hpk/parallel/policies/require.hpp>

namespace hpk_test::require_cases {

using hpk::Experimental::DesiredOccupancy;
using hpk::Experimental::MaximizeOccupancy;
using hpk::Experimental::prefer;
using hpk::Experimental::require;
using hpk::Experimental::StaticBatchSize;
using hints = hpk::Experimental::WorkItemProperty;
using dynamic = hpk::Schedule<hpk::Dynamic>;

struct tag {};

template <class Policy, class Property>
using added = decltype(require(std::declval<const Policy&>(), std::declval<const Property&>()));

template <class Exec>
constexpr bool replaces_its_kind() {
  using plain = hpk::RangePolicy<Exec, tag, short>;
  using heavy = hpk::RangePolicy<Exec, tag, short, hints::HintHeavyWeight_t>;
  using light = hpk::RangePolicy<Exec, tag, short, hints::HintLightWeight_t>;
  return std::is_same_v<added<plain, hints::HintHeavyWeight_t>, heavy> &&
         std::is_same_v<added<heavy, hints::HintLightWeight_t>, light> &&
         std::is_same_v<added<plain, dynamic>, hpk::RangePolicy<Exec, tag, short, dynamic>> &&
         std::is_same_v<added<hpk::RangePolicy<dynamic, Exec>, hpk::Schedule<hpk::Static>>,
                        hpk::RangePolicy<hpk::Schedule<hpk::Static>, Exec>> &&
         std::is_same_v<added<hpk::RangePolicy<DesiredOccupancy, Exec>, MaximizeOccupancy>,
                        hpk::RangePolicy<MaximizeOccupancy, Exec>> &&
         std::is_same_v<added<plain, StaticBatchSize<4>>,
                        hpk::RangePolicy<Exec, tag, short, StaticBatchSize<4>>> &&
         std::is_same_v<typename heavy::work_tag, tag> &&
         std::is_same_v<typename added<heavy, DesiredOccupancy>::occupancy_control,
                        DesiredOccupancy>;
}

template <class Exec>
class Require : public testing::Test {};
TYPED_TEST_SUITE(Require, spaces, space_names);

HPK_TYPED_TEST(Require, replaces_its_kind) { static_assert(replaces_its_kind<TypeParam>()); }

HPK_TYPED_TEST(Require, keeps_all_else) {
  const TypeParam exec;
  const hpk::RangePolicy<TypeParam> range(exec, 3, 19, hpk::ChunkSize(4));
  const auto heavy = require(require(range, hints::HintHeavyWeight), dynamic());
  EXPECT_EQ(heavy.begin(), 3);
  EXPECT_EQ(heavy.end(), 19);
  EXPECT_EQ(heavy.chunk_size(), 4);
  EXPECT_TRUE(heavy.space() == exec);
  static_assert(decltype(heavy)::work_item_property::value == 2);
  static_assert(decltype(range)::work_item_property::value == 0);

  const hpk::MDRangePolicy<TypeParam, hpk::Rank<2>> box(exec, {1, 2}, {5, 7}, {2, 3});
  const auto light = prefer(box, hints::HintLightWeight);
  for (int r = 0; r < 2; ++r) {
    EXPECT_EQ(light.lower(r), box.lower(r));
    EXPECT_EQ(light.upper(r), box.upper(r));
    EXPECT_EQ(light.tile(r), box.tile(r));
  }

  hpk::TeamPolicy<TypeParam> teams(exec, 7, 2);
  teams.set_scratch_size(0, hpk::PerTeam(64), hpk::PerThread(16)).set_chunk_size(3);
  const auto claimed = require(teams, dynamic());
  EXPECT_EQ(claimed.league_size(), 7);
  EXPECT_EQ(claimed.team_size(), 2);
  EXPECT_EQ(claimed.chunk_size(), 3);
  EXPECT_EQ(claimed.scratch_size(0), teams.scratch_size(0));
}

HPK_TYPED_TEST(Require, launches_as_before) {
  const hpk::View<int*, TypeParam> calls("calls", 3000);
  const auto range = prefer(
      require(require(hpk::RangePolicy<TypeParam>(0, 3000), hints::HintIrregular), dynamic()),
      DesiredOccupancy(50));
  hpk::parallel_for(range, HPK_LAMBDA(int i) { calls(i) += 1; });
  long sum = 0;
  hpk::parallel_reduce(range, HPK_LAMBDA(int i, long& s) { s += calls(i); }, sum);
  EXPECT_EQ(sum, 3000);
  long total = 0;
  hpk::parallel_scan(
      prefer(range, StaticBatchSize<8>()), HPK_LAMBDA(int i, long& s, bool) { s += i; }, total);
  EXPECT_EQ(total, 3000L * 2999 / 2);
}

HPK_TYPED_TEST(Require, carries_the_wished_occupancy) {
  const auto half = prefer(hpk::RangePolicy<TypeParam>(0, 10), DesiredOccupancy(50));
  EXPECT_EQ(half.impl_get_desired_occupancy().value(), 50);
  const auto heavy = require(half, hints::HintHeavyWeight);
  EXPECT_EQ(heavy.impl_get_desired_occupancy().value(), 50);
  EXPECT_EQ(prefer(heavy, DesiredOccupancy(hpk::AUTO)).impl_get_desired_occupancy().value(), 100);
  const auto box =
      prefer(hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>({0, 0}, {3, 3}), DesiredOccupancy(25));
  EXPECT_EQ(require(box, dynamic()).impl_get_desired_occupancy().value(), 25);
  const auto teams = prefer(hpk::TeamPolicy<TypeParam>(3, hpk::AUTO), DesiredOccupancy(75));
  EXPECT_EQ(require(teams, dynamic()).impl_get_desired_occupancy().value(), 75);
}

}  // namespace hpk_test::require_cases
