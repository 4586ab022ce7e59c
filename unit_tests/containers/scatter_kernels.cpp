// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contributions to Views of other layouts.
#include <hpk/containers/detail/scatter_kernels.hpp>

#include "scatter.hpp"

#include <type_traits>

namespace {

using namespace scatter_test;
using hpk::ScatterNonDuplicated;
using hpk::ScatterSum;

// Adds four times to each of 5 x 7 places.
template <class Exec, class Scatter>
void count_places(const Scatter& scatter) {
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, 35 * 4), HPK_LAMBDA(int i) {
        const auto access = scatter.access();
        access(i % 35 / 7, i % 7)++;
      });
}

template <class Exec>
class ScatterTo : public testing::Test {};
TYPED_TEST_SUITE(ScatterTo, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(ScatterTo, goes_to_other_views_too) {
  using other_layout =
      std::conditional_t<std::is_same_v<typename TypeParam::array_layout, hpk::LayoutLeft>,
                         hpk::LayoutRight, hpk::LayoutLeft>;
  const hpk::View<int**, TypeParam> view("view", 5, 7);
  const hpk::View<int**, other_layout, TypeParam> turned("turned", 5, 7);
  const hpk::View<int***, TypeParam> wide("wide", 5, 7, 2);
  const auto part = hpk::subview(wide, hpk::ALL, hpk::ALL, 1);
  const auto check = [&](auto scatter) {
    hpk::deep_copy(turned, 0);
    hpk::deep_copy(wide, 0);
    count_places<TypeParam>(scatter);
    hpk::contribute(turned, scatter);
    hpk::contribute(part, scatter);
    const auto a = hpk_test::on_host(turned);
    const auto b = hpk_test::on_host(wide);
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 7; ++j) {
        ASSERT_EQ(a(i, j), 4);
        ASSERT_EQ(b(i, j, 1), 4);
        ASSERT_EQ(b(i, j, 0), 0);
      }
    }
  };
  check(hpk::create_scatter_view(view));
  check(hpk::create_scatter_view(part));
  check(hpk::ScatterView<int**, typename TypeParam::array_layout, TypeParam, ScatterSum,
                         ScatterNonDuplicated>(hpk::view_alloc(TypeParam(), "own"), 5, 7));
}

}  // namespace
