// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a team that have several lanes: which lane runs what, what counts once, and which
// vector lengths a policy accepts. On hosts, where a thread is one lane, the programs give the same
// results.
#include <hpk/core.hpp>

#include <support/widths.hpp>

#include <cstdint>
#include <vector>

namespace vector_lanes_test {
namespace {

template <class Exec>
class VectorLanes : public testing::Test {
 public:
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  static void folds_into_views();
  static void deals_neighbours_to_neighbouring_lanes();
  static void count_once_in_what_a_team_shares();
  static void count_once_in_a_reduction_over_teams();
  static void have_the_scratch_of_their_thread();
  static void get_several_results();
  static void hold_one_token_and_copy_once();
};
TYPED_TEST_SUITE(VectorLanes, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
void VectorLanes<Exec>::folds_into_views() {
  for (const auto& t : hpk_test::team_sizes<Exec>()) {
    const hpk::View<long*, Exec> sums("sums", 3);
    const hpk::View<long**, Exec> own_sums("own sums", 3, t.threads);
    const hpk::View<int, Exec> wrong("wrong");
    const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(3, t.threads, t.vector), HPK_LAMBDA(const member& team) {
          const auto sum = hpk::subview(sums, team.league_rank());
          const auto own = hpk::subview(own_sums, team.league_rank(), team.team_rank());
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, 100), [&](int i, long& u) { u += i; }, sum);
          if (sum() != 4950) count() += 1;
          hpk::parallel_reduce(
              hpk::ThreadVectorRange(team, 100), [&](int i, long& u) { u += 2 * i; }, own);
          if (own() != 9900) count() += 1;
          team.team_barrier();
          hpk::parallel_reduce(
              hpk::TeamVectorRange(team, 100), [&](int i, long& u) { u += 3 * i; }, sum);
          if (sum() != 3 * 4950) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << t.threads << " x " << t.vector;
    EXPECT_EQ(hpk_test::on_host(sums)(2), 3 * 4950);
  }
}
HPK_TYPED_TEST(VectorLanes, folds_into_views) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::folds_into_views(); });
}

// The values that the lanes of a thread write in one loop are visible in the next loop.
// Neighbouring lanes take neighbouring iterations.
template <class Exec>
void VectorLanes<Exec>::deals_neighbours_to_neighbouring_lanes() {
  for (const auto& t : hpk_test::team_sizes<Exec>()) {
    const int n = 37;
    const hpk::View<int***, Exec> taken("taken", 2, t.threads, n);
    const hpk::View<int***, Exec> copied("copied", 2, t.threads, n);
    const hpk::View<int*, Exec> by_lane("by lane", n);
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(2, t.threads, t.vector), HPK_LAMBDA(const member& team) {
          const int l = team.league_rank();
          const int me = team.team_rank();
          hpk::parallel_for(hpk::ThreadVectorRange(team, n), [&](int i) {
            taken(l, me, i) = static_cast<int>(hpk::all_lanes(team).rank());
          });
          hpk::parallel_for(hpk::ThreadVectorRange(team, n),
                            [&](int i) { copied(l, me, i) = taken(l, me, n - 1 - i); });
          if (l == 1) {
            hpk::parallel_for(hpk::TeamVectorRange(team, n), [&](int i) {
              by_lane(i) = static_cast<int>(hpk::all_lanes(team).rank());
            });
          }
        });
    const auto host = hpk_test::on_host(taken);
    const auto host_copied = hpk_test::on_host(copied);
    const auto host_by_lane = hpk_test::on_host(by_lane);
    const int vector = hpk_test::is_host<Exec> ? 1 : t.vector;
    for (int l = 0; l < 2; ++l)
      for (int k = 0; k < t.threads; ++k)
        for (int i = 0; i < n; ++i) {
          const int first = (l * t.threads + k) * vector;
          ASSERT_EQ(host(l, k, i), first + i % vector) << t.threads << " x " << t.vector;
          ASSERT_EQ(host_copied(l, k, i), host(l, k, n - 1 - i));
        }
    if (!hpk_test::is_host<Exec>) {
      const int lanes = t.threads * vector;
      for (int i = 0; i < n; ++i) ASSERT_EQ(host_by_lane(i), lanes + i % lanes);
    }
  }
}
HPK_TYPED_TEST(VectorLanes, deals_neighbours_to_neighbouring_lanes) {
  hpk_test::with_every_width<TypeParam>(
      [] { TestFixture::deals_neighbours_to_neighbouring_lanes(); });
}

// A thread contributes the value of its first lane, whatever the values of other lanes.
template <class Exec>
void VectorLanes<Exec>::count_once_in_what_a_team_shares() {
  for (const auto& t : hpk_test::team_sizes<Exec>()) {
    const int size = t.threads;
    const hpk::View<int, Exec> wrong("wrong");
    const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    const hpk::View<long, Exec> global("global");
    const hpk::View<int, Exec> changes("changes");
    const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> change = changes;
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(4, size, t.vector), HPK_LAMBDA(const member& team) {
          const int me = team.team_rank();
          const int source = team.league_rank() % size;
          const auto lane = hpk::all_lanes(team);
          const bool first = lane.rank() % (lane.size() / hpk::all_threads(team).size()) == 0;
          // Only the first lane has the right value.
          const int mine = first ? me + 1 : -100;
          bool right = team.team_size() == size;
          int sum = mine;
          team.team_reduce(hpk::Sum<int>(sum));
          right = right && sum == size * (size + 1) / 2;
          int value = mine;
          team.team_broadcast(value, source);
          right = right && value == source + 1;
          double changed = first ? me : -100;
          team.team_broadcast(
              [&](double& x) {
                x += 0.5;
                change() += 1;
              },
              changed, source);
          right = right && changed == source + 0.5;
          right = right && team.team_scan(mine) == me * (me + 1) / 2;
          const long slot = team.team_scan(first ? 1L : -100L, &global());
          right = right && slot % size == me;
          long all = 0;
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, 50),
              [&](int i, long& u) {
                double row = 0;
                hpk::parallel_reduce(
                    hpk::ThreadVectorRange(team, 7), [&](int j, double& r) { r += i + j; }, row);
                u += static_cast<long>(row);
              },
              all);
          right = right && all == 7 * 1225 + 50 * 21;
          if (!right) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size << " x " << t.vector;
    EXPECT_EQ(hpk_test::on_host(global)(), 4L * size);
    EXPECT_EQ(hpk_test::on_host(changes)(), 4);
  }
}
HPK_TYPED_TEST(VectorLanes, count_once_in_what_a_team_shares) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::count_once_in_what_a_team_shares(); });
}

template <class Exec>
void VectorLanes<Exec>::count_once_in_a_reduction_over_teams() {
  for (const int league : {1, 5, 1030}) {
    for (const auto& t : hpk_test::team_sizes<Exec>()) {
      if (league * t.threads * t.vector > 20000) continue;
      std::int64_t plain = -1;
      hpk::parallel_reduce(
          hpk::TeamPolicy<Exec>(league, t.threads, t.vector),
          HPK_LAMBDA(const member& team, std::int64_t& u) {
            u += team.league_rank() * 1000 + team.team_rank();
          },
          plain);
      std::int64_t guarded = -1;
      hpk::parallel_reduce(
          hpk::TeamPolicy<Exec>(league, t.threads, t.vector),
          HPK_LAMBDA(const member& team, std::int64_t& u) {
            int row = 0;
            hpk::parallel_reduce(
                hpk::ThreadVectorRange(team, 10), [&](int j, int& r) { r += j; }, row);
            hpk::single(hpk::PerThread(team),
                        [&] { u += row + team.league_rank() * 1000 + team.team_rank(); });
          },
          guarded);
      const std::int64_t threads = std::int64_t{league} * t.threads;
      const std::int64_t expected = std::int64_t{league} * (league - 1) / 2 * 1000 * t.threads +
                                    std::int64_t{t.threads} * (t.threads - 1) / 2 * league;
      EXPECT_EQ(plain, expected) << league << " x " << t.threads << " x " << t.vector;
      EXPECT_EQ(guarded, expected + 45 * threads) << t.threads << " x " << t.vector;
    }
  }
}
HPK_TYPED_TEST(VectorLanes, count_once_in_a_reduction_over_teams) {
  hpk_test::with_every_width<TypeParam>(
      [] { TestFixture::count_once_in_a_reduction_over_teams(); });
}

template <class Exec>
void VectorLanes<Exec>::have_the_scratch_of_their_thread() {
  using scratch = hpk::View<int*, typename member::scratch_memory_space, hpk::MemoryUnmanaged>;
  for (const auto& t : hpk_test::team_sizes<Exec>()) {
    if (t.threads > 64) continue;
    const int n = 20;
    const hpk::View<int, Exec> wrong("wrong");
    const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::TeamPolicy<Exec> policy(3, t.threads, t.vector);
    policy.set_scratch_size(0, hpk::PerThread(scratch::shmem_size(n)));
    policy.set_scratch_size(1, hpk::PerThread(scratch::shmem_size(n)));
    hpk::parallel_for(
        policy, HPK_LAMBDA(const member& team) {
          const scratch fast(team.thread_scratch(0), n);
          const scratch large(team.thread_scratch(1), n);
          const int me = team.team_rank();
          hpk::parallel_for(hpk::ThreadVectorRange(team, n), [&](int i) {
            fast(i) = 100 * me + i;
            large(i) = -fast(i);
          });
          for (int i = 0; i < n; ++i) {
            if (fast(i) != 100 * me + i || large(i) != -fast(i)) count() += 1;
          }
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << t.threads << " x " << t.vector;
  }
}
HPK_TYPED_TEST(VectorLanes, have_the_scratch_of_their_thread) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::have_the_scratch_of_their_thread(); });
}

template <class Exec>
void VectorLanes<Exec>::get_several_results() {
  for (const auto& t : hpk_test::team_sizes<Exec>()) {
    const hpk::View<int, Exec> wrong("wrong");
    const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    const auto both = HPK_LAMBDA(int i, long& sum, int& most) {
      sum += i;
      if ((i * 37) % 101 > most) most = (i * 37) % 101;
    };
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(2, t.threads, t.vector), HPK_LAMBDA(const member& team) {
          long sum = -1;
          int most = -1;
          hpk::parallel_reduce(hpk::ThreadVectorRange(team, 101), both, sum, hpk::Max<int>(most));
          if (sum != 5050 || most != 100) count() += 1;
          hpk::parallel_reduce(hpk::TeamVectorRange(team, 101), both, sum, hpk::Max<int>(most));
          if (sum != 5050 || most != 100) count() += 1;
          hpk::parallel_reduce(hpk::TeamThreadRange(team, 101), both, sum, hpk::Max<int>(most));
          if (sum != 5050 || most != 100) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << t.threads << " x " << t.vector;
  }
}
HPK_TYPED_TEST(VectorLanes, get_several_results) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::get_several_results(); });
}

// Operations for a team happen once, however many lanes a thread has. There are more teams than
// ids, and each id belongs to one team at a time.
template <class Exec>
void VectorLanes<Exec>::hold_one_token_and_copy_once() {
  using policy = hpk::TeamPolicy<Exec>;
  for (const auto& t : hpk_test::team_sizes<Exec>()) {
    const hpk::Experimental::UniqueToken<Exec> tokens;
    const hpk::View<int*, Exec> holders("holders", tokens.size());
    const hpk::View<int**, Exec> rows("rows", 40, 19);
    const hpk::View<int, Exec> wrong("wrong");
    const hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        policy(40, t.threads, t.vector), HPK_LAMBDA(const member& team) {
          const hpk::Experimental::AcquireTeamUniqueToken<policy> mine(tokens, team);
          hpk::single(hpk::PerTeam(team), [&] {
            if (hpk::atomic_fetch_add(&holders(mine.value()), 1) != 0) count() += 1;
          });
          const auto row = hpk::subview(rows, team.league_rank(), hpk::ALL);
          hpk::local_deep_copy(team, row, team.league_rank() + 1);
          hpk::single(hpk::PerTeam(team),
                      [&] { hpk::atomic_fetch_sub(&holders(mine.value()), 1); });
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << t.threads << " x " << t.vector;
    const auto host = hpk_test::on_host(rows);
    for (int i = 0; i < 40; ++i)
      for (int j = 0; j < 19; ++j) ASSERT_EQ(host(i, j), i + 1);
  }
}
HPK_TYPED_TEST(VectorLanes, hold_one_token_and_copy_once) {
  hpk_test::with_every_width<TypeParam>([] { TestFixture::hold_one_token_and_copy_once(); });
}

struct kernel {
  template <class Member>
  HPK_FUNCTION void operator()(const Member&) const {}
};

// The bits of a sum depend only on the number of lanes, not on their order or speed.
HPK_TYPED_TEST(VectorLanes, fold_to_the_same_bits_each_time) {
  using member = typename TestFixture::member;
  std::vector<double> sums;
  for (int k = 0; k < 3; ++k) {
    double sum = 0;
    hpk::parallel_reduce(
        hpk::TeamPolicy<TypeParam>(17, 3, hpk::AUTO),
        HPK_LAMBDA(const member& team, double& u) {
          double part = 0;
          hpk::parallel_reduce(
              hpk::ThreadVectorRange(team, 1000),
              [&](int i, double& p) { p += 1.0 / (1 + i + team.league_rank()); }, part);
          u += part / (1 + team.team_rank());
        },
        sum);
    sums.push_back(sum);
  }
  EXPECT_EQ(sums[0], sums[1]);
  EXPECT_EQ(sums[0], sums[2]);
}

TYPED_TEST(VectorLanes, have_lengths_that_fit_a_sub_group_and_a_team) {
  hpk_test::with_every_width<TypeParam>([] {
    using policy = hpk::TeamPolicy<TypeParam>;
    const int longest = policy::vector_length_max();
    const std::string text = hpk_test::error_of([&] { policy(1, 1, 2 * longest); });
    const std::string up_to = hpk_test::is_host<TypeParam> ? "1 to " : "a power of two up to ";
    EXPECT_TRUE(hpk_test::contains(text, "a vector length of " + std::to_string(2 * longest) +
                                             "; write " + up_to + std::to_string(longest) +
                                             ", or hpk::AUTO"));
    const hpk::ParallelForTag pattern;
    const int most = policy(1, 1).team_size_max(kernel(), pattern);
    if (hpk_test::is_host<TypeParam>) {
      EXPECT_EQ(longest, 1024);
      EXPECT_EQ(policy(1, hpk::AUTO, hpk::AUTO).impl_vector_length(), 1);
      EXPECT_EQ(policy(1, 1, 32).team_size_max(kernel(), pattern), most);
      return;
    }
    EXPECT_EQ(longest, TypeParam().instance().properties().subgroup);
    EXPECT_EQ(policy(1, 1, longest).team_size_max(kernel(), pattern), most / longest);
    EXPECT_EQ(policy(1, hpk::AUTO, hpk::AUTO).impl_vector_length(), longest);
    EXPECT_EQ(policy(1, 1024, hpk::AUTO).impl_vector_length(), 1);
    EXPECT_EQ(policy(1, 512, hpk::AUTO).impl_vector_length(), longest < 2 ? 1 : 2);
    const policy both(1, hpk::AUTO, longest);
    EXPECT_GE(both.team_size(), 1);
    EXPECT_LE(both.team_size() * longest, most);
    if (longest < 4) return;
    const std::string large =
        hpk_test::error_of([&] { hpk::parallel_for("wide", policy(1, 300, 4), kernel()); });
    EXPECT_TRUE(hpk_test::contains(
        large, "\"wide\": a team of 300 threads; this space takes " + std::to_string(most / 4)));
  });
}

}  // namespace
}  // namespace vector_lanes_test
