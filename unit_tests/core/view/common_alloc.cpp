// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// common_view_alloc_prop: the element type for results that are computed from several Views.
#include <hpk/view/common_alloc.hpp>

#include <support/spaces.hpp>

#include <type_traits>

namespace view_common_alloc_test {
namespace {

using hpk::HostSpace;
using hpk::View;

template <class... Views>
using common_of = typename decltype(hpk::common_view_alloc_prop(Views()...))::value_type;
static_assert(std::is_same_v<common_of<View<const int*>>, int>);
static_assert(std::is_same_v<common_of<View<int*>, View<const double**, HostSpace>>, double>);
static_assert(std::is_same_v<common_of<View<short>, View<char*>, View<float[3]>>, float>);

TEST(CommonViewAlloc, makes_a_view_of_the_common_type) {
  const View<int*, HostSpace> a("a", 3);
  const View<const double*, HostSpace> b(hpk::view_alloc("b", hpk::WithoutInitializing), 3);
  const auto common = hpk::common_view_alloc_prop(a, b);
  using value = decltype(common)::value_type;
  static_assert(std::is_same_v<decltype(common)::scalar_array_type, value>);
  const View<value*, HostSpace> c(hpk::view_alloc(common, "c"), 3);
  static_assert(std::is_same_v<value, double>);
  EXPECT_EQ(c.label(), "c");
  EXPECT_EQ(c(2), 0.0);
  const auto properties = hpk::view_alloc(hpk::WithoutInitializing, "d", common);
  EXPECT_FALSE(properties.initialize);
}

}  // namespace
}  // namespace view_common_alloc_test
