// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exhaustive checks at compile time: for every shape with small extents, a layout maps indices
// one-to-one, in the order that its name promises, and consistently with its strides, size and
// span.
#include <hpk/view/mapping.hpp>

#include <support/shapes.hpp>
#include <support/test.hpp>

#include <type_traits>

namespace view_mapping_test {
namespace {

using hpk::index_t;
using hpk::detail::dynamic;
using hpk::detail::extent_list;
using hpk::detail::mapping;
using hpk_test::spread;
using hpk_test::tuple8;

template <int Rank>
struct all_dynamic;
template <>
struct all_dynamic<0> {
  using type = extent_list<>;
};
template <int Rank>
struct all_dynamic {
  using type = typename hpk::detail::prepend<dynamic, typename all_dynamic<Rank - 1>::type>::type;
};

template <class Map>
constexpr index_t offset_of(const Map& map, const tuple8& index) {
  return spread<Map::rank>(index, [&](auto... is) { return map.offset(is...); });
}

// Whether the offsets of all indices are 0, 1, 2, ... in the given order, and equal those by
// strides.
template <class Map>
constexpr bool counts_up(const Map& map, bool last_fastest) {
  tuple8 extents{};
  index_t size = 1;
  for (int r = 0; r < Map::rank; ++r) {
    extents[r] = static_cast<std::size_t>(map.extent(r));
    size *= map.extent(r);
  }
  bool right = map.size() == size && map.span() == size && map.is_contiguous();
  index_t next = 0;
  hpk_test::for_each_index(Map::rank, extents, last_fastest, [&](const tuple8& index) {
    index_t by_strides = 0;
    for (int r = 0; r < Map::rank; ++r)
      by_strides += static_cast<index_t>(index[r]) * map.stride(r);
    right = right && offset_of(map, index) == next && by_strides == next;
    ++next;
  });
  return right && next == size;
}

// Every shape with extents from 0 to `most` in the run-time dimensions.
template <class Layout, class List>
constexpr bool every_shape_counts_up(std::size_t most) {
  constexpr bool last_fastest = std::is_same_v<Layout, hpk::LayoutRight>;
  tuple8 choices{};
  for (int r = 0; r < List::rank; ++r) choices[r] = r < List::rank_dynamic ? most + 1 : 1;
  bool right = true;
  hpk_test::for_each_index(List::rank, choices, true, [&](const tuple8& shape) {
    mapping<Layout, List> map;
    for (int r = 0; r < List::rank_dynamic; ++r) map.set(r, static_cast<index_t>(shape[r]));
    for (int r = 0; r < List::rank; ++r)
      right = right && map.extent(r) == (r < List::rank_dynamic ? static_cast<index_t>(shape[r])
                                                                : List::values[r]);
    right = right && counts_up(map, last_fastest);
  });
  return right;
}

template <class List>
constexpr bool both_layouts_count_up(std::size_t most) {
  return every_shape_counts_up<hpk::LayoutRight, List>(most) &&
         every_shape_counts_up<hpk::LayoutLeft, List>(most);
}

static_assert(both_layouts_count_up<all_dynamic<0>::type>(0));
static_assert(both_layouts_count_up<all_dynamic<1>::type>(9));
static_assert(both_layouts_count_up<all_dynamic<2>::type>(5));
static_assert(both_layouts_count_up<all_dynamic<3>::type>(3));
static_assert(both_layouts_count_up<all_dynamic<4>::type>(2));
static_assert(both_layouts_count_up<all_dynamic<5>::type>(2));
static_assert(both_layouts_count_up<extent_list<4>>(0));
static_assert(both_layouts_count_up<extent_list<dynamic, 3>>(4));
static_assert(both_layouts_count_up<extent_list<2, 3, 4>>(0));
static_assert(both_layouts_count_up<extent_list<dynamic, dynamic, 2, 3>>(3));
static_assert(both_layouts_count_up<extent_list<dynamic, 1, 2, 1, 3>>(3));
static_assert(both_layouts_count_up<extent_list<dynamic, 0, 2>>(2));
static_assert(both_layouts_count_up<extent_list<2, 3, 2, 1, 2, 3, 2, 2>>(0));
static_assert(both_layouts_count_up<extent_list<dynamic, dynamic, 2, 1, 2, 1, 2, 2>>(2));

// Rows with a gap after each: distinct indices have distinct offsets, which equal those by strides,
// are inside the span, and include its last element.
template <class Layout, class List>
constexpr bool padded_is_one_to_one(std::size_t most) {
  tuple8 choices{};
  for (int r = 0; r < List::rank; ++r) choices[r] = r < List::rank_dynamic ? most + 1 : 1;
  bool right = true;
  for (index_t gap = 0; gap <= 3; ++gap) {
    hpk_test::for_each_index(List::rank, choices, true, [&](const tuple8& shape) {
      mapping<Layout, List> map;
      for (int r = 0; r < List::rank_dynamic; ++r) map.set(r, static_cast<index_t>(shape[r]));
      map.set_pitch(map.pitch() + gap);
      tuple8 extents{};
      for (int r = 0; r < List::rank; ++r) extents[r] = static_cast<std::size_t>(map.extent(r));
      bool seen[256] = {};
      index_t highest = -1;
      hpk_test::for_each_index(List::rank, extents, true, [&](const tuple8& index) {
        const index_t at = offset_of(map, index);
        index_t by_strides = 0;
        for (int r = 0; r < List::rank; ++r)
          by_strides += static_cast<index_t>(index[r]) * map.stride(r);
        right = right && at == by_strides && at >= 0 && at < 256 && !seen[at];
        if (right) seen[at] = true;
        if (at > highest) highest = at;
      });
      right = right && map.span() == highest + 1;
      right = right && map.is_contiguous() == (map.span() == map.size());
    });
  }
  return right;
}
static_assert(padded_is_one_to_one<hpk::LayoutRight, all_dynamic<2>::type>(4));
static_assert(padded_is_one_to_one<hpk::LayoutLeft, all_dynamic<2>::type>(4));
static_assert(padded_is_one_to_one<hpk::LayoutRight, all_dynamic<3>::type>(3));
static_assert(padded_is_one_to_one<hpk::LayoutLeft, all_dynamic<3>::type>(3));
static_assert(padded_is_one_to_one<hpk::LayoutLeft, extent_list<dynamic, dynamic, 2>>(3));

// Any order of dimensions and any gap between rows: distinct indices have distinct offsets inside
// the span, from its first to its last element.
template <int Rank>
constexpr bool strided_is_one_to_one(const tuple8& extents, const int* order, index_t gap) {
  mapping<hpk::LayoutStride, typename all_dynamic<Rank>::type> map;
  index_t next = 1;
  for (int position = 0; position < Rank; ++position) {
    for (int r = 0; r < Rank; ++r) {
      if (order[r] != position) continue;
      map.set(r, static_cast<index_t>(extents[r]));
      map.set_stride(r, next);
      next = next * static_cast<index_t>(extents[r]) + gap;
    }
  }
  bool seen[512] = {};
  bool right = map.span() <= 512;
  index_t highest = -1;
  index_t count = 0;
  hpk_test::for_each_index(Rank, extents, true, [&](const tuple8& index) {
    const index_t at = offset_of(map, index);
    right = right && at >= 0 && at < map.span() && !seen[at];
    if (right) seen[at] = true;
    if (at > highest) highest = at;
    ++count;
  });
  right = right && map.size() == count && map.span() == highest + 1;
  return right && map.is_contiguous() == (count == highest + 1);
}

template <int Rank>
constexpr bool every_order_is_one_to_one(std::size_t most) {
  tuple8 choices{};
  tuple8 orders{};
  for (int r = 0; r < Rank; ++r) choices[r] = most + 1;
  for (int r = 0; r < Rank; ++r) orders[r] = Rank;
  bool right = true;
  hpk_test::for_each_index(Rank, orders, true, [&](const tuple8& order) {
    int positions[8] = {};
    unsigned used = 0;
    for (int r = 0; r < Rank; ++r) {
      positions[r] = static_cast<int>(order[r]);
      used |= 1u << order[r];
    }
    if (used != (1u << Rank) - 1) return;  // not a permutation
    hpk_test::for_each_index(Rank, choices, true, [&](const tuple8& extents) {
      right = right && strided_is_one_to_one<Rank>(extents, positions, 0);
      right = right && strided_is_one_to_one<Rank>(extents, positions, 3);
    });
  });
  return right;
}
static_assert(every_order_is_one_to_one<0>(0));
static_assert(every_order_is_one_to_one<1>(6));
static_assert(every_order_is_one_to_one<2>(4));
static_assert(every_order_is_one_to_one<3>(2));

// Fixed extents take no memory. Each run-time extent takes one number.
static_assert(std::is_empty_v<mapping<hpk::LayoutRight, extent_list<2, 3>>>);
static_assert(std::is_empty_v<mapping<hpk::LayoutLeft, extent_list<>>>);
static_assert(sizeof(mapping<hpk::LayoutRight, extent_list<dynamic, 3>>) == sizeof(index_t));
// A pitch takes one number too, unless the extent of the rows is fixed.
static_assert(sizeof(mapping<hpk::LayoutLeft, extent_list<dynamic, 3>>) == 2 * sizeof(index_t));
static_assert(sizeof(mapping<hpk::LayoutRight, extent_list<dynamic, dynamic>>) ==
              3 * sizeof(index_t));
static_assert(sizeof(mapping<hpk::LayoutLeft, extent_list<dynamic>>) == sizeof(index_t));
static_assert(sizeof(mapping<hpk::LayoutStride, extent_list<dynamic, 3>>) == 3 * sizeof(index_t));

// Shapes too large to enumerate: only corners, with offsets of more than 32 bits.
template <class Layout>
class LargeMapping : public testing::Test {};
using plain_layouts = testing::Types<hpk::LayoutRight, hpk::LayoutLeft>;
TYPED_TEST_SUITE(LargeMapping, plain_layouts);

HPK_TYPED_TEST(LargeMapping, counts_in_64_bits) {
  mapping<TypeParam, all_dynamic<3>::type> map;
  const index_t extents[] = {100'000, 3, 70'000};
  for (int r = 0; r < 3; ++r) map.set(r, extents[r]);
  EXPECT_EQ(map.size(), 21'000'000'000);
  EXPECT_EQ(map.span(), 21'000'000'000);
  EXPECT_EQ(map.offset(0, 0, 0), 0);
  EXPECT_EQ(map.offset(99'999, 2, 69'999), 20'999'999'999);
  // 32-bit indices are widened before the multiplication.
  EXPECT_EQ(map.offset(99'999u, 0u, 0u), 99'999 * map.stride(0));
  EXPECT_EQ(map.offset(0, 0, 69'999), 69'999 * map.stride(2));
}

TEST(MappingOrder, right_runs_last_index_fastest_and_left_first) {
  mapping<hpk::LayoutRight, extent_list<dynamic, 3>> right;
  mapping<hpk::LayoutLeft, extent_list<dynamic, 3>> left;
  right.set(0, 2);
  left.set(0, 2);
  EXPECT_EQ(right.offset(0, 1), 1);
  EXPECT_EQ(right.offset(1, 0), 3);
  EXPECT_EQ(left.offset(1, 0), 1);
  EXPECT_EQ(left.offset(0, 1), 2);
}

}  // namespace
}  // namespace view_mapping_test
