// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containers, spans and C arrays as Views of rank 1 and higher.
#include <hpk/view/as_view.hpp>

#include <hpk/core.hpp>

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

namespace view_as_view_test {
namespace {

using hpk::as_view;

TEST(AsView, is_the_memory_of_a_vector) {
  std::vector<int> numbers = {1, 2, 3};
  const auto view = as_view(numbers);
  static_assert(
      std::is_same_v<decltype(view), const hpk::View<int*, hpk::HostSpace, hpk::MemoryUnmanaged>>);
  view(1) = 20;
  EXPECT_EQ(numbers[1], 20);
  EXPECT_EQ(view.data(), numbers.data());
  EXPECT_EQ(view.extent(0), 3u);
  EXPECT_EQ(view.use_count(), 0);
}

TEST(AsView, of_const_containers_is_const) {
  const std::vector<double> numbers = {1, 2.5};
  static_assert(std::is_same_v<decltype(as_view(numbers))::value_type, const double>);
  EXPECT_EQ(as_view(numbers)(1), 2.5);
  const std::array<int, 4> fixed = {4, 3, 2, 1};
  EXPECT_EQ(as_view(fixed)(3), 1);
}

TEST(AsView, of_a_span_is_its_elements) {
  int numbers[] = {1, 2, 3, 4};
  std::span<int> part(numbers + 1, 2);
  const auto view = as_view(part);
  view(0) = 7;
  EXPECT_EQ(numbers[1], 7);
  std::vector<int> empty;
  EXPECT_EQ(as_view(empty).size(), 0u);
}

TEST(AsView, of_a_c_array_keeps_its_extents) {
  double grid[3][4] = {};
  const auto view = as_view(grid);
  static_assert(std::is_same_v<decltype(view)::data_type, double[3][4]>);
  static_assert(std::is_same_v<decltype(view)::array_layout, hpk::LayoutRight>);
  view(2, 1) = 5;
  EXPECT_EQ(grid[2][1], 5);
  const int row[] = {1, 2, 3};
  EXPECT_EQ(as_view(row)(2), 3);
}

template <class C>
concept viewable = requires(C&& c) { as_view(static_cast<C&&>(c)); };
static_assert(viewable<std::vector<int>&> && !viewable<std::vector<int>>);

TEST(AsView, goes_through_copies_and_kernels) {
  std::vector<double> in(1000, 2.0);
  std::vector<double> out(1000);
  const hpk::View<double*> device("device", 1000);
  hpk::deep_copy(device, as_view(in));
  hpk::deep_copy(as_view(out), device);
  EXPECT_EQ(out, in);
  double sum = 0;
  const auto view = as_view(out);
  hpk::parallel_reduce(
      hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 1000),
      [=](int i, double& s) { s += view(i); }, sum);
  EXPECT_EQ(sum, 2000);
}

}  // namespace
}  // namespace view_as_view_test
