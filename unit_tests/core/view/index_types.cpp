// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views with named extents and index type, View<T, dextents<int, 2>, ...>: allocation, subviews,
// copies, mirrors and resize as for other Views, in any order of fixed extents, and errors for
// extents that the index type cannot represent.
#include <hpk/core.hpp>
#include <hpk/mdspan.hpp>

#include <support/shapes.hpp>
#include <support/spaces.hpp>

#include <cstdint>
#include <numeric>
#include <type_traits>

namespace view_index_types_test {

using hpk::dextents;
constexpr std::size_t dyn = hpk::dynamic_extent;

// Types.
using matrix = hpk::View<double, dextents<int, 2>, hpk::LayoutLeft, hpk::HostSpace>;
using hpk::Experimental::Accessor;
using spelled = hpk::View<double, dextents<int, 2>, hpk::layout_left,
                          Accessor<double, hpk::HostSpace, hpk::MemoryTraits<>>>;
static_assert(sizeof(matrix) == 2 * sizeof(void*) + 4 * sizeof(int), "extents, pitch, padding");
static_assert(std::is_same_v<matrix::index_type, int> && matrix::rank() == 2);
static_assert(std::is_same_v<matrix::value_type, double>);
static_assert(std::is_same_v<matrix::data_type, hpk::array_with_extents<double, dextents<int, 2>>>);
static_assert(std::is_same_v<matrix::extents_type, dextents<int, 2>>);
static_assert(std::is_same_v<matrix::mapping_type, hpk::LayoutLeft::mapping<dextents<int, 2>>>);
static_assert(std::is_same_v<matrix::const_type, spelled::const_type>);
static_assert(std::is_same_v<matrix::accessor_type, hpk::default_accessor<double>>);
static_assert(std::is_same_v<spelled::accessor_type, Accessor<double, hpk::HostSpace>>);
static_assert(
    std::is_same_v<hpk::View<hpk::array_with_extents<const int, dextents<short, 1>>>::index_type,
                   short>);
static_assert(std::is_convertible_v<matrix, spelled> && std::is_convertible_v<spelled, matrix>);
// 64-bit indices give the ordinary View type.
static_assert(std::is_same_v<hpk::View<int, dextents<std::size_t, 2>>::data_type, int**>);
static_assert(
    std::is_same_v<hpk::View<int, hpk::extents<std::int64_t, dyn, 3>>::data_type, int* [3]>);
// Assignments that always fit.
using wide = hpk::View<double**, hpk::LayoutLeft, hpk::HostSpace>;
static_assert(hpk::is_always_assignable_v<wide, matrix>);
static_assert(!hpk::is_always_assignable_v<matrix, wide>);
static_assert(std::is_convertible_v<wide, matrix>, "checked when it runs");
// The accessor carries the memory traits.
using counters =
    hpk::View<int, dextents<int, 1>, hpk::layout_right,
              Accessor<int, hpk::HostSpace, hpk::MemoryTraits<hpk::Atomic | hpk::Unmanaged>>>;
static_assert(counters::memory_traits::is_unmanaged);
static_assert(std::is_same_v<counters::reference_type, hpk::AtomicRef<int>>);
static_assert(std::is_same_v<counters::accessor_type::reference, hpk::AtomicRef<int>>);
static_assert(std::is_convertible_v<Accessor<int>, Accessor<const int>>);
static_assert(!std::is_convertible_v<Accessor<const int>, Accessor<int>>);

// Every rank.
template <class Layout, int Rank>
void count_up() {
  const auto made = [&]<std::size_t... Rs>(std::index_sequence<Rs...>) {
    return hpk::View<int, dextents<int, Rank>, Layout, hpk::HostSpace>("v", (Rs % 2 + 1)...);
  }(std::make_index_sequence<Rank>());
  std::iota(made.data(), made.data() + made.size(), 0);
  hpk_test::tuple8 extents{};
  for (int r = 0; r < Rank; ++r) extents[std::size_t(r)] = made.extent(std::size_t(r));
  int next = 0;
  hpk_test::for_each_index(
      Rank, extents, std::is_same_v<Layout, hpk::LayoutRight>, [&](const hpk_test::tuple8& index) {
        hpk_test::spread<Rank>(
            index, [&](auto... is) { EXPECT_EQ(made(static_cast<int>(is)...), next++); });
      });
  EXPECT_EQ(next, static_cast<int>(made.span()));
  EXPECT_TRUE(made.span_is_contiguous());
}
TEST(IndexTypes, count_up_at_every_rank) {
  [&]<int... Ranks>(std::integer_sequence<int, Ranks...>) {
    (count_up<hpk::LayoutLeft, Ranks>(), ...);
    (count_up<hpk::LayoutRight, Ranks>(), ...);
  }(std::make_integer_sequence<int, 9>());
}

TEST(IndexTypes, fixed_extents_in_any_order) {
  using view = hpk::View<int, hpk::extents<short, 3, dyn, 2>, hpk::LayoutRight, hpk::HostSpace>;
  static_assert(view::static_extent(0) == 3 && view::static_extent(1) == 0);
  static_assert(view::rank_dynamic() == 1);
  const view by_star("v", 5);
  const view by_all("v", 3, 5, 2);
  EXPECT_EQ(&by_star(2, 4, 1) - by_star.data(), 29);
  EXPECT_EQ(&by_all(1, 0, 0) - by_all.data(), 10);
  const auto plane = hpk::subview(by_star, hpk::ALL, 1, hpk::ALL);
  static_assert(std::is_same_v<decltype(plane)::index_type, short>);
  EXPECT_EQ(&plane(2, 1) - by_star.data(), 23);
  hpk_test::expect_error([&] { view("v", 4, 5, 2); },
                         {"hpk::View \"v\": extent 0 is fixed at 3 by the type"});
  // Also with 64-bit indices, and in LayoutLeft, whose fixed rows need no pitch.
  const hpk::View<int, hpk::extents<std::size_t, 3, dyn>, hpk::LayoutLeft, hpk::HostSpace> left("l",
                                                                                                4);
  EXPECT_EQ(&left(2, 3) - left.data(), 11);
  static_assert(std::is_same_v<decltype(left)::index_type, hpk::index_t>);
}

TEST(IndexTypes, wrap_layouts_mappings_and_scratch) {
  int memory[40] = {};
  using strided = hpk::View<int, dextents<int, 2>, hpk::LayoutStride, hpk::HostSpace>;
  const strided view(memory, hpk::LayoutStride(3, 2, 4, 7));
  EXPECT_EQ(&view(2, 3), memory + 25);
  const hpk::View<int, dextents<int, 2>, hpk::LayoutLeft, hpk::HostSpace> padded = [&] {
    hpk::LayoutLeft layout(3, 4);
    layout.stride = 9;
    return decltype(padded)(memory, layout);
  }();
  EXPECT_EQ(&padded(2, 3), memory + 29);
  const strided same(memory, hpk::get_mapping(padded));
  EXPECT_EQ(&same(2, 3), memory + 29);
  const decltype(padded) back = same;
  EXPECT_EQ(back.stride(1), 9u);
  // Rows of 20 ints are padded to 32, unless the index type cannot represent the padded size.
  using small = hpk::View<int, dextents<std::int8_t, 2>, hpk::LayoutRight, hpk::HostSpace>;
  const auto alloc = hpk::view_alloc("p", hpk::AllowPadding);
  EXPECT_EQ(small(alloc, 3, 20).stride(0), 32u);
  EXPECT_EQ(small(alloc, 6, 20).stride(0), 20u);
}

// Extents that do not fit the index type.
TEST(IndexTypes, say_what_they_do_not_count) {
  double memory[4] = {};
  hpk_test::expect_error(
      [&] { matrix("x", 3000000000, 1); },
      {"hpk::View \"x\": extents [3000000000, 1] take 3000000000 elements, but the "
       "View's index type counts to 2147483647; write extents of a wider type"});
  hpk_test::expect_error([&] { matrix(memory, 65536, 65536); },
                         {"extents [65536, 65536] take 4294967296 elements"});
  hpk_test::expect_error([&] { matrix(memory, 0, 3000000000); },
                         {"extents [0, 3000000000] take 0 elements"});
  hpk_test::expect_error([&] { matrix("x", -1, 2); },
                         {"extent 0 of [-1, 2] is -1; write 0 or more"});
  using unsigned_matrix = hpk::View<double, dextents<unsigned, 2>, hpk::LayoutLeft, hpk::HostSpace>;
  const unsigned_matrix most(memory, 65536, 65535);
  EXPECT_EQ(most.span(), 65536u * 65535u);
  EXPECT_EQ(&most(65535, 65534) - memory, 4294901759);
  hpk_test::expect_error([&] { unsigned_matrix("x", -1, 2); },
                         {"extent 0 of [-1, 2] is -1; write 0 or more"});
  hpk_test::expect_error(
      [&] { unsigned_matrix("x", std::int64_t{1} << 40, std::int64_t{1} << 40); },
      {"are more bytes than 64 bits count"});
  const wide large(memory, 1, 3000000000);
  matrix target("kept", 2, 2);
  hpk_test::expect_error([&] { target = large; },
                         {"it has more elements than the destination's index type can count"});
  EXPECT_EQ(target.extent(1), 2u);
  EXPECT_FALSE(hpk::is_assignable(target, large));
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    hpk_test::expect_error([&] { target(std::int64_t{1} << 32, 0); },
                           {"index (4294967296, 0) is outside"});
    hpk_test::expect_error([&] { target(0, -1); },
                           {"index (0, -1) is outside of the extents [2, 2]"});
  }
}

// Kernels.
template <class Space>
class IndexTypesIn : public ::testing::Test {};
TYPED_TEST_SUITE(IndexTypesIn, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(IndexTypesIn, work_as_other_views) {
  using space = TypeParam;
  using view = hpk::View<int, dextents<std::int32_t, 2>, hpk::layout_left,
                         Accessor<int, space, hpk::MemoryTraits<>>>;
  const view a("a", 5, 7);
  static_assert(std::is_same_v<typename view::execution_space, space>);
  hpk::parallel_for(
      hpk::MDRangePolicy<space, hpk::Rank<2>>({0, 0}, {5, 7}),
      HPK_LAMBDA(int i, int j) { a(i, j) = 10 * i + j; });
  const auto mirror = hpk::create_mirror_view_and_copy(hpk::HostSpace(), a);
  static_assert(std::is_same_v<typename decltype(mirror)::index_type, std::int32_t>);
  EXPECT_EQ(mirror(4, 6), 46);
  const auto part = hpk::subview(a, hpk::pair<int, int>(1, 4), hpk::ALL);
  static_assert(std::is_same_v<typename decltype(part)::array_layout, hpk::LayoutLeft>);
  int sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<space>(0, 7), HPK_LAMBDA(int j, int& s) { s += part(2, j); }, sum);
  EXPECT_EQ(sum, 7 * 30 + 21);
  view larger = a;
  hpk::resize(larger, 6, 8);
  const auto copied = hpk::create_mirror_view(larger);
  hpk::deep_copy(copied, larger);
  EXPECT_EQ(copied(4, 6), 46);
  EXPECT_EQ(copied(5, 7), 0);
  // Row by row to a View with 64-bit indices.
  const hpk::View<int**, hpk::LayoutRight, space> turned("turned", 5, 7);
  hpk::deep_copy(turned, a);
  const auto seen = hpk::create_mirror_view_and_copy(hpk::HostSpace(), turned);
  EXPECT_EQ(seen(4, 6), 46);
  EXPECT_EQ(seen(3, 0), 30);
}

}  // namespace view_index_types_test
