// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape of strided kernels, and the block_walk over its blocks.
#include <hpk/view/strided_layout.hpp>

#include <hpk/core.hpp>

#include <support/elements.hpp>

#include <utility>

namespace view_strided_layout_test {
namespace {

using hpk::HostSpace;
using hpk::index_t;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;
using hpk::detail::strided_layout;
using hpk_test::tuple8;

strided_layout common_layout(const index_t* extents, const auto& to, const auto& from) {
  return hpk::detail::make_layout(hpk::detail::operand_of(to), hpk::detail::operand_of(from),
                                  extents);
}
strided_layout common_layout(const index_t* extents, const auto& view) {
  return common_layout(extents, view, view);
}

TEST(StridedLayout, ends_with_the_dimension_in_which_the_destination_is_densest) {
  const View<int***, LayoutLeft, HostSpace> left("left", 3, 4, 5);
  const View<int***, LayoutRight, HostSpace> right("right", 3, 4, 5);
  const index_t extents[] = {3, 4, 5};
  const auto to_left = common_layout(extents, left, right);
  EXPECT_EQ(to_left.inner(), 3);
  EXPECT_EQ(to_left.outer(), 20);
  EXPECT_EQ(to_left.step(0), 1);
  EXPECT_EQ(to_left.step(1), 20);
  const auto to_right = common_layout(extents, right, left);
  EXPECT_EQ(to_right.inner(), 5);
  EXPECT_EQ(to_right.outer(), 12);
  EXPECT_EQ(to_right.step(0), 1);
  EXPECT_EQ(to_right.step(1), 12);
}

TEST(StridedLayout, of_rank_0_is_one_element) {
  const View<int, HostSpace> one("one");
  const auto shape = common_layout(nullptr, one, one);
  EXPECT_EQ(shape.inner(), 1);
  EXPECT_EQ(shape.outer(), 1);
  EXPECT_EQ(shape.offset(1, 0), 0);
}

TEST(StridedLayout, of_an_empty_box_has_no_element) {
  const View<int***, HostSpace> view("view", 3, 4, 5);
  for (const int empty : {0, 1, 2}) {
    index_t extents[] = {3, 4, 5};
    extents[empty] = 0;
    const auto shape = common_layout(extents, view);
    EXPECT_EQ(shape.inner() * shape.outer(), 0);
  }
}

// Visits every element of the first `extents` once, at corresponding places of both operands.
TEST(StridedLayout, finds_every_element) {
  const View<int***, LayoutStride, HostSpace> a("a", LayoutStride(4, 2, 5, 50, 6, 8));
  const View<int***, LayoutLeft, HostSpace> b("b", 4, 5, 6);
  hpk_test::number_elements(a, 1);
  hpk_test::number_elements(b, 1);
  const index_t extents[] = {3, 5, 4};
  const auto shape = common_layout(extents, a, b);
  ASSERT_EQ(shape.inner() * shape.outer(), 60);
  const View<int[121], HostSpace> seen("seen");
  for (index_t row = 0; row < shape.outer(); ++row) {
    for (index_t i = 0; i < shape.inner(); ++i) {
      const int in_a = a.data()[shape.offset(0, row) + i * shape.step(0)];
      ASSERT_EQ(in_a, b.data()[shape.offset(1, row) + i * shape.step(1)]);
      ++seen(in_a);
    }
  }
  int wrong = 0;
  hpk_test::for_each_index(3, {4, 5, 6}, true, [&](const tuple8& at) {
    const bool inside = at[0] < 3 && at[2] < 4;
    wrong += seen(hpk_test::element(a, at)) == (inside ? 1 : 0) ? 0 : 1;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(StridedLayout, joins_dimensions_that_lie_alike) {
  const View<int****, LayoutRight, HostSpace> from("from", 3, 4, 5, 6);
  const View<int****, LayoutRight, HostSpace> to("to", 3, 4, 5, 6);
  const index_t all[] = {3, 4, 5, 6};
  EXPECT_EQ(common_layout(all, to, from).rank, 1);
  EXPECT_EQ(common_layout(all, to, from).inner(), 360);
  const index_t part[] = {3, 2, 5, 6};
  const auto two = common_layout(part, to, from);
  EXPECT_EQ(two.rank, 2);
  EXPECT_EQ(two.inner(), 60);
  EXPECT_EQ(two.offset(0, 2), 240);
  const View<int****, LayoutLeft, HostSpace> left("left", 3, 4, 5, 6);
  const auto apart = common_layout(all, to, left);
  EXPECT_EQ(apart.rank, 4);
  EXPECT_TRUE(apart.is_transposed());
  EXPECT_EQ(apart.strides[1][2], 1);
  EXPECT_FALSE(two.is_transposed());
}

TEST(StridedLayout, leaves_out_dimensions_of_one_element) {
  const View<int****, LayoutRight, HostSpace> to("to", 1, 4, 1, 6);
  const View<int****, LayoutLeft, HostSpace> from("from", 1, 4, 1, 6);
  const index_t extents[] = {1, 4, 1, 6};
  const auto shape = common_layout(extents, to, from);
  EXPECT_EQ(shape.rank, 2);
  EXPECT_EQ(shape.extents[0], 4);
  EXPECT_EQ(shape.extents[1], 6);
}

// Walks from every block to the end. Each walk visits all remaining elements once.
void walk_all(const strided_layout& shape, hpk::detail::block_size size, index_t span) {
  const index_t blocks = hpk::detail::count_blocks(shape, size);
  const View<int*, HostSpace> seen("seen", span);
  index_t before = 0;
  for (index_t first = 0; first < blocks; ++first) {
    hpk::detail::block_walk walk(shape, size, first);
    const index_t skipped = before;
    before += walk.along() * walk.across();
    index_t elements = 0;
    hpk::deep_copy(seen, 0);
    for (index_t k = first; k < blocks; ++k, walk.advance()) {
      for (index_t q = 0; q < walk.across(); ++q) {
        const index_t row = q * (shape.rank == 1 ? 0 : shape.strides[0][shape.rank - 2]);
        for (index_t p = 0; p < walk.along(); ++p) {
          ++seen(walk.offset(0) + row + p * shape.step(0));
          ++elements;
        }
      }
    }
    ASSERT_EQ(elements, shape.inner() * shape.outer() - skipped);
    int twice = 0;
    for (index_t k = 0; k < span; ++k) twice += seen(k) > 1 ? 1 : 0;
    ASSERT_EQ(twice, 0);
  }
  EXPECT_EQ(before, shape.inner() * shape.outer());
}

// A copy without gaps counts its bytes, a fill half of them. Elements with gaps between them count
// more.
TEST(StridedLayout, counts_what_is_fetched) {
  constexpr std::size_t n = 1000;
  const auto traffic = [&](index_t to, index_t from) {
    strided_layout layout;
    layout.rank = 1;
    layout.extents[0] = static_cast<index_t>(n);
    layout.strides[0][0] = to;
    layout.strides[1][0] = from;
    return layout.traffic(sizeof(double));
  };
  EXPECT_EQ(traffic(1, 1), n * 8);
  EXPECT_EQ(traffic(1, 0), n * 4);
  EXPECT_EQ(traffic(2, 2), n * 16);
  EXPECT_EQ(traffic(1, 100), n * (8 + 256) / 2);
  EXPECT_EQ(traffic(100, 0), n * 128);
  EXPECT_EQ(traffic(100, 1000), n * 256);
  // Each operand is dense in a different dimension.
  const View<double**, LayoutLeft, HostSpace> left("left", 300, 400);
  const View<double**, LayoutRight, HostSpace> right("right", 300, 400);
  const index_t extents[] = {300, 400};
  EXPECT_EQ(common_layout(extents, left, right).traffic(sizeof(double)),
            300 * 400 * sizeof(double));
  EXPECT_EQ(common_layout(extents, left, right).traffic(1000), 300 * 400 * 1000u);
}

// The parts together have every element once, at corresponding places of both operands.
TEST(StridedLayout, is_cut_into_parts) {
  const View<int****, LayoutStride, HostSpace> a("a", LayoutStride(4, 2, 5, 50, 6, 8, 3, 400));
  const View<int****, LayoutLeft, HostSpace> b("b", 4, 5, 6, 3);
  const index_t extents[] = {3, 5, 4, 3};
  const auto shape = common_layout(extents, a, b);
  for (const index_t most : {1, 2, 7, 20, 61, 179, 180, 1000}) {
    const View<int*, HostSpace> seen("seen", 1300);
    index_t found = 0;
    hpk::detail::for_parts(shape, most, [&](const strided_layout& part, index_t to, index_t from) {
      EXPECT_LE(part.outer() * part.inner(), most);
      for (index_t row = 0; row < part.outer(); ++row) {
        for (index_t i = 0; i < part.inner(); ++i) {
          const index_t in_a = to + part.offset(0, row) + i * part.step(0);
          const index_t in_b = from + part.offset(1, row) + i * part.step(1);
          ASSERT_EQ(++seen(in_a), 1);
          ++found;
          // The place of this element in b, so that the pair is right.
          ASSERT_EQ(
              in_a % 50 % 8 / 2 + 4 * (in_a % 400 / 50) + 20 * (in_a % 50 / 8) + 120 * (in_a / 400),
              in_b);
        }
      }
    });
    EXPECT_EQ(found, 180) << most;
  }
}

TEST(BlockWalk, meets_every_element_once) {
  const View<int****, LayoutRight, HostSpace> to("to", 2, 3, 5, 7);
  const View<int****, LayoutLeft, HostSpace> from("from", 2, 3, 5, 7);
  const index_t extents[] = {2, 3, 5, 7};
  const index_t part[] = {2, 3, 4, 6};
  for (const index_t across : {1, 2, 3, 10}) {
    for (const index_t along : {1, 2, 7, 100}) {
      walk_all(common_layout(extents, to, from), {across, along}, 210);
      walk_all(common_layout(part, to, from), {across, along}, 210);
      walk_all(common_layout(extents, to), {across, along}, 210);
    }
  }
}

TEST(BlockWalk, has_blocks_worth_a_call) {
  // Square, few lines, short lines: each block has thousands of elements if there are that many.
  for (const auto& [n, m] : {std::pair{1000, 1000}, {3, 100'000}, {100'000, 3}, {2, 2}}) {
    const View<double**, LayoutRight, HostSpace> to("to", n, m);
    const View<double**, LayoutLeft, HostSpace> from("from", n, m);
    const index_t extents[] = {n, m};
    const auto shape = common_layout(extents, to, from);
    ASSERT_TRUE(shape.is_transposed());
    const auto size = hpk::detail::choose_blocks(shape, sizeof(double));
    EXPECT_LE(hpk::detail::count_blocks(shape, size), index_t{n} * m / 3000 + 1);
    EXPECT_EQ(size.along % 8, 0);
  }
  const View<double*, HostSpace> row("row", 1'000'000);
  const index_t all[] = {1'000'000};
  const auto shape = common_layout(all, row);
  EXPECT_GT(hpk::detail::count_blocks(shape, hpk::detail::choose_blocks(shape, sizeof(double))),
            100);
}

// Workers share the slowest dimension of the destination, whatever the layout of the source.
TEST(StridedLayout, is_shared_by_the_slowest_dimension) {
  using hpk::detail::count_units;
  using hpk::detail::shared_dimension;
  const View<char***, LayoutRight, HostSpace> to("to", 300, 20, 30);
  const View<char***, LayoutLeft, HostSpace> from("from", 300, 20, 30);
  const index_t extents[] = {300, 20, 30};
  const auto shape = common_layout(extents, to, from);
  const int shared = shared_dimension(shape);
  ASSERT_GE(shared, 0);
  EXPECT_EQ(shape.extents[shared], 300);
  EXPECT_EQ(shape.strides[0][shared], 600);
  EXPECT_EQ(count_units(shape, 1), 300);
  const index_t few[] = {100, 20, 30};
  EXPECT_EQ(shared_dimension(common_layout(few, to, from)), -1);
  EXPECT_EQ(shared_dimension(common_layout(extents, to)), -1) << "one row";
}

}  // namespace
}  // namespace view_strided_layout_test
