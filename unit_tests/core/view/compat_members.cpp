// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of View in the spelling of older programs say what the others do.
#include "support/spaces.hpp"

#include <hpk/core.hpp>
#include <hpk/view/compat_members.hpp>

#include <type_traits>

namespace view_compat_members_test {
namespace {

using cube = hpk::View<int* [3][4], hpk::LayoutLeft, hpk::HostSpace>;
static_assert(cube::Rank == 3 && hpk::View<int>::Rank == 0);
static_assert(std::is_same_v<cube::array_type, cube>);
static_assert(std::is_same_v<cube::scalar_array_type, cube::data_type>);
static_assert(std::is_same_v<cube::traits::scalar_array_type, cube::data_type>);
static_assert(std::is_same_v<cube::const_scalar_array_type, cube::const_data_type>);
static_assert(std::is_same_v<cube::traits::const_scalar_array_type, cube::const_data_type>);
static_assert(std::is_same_v<cube::non_const_scalar_array_type, cube::non_const_data_type>);
static_assert(std::is_same_v<cube::traits::non_const_scalar_array_type, cube::non_const_data_type>);
static_assert(std::is_empty_v<hpk::classes::compat_members<cube>>);

TEST(CompatMembers, are_the_strides) {
  const cube left("left", 2);
  EXPECT_EQ(left.stride_0(), 1u);
  EXPECT_EQ(left.stride_1(), 2u);
  EXPECT_EQ(left.stride_2(), 6u);
  EXPECT_EQ(left.stride_3(), 0u);
  const hpk::View<char********, hpk::LayoutRight, hpk::HostSpace> all("all", 2, 2, 2, 2, 2, 2, 2,
                                                                      2);
  EXPECT_EQ(all.stride_0(), 128u);
  EXPECT_EQ(all.stride_4(), 8u);
  EXPECT_EQ(all.stride_5(), 4u);
  EXPECT_EQ(all.stride_6(), 2u);
  EXPECT_EQ(all.stride_7(), 1u);
  const auto column = hpk::subview(left, 1, hpk::ALL, 2);
  EXPECT_EQ(column.stride_0(), 2u);
  EXPECT_EQ(column.stride_7(), 0u);
}

}  // namespace
}  // namespace view_compat_members_test
