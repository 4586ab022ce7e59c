// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes as numbers: valid and invalid strides of random shapes, compared with the offsets of a
// View of the same extents.
#include <hpk/containers/dyn_rank_shape.hpp>

#include <support/spaces.hpp>

#include <random>

namespace dyn_rank_shape_test {
namespace {

using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::detail::dyn_rank_shape;

// Returns a random layout object, sometimes padded.
template <class Layout>
Layout random_layout(std::mt19937& random, int rank) {
  Layout layout;
  for (int r = 0; r < rank; ++r) layout.dimension[r] = random() % 4 + (random() % 8 != 0);
  if (rank >= 2 && random() % 3 == 0)
    layout.stride =
        layout.dimension[std::is_same_v<Layout, LayoutRight> ? rank - 1 : 0] + random() % 3;
  return layout;
}

template <class Layout>
void check_round_trips() {
  std::mt19937 random(17);
  for (int sequence = 0; sequence < 10000; ++sequence) {
    const int rank = static_cast<int>(random() % 8);
    const Layout layout = random_layout<Layout>(random, rank);
    const auto shape = hpk::detail::read_shape<Layout>("shape", layout);
    ASSERT_EQ(shape.rank, rank);
    // Converted from the layout object, from arbitrary strides, and back.
    ASSERT_EQ(hpk::detail::layout_of_shape<Layout>(shape, 0, rank), layout);
    auto strided = hpk::detail::read_shape<LayoutStride>(
        "strided", hpk::detail::layout_of_shape<LayoutStride>(shape, 0, rank));
    ASSERT_EQ(strided.span(), shape.span());
    ASSERT_TRUE(hpk::detail::fit_strides<Layout>(strided));
    if (shape.size() != 0) {
      for (int r = 0; r < rank; ++r) {
        if (shape.extents[r] > 1) {
          ASSERT_EQ(strided.strides[r], shape.strides[r]);
        }
      }
    }
    // Another stride of a dimension with neighbours on both sides does not belong to the layout;
    // only the pitch may differ.
    auto wrong = shape;
    const bool right = std::is_same_v<Layout, LayoutRight>;
    const int slowest = right ? 0 : rank - 1;
    if (rank < 3 || shape.size() == 0 || shape.extents[slowest] < 2) continue;
    ++wrong.strides[slowest];
    bool others = false;
    for (int r = 0; r < rank; ++r) {
      const bool row = r == (right ? rank - 1 : 0);
      others = others || (r != slowest && !row && shape.extents[r] > 1);
    }
    const bool adjacent = slowest == (right ? rank - 2 : 1);
    if (others && !adjacent) {
      ASSERT_FALSE(hpk::detail::fit_strides<Layout>(wrong)) << sequence;
    }
  }
}

TEST(DynRankShape, round_trips) {
  check_round_trips<LayoutRight>();
  check_round_trips<LayoutLeft>();
}

TEST(DynRankShape, counts_bytes) {
  const auto check = [](const dyn_rank_shape& shape, std::size_t bytes) {
    hpk::detail::check_dyn_rank_bytes("x", shape, -1, 0, bytes);
  };
  check(hpk::detail::read_shape<LayoutRight>("x", 1ll << 30, 1ll << 29), 8);
  hpk_test::expect_error(
      [&] { check(hpk::detail::read_shape<LayoutRight>("x", 1ll << 31, 1ll << 29), 8); },
      {"more bytes than 64 bits count"});
  // No elements, but impossible strides.
  hpk_test::expect_error(
      [&] { check(hpk::detail::read_shape<LayoutRight>("x", 0, 1ll << 40, 1ll << 40), 1); },
      {"more bytes than 64 bits count"});
}

TEST(DynRankShape, is_read_from_extents) {
  const std::size_t no = HPK_INVALID_INDEX;
  const auto shape = hpk::detail::read_shape<LayoutLeft>("x", 2, 3u, short{4}, no, no);
  EXPECT_EQ(shape.rank, 3);
  EXPECT_EQ(shape.strides[2], 6);
  EXPECT_EQ(shape.span(), 24);
  // A 32-bit number is an extent, even with all bits set.
  EXPECT_EQ(hpk::detail::read_shape<LayoutLeft>("x", ~0u).extents[0], 0xffffffffll);
}

}  // namespace
}  // namespace dyn_rank_shape_test
