// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sub-groups of teams: every operation for every lane, compared with the result by ranks, for
// sub-groups of every width, complete and partial. Also errors for lanes that do not exist or do
// not take part.
#include <hpk/parallel/team/subgroup.hpp>

#include <support/widths.hpp>

#include <cstdint>

namespace parallel_subgroup_test {
namespace {

template <class Exec>
class SubgroupOfTeam : public testing::Test {
 public:
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  static void knows_its_lanes();
  static void exchanges();
  static void folds();
  static void has_tiles();
};
TYPED_TEST_SUITE(SubgroupOfTeam, hpk_test::spaces, hpk_test::space_names);

constexpr int sizes[] = {1, 2, 5, 32, 33, 64, 100, 257};

// The sub-group width in teams of several lanes.
template <class Exec>
int width_of(int lanes) {
  if (hpk_test::is_host<Exec>) return lanes == 1 ? 1 : 32;
  return Exec().instance().properties().subgroup;
}

template <class Exec>
void SubgroupOfTeam<Exec>::knows_its_lanes() {
  for (const int size : sizes) {
    const int width = width_of<Exec>(size);
    const hpk::View<int*, Exec> wrong("wrong", size);
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(2, size), HPK_LAMBDA(const member& team) {
          const auto warp = team.warp();
          const int me = team.team_rank();
          const int first = me / width * width;
          const int there = size - first < width ? size - first : width;
          if (warp.rank() != me - first || warp.size() != there) wrong(me) = 1;
        });
    const auto host = hpk_test::on_host(wrong);
    for (int k = 0; k < size; ++k) ASSERT_EQ(host(k), 0) << k << " of " << size;
  }
}
HPK_TYPED_TEST(SubgroupOfTeam, knows_its_lanes) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::knows_its_lanes(); });
}

// Larger than what a GPU shuffles in one word and than a slot of Emu.
struct wide {
  int values[9];
  char last;
};
HPK_FUNCTION wide wide_of(int x) {
  wide w = {};
  for (int k = 0; k < 9; ++k) w.values[k] = x * k + 1;
  w.last = static_cast<char>(x % 100);
  return w;
}
HPK_FUNCTION bool is_wide_of(const wide& w, int x) {
  bool same = w.last == static_cast<char>(x % 100);
  for (int k = 0; k < 9; ++k) same = same && w.values[k] == x * k + 1;
  return same;
}

template <class Exec>
void SubgroupOfTeam<Exec>::exchanges() {
  for (const int size : sizes) {
    const hpk::View<int, Exec> wrong("wrong");
    const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(2, size), HPK_LAMBDA(const member& team) {
          const auto warp = team.warp();
          const int all = warp.size();
          const int me = warp.rank();
          const int first = team.team_rank() - me;
          const int mine = 1000 * team.league_rank() + team.team_rank();
          const int base = mine - me;
          bool right = true;
          for (int k = 0; k < all; ++k) {
            right = right && warp.shfl(mine, k) == base + k;
            right = right && warp.shfl(static_cast<char>(me), k) == static_cast<char>(k);
            right = right && warp.shfl(mine + 0.5, k) == base + k + 0.5;
            right = right && is_wide_of(warp.shfl(wide_of(mine), k), base + k);
          }
          // Each lane reads another lane: a rotation.
          right = right && warp.shfl(mine, (me + 3) % all) == base + (me + 3) % all;
          for (const int d : {0, 1, 3, all - 1, all, 1000}) {
            right = right && warp.shfl_up(mine, d) == (me >= d ? mine - d : mine);
            right = right && warp.shfl_down(mine, d) == (me + d < all ? mine + d : mine);
            const int across = me ^ d;
            right = right && warp.shfl_xor(mine, d) == (across < all ? base + across : mine);
          }
          const std::uint64_t everyone =
              all == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << all) - 1;
          std::uint64_t odd = 0;
          for (int k = 0; k < all; ++k)
            odd |= static_cast<std::uint64_t>((first + k) % 3 == 1) << k;
          right = right && warp.ballot(team.team_rank() % 3 == 1) == odd;
          right = right && warp.ballot(true) == everyone && warp.ballot(false) == 0;
          right = right && warp.any(me == all - 1) && !warp.any(false);
          right = right && warp.all(true) && warp.all(me < all - 1) == false;
          if (!right) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size;
  }
}
HPK_TYPED_TEST(SubgroupOfTeam, exchanges_values_and_flags) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::exchanges(); });
}

template <class Exec>
void SubgroupOfTeam<Exec>::has_tiles() {
  for (const int size : sizes) {
    const int width = width_of<Exec>(size);
    const hpk::View<int, Exec> wrong("wrong");
    const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(2, size), HPK_LAMBDA(const member& team) {
          for (int lanes = 1; lanes <= width; lanes *= 2) {
            const auto tile = team.warp().tile(lanes);
            const int me = team.team_rank();
            const int first = me / lanes * lanes;
            const int there = size - first < lanes ? size - first : lanes;
            bool right = tile.size() == there && tile.rank() == me - first;
            right =
                right && tile.shfl(me, 0) == first && tile.shfl(me, there - 1) == first + there - 1;
            for (const int d : {1, 2, 5}) {
              right = right && tile.shfl_up(me, d) == (me - first >= d ? me - d : me);
              right = right && tile.shfl_down(me, d) == (me - first + d < there ? me + d : me);
              const int across = (me - first) ^ d;
              right = right && tile.shfl_xor(me, d) == (across < there ? first + across : me);
            }
            int sum = me;
            tile.reduce(hpk::Sum<int>(sum));
            right = right && sum == there * first + there * (there - 1) / 2;
            right = right && tile.scan(1) == me - first;
            // The other tiles do something different meanwhile.
            if (first / lanes % 2 == 0)
              right = right && tile.shfl(me, there - 1) == first + there - 1;
            if (!right) count() += 1;
          }
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size;
  }
}
HPK_TYPED_TEST(SubgroupOfTeam, has_tiles) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::has_tiles(); });
}

// Affine maps modulo a number, whose joins do not commute.
struct affine {
  std::int64_t a, b;
};
HPK_FUNCTION affine behind(const affine& x, const affine& y) {
  return {x.a * y.a % 10007, (x.b * y.a + y.b) % 10007};
}
struct chain {
  using reducer = chain;
  using value_type = affine;
  affine* result;
  HPK_FUNCTION void init(affine& x) const { x = {1, 0}; }
  HPK_FUNCTION void join(affine& to, const affine& from) const { to = behind(to, from); }
  HPK_FUNCTION affine& reference() const { return *result; }
};

template <class Exec>
void SubgroupOfTeam<Exec>::folds() {
  for (const int size : sizes) {
    const hpk::View<int, Exec> wrong("wrong");
    const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(2, size), HPK_LAMBDA(const member& team) {
          const auto warp = team.warp();
          const int first = team.team_rank() - warp.rank();
          int sum = team.team_rank();
          warp.reduce(hpk::Sum<int>(sum));
          affine all{team.team_rank() + 2, team.team_rank()};
          warp.reduce(chain{&all});
          affine expected;
          chain{&all}.init(expected);
          affine scanned{team.team_rank() + 2, team.team_rank()};
          const affine mine = warp.scan(chain{&scanned});
          affine expected_mine = expected;
          int before = 0;
          int expected_sum = 0;
          for (int k = first; k < first + warp.size(); ++k) {
            if (k == team.team_rank()) expected_mine = expected;
            expected = behind(expected, {k + 2, k});
            expected_sum += k;
            if (k < team.team_rank()) before += k;
          }
          const bool right = sum == expected_sum && all.a == expected.a && all.b == expected.b &&
                             warp.scan(team.team_rank()) == before && mine.a == expected_mine.a &&
                             mine.b == expected_mine.b && scanned.a == expected.a &&
                             scanned.b == expected.b;
          if (!right) count() += 1;
          // Sub-group operations have not changed the scratch that team operations use.
          double whole = 1;
          team.team_reduce(hpk::Sum<double>(whole));
          if (whole != size) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size;
  }
}
HPK_TYPED_TEST(SubgroupOfTeam, folds_in_the_order_of_its_lanes) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::folds(); });
}

// Sub-groups that run different code.
HPK_TYPED_TEST(SubgroupOfTeam, needs_no_other_sub_group) {
  using member = typename TestFixture::member;
  constexpr int size = 200;
  const hpk::View<int, TypeParam> wrong("wrong");
  const hpk::View<int, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
  hpk::parallel_for(
      hpk::TeamPolicy<TypeParam>(2, size), HPK_LAMBDA(const member& team) {
        const auto warp = team.warp();
        const int first = team.team_rank() - warp.rank();
        int value = team.team_rank();
        for (int round = 0; round < first / 32; ++round)
          value = warp.shfl(value, (warp.rank() + 1) % warp.size());
        if (value != first + (warp.rank() + first / 32) % warp.size()) count() += 1;
        team.team_barrier();
      });
  EXPECT_EQ(hpk_test::on_host(wrong)(), 0);
}

template <class Exec>
class SubgroupOnHost : public testing::Test {};
TYPED_TEST_SUITE(SubgroupOnHost, hpk_test::host_spaces, hpk_test::space_names);

template <class Exec, class Body>
std::string error_in_team(int size, const Body& body) {
  return hpk_test::error_of([&] {
    hpk::parallel_for("ask", hpk::TeamPolicy<Exec>(1, size), body);
    Exec().fence();
  });
}

TYPED_TEST(SubgroupOnHost, names_a_lane_that_is_not_there) {
  using member = typename hpk::TeamPolicy<TypeParam>::member_type;
  const std::string large = error_in_team<TypeParam>(
      40, [](const member& team) { (void)team.warp().shfl(1, team.team_rank() < 32 ? 31 : 9); });
  EXPECT_TRUE(hpk_test::contains(large, "hpk::parallel_for \"ask\": hpk::Subgroup::shfl: lane"));
  EXPECT_TRUE(hpk_test::contains(large, "asks for the value of lane 9 of a sub-group of 8"));
  const std::string below =
      error_in_team<TypeParam>(1, [](const member& team) { (void)team.warp().shfl(1, -1); });
  EXPECT_TRUE(
      hpk_test::contains(below, "lane 0 asks for the value of lane -1 of a sub-group of 1"));
}

TYPED_TEST(SubgroupOnHost, names_the_kernel_where_lanes_do_not_come) {
  using member = typename hpk::TeamPolicy<TypeParam>::member_type;
  const std::string left = error_in_team<TypeParam>(40, [](const member& team) {
    if (team.team_rank() != 7) (void)team.warp().ballot(true);
  });
  EXPECT_TRUE(hpk_test::contains(left, "hpk::parallel_for \"ask\""));
  EXPECT_TRUE(
      hpk_test::contains(left,
                         "thread 0 of team 0 waits at an operation of its sub-group that not all "
                         "lanes of the sub-group reach: 31 of 40 wait, 9 left the kernel"));
  const std::string elsewhere = error_in_team<TypeParam>(4, [](const member& team) {
    if (team.team_rank() < 2) {
      (void)team.warp().shfl(1, 0);
    } else {
      team.team_barrier();
    }
  });
  EXPECT_TRUE(
      hpk_test::contains(elsewhere, "reach: 2 of 4 wait, 0 left the kernel, 2 wait elsewhere"));
}

}  // namespace
}  // namespace parallel_subgroup_test
