// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between layouts with different fastest dimensions: every element is copied, at the edges
// of tiles too, with and without conversion.
#include <support/elements.hpp>
#include <support/spaces.hpp>

namespace hpk_test::transpose_tiles_cases {

template <class Exec>
class TransposeTiles : public testing::Test {};
TYPED_TEST_SUITE(TransposeTiles, hpk_test::devices, hpk_test::device_names);

template <class To, class From, class Device>
void expect_copied(int n, int m) {
  const hpk::View<From**, hpk::LayoutLeft, Device> from("from", n, m);
  const hpk::View<To**, hpk::LayoutRight, Device> to("to", n, m);
  hpk_test::number_elements(from, 1);
  hpk::deep_copy(to, from);
  EXPECT_EQ(hpk_test::count_differences(to, from), 0u) << n << " x " << m;
}

HPK_TYPED_TEST(TransposeTiles, copies_every_element) {
  using device = hpk_test::shared_device<typename TypeParam::execution_space>;
  for (const int n : {1, 15, 16, 31, 32, 33, 65, 100}) {
    for (const int m : {1, 15, 16, 31, 32, 33, 65}) {
      expect_copied<double, double, device>(n, m);
      expect_copied<double, int, device>(n, m);
    }
  }
  expect_copied<signed char, signed char, device>(40, 50);
}

// More dimensions between the two that are transposed.
template <class To, class From, class Device>
void expect_copied_with_others(int n, int m) {
  const hpk::View<From*****, hpk::LayoutLeft, Device> from("from", n, 3, 2, 5, m);
  const hpk::View<To*****, hpk::LayoutRight, Device> to("to", n, 3, 2, 5, m);
  hpk_test::number_elements(from, From(1));
  hpk::deep_copy(to, from);
  EXPECT_EQ(hpk_test::count_differences(to, from), 0u) << n << " x " << m;
}
HPK_TYPED_TEST(TransposeTiles, copies_boxes_of_many_dimensions) {
  using device = hpk_test::shared_device<typename TypeParam::execution_space>;
  for (const int n : {16, 33, 64}) {
    expect_copied_with_others<double, double, device>(n, 40);
    expect_copied_with_others<double, short, device>(32, n);
  }
}

HPK_TYPED_TEST(TransposeTiles, copies_slices_and_parts) {
  using device = hpk_test::shared_device<typename TypeParam::execution_space>;
  const hpk::View<int***, hpk::LayoutLeft, device> from("from", 3, 40, 37);
  const hpk::View<int***, hpk::LayoutRight, device> to("to", 3, 40, 37);
  hpk_test::number_elements(from, 1);
  hpk::deep_copy(to, from);
  EXPECT_EQ(hpk_test::count_differences(to, from), 0u);
  hpk::deep_copy(to, 0);
  const hpk::pair<int, int> rows(1, 39);
  const hpk::pair<int, int> columns(2, 36);
  const auto part = hpk::subview(to, 1, rows, columns);
  hpk::deep_copy(part, hpk::subview(from, 1, rows, columns));
  EXPECT_EQ(hpk_test::count_differences(part, hpk::subview(from, 1, rows, columns)), 0u);
  EXPECT_EQ(hpk_test::value_at(to, 1, 0, 2), 0);
  EXPECT_EQ(hpk_test::value_at(to, 1, 39, 2), 0);
  EXPECT_EQ(hpk_test::value_at(to, 2, 5, 5), 0);
}

}  // namespace hpk_test::transpose_tiles_cases
