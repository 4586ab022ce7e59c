// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes inside a team: every point once at every level, in both orders, and results for every
// thread.
#include <hpk/parallel/nested/nested_mdrange.hpp>

#include <support/factor.hpp>
#include <support/widths.hpp>

#include <cstdint>

namespace parallel_nested_mdrange_test {
namespace {

using hpk::Iterate;
using hpk::Rank;
using hpk_test::factor;
using hpk_test::product;
using hpk_test::times;

template <class Exec>
class NestedMDRange : public testing::Test {
 public:
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  static void visits_every_point_once();
  static void gives_every_thread_the_result();
  static void folds_row_by_row();
};
TYPED_TEST_SUITE(NestedMDRange, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
void NestedMDRange<Exec>::visits_every_point_once() {
  constexpr int league = 3;
  for (const auto& t : hpk_test::team_sizes<Exec>()) {
    const hpk::View<int****, Exec> seen("seen", league, 4, 5, 6);
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(league, t.threads, t.vector), HPK_LAMBDA(const member& team) {
          const int l = team.league_rank();
          hpk::parallel_for(hpk::TeamThreadMDRange(team, 4, 5, 6), [&](int i, int j, int k) {
            hpk::single(hpk::PerThread(team), [&] { seen(l, i, j, k) += 1; });
          });
          team.team_barrier();
          hpk::parallel_for(
              hpk::TeamVectorMDRange<Rank<3, Iterate::Left, Iterate::Left>, member>(team, 4, 5, 6),
              [&](std::int64_t i, std::int64_t j, std::int64_t k) { seen(l, i, j, k) += 10; });
          team.team_barrier();
          hpk::parallel_for(hpk::TeamThreadMDRange(team, 4, 5L), [&](int i, int j) {
            hpk::parallel_for(hpk::ThreadVectorMDRange(team, 3, 2),
                              [&](int a, int b) { seen(l, i, j, 2 * a + b) += 100; });
          });
          hpk::parallel_for(hpk::TeamThreadMDRange(team, 0, 5),
                            [&](int i, int j) { seen(l, i, j, 0) += 1000; });
          hpk::parallel_for(hpk::TeamVectorMDRange(team, -1, 5),
                            [&](int i, int j) { seen(l, i, j, 0) += 1000; });
        });
    const auto host = hpk_test::on_host(seen);
    for (int l = 0; l < league; ++l)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j)
          for (int k = 0; k < 6; ++k)
            ASSERT_EQ(host(l, i, j, k), 111) << t.threads << " x " << t.vector;
  }
}

HPK_TYPED_TEST(NestedMDRange, visits_every_point_once) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::visits_every_point_once(); });
}

template <class Exec>
void NestedMDRange<Exec>::gives_every_thread_the_result() {
  for (const auto& t : hpk_test::team_sizes<Exec>()) {
    const hpk::View<int, Exec> wrong("wrong");
    const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(2, t.threads, t.vector), HPK_LAMBDA(const member& team) {
          long sum = -1;
          hpk::parallel_reduce(
              hpk::TeamThreadMDRange(team, 7, 9), [&](int i, int j, long& u) { u += i * 10 + j; },
              sum);
          long own = -1;
          hpk::parallel_reduce(
              hpk::ThreadVectorMDRange(team, 7, 9), [&](int i, int j, long& u) { u += i * 10 + j; },
              own);
          int most = 0;
          hpk::parallel_reduce(
              hpk::TeamVectorMDRange(team, 3, 4, 5),
              [&](int i, int j, int k, int& u) {
                if (i * 100 + j * 10 + k > u) u = i * 100 + j * 10 + k;
              },
              hpk::Max<int>(most));
          double none = -1;
          hpk::parallel_reduce(
              hpk::TeamThreadMDRange(team, 3, 0), [&](int, int, double& u) { u += 1; }, none);
          long one = -1;
          hpk::parallel_reduce(
              hpk::TeamThreadMDRange(team, 5), [&](int i, long& u) { u += i + 1; }, one);
          long eight = -1;  // the points are numbered 0 to 23
          hpk::parallel_reduce(
              hpk::TeamThreadMDRange(team, 1, 2, 1, 2, 1, 2, 1, 3),
              [&](int a, int b, int c, int d, int e, int f, int g, int h, long& u) {
                u += 1000 * (a + c + e + g) + 12 * b + 6 * d + 3 * f + h;
              },
              eight);
          factor all{};
          hpk::parallel_reduce(
              hpk::TeamThreadMDRange<Rank<2, Iterate::Right, Iterate::Right>, member>(team, 7, 9),
              [](int i, int j, factor& u) { u = times(u, {i + 1, j, 1, 2}); }, product{&all});
          factor mine{};
          hpk::parallel_reduce(
              hpk::ThreadVectorMDRange<Rank<2, Iterate::Right, Iterate::Right>, member>(team, 7, 9),
              [](int i, int j, factor& u) { u = times(u, {i + 1, j, 1, 2}); }, product{&mine});
          factor expected{1, 0, 0, 1};
          for (int i = 0; i < 7; ++i)
            for (int j = 0; j < 9; ++j) expected = times(expected, {i + 1, j, 1, 2});
          const bool right = sum == 10 * 21 * 9 + 36 * 7 && own == sum && most == 234 &&
                             none == 0 && one == 15 && eight == 276 && all.a == expected.a &&
                             all.b == expected.b && all.c == expected.c && all.d == expected.d &&
                             mine.a == all.a && mine.b == all.b && mine.c == all.c &&
                             mine.d == all.d;
          if (!right) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << t.threads << " x " << t.vector;
  }
}

enum sizes { rows = 2, columns = 3 };

HPK_TYPED_TEST(NestedMDRange, takes_enumerators_as_ranges_do) {
  using policy = hpk::TeamPolicy<TypeParam>;
  using member = typename policy::member_type;
  const hpk::View<int*, TypeParam> counts("counts", 6);
  const hpk::View<int*, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = counts;
  hpk::parallel_for(
      policy(rows, columns), HPK_LAMBDA(const member& team) {
        hpk::parallel_for(hpk::TeamThreadMDRange(team, rows, columns),
                          [&](int, int) { count(0) += 1; });
        hpk::parallel_for(hpk::TeamThreadRange(team, columns), [&](int) { count(1) += 1; });
        hpk::parallel_for(hpk::TeamVectorRange(team, rows, 7), [&](int) { count(2) += 1; });
        hpk::parallel_for(hpk::LeagueThreadRange(team, columns), [&](int) { count(3) += 1; });
        hpk::parallel_for(hpk::LeagueVectorRange(team, rows, columns), [&](int) { count(4) += 1; });
        hpk::parallel_for(hpk::TeamThreadRange(team, -1, columns), [&](auto) { count(5) += 1; });
      });
  const auto found = hpk::create_mirror_view_and_copy(hpk::HostSpace(), counts);
  const int wanted[] = {2 * 6, 2 * 3, 2 * 5, 3, 1, 2 * 4};
  for (int k = 0; k < 6; ++k) EXPECT_EQ(found(k), wanted[k]) << k;
}

HPK_TYPED_TEST(NestedMDRange, gives_every_thread_the_result) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::gives_every_thread_the_result(); });
}

// The product over a box of rank 4 with extents e in the order of the points. The last or the first
// index is fastest.
HPK_FUNCTION factor product_of_points(const int (&e)[4], bool last) {
  factor all{1, 0, 0, 1};
  const int points = e[0] * e[1] * e[2] * e[3];
  for (int p = 0; p < points; ++p) {
    int i[4];
    int k = p;
    for (int s = 3; s >= 0; --s) {
      const int r = last ? s : 3 - s;
      i[r] = k % e[r];
      k /= e[r];
    }
    all = times(all, hpk_test::factor_of(i[0] + 3 * i[1], i[2] + 2 * i[3]));
  }
  return all;
}

template <class Exec>
void NestedMDRange<Exec>::folds_row_by_row() {
  const hpk::View<int* [4], Exec> extents("extents", 8);
  const int all[8][4] = {{3, 2, 4, 5}, {1, 3, 1, 4}, {4, 1, 3, 1}, {1, 1, 1, 1},
                         {0, 2, 3, 4}, {2, 0, 3, 4}, {2, 3, 0, 4}, {2, 3, 4, 0}};
  const auto host = hpk::create_mirror_view(extents);
  for (int n = 0; n < 8; ++n)
    for (int r = 0; r < 4; ++r) host(n, r) = all[n][r];
  hpk::deep_copy(extents, host);
  for (const auto& t : hpk_test::team_sizes<Exec>()) {
    const hpk::View<int, Exec> wrong("wrong");
    const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(8, t.threads, t.vector), HPK_LAMBDA(const member& team) {
          using right = Rank<4, Iterate::Right, Iterate::Right>;
          using left = Rank<4, Iterate::Left, Iterate::Left>;
          const int n = team.league_rank();
          const int e[4] = {extents(n, 0), extents(n, 1), extents(n, 2), extents(n, 3)};
          const auto join = [](int i, int j, int k, int l, factor& u) {
            u = times(u, hpk_test::factor_of(i + 3 * j, k + 2 * l));
          };
          factor last{};
          hpk::parallel_reduce(hpk::TeamThreadMDRange<right, member>(team, e[0], e[1], e[2], e[3]),
                               join, product{&last});
          factor first{};
          hpk::parallel_reduce(hpk::TeamThreadMDRange<left, member>(team, e[0], e[1], e[2], e[3]),
                               join, product{&first});
          factor own{};
          hpk::parallel_reduce(hpk::ThreadVectorMDRange<left, member>(team, e[0], e[1], e[2], e[3]),
                               join, product{&own});
          const factor by_last = product_of_points(e, true);
          const factor by_first = product_of_points(e, false);
          if (!(last == by_last && first == by_first && own == by_first)) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << t.threads << " x " << t.vector;
  }
}

HPK_TYPED_TEST(NestedMDRange, folds_row_by_row) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::folds_row_by_row(); });
}

}  // namespace
}  // namespace parallel_nested_mdrange_test
