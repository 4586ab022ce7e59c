// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the template arguments of View after the first determine: layout, space and memory traits,
// each optional, and the resulting defaults.
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

// Types of View::traits, and of ViewTraits without a View.
using hpk::LayoutLeft;
using hpk::LayoutRight;
using asked = hpk::ViewTraits<const int** [3], LayoutLeft, HostSpace,
                              hpk::MemoryTraits<hpk::Unmanaged | hpk::RandomAccess>>;
using asked_view = View<const int** [3], LayoutLeft, HostSpace,
                        hpk::MemoryTraits<hpk::Unmanaged | hpk::RandomAccess>>;
static_assert(std::is_same_v<asked_view::traits, asked>);
static_assert(asked::rank == 3 && asked::rank_dynamic == 2);
static_assert(asked::is_hostspace && !asked::is_managed && asked::is_random_access);
static_assert(hpk::ViewTraits<int*>::is_managed && !hpk::ViewTraits<int*>::is_random_access);
static_assert(std::is_same_v<asked::data_type, const int** [3]>);
static_assert(std::is_same_v<asked::non_const_data_type, int** [3]>);
static_assert(std::is_same_v<asked::runtime_data_type, const int***>);
static_assert(std::is_same_v<asked::value_type, const int> &&
              std::is_same_v<asked::non_const_value_type, int>);
static_assert(
    std::is_same_v<asked::device_type, hpk::Device<hpk::DefaultHostExecutionSpace, HostSpace>>);
static_assert(std::is_same_v<asked_view::rank_type, std::size_t>);
static_assert(std::is_same_v<asked_view::layout_type, LayoutLeft>);
static_assert(std::is_same_v<asked_view::reference, const int&>);
static_assert(std::is_same_v<asked_view::data_handle_type, const int*>);
static_assert(std::is_same_v<asked_view::host_mirror_space::memory_space, HostSpace>);
static_assert(
    std::is_same_v<asked_view::extents_type,
                   hpk::extents<hpk::index_t, hpk::dynamic_extent, hpk::dynamic_extent, 3>>);
static_assert(
    std::is_same_v<asked_view::mapping_type, LayoutLeft::mapping<asked_view::extents_type>>);
static_assert(std::is_same_v<asked_view::accessor_type, hpk::default_accessor<const int>>);
using atomic_view = View<int*, HostSpace, hpk::MemoryTraits<hpk::Atomic>>;
static_assert(std::is_same_v<atomic_view::reference, hpk::AtomicRef<int>>);
static_assert(std::is_same_v<atomic_view::accessor_type, hpk::atomic_accessor<int>>);

// The uniform type without the memory space is the same for Views of any memory.
using by_threes = View<int* [3], LayoutLeft, hpk::DefaultHostExecutionSpace>;
using anywhere = hpk::Device<hpk::DefaultHostExecutionSpace, hpk::AnonymousSpace>;
static_assert(std::is_same_v<by_threes::uniform_nomemspace_type,
                             View<int* [3], LayoutLeft, anywhere, hpk::MemoryTraits<>>>);
static_assert(std::is_same_v<by_threes::uniform_const_nomemspace_type,
                             View<const int* [3], LayoutLeft, anywhere, hpk::MemoryTraits<>>>);
static_assert(std::is_same_v<by_threes::uniform_runtime_nomemspace_type,
                             View<int**, LayoutLeft, anywhere, hpk::MemoryTraits<>>>);
static_assert(std::is_same_v<by_threes::uniform_runtime_const_nomemspace_type,
                             View<const int**, LayoutLeft, anywhere, hpk::MemoryTraits<>>>);
static_assert(std::is_convertible_v<by_threes, by_threes::uniform_runtime_const_nomemspace_type>);

// Views that differ only in spelling have the same uniform type.
template <class T, class Layout, class Traits = hpk::MemoryTraits<>>
using uniform_of = typename View<T, Layout, HostSpace, Traits>::uniform_type;
static_assert(std::is_same_v<uniform_of<int*, LayoutLeft>, uniform_of<int*, LayoutRight>>);
static_assert(std::is_same_v<uniform_of<int, LayoutLeft>, uniform_of<int, hpk::LayoutStride>>);
static_assert(!std::is_same_v<uniform_of<int**, LayoutLeft>, uniform_of<int**, LayoutRight>>);
static_assert(!std::is_same_v<uniform_of<int*, LayoutLeft>, uniform_of<int*, hpk::LayoutStride>>);
static_assert(std::is_same_v<uniform_of<int*, LayoutLeft, unmanaged>,
                             uniform_of<int*, LayoutLeft, hpk::MemoryRandomAccess>>);
static_assert(std::is_same_v<View<int*, HostSpace>::uniform_type,
                             View<int*, hpk::DefaultHostExecutionSpace>::uniform_type>);
static_assert(std::is_same_v<asked_view::uniform_type::uniform_type, asked_view::uniform_type>);
static_assert(std::is_same_v<asked_view::uniform_type::data_type, const int** [3]>);
static_assert(
    std::is_same_v<asked_view::non_const_type::uniform_const_type, asked_view::uniform_const_type>);
static_assert(std::is_same_v<asked_view::uniform_runtime_type::data_type, const int***>);
static_assert(
    std::is_same_v<View<int[2], HostSpace>::uniform_runtime_const_type::data_type, const int*>);

TEST(ViewUniform, is_what_a_view_converts_to) {
  const View<int* [17], LayoutRight, HostSpace, hpk::MemoryTraits<hpk::Aligned>> view("view", 3);
  const decltype(view)::uniform_type plain = view;
  const decltype(view)::uniform_const_type constants = view;
  const decltype(view)::uniform_runtime_type run_time = view;
  const decltype(view)::uniform_runtime_const_type both = view;
  EXPECT_EQ(view.use_count(), 5);
  view(2, 16) = 4;
  EXPECT_EQ(plain(2, 16) + constants(2, 16) + run_time(2, 16) + both(2, 16), 16);
  const View<int*, LayoutRight, HostSpace> line("line", 3);
  const decltype(line)::uniform_type left = line;
  static_assert(std::is_same_v<decltype(left)::array_layout, LayoutLeft>);
  EXPECT_EQ(&left(2), &line(2));
  const View<int, hpk::LayoutStride, HostSpace> scalar("scalar", hpk::LayoutStride());
  const decltype(scalar)::uniform_type one = scalar;
  EXPECT_EQ(one.data(), scalar.data());
}

// Layout, space and traits are each optional and keep their order.
template <class Layout, class Memory, class Traits, class V>
constexpr bool has_properties = std::is_same_v<typename V::array_layout, Layout> &&
                                std::is_same_v<typename V::memory_space, Memory> &&
                                std::is_same_v<typename V::memory_traits, Traits>;
namespace left_out {
using layout = hpk::LayoutLeft;
using none = hpk::MemoryTraits<>;
using exec = hpk::DefaultExecutionSpace;
using memory = exec::memory_space;
using own_layout = exec::array_layout;
using host_layout = hpk::DefaultHostExecutionSpace::array_layout;
static_assert(has_properties<own_layout, memory, none, View<int*>>);
static_assert(has_properties<own_layout, memory, unmanaged, View<int*, unmanaged>>);
static_assert(has_properties<host_layout, HostSpace, none, View<int*, HostSpace>>);
static_assert(has_properties<host_layout, HostSpace, unmanaged, View<int*, HostSpace, unmanaged>>);
static_assert(has_properties<layout, memory, none, View<int*, layout>>);
static_assert(has_properties<layout, memory, unmanaged, View<int*, layout, unmanaged>>);
static_assert(has_properties<layout, HostSpace, none, View<int*, layout, HostSpace>>);
static_assert(
    has_properties<layout, HostSpace, unmanaged, View<int*, layout, HostSpace, unmanaged>>);
}  // namespace left_out

// A View that names no space is a View of the default space.
static_assert(std::is_same_v<plain::device_type, View<double*, left_out::exec>::device_type> &&
              std::is_convertible_v<plain, View<double*, left_out::exec>> &&
              std::is_convertible_v<View<double*, left_out::memory>, plain>);

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
  using space = typename view::host_mirror_space;
  static_assert(std::is_same_v<space, HostSpace> && hpk::is_space_v<space>);
  static_assert(std::is_same_v<typename view::HostMirror, mirror>);
  EXPECT_EQ(mirror().rank(), 2u);
}

}  // namespace
}  // namespace view_traits_test
