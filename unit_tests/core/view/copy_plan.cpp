// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of a copy or fill, which depends only on addresses, extents and strides.
#include <hpk/view/copy_plan.hpp>

#include <hpk/core.hpp>

#include <support/spaces.hpp>

namespace view_copy_plan_test {
namespace {

using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;
using hpk::detail::array_operand;
using hpk::detail::copy_plan;
using hpk::detail::layout_relation;
using hpk::detail::operand_of;

copy_plan plan(const array_operand& to, const array_operand& from,
               layout_relation layouts = layout_relation::by_strides, bool same_elements = true) {
  array_operand operands[] = {to, from};
  return hpk::detail::plan_copy(operands, layouts, same_elements, true);
}

TEST(CopyPlan, is_bytes_only_for_contiguous_views_in_the_same_order) {
  const View<int**, LayoutRight, HostSpace> right("right", 3, 4);
  const View<int**, LayoutRight, HostSpace> other("other", 3, 4);
  const View<int**, LayoutLeft, HostSpace> left("left", 3, 4);
  const View<int**, LayoutStride, HostSpace> gaps("gaps", LayoutStride(3, 8, 4, 1));
  const auto to = operand_of(right);
  EXPECT_EQ(plan(to, operand_of(other)), copy_plan::bytes);
  EXPECT_EQ(plan(operand_of(left), operand_of(left)), copy_plan::nothing);
  EXPECT_EQ(plan(to, operand_of(left)), copy_plan::elements);
  EXPECT_EQ(plan(to, operand_of(gaps)), copy_plan::elements);
  EXPECT_EQ(plan(operand_of(gaps), to), copy_plan::elements);
  // The relation that the types determine takes precedence over the strides.
  EXPECT_EQ(plan(to, operand_of(other), layout_relation::differs), copy_plan::elements);
  EXPECT_EQ(plan(to, operand_of(left), layout_relation::same), copy_plan::bytes);
  EXPECT_EQ(plan(to, operand_of(other), layout_relation::by_strides, false), copy_plan::elements);
}

TEST(CopyPlan, is_an_error_for_views_that_overlap_or_differ_in_extents) {
  const View<int*, HostSpace> all("all", 10);
  const auto first = operand_of(hpk::subview(all, hpk::pair(0, 6)));
  const auto last = operand_of(hpk::subview(all, hpk::pair(4, 10)));
  EXPECT_EQ(plan(first, last), copy_plan::overlap);
  EXPECT_EQ(plan(first, operand_of(View<int*, HostSpace>("short", 5))), copy_plan::extents);
  EXPECT_EQ(plan(operand_of(View<int*, HostSpace>()), operand_of(View<int*, HostSpace>())),
            copy_plan::nothing);
}

TEST(CopyPlan, of_a_fill_sets_zero_bytes_where_there_are_no_gaps) {
  const View<double**, HostSpace> view("view", 3, 4);
  const View<double**, LayoutStride, HostSpace> gaps("gaps", LayoutStride(3, 8, 4, 1));
  const double values[] = {0.0, -0.0, 1.5};
  const auto zero = hpk::detail::repeat_element(&values[0], sizeof(double));
  EXPECT_EQ(plan(operand_of(view), zero), copy_plan::zeros);
  EXPECT_EQ(plan(operand_of(gaps), zero), copy_plan::elements);
  EXPECT_EQ(plan(operand_of(view), zero, layout_relation::by_strides, false), copy_plan::elements);
  for (const double& value : {values[1], values[2]})
    EXPECT_EQ(plan(operand_of(view), hpk::detail::repeat_element(&value, sizeof value)),
              copy_plan::elements);
  EXPECT_EQ(plan(operand_of(View<double**, HostSpace>("empty", 3, 0)), zero), copy_plan::nothing);
}

TEST(CopyPlan, tells_ranges_that_are_apart) {
  const char memory[64] = {};
  const auto are_apart = [&](int a, int b, std::size_t bytes) {
    return hpk::detail::are_apart(memory + a, memory + b, bytes);
  };
  EXPECT_TRUE(are_apart(0, 16, 16));
  EXPECT_TRUE(are_apart(16, 0, 16));
  EXPECT_FALSE(are_apart(0, 16, 17));
  EXPECT_FALSE(are_apart(16, 0, 17));
  EXPECT_FALSE(are_apart(8, 8, 1));
  EXPECT_FALSE(are_apart(0, 16, 0));
  EXPECT_FALSE(hpk::detail::are_apart(memory, nullptr, 1));
  EXPECT_FALSE(hpk::detail::are_apart(nullptr, memory, 1));
}

// All strides of the source are 0, and a destination without gaps is one row.
TEST(CopyPlan, of_a_fill_has_a_layout_with_one_source) {
  const View<int**, LayoutLeft, HostSpace> left("left", 3, 4);
  const View<int**, LayoutStride, HostSpace> gaps("gaps", LayoutStride(3, 8, 4, 1));
  const int value = 1;
  const auto one = hpk::detail::repeat_element(&value, sizeof value);
  array_operand to = operand_of(left);
  hpk::detail::measure(to);
  const auto run = hpk::detail::make_layout(to, one, to.extents);
  EXPECT_TRUE(run.fills_run());
  EXPECT_EQ(run.inner(), 12);
  EXPECT_EQ(run.step(1), 0);
  to = operand_of(gaps);
  hpk::detail::measure(to);
  const auto rows = hpk::detail::make_layout(to, one, to.extents);
  EXPECT_FALSE(rows.fills_run());
  EXPECT_EQ(rows.outer(), 3);
  EXPECT_EQ(rows.inner(), 4);
  EXPECT_EQ(rows.pitch(0), 8);
  EXPECT_EQ(rows.pitch(1), 0);
  EXPECT_EQ(rows.offset(0, 1), 8);
  EXPECT_EQ(rows.offset(1, 1), 0);
}

}  // namespace
}  // namespace view_copy_plan_test
