// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The padded layouts of mdspan: their strides, conversions to and from unpadded layouts and Views,
// submdspans, and Views that are allocated with padded rows.
#include <hpk/view/padded_layout.hpp>

#include <hpk/core.hpp>

#include <support/spaces.hpp>

#include <type_traits>

namespace view_padded_layout_test {

using hpk::dextents;
using hpk::Experimental::layout_left_padded;
using hpk::Experimental::layout_right_padded;
using cube = dextents<int, 3>;
template <std::size_t Padding, class Extents = cube>
using left = typename layout_left_padded<Padding>::template mapping<Extents>;
template <std::size_t Padding, class Extents = cube>
using right = typename layout_right_padded<Padding>::template mapping<Extents>;
constexpr std::size_t dyn = hpk::dynamic_extent;

// Strides.
constexpr bool has_strides(const auto& mapping, int s0, int s1, int s2) {
  return mapping.stride(0) == s0 && mapping.stride(1) == s1 && mapping.stride(2) == s2;
}
static_assert(has_strides(left<4>(cube(5, 3, 2)), 1, 8, 24));
static_assert(has_strides(left<4>(cube(8, 3, 2)), 1, 8, 24));
static_assert(has_strides(right<4>(cube(2, 3, 5)), 24, 8, 1));
static_assert(has_strides(left<dyn>(cube(5, 3, 2)), 1, 5, 15), "no padding");
static_assert(has_strides(left<dyn>(cube(5, 3, 2), 7), 1, 7, 21));
static_assert(has_strides(right<dyn>(cube(2, 3, 5), 3u), 18, 6, 1));
static_assert(left<4>(cube(5, 3, 2))(4, 2, 1) == 4 + 16 + 24);
static_assert(left<4>(cube(5, 3, 2)).required_span_size() == 45);
static_assert(!left<4>(cube(5, 3, 2)).is_exhaustive() && left<4>(cube(8, 3, 2)).is_exhaustive());
static_assert(left<4>::padding_value == 4 && layout_right_padded<>::padding_value == dyn);
static_assert(std::is_same_v<left<4>::layout_type, layout_left_padded<4>>);
static_assert(left<4, hpk::extents<int, 5, 2>>().stride(1) == 8, "fixed extents are padded");
static_assert(left<4, dextents<int, 1>>(dextents<int, 1>(5)).required_span_size() == 5);
static_assert(right<4, hpk::extents<int>>()() == 0);

// Conversions.
using plain = hpk::layout_left::mapping<cube>;
static_assert(std::is_convertible_v<plain, left<dyn>> && std::is_convertible_v<left<4>, plain>);
static_assert(std::is_convertible_v<left<4>, left<dyn>>);
static_assert(!std::is_convertible_v<right<4>, left<dyn>>);
static_assert(std::is_convertible_v<left<4>, hpk::layout_stride::mapping<cube>>);
static_assert(!std::is_convertible_v<hpk::layout_stride::mapping<cube>, left<dyn>>);
static_assert(has_strides(plain(left<4>(cube(5, 3, 2))), 1, 8, 24), "the padding is kept");

template <class Layout>
using span2 = hpk::mdspan<int, dextents<int, 2>, Layout>;
using left_view = hpk::View<int**, hpk::LayoutLeft, hpk::HostSpace>;
static_assert(std::is_convertible_v<left_view, span2<layout_left_padded<>>>);
static_assert(std::is_convertible_v<span2<layout_left_padded<4>>, left_view>);
static_assert(!std::is_convertible_v<left_view, span2<layout_right_padded<>>>);

TEST(PaddedLayout, goes_to_views_and_back) {
  int memory[40] = {};
  const span2<layout_left_padded<4>> span(memory, 5, 3);
  span(4, 2) = 9;
  const left_view view = span;
  EXPECT_EQ(view.stride(1), 8u);
  EXPECT_EQ(view(4, 2), 9);
  const span2<layout_left_padded<>> back = view;
  EXPECT_EQ(back.stride(1), 8);
  const auto wrapped = hpk::as_view(span);
  static_assert(std::is_same_v<decltype(wrapped)::array_layout, hpk::LayoutLeft>);
  EXPECT_EQ(&wrapped(4, 2), memory + 20);
  const auto rows = hpk::submdspan(span, hpk::pair<int, int>(1, 3), hpk::full_extent);
  static_assert(std::is_same_v<decltype(rows)::layout_type, hpk::layout_left>);
  const span2<layout_left_padded<>> padded_rows = rows;
  EXPECT_EQ(&padded_rows(1, 2), memory + 18);
}

TEST(PaddedLayout, of_views_pads_their_rows) {
  using hpk::Experimental::Accessor;
  using view = hpk::View<int, dextents<int, 3>, layout_right_padded<8>,
                         Accessor<int, hpk::HostSpace, hpk::MemoryTraits<>>>;
  static_assert(std::is_same_v<view::array_layout, hpk::LayoutRight>);
  const view a("a", 2, 3, 5);
  EXPECT_EQ(a.stride(1), 8u);
  EXPECT_EQ(a.stride(0), 24u);
  EXPECT_EQ(view("b", 2, 3, 8).stride(1), 8u);
  int memory[64] = {};
  EXPECT_EQ(view(memory, dextents<int, 3>(2, 2, 9)).stride(0), 32u);
  using unpadded = hpk::View<int, dextents<std::size_t, 2>, layout_left_padded<>, hpk::HostSpace>;
  EXPECT_EQ(unpadded("c", 5, 3).stride(1), 5u);
}

}  // namespace view_padded_layout_test
