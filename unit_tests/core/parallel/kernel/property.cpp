// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of policies: hints and their combination, requests and their limits, in any order
// among the other arguments of a policy.
#include <support/spaces.hpp>

#include <hpk/parallel/kernel/property.hpp>

namespace hpk_test::property_cases {

using hpk::Experimental::DesiredOccupancy;
using hpk::Experimental::MaximizeOccupancy;
using hpk::Experimental::StaticBatchSize;
using hints = hpk::Experimental::WorkItemProperty;

constexpr auto both = hints::HintLightWeight | hints::HintIrregular;
static_assert(both.value == 9 && (both & hints::HintIrregular) == hints::HintIrregular);
static_assert((both & hints::HintHeavyWeight) == hints::None && !(both == hints::HintRegular));
static_assert(hints::HintLightWeight.value == 1 && hints::HintHeavyWeight.value == 2 &&
              hints::HintRegular.value == 4 && hints::HintIrregular.value == 8);

struct tag {};
template <class Policy>
constexpr bool finds_all =
    std::is_same_v<typename Policy::work_tag, tag> &&
    std::is_same_v<typename Policy::work_item_property, hints::HintHeavyWeight_t> &&
    std::is_same_v<typename Policy::occupancy_control, MaximizeOccupancy> &&
    std::is_same_v<typename Policy::traits::static_batch_size, StaticBatchSize<4>>;
template <template <class...> class Policy, class... More>
constexpr bool any_order() {
  using heavy = hints::HintHeavyWeight_t;
  using wish = MaximizeOccupancy;
  using batch = StaticBatchSize<4>;
  return finds_all<Policy<heavy, wish, batch, tag, More...>> &&
         finds_all<Policy<wish, batch, tag, More..., heavy>> &&
         finds_all<Policy<batch, tag, More..., heavy, wish>> &&
         finds_all<Policy<tag, More..., heavy, void, wish, batch>>;
}
static_assert(any_order<hpk::RangePolicy>() && any_order<hpk::TeamPolicy>() &&
              any_order<hpk::MDRangePolicy, hpk::Rank<2>>());
static_assert(std::is_same_v<hpk::RangePolicy<>::work_item_property, hints::None_t> &&
              std::is_same_v<hpk::RangePolicy<>::occupancy_control, MaximizeOccupancy> &&
              std::is_same_v<hpk::RangePolicy<>::traits::static_batch_size, StaticBatchSize<1>>);
// A policy without requests stores none.
static_assert(sizeof(hpk::RangePolicy<>) < sizeof(hpk::RangePolicy<DesiredOccupancy>));

static_assert(hpk::Experimental::is_work_item_property_v<
                  hpk::Experimental::WorkItemProperty::HintLightWeight_t> &&
              !hpk::Experimental::is_work_item_property_v<int>);

TEST(Occupancy, is_a_percentage) {
  EXPECT_EQ(DesiredOccupancy().value(), 100);
  for (const int percent : {0, 1, 50, 100}) {
    EXPECT_EQ(DesiredOccupancy(percent).value(), percent);
    EXPECT_FALSE(DesiredOccupancy(percent).should_tune());
  }
  EXPECT_TRUE(DesiredOccupancy(hpk::AUTO).should_tune());
  for (const int percent : {-1, 101}) {
    const std::string text = error_of([&] { (void)DesiredOccupancy(percent); });
    EXPECT_TRUE(contains(text, "hpk::Experimental::DesiredOccupancy(" + std::to_string(percent) +
                                   "): write 0 to 100 percent, or hpk::AUTO"))
        << text;
    EXPECT_TRUE(contains(text, "property.cpp"));
  }
}

}  // namespace hpk_test::property_cases
