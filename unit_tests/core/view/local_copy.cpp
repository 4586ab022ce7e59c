// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills that one thread or one team makes, in kernels of every space and outside of
// kernels.
#include <hpk/view/local_copy.hpp>

#include <hpk/core.hpp>

#include <support/elements.hpp>

namespace view_local_copy_test {
namespace {

using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;
using hpk_test::stars;
using hpk_test::tuple8;

template <int Rank, class To, class From>
void check_rank() {
  const tuple8 extents = {4, 3, 2, 3, 1, 2, 3, 2};
  const auto from =
      hpk_test::make_view<View<stars<int, Rank>, From, hpk::HostSpace>>("from", extents);
  const auto to = hpk_test::make_view<View<stars<double, Rank>, To, hpk::HostSpace>>("to", extents);
  hpk_test::number_elements(from, 1);
  hpk::local_deep_copy(to, from);
  EXPECT_EQ(hpk_test::count_differences(to, from), 0u);
  hpk::local_deep_copy(to, 3);
  hpk_test::for_each_index(Rank, extents, true, [&](const tuple8& index) {
    ASSERT_EQ(hpk_test::element(to, index), 3);
  });
}

TEST(LocalDeepCopy, of_every_rank_and_layout) {
  [&]<int... Ranks>(std::integer_sequence<int, Ranks...>) {
    (check_rank<Ranks, LayoutRight, LayoutLeft>(), ...);
    (check_rank<Ranks, LayoutLeft, LayoutRight>(), ...);
  }(std::make_integer_sequence<int, 9>());
}

TEST(LocalDeepCopy, of_strided_parts) {
  const View<int**, hpk::HostSpace> grid("grid", 4, 6);
  hpk_test::number_elements(grid, 1);
  const View<int*, LayoutStride, hpk::HostSpace> column = hpk::subview(grid, hpk::ALL, 2);
  hpk::local_deep_copy(hpk::subview(grid, hpk::ALL, 3), column);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(grid(i, 3), grid(i, 2));
  hpk::local_deep_copy(column, 0);
  EXPECT_EQ(grid(3, 2), 0);
  EXPECT_NE(grid(3, 1), 0);
}

TEST(LocalDeepCopy, of_unlike_extents_is_refused) {
  if (!HPK_CHECKS) GTEST_SKIP() << "extents are checked when HPK_CHECKS is 1";
  const View<int*, hpk::HostSpace> a("a", 4);
  const View<int*, hpk::HostSpace> b("b", 5);
  const std::string text = hpk_test::error_of([&] { hpk::local_deep_copy(a, b); });
  for (const char* piece : {"hpk::local_deep_copy: the extents differ",
                            "destination \"a\" of extents [4]", "source \"b\" of extents [5]"})
    EXPECT_TRUE(hpk_test::contains(text, piece));
}

template <class Exec>
class LocalDeepCopyInKernel : public testing::Test {};
TYPED_TEST_SUITE(LocalDeepCopyInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(LocalDeepCopyInKernel, moves_rows) {
  constexpr int n = 200;
  const View<int**, TypeParam> from("from", n, 7);
  const View<long**, TypeParam> to("to", n, 7);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        const auto row = hpk::subview(from, i, hpk::ALL);
        hpk::local_deep_copy(row, i);
        row(3) = -i;
        hpk::local_deep_copy(hpk::subview(to, i, hpk::ALL), row);
      });
  const auto seen = hpk_test::on_host(to);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 7; ++j) wrong += seen(i, j) != (j == 3 ? -i : i);
  }
  EXPECT_EQ(wrong, 0);
}

template <class Exec>
class LocalDeepCopyByTeam : public testing::Test {};
TYPED_TEST_SUITE(LocalDeepCopyByTeam, hpk_test::spaces, hpk_test::space_names);

// Between layouts and element types, into scratch and back, with no barriers other than those of
// local_deep_copy.
HPK_TYPED_TEST(LocalDeepCopyByTeam, moves_planes) {
  using member = typename hpk::TeamPolicy<TypeParam>::member_type;
  using scratch =
      View<long**, LayoutRight, typename member::scratch_memory_space, hpk::MemoryUnmanaged>;
  constexpr int league = 4;
  for (const int size : {1, 2, 7, 64}) {
    const View<int***, LayoutLeft, TypeParam> from("from", 5, 6, league);
    const View<long***, LayoutRight, TypeParam> to("to", league, 5, 6);
    const View<int*, TypeParam> filled("filled", league);
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(0, league), HPK_LAMBDA(int l) {
          for (int i = 0; i < 5; ++i)
            for (int j = 0; j < 6; ++j) from(i, j, l) = l * 100 + i * 10 + j;
        });
    hpk::TeamPolicy<TypeParam> policy(league, size);
    policy.set_scratch_size(0, hpk::PerTeam(scratch::shmem_size(5, 6)));
    hpk::parallel_for(
        policy, HPK_LAMBDA(const member& team) {
          const int l = team.league_rank();
          const scratch plane(team.team_scratch(0), 5, 6);
          hpk::local_deep_copy(team, plane, hpk::subview(from, hpk::ALL, hpk::ALL, l));
          if (team.team_rank() == team.team_size() - 1) plane(4, 5) += 1000;
          hpk::local_deep_copy(team, hpk::subview(to, l, hpk::ALL, hpk::ALL), plane);
          hpk::local_deep_copy(team, plane, 7);
          long sum = 0;
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, 30), [&](int k, long& u) { u += plane(k / 6, k % 6); },
              sum);
          // The destination is a View of rank 0.
          hpk::local_deep_copy(team, hpk::subview(filled, l), static_cast<int>(sum));
        });
    const auto seen = hpk_test::on_host(to);
    const auto sums = hpk_test::on_host(filled);
    for (int l = 0; l < league; ++l) {
      EXPECT_EQ(sums(l), 210);
      for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 6; ++j)
          ASSERT_EQ(seen(l, i, j), l * 100 + i * 10 + j + (i == 4 && j == 5 ? 1000 : 0)) << size;
    }
  }
}

}  // namespace
}  // namespace view_local_copy_test
