// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What View reads from the template arguments after the first: layout, space, memory traits, each
// optional, and the defaults that result.
#include <hpk/view/traits.hpp>

#include <support/spaces.hpp>

namespace view_traits_test {
namespace {

using hpk::HostSpace;
using hpk::View;
using unmanaged = hpk::MemoryTraits<hpk::Unmanaged>;

using plain = View<double*>;
static_assert(std::is_same_v<plain::execution_space, hpk::DefaultExecutionSpace>);
static_assert(std::is_same_v<plain::memory_space, hpk::DefaultExecutionSpace::memory_space>);
static_assert(std::is_same_v<plain::array_layout, hpk::DefaultExecutionSpace::array_layout>);
static_assert(!plain::memory_traits::is_unmanaged);

static_assert(std::is_same_v<plain::element_type, double>);
static_assert(std::is_same_v<View<const double*>::element_type, const double>);
static_assert(std::is_same_v<plain::size_type, std::size_t>);
static_assert(std::is_same_v<plain::index_type, std::int64_t>);
static_assert(hpk::is_view<plain>::value && hpk::is_view<const plain>::value);
static_assert(!hpk::is_view<plain&>::value && !hpk::is_view<double>::value);

using by_memory = View<double*, HostSpace>;
static_assert(std::is_same_v<by_memory::execution_space, hpk::DefaultHostExecutionSpace>);
static_assert(std::is_same_v<by_memory::memory_space, HostSpace>);
static_assert(std::is_same_v<by_memory::array_layout, hpk::LayoutRight>);

using all = View<double*, hpk::LayoutLeft, HostSpace, unmanaged>;
static_assert(std::is_same_v<all::array_layout, hpk::LayoutLeft>);
static_assert(std::is_same_v<all::memory_traits, unmanaged>);
static_assert(std::is_same_v<View<double*, void, HostSpace>::memory_space, HostSpace>,
              "void is skipped");
static_assert(View<double*, unmanaged>::memory_traits::is_unmanaged, "layout and space left out");
static_assert(std::is_same_v<View<double*, hpk::LayoutStride>::array_layout, hpk::LayoutStride>);

template <class Exec>
class ViewTraits : public testing::Test {};
TYPED_TEST_SUITE(ViewTraits, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(ViewTraits, an_execution_space_brings_its_memory_and_layout) {
  using view = View<double**, TypeParam>;
  static_assert(std::is_same_v<typename view::execution_space, TypeParam>);
  static_assert(std::is_same_v<typename view::memory_space, typename TypeParam::memory_space>);
  static_assert(std::is_same_v<typename view::array_layout, typename TypeParam::array_layout>);
  static_assert(std::is_same_v<typename view::device_type, typename TypeParam::device_type>);
  EXPECT_EQ(view("two by three", 2, 3).size(), 6u);
}

HPK_TYPED_TEST(ViewTraits, a_device_is_taken_at_its_word) {
  using device = hpk_test::shared_device<TypeParam>;
  using view = View<double**, hpk::LayoutLeft, device>;
  static_assert(std::is_same_v<typename view::device_type, device>);
  EXPECT_EQ(view("columns", 2, 3).stride(0), 1u);
}

HPK_TYPED_TEST(ViewTraits, host_mirror_keeps_layout_and_drops_const_and_traits) {
  using view =
      View<const double**, hpk::LayoutLeft, TypeParam, hpk::MemoryTraits<hpk::RandomAccess>>;
  using mirror = typename view::host_mirror_type;
  static_assert(std::is_same_v<typename mirror::data_type, double**>);
  static_assert(std::is_same_v<typename mirror::array_layout, hpk::LayoutLeft>);
  static_assert(std::is_same_v<typename mirror::memory_space, HostSpace>);
  static_assert(std::is_same_v<typename mirror::execution_space, hpk::DefaultHostExecutionSpace>);
  static_assert(!mirror::memory_traits::is_random_access);
  static_assert(std::is_same_v<typename view::HostMirror, mirror>);
  EXPECT_EQ(mirror().rank(), 2u);
}

}  // namespace
}  // namespace view_traits_test
