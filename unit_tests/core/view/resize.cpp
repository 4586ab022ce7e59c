// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// resize keeps the elements in both old and new extents, realloc drops all. Labels stay, other
// Views keep the old memory, and equal extents cause no allocation.
#include <hpk/view/resize.hpp>

#include <hpk/core.hpp>

#include <support/counting_space.hpp>
#include <support/elements.hpp>

#include <algorithm>
#include <string>

namespace view_resize_test {
namespace {

using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;
using hpk::WithoutInitializing;
using hpk_test::contains;
using hpk_test::on_host;
using hpk_test::tuple8;
using hpk_test::value_at;

template <class Exec>
class Resize : public testing::Test {};
TYPED_TEST_SUITE(Resize, hpk_test::spaces, hpk_test::space_names);

// Tests with elements that own host memory.
template <class Exec>
class ResizeOnHost : public testing::Test {};
TYPED_TEST_SUITE(ResizeOnHost, hpk_test::host_spaces, hpk_test::space_names);

template <class Device>
class ResizeInMemory : public testing::Test {};
TYPED_TEST_SUITE(ResizeInMemory, hpk_test::devices, hpk_test::device_names);

template <class V>
void resize_to(V& view, const tuple8& extents) {
  hpk_test::spread<static_cast<int>(V::rank())>(extents,
                                                [&](auto... ns) { hpk::resize(view, ns...); });
}

// Elements in both extents keep their values, new elements are zero.
template <class Exec, class Layout, int Rank>
void check_resize() {
  using view = View<hpk_test::stars<int, Rank>, Layout, Exec>;
  const tuple8 old_extents = {3, 4, 2, 3, 2, 1, 2, 2};
  for (const tuple8& extents : {tuple8{5, 4, 2, 3, 2, 1, 2, 2}, tuple8{2, 6, 1, 4, 2, 2, 1, 3},
                                tuple8{1, 1, 1, 1, 1, 1, 1, 1}, tuple8{4, 0, 2, 2, 2, 2, 2, 2}}) {
    auto view_now = hpk_test::make_view<view>("kept", old_extents);
    hpk_test::number_elements(view_now, 1);
    const view alias = view_now;
    resize_to(view_now, extents);
    EXPECT_EQ(view_now.label(), "kept");
    EXPECT_EQ(view_now.use_count(), 1);
    EXPECT_EQ(alias.use_count(), 1);
    EXPECT_NE(alias.data(), view_now.data());
    for (int r = 0; r < Rank; ++r)
      ASSERT_EQ(view_now.extent(static_cast<std::size_t>(r)), extents[r]);
    const auto now = on_host(view_now);
    const auto before = on_host(alias);
    hpk_test::for_each_index(Rank, extents, true, [&](const tuple8& index) {
      bool common = true;
      for (int r = 0; r < Rank; ++r) common = common && index[r] < old_extents[r];
      ASSERT_EQ(hpk_test::element(now, index), common ? hpk_test::element(before, index) : 0);
    });
  }
}

HPK_TYPED_TEST(Resize, keeps_common_elements) {
  check_resize<TypeParam, LayoutRight, 3>();
  check_resize<TypeParam, LayoutLeft, 3>();
}

// If a View is the only owner when it grows, its old memory is freed. Another View of the old
// memory keeps it and its elements.
HPK_TYPED_TEST(Resize, three_times_with_another_handle_at_the_last) {
  View<int** [4], TypeParam> first("grows", 10, 5);
  hpk_test::number_elements(first, 1);
  hpk::resize(first, 20, 5);
  EXPECT_EQ(first.use_count(), 1);
  EXPECT_EQ(value_at(first, 9, 4, 3), 200);
  EXPECT_EQ(value_at(first, 10, 0, 0), 0);
  const View<int** [4], TypeParam> second = first;
  hpk::resize(first, 30, 6);
  EXPECT_EQ(hpk_test::extents_of(first), (tuple8{30, 6, 4, 1, 1, 1, 1, 1}));
  EXPECT_EQ(hpk_test::extents_of(second), (tuple8{20, 5, 4, 1, 1, 1, 1, 1}));
  EXPECT_EQ(first.use_count(), 1);
  EXPECT_EQ(second.use_count(), 1);
  hpk::deep_copy(first, -1);
  EXPECT_EQ(value_at(second, 9, 4, 3), 200);
  EXPECT_EQ(value_at(second, 19, 4, 3), 0);
}

template <class Exec>
class ResizeRanks : public testing::Test {};
// One host space is enough here, because the space does not affect the order of elements.
TYPED_TEST_SUITE(ResizeRanks, hpk_test::one_host_space_and_devices, hpk_test::space_names);

HPK_TYPED_TEST(ResizeRanks, every_rank) {
  using exec = TypeParam;
  [&]<int... Ranks>(std::integer_sequence<int, Ranks...>) {
    (check_resize<exec, LayoutRight, Ranks + 1>(), ...);
    (check_resize<exec, LayoutLeft, Ranks + 1>(), ...);
  }(std::make_integer_sequence<int, 8>());
}

HPK_TYPED_TEST(Resize, to_the_same_extents_does_nothing) {
  View<int** [3], TypeParam> view("same", 4, 5);
  hpk::deep_copy(view, 7);
  const View<int** [3], TypeParam> alias = view;
  hpk::resize(view, 4, 5);
  EXPECT_EQ(view.data(), alias.data());
  hpk::resize(WithoutInitializing, view, 4, 5);
  EXPECT_EQ(view.data(), alias.data());
  hpk::resize(view, view.layout());
  EXPECT_EQ(view.data(), alias.data());
  EXPECT_EQ(value_at(view, 3, 4, 2), 7);
}

HPK_TYPED_TEST(Resize, large_views_on_an_instance) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    View<double**, TypeParam> view("large", 200, 200);
    hpk_test::number_elements(view, 1);
    hpk::resize(exec, view, 300, 250);
    exec.fence();
    const auto found = on_host(view);
    std::size_t wrong = 0;
    for (int i = 0; i < 300; ++i) {
      for (int j = 0; j < 250; ++j)
        wrong += found(i, j) == (i < 200 && j < 200 ? 200 * i + j + 1 : 0) ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0u);
    hpk::resize(hpk::view_alloc(exec, WithoutInitializing), view, 10, 10);
    exec.fence();
    EXPECT_EQ(value_at(view, 9, 9), 200 * 9 + 10);
  }
}

HPK_TYPED_TEST(Resize, strided_views_by_layout) {
  View<int**, LayoutStride, TypeParam> view("strided", LayoutStride(3, 10, 4, 2));
  hpk_test::number_elements(view, 1);
  hpk::resize(view, LayoutStride(4, 1, 3, 4));
  EXPECT_EQ(view.stride(0), 1u);
  EXPECT_EQ(value_at(view, 2, 2), 11);
  EXPECT_EQ(value_at(view, 3, 0), 0);
  // Equal extents with other strides are another layout.
  const View<int**, LayoutStride, TypeParam> alias = view;
  hpk::resize(view, LayoutStride(4, 3, 3, 1));
  EXPECT_NE(view.data(), alias.data());
  EXPECT_EQ(value_at(view, 2, 2), 11);
}

HPK_TYPED_TEST(Resize, of_a_default_constructed_view_allocates) {
  View<int*, TypeParam> view;
  hpk::resize(view, 5);
  EXPECT_EQ(view.extent(0), 5u);
  EXPECT_EQ(value_at(view, 4), 0);
  View<int*, TypeParam> empty;
  hpk::resize(empty, 0);
  EXPECT_TRUE(empty.is_allocated());
}

HPK_TYPED_TEST(ResizeOnHost, of_strings) {
  View<std::string*, TypeParam> view("strings", 3);
  hpk::deep_copy(view, std::string(50, 'x'));
  hpk::resize(view, 5);
  EXPECT_EQ(view(2).size(), 50u);
  EXPECT_EQ(view(4), "");
  hpk::resize(view, 1);
  EXPECT_EQ(view(0).size(), 50u);
}

HPK_TYPED_TEST(Resize, keeps_the_view_when_there_is_no_memory) {
  View<double*, TypeParam> view("survives", 5);
  hpk::deep_copy(view, 3);
  EXPECT_TRUE(contains(hpk_test::error_of([&] { hpk::resize(view, 1L << 58); }), "\"survives\""));
  EXPECT_EQ(view.extent(0), 5u);
  EXPECT_EQ(value_at(view, 4), 3);
}

HPK_TYPED_TEST(Resize, realloc_drops_the_elements_and_keeps_the_label) {
  View<int**, LayoutLeft, TypeParam> view("fresh", 3, 4);
  hpk::deep_copy(view, 7);
  const View<int**, LayoutLeft, TypeParam> alias = view;
  hpk::realloc(view, 4, 5);
  EXPECT_EQ(view.label(), "fresh");
  EXPECT_EQ(alias.use_count(), 1);
  EXPECT_EQ(value_at(alias, 2, 3), 7);
  const auto found = on_host(view);
  EXPECT_TRUE(std::all_of(found.data(), found.data() + 20, [](int x) { return x == 0; }));
}

HPK_TYPED_TEST(Resize, realloc_to_the_same_extents_initialises_in_place) {
  View<int* [2], TypeParam> view("again", 3);
  hpk::deep_copy(view, 7);
  const View<int* [2], TypeParam> alias = view;
  hpk::realloc(WithoutInitializing, view, 3);
  EXPECT_EQ(view.data(), alias.data());
  EXPECT_EQ(value_at(view, 2, 1), 7);
  hpk::realloc(view, 3);
  EXPECT_EQ(view.data(), alias.data());
  EXPECT_EQ(value_at(alias, 2, 1), 0);
}

HPK_TYPED_TEST(Resize, realloc_by_layout_and_properties) {
  View<int**, LayoutStride, TypeParam> view("strided", LayoutStride(2, 3, 2, 1));
  hpk::realloc(view, LayoutStride(3, 8, 2, 3));
  EXPECT_EQ(view.stride(0), 8u);
  EXPECT_EQ(view.label(), "strided");
  View<int*, TypeParam> plain("plain", 3);
  hpk::realloc(hpk::view_alloc(TypeParam(), WithoutInitializing), plain, 9);
  EXPECT_EQ(plain.extent(0), 9u);
}

// realloc frees the old memory before it allocates the new memory.
TEST(Realloc, gives_its_share_back_first) {
  struct counted {
    counted() noexcept { highest() = std::max(highest(), ++live()); }
    ~counted() { --live(); }
    static int& live() {
      static int count = 0;
      return count;
    }
    static int& highest() {
      static int count = 0;
      return count;
    }
  };
  using sequential = View<counted*, HostSpace>;
  sequential view(hpk::view_alloc("counted", hpk::SequentialHostInit), 10);
  hpk::realloc(hpk::view_alloc(hpk::SequentialHostInit), view, 12);
  EXPECT_EQ(counted::highest(), 12);
  hpk::resize(hpk::view_alloc(hpk::SequentialHostInit), view, 11);
  EXPECT_EQ(counted::highest(), 23);
}

// Elements that are Views keep sharing ownership of their memory.
HPK_TYPED_TEST(Resize, of_views_shares_what_they_refer_to) {
  using device = hpk_test::shared_device<TypeParam>;
  using inner = View<int*, device>;
  View<inner*, device> outer(hpk::view_alloc("outer", hpk::SequentialHostInit), 50);
  for (int i = 0; i < 50; ++i) {
    outer(i) = inner("inner", 2);
    outer(i)(1) = i;
  }
  hpk::resize(hpk::view_alloc(hpk::SequentialHostInit), outer, 70);
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(outer(i).use_count(), 1);
    ASSERT_EQ(outer(i)(1), i);
  }
  EXPECT_EQ(outer(69).data(), nullptr);
}

// realloc drops the elements even if it keeps the memory.
HPK_TYPED_TEST(Resize, realloc_of_views_drops_what_they_refer_to) {
  using device = hpk_test::shared_device<TypeParam>;
  using inner = View<int*, device>;
  const inner shared("inner", 2);
  View<inner*, device> outer(hpk::view_alloc("outer", hpk::SequentialHostInit), 5);
  for (const int n : {5, 7, 7}) {
    outer(3) = shared;
    hpk::realloc(hpk::view_alloc(hpk::SequentialHostInit), outer, n);
    EXPECT_EQ(outer.extent_int(0), n);
    EXPECT_FALSE(outer(3).is_allocated());
    EXPECT_EQ(shared.use_count(), 1);
  }
}

TEST(ResizeByLayout, allocates_what_was_not_allocated) {
  View<int**, LayoutLeft, HostSpace> view;
  hpk::resize(view, LayoutLeft(0, 0));
  EXPECT_NE(view.data(), nullptr);
  hpk::resize(view, LayoutLeft(2, 3));
  EXPECT_EQ(view.size(), 6u);
}

HPK_TYPED_TEST(Resize, to_the_same_fixed_extents_does_nothing) {
  View<int** [3], TypeParam> view("same", 4, 5);
  hpk::deep_copy(view, 7);
  const View<int** [3], TypeParam> alias = view;
  hpk::resize(view, 4, 5, 3);
  EXPECT_EQ(view.data(), alias.data());
  EXPECT_EQ(value_at(view, 3, 4, 2), 7);
}

HPK_TYPED_TEST(Resize, by_layout_with_a_tag_an_instance_or_properties) {
  using view_type = View<int**, LayoutStride, TypeParam>;
  const LayoutStride rows(4, 3, 3, 1);
  const LayoutStride columns(4, 1, 3, 4);
  view_type view("strided", LayoutStride(3, 10, 4, 2));
  hpk_test::number_elements(view, 1);
  hpk::resize(WithoutInitializing, view, rows);
  EXPECT_TRUE(view.layout() == rows);
  EXPECT_EQ(value_at(view, 2, 2), 11);
  hpk::resize(TypeParam(), view, columns);
  TypeParam().fence();
  EXPECT_TRUE(view.layout() == columns);
  EXPECT_EQ(value_at(view, 2, 2), 11);
  hpk::resize(hpk::view_alloc(TypeParam(), WithoutInitializing), view, rows);
  TypeParam().fence();
  EXPECT_TRUE(view.layout() == rows);
  EXPECT_EQ(value_at(view, 2, 2), 11);
  hpk::realloc(hpk::view_alloc(TypeParam()), view, columns);
  TypeParam().fence();
  EXPECT_TRUE(view.layout() == columns);
  EXPECT_EQ(value_at(view, 2, 2), 0);
  hpk::realloc(WithoutInitializing, view, rows);
  EXPECT_TRUE(view.layout() == rows);
  EXPECT_EQ(view.label(), "strided");
}

// The last handle of the old memory may end before the instance has copied from it.
HPK_TYPED_TEST(ResizeInMemory, on_an_instance_keeps_the_old_memory_until_it_is_copied) {
  using exec_type = typename TypeParam::execution_space;
  const auto exec = hpk_test::new_instance<exec_type>();
  View<int**, TypeParam> view(hpk::view_alloc("many times", exec), 10, 20);
  hpk::deep_copy(exec, view, 1);
  for (int n = 11; n < 60; ++n) hpk::resize(exec, view, n, 20);
  hpk::resize(hpk::view_alloc(exec, WithoutInitializing), view, 20, 19);
  exec.fence();
  EXPECT_EQ(view.use_count(), 1);
  const auto found = on_host(view);
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 19; ++j) ASSERT_EQ(found(i, j), i < 10 ? 1 : 0);
  }
}

HPK_TYPED_TEST(ResizeInMemory, follows_kernels_that_still_write) {
  using exec_type = typename TypeParam::execution_space;
  View<int*, TypeParam> view("written", 50'000);
  for (int round = 1; round < 5; ++round) {
    const auto n = static_cast<int>(view.extent(0));
    const View<int*, TypeParam> writes = view;
    hpk::parallel_for(
        hpk::RangePolicy<exec_type>(0, n), HPK_LAMBDA(int i) { writes(i) = round * i; });
    hpk::resize(view, n + 1);
    EXPECT_EQ(value_at(view, n - 1), round * (n - 1));
    EXPECT_EQ(value_at(view, n), 0);
  }
  // Memory that a kernel still uses is freed when the kernel is done.
  const auto n = static_cast<int>(view.extent(0));
  const View<int, TypeParam> sum("sum");
  hpk::parallel_for(
      hpk::RangePolicy<exec_type>(0, n),
      HPK_LAMBDA(int i) { hpk::atomic_add(&sum(), view(i) == 4 * i ? 1 : 0); });
  hpk::realloc(view, 7);
  EXPECT_EQ(value_at(sum), n - 1);
  EXPECT_EQ(value_at(view, 6), 0);
}

using hpk_test::Counting;
using hpk_test::fence_counts;

TEST(ResizeFences, a_global_one_at_the_end_without_an_instance) {
  View<int**, Counting> view("view", 3, 4);
  hpk_test::number_elements(view, 1);
  {
    // The fence of the instance is for the new elements.
    const fence_counts counts;
    hpk::resize(view, 5, 6);
    EXPECT_EQ(counts.of_instance(), 1);
    EXPECT_EQ(counts.global(), 1);
  }
  {
    const fence_counts counts;
    hpk::resize(WithoutInitializing, view, 4, 4);
    EXPECT_TRUE(counts.only_global(1));
  }
  {
    const fence_counts counts;
    hpk::resize(view, LayoutRight(4, 4));
    EXPECT_TRUE(counts.only(0)) << "nothing happens";
  }
  EXPECT_EQ(view(2, 3), 12);
}

TEST(ResizeFences, none_with_an_instance) {
  View<int**, Counting> view("view", 3, 4);
  hpk_test::number_elements(view, 1);
  const Counting exec(hpk::NewInstance{});
  const fence_counts counts(exec);
  hpk::resize(exec, view, 5, 6);
  hpk::resize(exec, view, LayoutRight(4, 5));
  hpk::resize(hpk::view_alloc(exec, WithoutInitializing), view, 6, 6);
  EXPECT_EQ(view(2, 3), 12);
  hpk::realloc(hpk::view_alloc(exec), view, 3, 3);
  hpk::realloc(hpk::view_alloc(exec), view, 3, 3);
  EXPECT_TRUE(counts.only(0));
  EXPECT_EQ(view(2, 2), 0);
}

}  // namespace
}  // namespace view_resize_test
