// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape of strided kernels, that rows and single elements move the same, and which space moves
// what.
#include <hpk/view/moving.hpp>

#include <hpk/core.hpp>

#include <support/elements.hpp>

#include <string>

namespace view_moving_test {
namespace {

using hpk::HostSpace;
using hpk::index_t;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;
using hpk_test::tuple8;

TEST(StridedShape, ends_with_the_dimension_in_which_the_destination_is_densest) {
  const View<int***, LayoutLeft, HostSpace> left("left", 3, 4, 5);
  const View<int***, LayoutRight, HostSpace> right("right", 3, 4, 5);
  const index_t extents[] = {3, 4, 5};
  const auto to_left = hpk::detail::common_shape(extents, left, right);
  EXPECT_EQ(to_left.inner(), 3);
  EXPECT_EQ(to_left.outer(), 20);
  EXPECT_EQ(to_left.step(0), 1);
  EXPECT_EQ(to_left.step(1), 20);
  const auto to_right = hpk::detail::common_shape(extents, right, left);
  EXPECT_EQ(to_right.inner(), 5);
  EXPECT_EQ(to_right.outer(), 12);
  EXPECT_EQ(to_right.step(0), 1);
  EXPECT_EQ(to_right.step(1), 12);
}

TEST(StridedShape, of_rank_0_is_one_element) {
  const View<int, HostSpace> one("one");
  const auto shape = hpk::detail::common_shape(nullptr, one, one);
  EXPECT_EQ(shape.inner(), 1);
  EXPECT_EQ(shape.outer(), 1);
  EXPECT_EQ(shape.offset(1, 0), 0);
}

TEST(StridedShape, of_an_empty_box_has_no_element) {
  const View<int***, HostSpace> view("view", 3, 4, 5);
  for (const int empty : {0, 1, 2}) {
    index_t extents[] = {3, 4, 5};
    extents[empty] = 0;
    const auto shape = hpk::detail::common_shape(extents, view);
    EXPECT_EQ(shape.inner() * shape.outer(), 0);
  }
}

// Every element of the first `extents`, once, at the same place in both operands.
TEST(StridedShape, finds_every_element) {
  const View<int***, LayoutStride, HostSpace> a("a", LayoutStride(4, 2, 5, 50, 6, 8));
  const View<int***, LayoutLeft, HostSpace> b("b", 4, 5, 6);
  hpk_test::number_elements(a, 1);
  hpk_test::number_elements(b, 1);
  const index_t extents[] = {3, 5, 4};
  const auto shape = hpk::detail::common_shape(extents, a, b);
  ASSERT_EQ(shape.inner() * shape.outer(), 60);
  const View<int[121], HostSpace> seen("seen");
  for (index_t row = 0; row < shape.outer(); ++row) {
    for (index_t i = 0; i < shape.inner(); ++i) {
      const int in_a = a.data()[shape.offset(0, row) + i * shape.step(0)];
      ASSERT_EQ(in_a, b.data()[shape.offset(1, row) + i * shape.step(1)]);
      ++seen(in_a);
    }
  }
  int wrong = 0;
  hpk_test::for_each_index(3, {4, 5, 6}, true, [&](const tuple8& at) {
    const bool inside = at[0] < 3 && at[2] < 4;
    wrong += seen(hpk_test::element(a, at)) == (inside ? 1 : 0) ? 0 : 1;
  });
  EXPECT_EQ(wrong, 0);
}

template <class Device>
class Moving : public testing::Test {};
TYPED_TEST_SUITE(Moving, hpk_test::devices, hpk_test::device_names);

// A lane that takes rows and one that takes elements do the same.
HPK_TYPED_TEST(Moving, rows_and_elements_are_the_same_work) {
  using memory = typename TypeParam::memory_space;
  const View<int***, LayoutRight, TypeParam> from("from", 4, 5, 6);
  const View<double***, LayoutLeft, TypeParam> by_rows("by rows", 4, 5, 6);
  const View<double***, LayoutLeft, TypeParam> by_element("by element", 4, 5, 6);
  hpk_test::number_elements(from, 1);
  const index_t extents[] = {4, 5, 6};
  using copy = hpk::detail::copy_rows<double, memory, int, memory>;
  using fill = hpk::detail::fill_rows<double, memory, double>;
  const copy rows{by_rows.data(), from.data(), hpk::detail::common_shape(extents, by_rows, from)};
  const hpk::detail::each_element<copy> elements{
      {by_element.data(), from.data(), hpk::detail::common_shape(extents, by_element, from)}};
  using exec = typename TypeParam::execution_space;
  hpk_test::in_kernel_of<exec>(HPK_LAMBDA() {
    for (index_t row = 0; row < rows.shape.outer(); ++row) rows(row);
    for (index_t k = 0; k < 120; ++k) elements(k);
  });
  EXPECT_EQ(hpk_test::count_differences(by_rows, from), 0u);
  EXPECT_EQ(hpk_test::count_differences(by_element, from), 0u);
  const fill set{by_rows.data(), hpk::detail::common_shape(extents, by_rows), 2.5};
  const hpk::detail::each_element<fill> set_each{
      {by_element.data(), hpk::detail::common_shape(extents, by_element), 2.5}};
  hpk_test::in_kernel_of<exec>(HPK_LAMBDA() {
    for (index_t row = 0; row < set.shape.outer(); ++row) set(row);
    for (index_t k = 0; k < 120; ++k) set_each(k);
  });
  EXPECT_EQ(hpk_test::count_differences(by_rows, by_element), 0u);
  EXPECT_EQ(hpk_test::value_at(by_rows, 3, 4, 5), 2.5);
}

template <class Element, class Exec, class ToMem, class FromMem>
using assigning =
    typename decltype(hpk::detail::space_that_assigns<Element, Exec, ToMem, FromMem>())::type;
template <class Exec, class ToMem, class FromMem>
using moving = typename decltype(hpk::detail::space_that_moves<Exec, ToMem, FromMem>())::type;

// The space of the call where it can, else the host where it can, else the one at home.
HPK_TYPED_TEST(Moving, is_done_by_a_space_that_can) {
  using exec = typename TypeParam::execution_space;
  using memory = typename TypeParam::memory_space;
  using host = hpk::DefaultHostExecutionSpace;
  constexpr bool shared = hpk::seam::host_may_access<memory>;
  constexpr bool away = !hpk_test::is_host<exec>;
  static_assert(std::is_same_v<assigning<int, exec, memory, memory>, exec>);
  static_assert(
      std::is_same_v<assigning<int, host, memory, memory>, std::conditional_t<shared, host, exec>>);
  static_assert(std::is_same_v<assigning<int, exec, HostSpace, HostSpace>, host>);
  static_assert(std::is_same_v<assigning<int, exec, memory, HostSpace>,
                               std::conditional_t<shared, host, void>>);
  static_assert(std::is_same_v<assigning<int, exec, HostSpace, memory>,
                               assigning<int, host, memory, HostSpace>>);
  // A share is taken by host code.
  static_assert(std::is_same_v<assigning<std::string, exec, memory, memory>,
                               std::conditional_t<shared, host, exec>>);
  static_assert(std::is_same_v<moving<exec, memory, HostSpace>, exec>);
  static_assert(std::is_same_v<moving<exec, memory, memory>, exec>);
  static_assert(
      std::is_same_v<moving<host, memory, HostSpace>, std::conditional_t<shared, host, exec>>);
  static_assert(
      std::is_same_v<moving<host, HostSpace, memory>, std::conditional_t<shared, host, exec>>);
  // A kernel that the caller does not wait for must own the value.
  static_assert(std::is_same_v<hpk::detail::held_value<exec, int>,
                               std::conditional_t<away, int, const int&>>);
}

HPK_TYPED_TEST(Moving, by_another_space_is_done_when_the_call_returns) {
  using exec_type = typename TypeParam::execution_space;
  using other =
      std::conditional_t<hpk_test::is_host<exec_type>, exec_type, hpk::DefaultHostExecutionSpace>;
  const auto exec = hpk_test::new_instance<exec_type>();
  const View<int*, hpk_test::shared_device<exec_type>> view("view", 10'000);
  hpk::parallel_for(
      hpk::RangePolicy<exec_type>(exec, 0, 10'000), HPK_LAMBDA(int i) { view(i) = i; });
  int found = 0;
  hpk::detail::on_space<other>(exec, [&](const auto& working) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(working)>, other>);
    for (int i = 0; i < 10'000; ++i) found += view(i) == i ? 1 : 0;
  });
  EXPECT_EQ(found, 10'000);
  const auto negate = HPK_LAMBDA(int i) { view(i) = -i; };
  hpk::detail::on_space<exec_type>(hpk::DefaultHostExecutionSpace(), [&](const auto& working) {
    hpk::parallel_for(hpk::RangePolicy<exec_type>(working, 0, 10'000), negate);
  });
  EXPECT_EQ(view(9'999), -9'999);
}

}  // namespace
}  // namespace view_moving_test
