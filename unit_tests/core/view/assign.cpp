// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which View converts to which: what types allow, what run time checks in every build, and that a
// refused assignment changes nothing.
#include <hpk/view/assign.hpp>

#include <hpk/view.hpp>

#include <support/shapes.hpp>
#include <support/spaces.hpp>

namespace view_assign_test {
namespace {

using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;

template <class DataType, class... Ps>
using View = hpk::View<DataType, Ps..., HostSpace>;

template <class Dst, class Src>
inline constexpr bool converts =
    std::is_convertible_v<Src, Dst> && std::is_assignable_v<Dst&, const Src&>;

static_assert(converts<View<const int*>, View<int*>>);
static_assert(!converts<View<int*>, View<const int*>>, "const is not dropped");
static_assert(!converts<View<long*>, View<int*>>, "elements are not converted");
static_assert(!converts<View<const long*>, View<int*>>);
static_assert(!converts<View<int**>, View<int*>>, "the rank stays");
static_assert(!converts<View<int>, View<int*>>);

static_assert(converts<View<int*>, View<int[4]>>, "a fixed extent is a run-time one");
static_assert(converts<View<int[4]>, View<int*>>, "checked at run time");
static_assert(converts<View<int* [3]>, View<int[4][3]>>);
static_assert(!converts<View<int[4]>, View<int[5]>>);
static_assert(!converts<View<int* [3]>, View<int* [2]>>);

static_assert(converts<View<int**, LayoutStride>, View<int**, LayoutLeft>>);
static_assert(converts<View<int**, LayoutStride>, View<int**, LayoutRight>>);
static_assert(converts<View<int**, LayoutLeft>, View<int**, LayoutStride>>, "checked at run time");
static_assert(!converts<View<int**, LayoutLeft>, View<int**, LayoutRight>>);
static_assert(!converts<View<int**, LayoutRight>, View<int**, LayoutLeft>>);
static_assert(converts<View<int*, LayoutLeft>, View<int*, LayoutRight>>, "rank 1 has one layout");
static_assert(converts<View<int, LayoutLeft>, View<int, LayoutRight>>, "rank 0 has one layout");

template <class Dst, class Src>
void check_same_elements(const Dst& to, const Src& from) {
  ASSERT_EQ(to.data(), from.data());
  ASSERT_EQ(hpk_test::extents_of(to), hpk_test::extents_of(from));
  hpk_test::for_each_index(static_cast<int>(Dst::rank()), hpk_test::extents_of(from), true,
                           [&](const hpk_test::tuple8& index) {
                             ASSERT_EQ(&hpk_test::element(to, index),
                                       &hpk_test::element(from, index));
                           });
}

template <class Layout>
class ViewAssign : public testing::Test {};
using plain_layouts = testing::Types<LayoutRight, LayoutLeft>;
TYPED_TEST_SUITE(ViewAssign, plain_layouts);

HPK_TYPED_TEST(ViewAssign, to_strides_and_back_is_the_same_view) {
  const View<int***, TypeParam> source("source", 4, 3, 5);
  const View<int***, LayoutStride> strided = source;
  check_same_elements(strided, source);
  const View<const int***, TypeParam> back = strided;
  check_same_elements(back, source);
  EXPECT_EQ(back.use_count(), 3);
}

HPK_TYPED_TEST(ViewAssign, fixed_and_run_time_extents_meet) {
  const View<int** [5], TypeParam> source("source", 4, 3);
  const View<int***, TypeParam> loose = source;
  check_same_elements(loose, source);
  const View<int[4][3][5], TypeParam> tight = loose;
  check_same_elements(tight, source);
}

HPK_TYPED_TEST(ViewAssign, refuses_a_run_time_extent_that_is_not_the_fixed_one) {
  const View<int**, TypeParam> source("four by three", 4, 3);
  const View<int[4][3], TypeParam> before("before");
  View<int[4][3], TypeParam> fits = before;
  fits = source;
  EXPECT_EQ(fits.data(), source.data());
  View<int[3][4], TypeParam> other("untouched");
  const int* const data = other.data();
  const std::string text = hpk_test::error_of([&] { other = source; });
  EXPECT_TRUE(hpk_test::contains(text, "\"four by three\""));
  EXPECT_TRUE(hpk_test::contains(text, "[4, 3]"));
  EXPECT_TRUE(hpk_test::contains(text, "extent"));
  EXPECT_EQ(other.data(), data);
  EXPECT_EQ(other.label(), "untouched");
  EXPECT_EQ(other.use_count(), 1);
  EXPECT_EQ(source.use_count(), 2);
}

TEST(ViewAssignStride, refuses_strides_that_are_not_the_layouts) {
  const View<int**, LayoutRight> rows("rows", 4, 3);
  const View<int**, LayoutStride> strided = rows;
  View<int**, LayoutLeft> columns("columns", 2, 2);
  const std::string text = hpk_test::error_of([&] { columns = strided; });
  EXPECT_TRUE(hpk_test::contains(text, "\"rows\""));
  EXPECT_TRUE(hpk_test::contains(text, "strides"));
  EXPECT_EQ(columns.label(), "columns");
  EXPECT_EQ(columns.extent(0), 2u);

  const View<int*, LayoutStride> odd(rows.data(), LayoutStride(4, 2));
  EXPECT_TRUE(hpk_test::contains(hpk_test::error_of([&] { const View<int*> dense = odd; }),
                                 "(wrapped memory)"));
}

TEST(ViewAssignStride, ignores_the_stride_of_a_dimension_with_one_element) {
  int memory[12] = {};
  const View<int**, LayoutStride> row(memory, LayoutStride(1, 99, 5, 1));
  const View<int**, LayoutRight> right = row;
  EXPECT_EQ(&right(0, 4), memory + 4);
  // Extents 1 x 5 lie alike in both layouts.
  const View<int**, LayoutLeft> left = row;
  EXPECT_EQ(&left(0, 4), memory + 4);
}

TEST(ViewAssignEmpty, passes_on_that_there_is_no_memory) {
  const View<int**> none;
  const View<const int**, LayoutStride> converted = none;
  EXPECT_FALSE(converted.is_allocated());
  EXPECT_EQ(converted.size(), 0u);
  const std::string text = hpk_test::error_of([&] { const View<int* [3]> three = none; });
  EXPECT_TRUE(hpk_test::contains(text, "(not allocated)"));
}

TEST(ViewAssignInKernel, names_the_kernel) {
  const View<int*> source("source", 4);
  const std::string text = hpk_test::error_of([&] {
    hpk::parallel_for("assigning", hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 1),
                      [&](int) { const View<int[5]> five = source; });
  });
  EXPECT_TRUE(hpk_test::contains(text, "parallel_for \"assigning\""));
}

}  // namespace
}  // namespace view_assign_test
