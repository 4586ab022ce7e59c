// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deep_copy of every pair of layouts (right, left, any strides, padded rows, and a layout of the
// program), in every rank, to the same element type and to another one. Also layouts of the program
// in kernels, mirrors and resize.
#include <hpk/core.hpp>

#include <support/elements.hpp>

#include <atomic>

#include "../../../example/own_layout/layouts.hpp"

namespace view_copy_layouts_test {
// Host memory that counts its blocks.
struct CountedSpace : hpk::seam::memory_space_base<CountedSpace, hpk::DefaultHostExecutionSpace> {
  static constexpr const char* name() noexcept { return "Counted"; }
  static inline std::atomic<int> blocks{0};
};
}  // namespace view_copy_layouts_test

template <>
class hpk::seam::memory<view_copy_layouts_test::CountedSpace> : public memory<HostSpace> {
 public:
  static void* allocate(std::size_t bytes, std::size_t align) noexcept {
    ++view_copy_layouts_test::CountedSpace::blocks;
    return memory<HostSpace>::allocate(bytes, align);
  }
};

namespace view_copy_layouts_test {
namespace {

using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;
using hpk_test::stars;
using hpk_test::tuple8;
using own::LayoutMorton;
using tiled = own::LayoutTiled<2>;

const tuple8 extents = {4, 3, 2, 3, 1, 2, 3, 2};

// Gaps after each row, each plane, and so on.
template <int Rank>
LayoutStride with_gaps() {
  LayoutStride layout;
  std::size_t next = 2;
  for (std::size_t r = 0; r != Rank; ++r) {
    layout.dimension[r] = extents[r];
    layout.stride[r] = next;
    next = next * extents[r] + 1;
  }
  return layout;
}
template <int Rank, class Layout>
Layout plain_or_padded(bool padded) {
  Layout layout;
  for (std::size_t r = 0; r != Rank; ++r) layout.dimension[r] = extents[r];
  if (padded && Rank >= 2) layout.stride = 5;
  return layout;
}

template <class T, int Rank, class Layout>
View<stars<T, Rank>, Layout, hpk::HostSpace> make(const char* label, bool padded) {
  if constexpr (std::is_same_v<Layout, LayoutStride>) {
    return View<stars<T, Rank>, Layout, hpk::HostSpace>(label, with_gaps<Rank>());
  } else {
    return View<stars<T, Rank>, Layout, hpk::HostSpace>(label,
                                                        plain_or_padded<Rank, Layout>(padded));
  }
}

template <class To, class ToLayout, class FromLayout, int Rank>
void copy_one() {
  for (const bool padded : {false, true}) {
    const auto from = make<int, Rank, FromLayout>("from", padded);
    hpk_test::number_elements(from, 1);
    for (const bool to_padded : {false, true}) {
      const auto to = make<To, Rank, ToLayout>("to", to_padded);
      hpk::deep_copy(to, from);
      EXPECT_EQ(hpk_test::count_differences(to, from), 0u) << "rank " << Rank;
      hpk::deep_copy(to, 7);
      EXPECT_EQ(hpk_test::value_at(hpk::View<const To, hpk::HostSpace>(to.data())), 7);
    }
  }
}

template <class To, class ToLayout, class FromLayout>
void copy_ranks() {
  [&]<int... Ranks>(std::integer_sequence<int, Ranks...>) {
    (copy_one<To, ToLayout, FromLayout, Ranks>(), ...);
  }(std::make_integer_sequence<int, 9>());
}

template <class Layout>
class CopyFrom : public testing::Test {};
using layouts = testing::Types<LayoutRight, LayoutLeft, LayoutStride, tiled>;
TYPED_TEST_SUITE(CopyFrom, layouts);

TYPED_TEST(CopyFrom, to_right) { copy_ranks<int, LayoutRight, TypeParam>(); }
TYPED_TEST(CopyFrom, to_left) { copy_ranks<int, LayoutLeft, TypeParam>(); }
TYPED_TEST(CopyFrom, to_strides) { copy_ranks<int, LayoutStride, TypeParam>(); }
TYPED_TEST(CopyFrom, to_an_own_layout) { copy_ranks<int, tiled, TypeParam>(); }
TYPED_TEST(CopyFrom, to_right_of_double) { copy_ranks<double, LayoutRight, TypeParam>(); }
TYPED_TEST(CopyFrom, to_left_of_double) { copy_ranks<double, LayoutLeft, TypeParam>(); }
TYPED_TEST(CopyFrom, to_strides_of_double) { copy_ranks<double, LayoutStride, TypeParam>(); }
TYPED_TEST(CopyFrom, to_an_own_layout_of_double) { copy_ranks<double, tiled, TypeParam>(); }

// If one space can access both sides, a copy allocates no memory, for any layouts and types.
TEST(DeepCopyCounted, takes_no_memory) {
  const View<int**, LayoutRight, CountedSpace> from(hpk::view_alloc("from", hpk::AllowPadding), 40,
                                                    50);
  View<int**, LayoutLeft, CountedSpace> turned("turned", 40, 50);
  const View<double**, LayoutStride, CountedSpace> gaps("gaps", LayoutStride(40, 200, 50, 2));
  const View<int**, LayoutRight, CountedSpace> same("same", 40, 50);
  const int before = CountedSpace::blocks;
  EXPECT_EQ(before, 4);
  hpk_test::number_elements(from, 1);
  hpk::deep_copy(turned, from);
  hpk::deep_copy(gaps, turned);
  hpk::deep_copy(hpk::DefaultHostExecutionSpace(), same, gaps);
  hpk::fence();
  EXPECT_EQ(hpk_test::count_differences(same, from), 0u);
  hpk::deep_copy(turned, 3);
  EXPECT_EQ(CountedSpace::blocks, before);
  hpk::resize(turned, 41, 50);
  EXPECT_EQ(CountedSpace::blocks, before + 1);
}

template <class Exec>
class OwnLayout : public testing::Test {};
TYPED_TEST_SUITE(OwnLayout, hpk_test::spaces, hpk_test::space_names);

template <class Exec, class Layout>
void use_layout() {
  constexpr int n = 37;
  const View<int**, Layout, Exec> view("view", n, n + 3);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i) {
        for (int j = 0; j < n + 3; ++j) view(i, j) = 100 * i + j;
      });
  const auto mirror = hpk::create_mirror_view_and_copy(hpk::HostSpace(), view);
  static_assert(std::is_same_v<typename decltype(mirror)::array_layout, Layout>);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n + 3; ++j) wrong += mirror(i, j) != 100 * i + j;
  }
  EXPECT_EQ(wrong, 0);
  auto resized = view;
  hpk::resize(resized, 50, 20);
  const View<int**, LayoutRight, hpk::HostSpace> seen("seen", 50, 20);
  hpk::deep_copy(seen, resized);
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < 20; ++j) wrong += seen(i, j) != (i < n ? 100 * i + j : 0);
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(resized.label(), "view");
  const View<const int**, Layout, Exec> reading = view;
  EXPECT_TRUE(reading == view);
  using view_type = View<int**, Layout, Exec>;
  EXPECT_EQ(view_type::required_allocation_size(4, 4), 64u);
}

HPK_TYPED_TEST(OwnLayout, works_in_kernels_mirrors_and_resize) {
  use_layout<TypeParam, LayoutMorton>();
  use_layout<TypeParam, tiled>();
}

// Whether the layout is one-to-one for every small shape.
template <class Layout, class List>
constexpr bool one_to_one(std::size_t most) {
  constexpr int rank = List::rank;
  tuple8 choices{};
  for (int r = 0; r < rank; ++r) choices[static_cast<std::size_t>(r)] = most + 1;
  bool right = true;
  hpk_test::for_each_index(rank, choices, true, [&](const tuple8& shape) {
    hpk::detail::mapping<Layout, List> map;
    for (int r = 0; r < rank; ++r)
      map.set(r, static_cast<hpk::index_t>(shape[static_cast<std::size_t>(r)]));
    bool seen[512] = {};
    hpk::index_t count = 0;
    hpk_test::for_each_index(rank, shape, true, [&](const tuple8& index) {
      const hpk::index_t at =
          hpk_test::spread<rank>(index, [&](auto... is) { return map.offset(is...); });
      right = right && at >= 0 && at < map.span() && at < 512 && !seen[at];
      if (right) seen[at] = true;
      ++count;
    });
    right = right && map.is_contiguous() == (map.span() == count) && map.size() == count;
  });
  return right;
}
constexpr auto dyn = hpk::detail::dynamic;
using hpk::detail::extent_list;
static_assert(one_to_one<LayoutMorton, extent_list<dyn>>(9));
static_assert(one_to_one<LayoutMorton, extent_list<dyn, dyn>>(5));
static_assert(one_to_one<LayoutMorton, extent_list<dyn, dyn, dyn>>(3));
static_assert(one_to_one<tiled, extent_list<dyn>>(7));
static_assert(one_to_one<tiled, extent_list<dyn, dyn>>(5));
static_assert(one_to_one<own::LayoutTiled<3>, extent_list<dyn, dyn, dyn>>(4));

}  // namespace
}  // namespace view_copy_layouts_test
