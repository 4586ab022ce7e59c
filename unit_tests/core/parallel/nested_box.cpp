// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes inside of a team: every point once at every level, in both orders, and results for every
// thread.
#include <hpk/parallel/nested_box.hpp>

#include <support/spaces.hpp>

#include <cstdint>

namespace parallel_nested_box_test {
namespace {

using hpk::Iterate;
using hpk::Rank;

template <class Exec>
class NestedBox : public testing::Test {
 public:
  using member = typename hpk::TeamPolicy<Exec>::member_type;
};
TYPED_TEST_SUITE(NestedBox, hpk_test::spaces, hpk_test::space_names);

constexpr int team_sizes[] = {1, 3, 64};

HPK_TYPED_TEST(NestedBox, visits_every_point_once) {
  using member = typename TestFixture::member;
  constexpr int league = 3;
  for (const int size : team_sizes) {
    const hpk::View<int****, TypeParam> seen("seen", league, 4, 5, 6);
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(league, size), HPK_LAMBDA(const member& team) {
          const int l = team.league_rank();
          hpk::parallel_for(hpk::TeamThreadMDRange(team, 4, 5, 6),
                            [&](int i, int j, int k) { seen(l, i, j, k) += 1; });
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
          for (int k = 0; k < 6; ++k) ASSERT_EQ(host(l, i, j, k), 111) << size;
  }
}

// 2 x 2 matrices modulo a number: their product does not commute.
struct matrix {
  std::int64_t a, b, c, d;
};
HPK_FUNCTION matrix times(const matrix& x, const matrix& y) {
  constexpr std::int64_t p = 10007;
  return {(x.a * y.a + x.b * y.c) % p, (x.a * y.b + x.b * y.d) % p, (x.c * y.a + x.d * y.c) % p,
          (x.c * y.b + x.d * y.d) % p};
}
struct product {
  using reducer = product;
  using value_type = matrix;
  matrix* result;
  HPK_FUNCTION void init(matrix& m) const { m = {1, 0, 0, 1}; }
  HPK_FUNCTION void join(matrix& to, const matrix& from) const { to = times(to, from); }
  HPK_FUNCTION matrix& reference() const { return *result; }
};

HPK_TYPED_TEST(NestedBox, gives_every_thread_the_result) {
  using member = typename TestFixture::member;
  for (const int size : team_sizes) {
    const hpk::View<int, TypeParam> wrong("wrong");
    const hpk::View<int, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(2, size), HPK_LAMBDA(const member& team) {
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
          matrix all{};
          hpk::parallel_reduce(
              hpk::TeamThreadMDRange<Rank<2, Iterate::Right, Iterate::Right>, member>(team, 7, 9),
              [](int i, int j, matrix& u) { u = times(u, {i + 1, j, 1, 2}); }, product{&all});
          matrix expected{1, 0, 0, 1};
          for (int i = 0; i < 7; ++i)
            for (int j = 0; j < 9; ++j) expected = times(expected, {i + 1, j, 1, 2});
          const bool right = sum == 10 * 21 * 9 + 36 * 7 && own == sum && most == 234 &&
                             none == 0 && all.a == expected.a && all.b == expected.b &&
                             all.c == expected.c && all.d == expected.d;
          if (!right) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size;
  }
}

}  // namespace
}  // namespace parallel_nested_box_test
