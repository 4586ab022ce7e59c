// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/view/mdspan_class.hpp>

#include <support/spaces.hpp>

#include <array>
#include <span>

namespace {

constexpr std::size_t dyn = hpk::dynamic_extent;
using hpk::full_extent;
using hpk::mdspan;

TEST(OwnMdspan, has_the_elements_of_its_layout) {
  int memory[24];
  for (int k = 0; k != 24; ++k) memory[k] = k;
  const mdspan right(memory, 2, 3, 4);
  static_assert(std::is_same_v<decltype(right), const mdspan<int, hpk::dextents<std::size_t, 3>>>);
  EXPECT_EQ(right(1, 2, 3), 23);
  EXPECT_EQ(right(1, 0, 2), 14);
  EXPECT_EQ((right[std::array{1, 0, 2}]), 14);
  EXPECT_EQ((right(std::array{1, 0, 2})), 14);
  EXPECT_EQ(right.size(), 24u);
  EXPECT_TRUE(right.is_exhaustive());
  const mdspan<int, hpk::extents<int, dyn, 3>, hpk::layout_left> left(memory, 4);
  static_assert(left.rank() == 2 && left.rank_dynamic() == 1 && left.static_extent(1) == 3);
  EXPECT_EQ(left(3, 2), 11);
  EXPECT_EQ(left.stride(1), 4);
  using strided = mdspan<int, hpk::dextents<int, 2>, hpk::layout_stride>;
  const strided wide(memory, strided::mapping_type(hpk::dextents<int, 2>(3, 2), std::array{8, 3}));
  EXPECT_EQ(wide(2, 1), 19);
  EXPECT_FALSE(wide.is_exhaustive());
  EXPECT_EQ(wide.mapping().strides(), (std::array{8, 3}));
  const mdspan<int, hpk::dextents<int, 1>> line(memory, std::array{5});
  EXPECT_EQ(line[4], 4);
  EXPECT_EQ((line[std::array{4}]), 4);
  EXPECT_TRUE((mdspan<int, hpk::dextents<int, 2>>().empty()));
  const mdspan<int, hpk::extents<int>> scalar(memory + 7, hpk::extents<int>());
  EXPECT_EQ(scalar(), 7);
}

TEST(OwnMdspan, takes_its_shape_from_what_there_is) {
  double memory[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  int numbers[] = {3, 4};
  const std::span<int, 2> shape(numbers);
  const mdspan of_span(memory, shape);
  EXPECT_EQ(of_span(1, 2), 6);
  numbers[0] = 2;
  numbers[1] = 1;
  EXPECT_EQ(of_span[shape], 9);
  const mdspan<double, hpk::extents<int, dyn, 4>> first(memory, std::array{3});
  EXPECT_EQ((first[std::array<short, 2>{1, 1}]), 5);
  const mdspan array(memory);
  static_assert(array.rank() == 1 && array.static_extent(0) == 12);
  double* const pointer = memory + 5;
  const mdspan scalar(pointer);
  static_assert(scalar.rank() == 0);
  EXPECT_EQ(scalar(), 5);
  const hpk::extents extents(3, 4);
  static_assert(std::is_same_v<decltype(extents), const hpk::dims<2>>);
#if HPK_HAS_CUDA_COMPILER
  // nvcc drops the layout from the deduced type in the code that it passes to g++.
  const mdspan left(memory, hpk::layout_left::mapping<hpk::dims<2>>(extents));
#else
  const mdspan left(memory, hpk::layout_left::mapping(extents));
#endif
  EXPECT_EQ(left(1, 2), 7);
}

TEST(OwnMdspan, converts_to_more_const_and_fewer_fixed_extents) {
  int memory[6] = {0, 1, 2, 3, 4, 5};
  const mdspan<int, hpk::extents<int, 2, 3>> fixed(memory);
  const mdspan<const int, hpk::dextents<long, 2>> loose = fixed;
  EXPECT_EQ(loose(1, 1), 4);
  const mdspan<const int, hpk::dextents<long, 2>, hpk::layout_stride> strided = loose;
  EXPECT_EQ(strided(1, 2), 5);
  const mdspan<const int, hpk::extents<int, dyn, 3>> back(loose);
  EXPECT_EQ(back(1, 2), 5);
  static_assert(!std::is_convertible_v<mdspan<int, hpk::dextents<int, 1>>,
                                       mdspan<int, hpk::extents<int, 3>>>);
  static_assert(!std::is_constructible_v<mdspan<int, hpk::dextents<int, 1>>,
                                         mdspan<const int, hpk::dextents<int, 1>>>);
  static_assert(!std::is_constructible_v<mdspan<int, hpk::extents<int, 4>>,
                                         mdspan<int, hpk::extents<int, 3>>>);
}

TEST(OwnMdspan, parts_share_the_memory) {
  int memory[60];
  for (int k = 0; k != 60; ++k) memory[k] = k;
  const mdspan box(memory, 3, 4, 5);
  const auto plane = hpk::submdspan(box, 1, full_extent, full_extent);
  static_assert(std::is_same_v<decltype(plane)::layout_type, hpk::layout_right>);
  EXPECT_EQ(plane(2, 3), box(1, 2, 3));
  const auto rows = hpk::submdspan(box, hpk::pair<int, int>(1, 3), full_extent, full_extent);
  static_assert(std::is_same_v<decltype(rows)::layout_type, hpk::layout_right>);
  EXPECT_EQ(rows.extent(0), 2u);
  EXPECT_EQ(rows(1, 3, 4), box(2, 3, 4));
  const auto column = hpk::submdspan(box, full_extent, 2, 4);
  static_assert(std::is_same_v<decltype(column)::layout_type, hpk::layout_stride>);
  EXPECT_EQ(column(2), box(2, 2, 4));
  const auto thinned = hpk::submdspan(box, 0, 0, hpk::strided_slice{1, 4, 2});
  EXPECT_EQ(thinned.extent(0), 2u);
  EXPECT_EQ(thinned(1), box(0, 0, 3));
  const mdspan<int, hpk::extents<int, 3, 20>, hpk::layout_left> left(memory);
  const auto columns = hpk::submdspan(left, hpk::pair<int, int>(1, 2), full_extent);
  static_assert(std::is_same_v<decltype(columns)::layout_type, hpk::layout_left>);
  static_assert(columns.static_extent(1) == 20 && columns.static_extent(0) == dyn);
  EXPECT_EQ(columns(0, 19), left(1, 19));
  EXPECT_EQ(hpk::submdspan(left, 2, 3)(), left(2, 3));
  EXPECT_TRUE(hpk::submdspan(box, hpk::pair<int, int>(3, 3), full_extent, 0).empty());
}

TEST(OwnMdspan, says_what_is_outside) {
  int memory[6] = {};
  const mdspan span(memory, 2, 3);
  hpk_test::expect_error([&] { span(1, 3) = 1; }, {"hpk::mdspan of extents [2, 3]", "(1, 3)"});
  hpk_test::expect_error([&] { span(-1, 0) = 1; }, {"(-1, 0) are outside"});
  hpk_test::expect_error([&] { hpk::submdspan(span, 0, hpk::pair<int, int>(1, 4)); },
                         {"hpk::submdspan: slice 1 keeps 3 indices from 1", "extent 3"});
}

TEST(OwnMdspan, goes_to_views_and_back) {
  const hpk::View<double* [3], hpk::LayoutLeft, hpk::HostSpace> view("view", 4);
  view(3, 2) = 5;
  const auto span =
      hpk::to_mdspan<mdspan<double, decltype(view)::extents_type, hpk::layout_left>>(view);
  EXPECT_EQ(span(3, 2), 5);
  EXPECT_EQ(hpk::as_view(span).data(), view.data());
  EXPECT_EQ(hpk::as_view(span).extent(0), 4u);
  const auto natural = hpk::to_mdspan(view);
  static_assert(decltype(natural)::rank() == 2);
  EXPECT_EQ(natural.data_handle(), view.data());
  using atomics = hpk::atomic_accessor<double>;
  const auto counted = hpk::to_mdspan(view, atomics());
  static_assert(std::is_same_v<decltype(counted)::accessor_type, atomics>);
}

template <class Exec>
class OwnMdspanInKernels : public testing::Test {};
TYPED_TEST_SUITE(OwnMdspanInKernels, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(OwnMdspanInKernels, adds_with_atomics) {
  const hpk::View<int*, TypeParam> sums("sums", 4);
  const mdspan<int, hpk::dextents<int, 2>, hpk::layout_right, hpk::atomic_accessor<int>> span(
      sums.data(), 2, 2);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 100), HPK_LAMBDA(int i) {
        span(i % 2, 1) += 1;
        hpk::submdspan(span, full_extent, 0)(i % 2) += 2;
      });
  const auto got = hpk_test::on_host(sums);
  for (int k = 0; k != 4; ++k) EXPECT_EQ(got(k), k % 2 == 0 ? 100 : 50) << k;
}

}  // namespace
