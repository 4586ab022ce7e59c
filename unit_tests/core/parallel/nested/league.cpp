// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations that a league shares: each runs once, for every shape of the launch, by nested loops
// and by loops of the program.
#include <hpk/parallel/nested/league.hpp>

#include <support/widths.hpp>

#include <cstdint>
#include <vector>

namespace parallel_league_test {
namespace {

static_assert(hpk::IndexSteps(3, 3, 1).size() == 0 && hpk::IndexSteps(4, 3, 2).size() == 0);
static_assert(hpk::IndexSteps(3, 8, 5).size() == 1 && hpk::IndexSteps(3, 9, 5).size() == 2);
// The highest index: the step after it must not overflow.
constexpr hpk::index_t highest = std::numeric_limits<hpk::index_t>::max();
constexpr int steps(const hpk::IndexSteps& some) {
  int n = 0;
  for (const hpk::index_t i : some) n += i > 0 ? 1 : 0;
  return n;
}
static_assert(steps(hpk::IndexSteps(highest - 1, highest, highest - 5)) == 1);
static_assert(steps(hpk::LeaguePart(2, 3).strided(10)) == 3);
static_assert(steps(hpk::LeaguePart(2, 3).contiguous(10)) == 3);
static_assert(hpk::LeaguePart(0, 3).contiguous(-1).size() == 0);

template <class Exec>
class League : public testing::Test {
 public:
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  static void covers_each_index_once();
};
TYPED_TEST_SUITE(League, hpk_test::spaces, hpk_test::space_names);

// From zero to more than the number of lanes.
constexpr int lengths[] = {0, 1, 7, 100, 1001};

template <class Exec>
void League<Exec>::covers_each_index_once() {
  for (const int league : {1, 3, 20}) {
    for (const auto& t : hpk_test::team_sizes<Exec>()) {
      for (const int n : lengths) {
        const hpk::View<int*, Exec> seen("seen", n + 9);
        const hpk::View<int*, Exec, hpk::MemoryTraits<hpk::Atomic>> count = seen;
        const hpk::View<int*, Exec> sums("sums", 7);
        const hpk::View<int*, Exec, hpk::MemoryTraits<hpk::Atomic>> sum = sums;
        hpk::parallel_for(
            hpk::TeamPolicy<Exec>(league, t.threads, t.vector), HPK_LAMBDA(const member& team) {
              hpk::parallel_for(hpk::LeagueThreadRange(team, n), [&](int i) {
                hpk::single(hpk::PerThread(team), [&] { count(i) += 1; });
                hpk::parallel_for(hpk::ThreadVectorRange(team, 3), [&](int) { sum(0) += 1; });
              });
              hpk::parallel_for(hpk::LeagueThreadRange(team, 9, std::int64_t{n} + 9), [&](auto i) {
                hpk::single(hpk::PerThread(team), [&] { count(i) += 10; });
              });
              hpk::parallel_for(hpk::LeagueVectorRange(team, n), [&](int i) { count(i) += 100; });
              hpk::parallel_for(hpk::LeagueVectorRange(team, 9, n + 9),
                                [&](int i) { count(i) += 1000; });
              hpk::parallel_for(hpk::LeagueVectorRange(team, 5, 2), [&](int) { sum(1) += 1; });
              const auto thread = hpk::all_threads(team);
              const auto lane = hpk::all_lanes(team);
              for (const hpk::index_t i : lane.strided(n)) count(i) += 10000;
              for (const hpk::index_t i : lane.contiguous(n)) count(i) += 100000;
              hpk::single(hpk::PerThread(team), [&] {
                for (const hpk::index_t i : thread.strided(n)) count(i) += 1000000;
                for (const hpk::index_t i : thread.contiguous(n)) count(i) += 10000000;
                sum(2) += static_cast<int>(thread.rank());
                sum(3) += static_cast<int>(thread.size());
              });
              sum(4) += static_cast<int>(lane.rank());
              sum(5) = static_cast<int>(lane.size());
            });
        const auto host = hpk_test::on_host(seen);
        for (int i = 0; i < n + 9; ++i)
          ASSERT_EQ(host(i), (i < n ? 11110101 : 0) + (i >= 9 ? 1010 : 0))
              << i << " of " << n << ", " << league << " x " << t.threads << " x " << t.vector;
        const auto s = hpk_test::on_host(sums);
        const int threads = league * t.threads;
        const int lanes = s(5);
        EXPECT_EQ(lanes, threads * (hpk_test::is_host<Exec> ? 1 : t.vector));
        EXPECT_EQ(s(0), 3 * n);
        EXPECT_EQ(s(1), 0);
        EXPECT_EQ(s(2), threads * (threads - 1) / 2);
        EXPECT_EQ(s(3), threads * threads);
        EXPECT_EQ(s(4), lanes * (lanes - 1) / 2);
      }
    }
  }
}
HPK_TYPED_TEST(League, covers_each_index_once) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::covers_each_index_once(); });
}

// A sum over leagues of any shape.
HPK_TYPED_TEST(League, folds_into_the_update_of_the_kernel) {
  using member = typename TestFixture::member;
  for (const int size : {1, 5, 64}) {
    long sum = -1;
    hpk::parallel_reduce(
        hpk::TeamPolicy<TypeParam>(7, size),
        HPK_LAMBDA(const member& team, long& update) {
          hpk::parallel_for(hpk::LeagueThreadRange(team, 1000), [&](int i) { update += i; });
        },
        sum);
    EXPECT_EQ(sum, 499500) << size;
  }
}

}  // namespace
}  // namespace parallel_league_test
