// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linearize and delinearize: round trips in every rank and both orders, compared with loops and
// layouts. Also indices outside of the extents.
#include <hpk/linear_index.hpp>

#include <support/spaces.hpp>

#include <random>

namespace linear_index_test {
namespace {

using hpk::Array;
using hpk::Iterate;

static_assert(hpk::linearize(Array<int, 2>{1, 2}, {3, 4}) == 6);
static_assert(hpk::linearize<Iterate::Left>(Array<int, 2>{1, 2}, {3, 4}) == 7);
static_assert(hpk::delinearize(6, Array<int, 2>{3, 4}) == Array<int, 2>{1, 2});
static_assert(hpk::delinearize<Iterate::Left>(7, Array<int, 2>{3, 4}) == Array<int, 2>{1, 2});

template <Iterate Order, std::size_t N>
void round_trips(std::mt19937& random) {
  for (int round = 0; round < 20; ++round) {
    Array<long, N> extents{};
    long points = 1;
    for (long& extent : extents) {
      extent = std::uniform_int_distribution<long>(1, N > 4 ? 3 : 7)(random);
      points *= extent;
    }
    Array<long, N> expected{};
    for (long number = 0; number < points; ++number) {
      const auto index = hpk::delinearize<Order>(number, extents);
      ASSERT_EQ(index, expected) << number;
      ASSERT_EQ(hpk::linearize<Order>(index, extents), number);
      // Advances to the next point of the loops.
      for (std::size_t k = 0; k < N; ++k) {
        const std::size_t d = Order == Iterate::Left ? k : N - 1 - k;
        if (++expected[d] < extents[d]) break;
        expected[d] = 0;
      }
    }
  }
}

TEST(LinearIndex, goes_round_in_every_rank_and_order) {
  std::mt19937 random(1);
  hpk::detail::for_each_type(
      hpk::detail::type_list<
          std::integral_constant<std::size_t, 1>, std::integral_constant<std::size_t, 2>,
          std::integral_constant<std::size_t, 3>, std::integral_constant<std::size_t, 5>,
          std::integral_constant<std::size_t, 8>>{},
      [&](auto rank) {
        constexpr std::size_t n = decltype(rank)::type::value;
        round_trips<Iterate::Right, n>(random);
        round_trips<Iterate::Left, n>(random);
      });
}

TEST(LinearIndex, is_a_point_in_a_box_of_another_rank) {
  // A box of 4 x 6 points as 2 x 3 x 4.
  const auto point =
      hpk::delinearize(hpk::linearize(Array<int, 2>{2, 5}, {4, 6}), Array<int, 3>{2, 3, 4});
  EXPECT_EQ(point, (Array<int, 3>{1, 1, 1}));
  EXPECT_EQ(hpk::linearize(Array<unsigned long long, 1>{1ULL << 40}, {1ULL << 41}), 1ULL << 40);
}

TEST(LinearIndexDeathTest, of_what_is_outside_ends_the_program) {
  EXPECT_DEATH(hpk::linearize(Array<int, 2>{3, 0}, {3, 4}), "precondition violated");
  EXPECT_DEATH(hpk::linearize(Array<int, 2>{0, -1}, {3, 4}), "precondition violated");
  EXPECT_DEATH(hpk::delinearize(12, Array<int, 2>{3, 4}), "precondition violated");
  EXPECT_DEATH(hpk::delinearize(-1, Array<int, 2>{3, 4}), "precondition violated");
}

template <class Exec>
class LinearIndexInKernel : public testing::Test {};
TYPED_TEST_SUITE(LinearIndexInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(LinearIndexInKernel, finds_the_elements_of_both_layouts) {
  const hpk::View<int[3][4][5], hpk::LayoutRight, TypeParam> right("right");
  const hpk::View<int[3][4][5], hpk::LayoutLeft, TypeParam> left("left");
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 60), HPK_LAMBDA(int i) {
        const Array<int, 3> extents{3, 4, 5};
        const auto r = hpk::delinearize(i, extents);
        right(r[0], r[1], r[2]) = i;
        const auto l = hpk::delinearize<Iterate::Left>(i, extents);
        left(l[0], l[1], l[2]) = i;
      });
  const auto r = hpk_test::on_host(right);
  const auto l = hpk_test::on_host(left);
  int wrong = 0;
  for (int i = 0; i < 60; ++i) wrong += r.data()[i] != i || l.data()[i] != i;
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace linear_index_test
