// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// create_scatter_view, contribute, resize and realloc.
#include <hpk/containers/scatter_functions.hpp>

#include "scatter.hpp"

namespace {

using namespace scatter_test;

template <class Exec>
class ScatterFunctions : public testing::Test {};
TYPED_TEST_SUITE(ScatterFunctions, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(ScatterFunctions, resizes_and_reallocates) {
  using type = hpk::ScatterView<int*, typename TypeParam::array_layout, TypeParam>;
  type scatter("scatter", 10);
  add_all(TypeParam(), scatter, 1000, 10);
  hpk::resize(scatter, 12);
  EXPECT_EQ(scatter.extent(0), 12u);
  EXPECT_EQ(scatter.label(), "scatter");
  add_all(TypeParam(), scatter, 1000, 10);
  const hpk::View<int*, TypeParam> view("view", 12);
  hpk::contribute(view, scatter);
  auto sums = added(1000, 10);
  sums.resize(12);
  expect_sums(view, sums, 2, 0);
  hpk::resize(hpk::WithoutInitializing, scatter, 5);
  hpk::realloc(scatter, 10);
  hpk::realloc(hpk::view_alloc(), scatter, 10);
  add_all(TypeParam(), scatter, 1000, 10);
  const hpk::View<int*, TypeParam> ten("ten", 10);
  hpk::contribute(ten, scatter);
  expect_sums(ten, added(1000, 10), 1, 0);
  // On an instance, with the old label.
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    hpk::realloc(hpk::view_alloc(exec), scatter, 8);
    add_all(exec, scatter, 100, 8);
    hpk::resize(hpk::view_alloc(exec, hpk::WithoutInitializing), scatter, 10);
    EXPECT_EQ(scatter.label(), "scatter");
    hpk::deep_copy(ten, 0);
    hpk::contribute(ten, scatter);
    auto eight = added(100, 8);
    eight.resize(10);
    expect_sums(ten, eight, 1, 0);
  }
  type none;
  EXPECT_FALSE(none.is_allocated());
  none = scatter;
  EXPECT_TRUE(none.is_allocated());
}

// Makes the same additions through a ScatterView of another type than create_scatter_view returns.
template <class Scatter, class V>
void add_by(const Scatter& scatter, const V& view) {
  hpk::deep_copy(view, 5);
  add_all(typename V::execution_space(), scatter, 1000, 10);
  hpk::contribute(view, scatter);
  expect_sums(view, added(1000, 10), 1, 5);
}

HPK_TYPED_TEST(ScatterFunctions, automatic_kinds_convert_to_those_that_are_named) {
  using view_type = hpk::View<int*, hpk::LayoutRight, TypeParam>;
  using hpk::ScatterSum, hpk::ScatterDuplicated, hpk::ScatterNonDuplicated;
  using automatic = hpk::ScatterView<int*, hpk::LayoutRight, TypeParam>;
  using copies = hpk::ScatterView<int*, hpk::LayoutRight, TypeParam, ScatterSum, ScatterDuplicated,
                                  hpk::ScatterNonAtomic>;
  using in_place = hpk::ScatterView<int*, hpk::LayoutRight, TypeParam, ScatterSum,
                                    ScatterNonDuplicated, hpk::ScatterAtomic>;
  const view_type view("view", 10);
  const copies a = hpk::create_scatter_view(ScatterSum(), view);
  add_by(a, view);
  const in_place b = hpk::create_scatter_view(view);
  add_by(b, view);
  const automatic c = hpk::create_scatter_view<ScatterSum, ScatterDuplicated>(view);
  add_by(c, view);
  const automatic d = hpk::create_scatter_view<ScatterSum, ScatterNonDuplicated>(view);
  add_by(d, view);
  const in_place e = automatic("own", 10);
  add_by(e, view);
  EXPECT_EQ(e.label(), "own");
  EXPECT_FALSE(in_place(automatic()).is_allocated());
  // Different kinds do not convert if both are named.
  static_assert(!std::is_convertible_v<copies, in_place>);
  static_assert(!std::is_convertible_v<in_place, copies>);
}

HPK_TYPED_TEST(ScatterFunctions, subviews_have_the_label_and_the_extents) {
  const hpk::ScatterView<int**, hpk::LayoutLeft, TypeParam> scatter("own", 4, 3);
  EXPECT_EQ(scatter.subview().label(), "own");
  EXPECT_EQ(scatter.subview().extent(1), 3u);
  const hpk::View<int*, TypeParam> view("view", 10);
  EXPECT_NE(hpk::create_scatter_view(view).subview().label().find("view"), std::string::npos);
  EXPECT_FALSE((hpk::ScatterView<int*, hpk::LayoutLeft, TypeParam>().subview().is_allocated()));
}

}  // namespace
