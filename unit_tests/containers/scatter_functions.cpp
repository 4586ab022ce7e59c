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
  // On an instance, under the label of before.
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

}  // namespace
