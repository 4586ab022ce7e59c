// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills between element types that can be assigned but not converted, on every path of a
// copy. A conversion takes precedence over an assignment.
#include <hpk/view/element_conversion.hpp>

#include <hpk/core.hpp>

#include <support/elements.hpp>

#include "../../../example/own_layout/layouts.hpp"

namespace view_element_conversion_test {

using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;

// Accepts a number only by assignment.
struct cell {
  double value = 0;
  cell() = default;
  HPK_FUNCTION cell& operator=(double number) {
    value = number + 0.5;
    return *this;
  }
};
static_assert(!std::is_convertible_v<double, cell> && std::is_trivially_copyable_v<cell>);

// Converts from a number. The assignment has a different effect.
struct both {
  double value = 0;
  both() = default;
  both(const both&) = default;
  HPK_FUNCTION both(double number) : value(number) {}
  both& operator=(const both&) = default;
  HPK_FUNCTION both& operator=(double) {
    value = -1;
    return *this;
  }
};

template <class Exec>
class ElementConversion : public testing::Test {};
TYPED_TEST_SUITE(ElementConversion, hpk_test::spaces, hpk_test::space_names);

// The number of cells that differ from the numbers 10 i + j.
template <class V>
int count_wrong(const V& cells) {
  const auto there = hpk::create_mirror_view_and_copy(HostSpace(), cells);
  int wrong = 0;
  for (int i = 0; i < there.extent_int(0); ++i) {
    for (int j = 0; j < there.extent_int(1); ++j) wrong += there(i, j).value != 10 * i + j + 0.5;
  }
  return wrong;
}

template <class Layout, class Exec, class Numbers>
void expect_copies(const Numbers& numbers) {
  const View<cell**, Layout, Exec> here("here", numbers.extent(0), numbers.extent(1));
  hpk::deep_copy(here, numbers);
  EXPECT_EQ(count_wrong(here), 0);
  const View<cell**, Layout, Exec> again("again", numbers.extent(0), numbers.extent(1));
  const Exec exec;
  hpk::deep_copy(exec, again, numbers);
  exec.fence();
  EXPECT_EQ(count_wrong(again), 0);
  const View<cell**, Layout, HostSpace> there("there", numbers.extent(0), numbers.extent(1));
  hpk::deep_copy(there, numbers);
  EXPECT_EQ(count_wrong(there), 0);
}

HPK_TYPED_TEST(ElementConversion, by_assignment_in_any_layout_and_memory) {
  const View<double**, LayoutRight, TypeParam> numbers("numbers", 37, 21);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 37), HPK_LAMBDA(int i) {
        for (int j = 0; j < 21; ++j) numbers(i, j) = 10 * i + j;
      });
  expect_copies<LayoutRight, TypeParam>(numbers);
  expect_copies<LayoutLeft, TypeParam>(numbers);
  expect_copies<own::LayoutMorton, TypeParam>(numbers);
  const auto part = hpk::subview(numbers, hpk::make_pair(0, 30), hpk::make_pair(0, 11));
  expect_copies<LayoutRight, TypeParam>(part);
  const View<cell**, LayoutRight, TypeParam> wide("wide", 30, 12);
  hpk::deep_copy(hpk::subview(wide, hpk::ALL, hpk::make_pair(0, 11)), part);
  EXPECT_EQ(count_wrong(hpk::subview(wide, hpk::ALL, hpk::make_pair(0, 11))), 0);
}

HPK_TYPED_TEST(ElementConversion, of_one_value) {
  const View<cell**, TypeParam> cells("cells", 5, 3);
  hpk::deep_copy(cells, 2.0);
  EXPECT_EQ(hpk_test::on_host(cells)(4, 2).value, 2.5);
  const TypeParam exec;
  hpk::deep_copy(exec, cells, 3);
  exec.fence();
  EXPECT_EQ(hpk_test::on_host(cells)(4, 2).value, 3.5);
  const View<double, TypeParam> number("number");
  hpk::deep_copy(number, 7);
  cell variable;
  hpk::deep_copy(variable, number);
  EXPECT_EQ(variable.value, 7.5);
}

HPK_TYPED_TEST(ElementConversion, by_single_threads_and_teams) {
  const View<double*, TypeParam> numbers("numbers", 9);
  hpk::deep_copy(numbers, 4.0);
  const View<cell* [9], TypeParam> cells("cells", 3);
  using policy = hpk::TeamPolicy<TypeParam>;
  hpk::parallel_for(
      policy(1, hpk::AUTO), HPK_LAMBDA(const typename policy::member_type& team) {
        hpk::local_deep_copy(team, hpk::subview(cells, 0, hpk::ALL), numbers);
        hpk::local_deep_copy(team, hpk::subview(cells, 1, hpk::ALL), 5.0);
        hpk::single(hpk::PerTeam(team), [&] {
          hpk::local_deep_copy(hpk::subview(cells, 2, hpk::ALL), numbers);
          hpk::local_deep_copy(hpk::subview(cells, 2, hpk::make_pair(0, 2)), 6);
        });
      });
  const auto there = hpk_test::on_host(cells);
  EXPECT_EQ(there(0, 8).value, 4.5);
  EXPECT_EQ(there(1, 8).value, 5.5);
  EXPECT_EQ(there(2, 1).value, 6.5);
  EXPECT_EQ(there(2, 8).value, 4.5);
}

HPK_TYPED_TEST(ElementConversion, converts_if_it_can) {
  const View<double*, TypeParam> numbers("numbers", 9);
  hpk::deep_copy(numbers, 4.0);
  const View<both*, TypeParam> converted("converted", 9);
  hpk::deep_copy(converted, numbers);
  EXPECT_EQ(hpk_test::on_host(converted)(8).value, 4);
  hpk::deep_copy(converted, 8);
  EXPECT_EQ(hpk_test::on_host(converted)(8).value, 8);
}

// deep_copy must not bind the value by reference, because this constant has no definition.
struct constants {
  static const int nine = 9;
};

TEST(ElementConversion, takes_constants_that_no_file_defines) {
  const View<int*, HostSpace> view("view", 3);
  hpk::deep_copy(view, constants::nine);
  EXPECT_EQ(view(2), 9);
  hpk::deep_copy(hpk::DefaultHostExecutionSpace(), view, constants::nine + 1);
  hpk::local_deep_copy(view, constants::nine);
  EXPECT_EQ(view(2), 9);
}

}  // namespace view_element_conversion_test
