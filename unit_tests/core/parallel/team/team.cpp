// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handle of a team: its threads, barriers, scratch, and collective operations, in teams of any
// size on every space.
#include <hpk/parallel/team/team.hpp>

#include <support/spaces.hpp>

#include <string>
#include <vector>

namespace parallel_team_test {
namespace {

using hpk::PerTeam;
using hpk::PerThread;

template <class Exec>
class Team : public testing::Test {
 public:
  using policy = hpk::TeamPolicy<Exec>;
  using member = typename policy::member_type;
  template <class Data>
  using scratch = hpk::View<Data, typename member::scratch_memory_space, hpk::MemoryUnmanaged>;
};
TYPED_TEST_SUITE(Team, hpk_test::spaces, hpk_test::space_names);

constexpr int sizes[] = {1, 2, 3, 7, 32, 33, 64, 200, 1024};

HPK_TYPED_TEST(Team, knows_each_of_its_threads) {
  using member = typename TestFixture::member;
  constexpr int league = 5;
  for (const int size : sizes) {
    const hpk::View<int**, TypeParam> seen("seen", league, size);
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(league, size), HPK_LAMBDA(const member& team) {
          seen(team.league_rank(), team.team_rank()) +=
              team.league_size() == league && team.team_size() == size ? 1 : 100;
        });
    const auto host = hpk_test::on_host(seen);
    for (int l = 0; l < league; ++l)
      for (int t = 0; t < size; ++t) ASSERT_EQ(host(l, t), 1) << l << " " << t << " of " << size;
  }
}

HPK_TYPED_TEST(Team, meets_at_barriers) {
  using member = typename TestFixture::member;
  using scratch = typename TestFixture::template scratch<int*>;
  constexpr int league = 4;
  for (const int size : sizes) {
    const hpk::View<int, TypeParam> wrong("wrong");
    const hpk::View<int, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::TeamPolicy<TypeParam> policy(league, size);
    policy.set_scratch_size(0, PerTeam(scratch::shmem_size(size)));
    hpk::parallel_for(
        policy, HPK_LAMBDA(const member& team) {
          const scratch values(team.team_scratch(0), size);
          const int me = team.team_rank();
          for (int round = 0; round < 3; ++round) {
            values(me) = me + round;
            team.team_barrier();
            const int next = (me + 1) % size;
            if (values(next) != next + round) count() += 1;
            team.team_barrier();
          }
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size;
  }
}

HPK_TYPED_TEST(Team, has_scratch_for_all_and_for_each) {
  using member = typename TestFixture::member;
  using doubles = typename TestFixture::template scratch<double*>;
  using chars = typename TestFixture::template scratch<char*>;
  constexpr int league = 3;
  for (const int size : {1, 3, 64}) {
    const hpk::View<int, TypeParam> wrong("wrong");
    const hpk::View<int, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::TeamPolicy<TypeParam> policy(league, size);
    for (const int level : {0, 1}) {
      policy.set_scratch_size(level, PerTeam(doubles::shmem_size(size) + chars::shmem_size(3)),
                              PerThread(doubles::shmem_size(5)));
    }
    hpk::parallel_for(
        policy, HPK_LAMBDA(const member& team) {
          const chars small(team.team_shmem(), 3);
          const doubles shared(team.team_scratch(0), size);
          const doubles large(team.team_scratch(1), size);
          const doubles own(team.thread_scratch(0), 5);
          const doubles own_large(team.thread_scratch(1), 5);
          const int me = team.team_rank();
          shared(me) = me;
          large(me) = 2 * me;
          if (me == 0) small(2) = 'x';
          for (int k = 0; k < 5; ++k) {
            own(k) = 100 * me + k;
            own_large(k) = -own(k);
          }
          team.team_barrier();
          bool right = small(2) == 'x';
          for (int k = 0; k < size; ++k) right = right && shared(k) == k && large(k) == 2 * k;
          for (int k = 0; k < 5; ++k)
            right = right && own(k) == 100 * me + k && own_large(k) == -100 * me - k;
          if (!right) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size;
  }
}

// A level is one pool: memory requested for a team may serve its threads, and vice versa.
HPK_TYPED_TEST(Team, has_one_pool_for_all_and_for_each) {
  using member = typename TestFixture::member;
  using doubles = typename TestFixture::template scratch<double*>;
  for (const int size : {1, 3, 64}) {
    for (const bool by_team : {false, true}) {
      const hpk::View<int, TypeParam> wrong("wrong");
      const hpk::View<int, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
      hpk::TeamPolicy<TypeParam> policy(2, size);
      for (const int level : {0, 1}) {
        if (by_team) {
          policy.set_scratch_size(level, PerTeam(size * doubles::shmem_size(8)));
        } else {
          policy.set_scratch_size(level, PerThread(doubles::shmem_size(8)));
        }
      }
      hpk::parallel_for(
          policy, HPK_LAMBDA(const member& team) {
            const int me = team.team_rank();
            for (const int level : {0, 1}) {
              const doubles own(team.thread_scratch(level), 3);
              const doubles shared(team.team_scratch(level), 4 * size);
              const doubles more(team.thread_scratch(level), 1);
              for (int k = 0; k < 3; ++k) own(k) = 10 * me + k;
              for (int k = 0; k < 4; ++k) shared(4 * me + k) = -k;
              more(0) = me;
              team.team_barrier();
              bool right = more(0) == me;
              for (int k = 0; k < 3; ++k) right = right && own(k) == 10 * me + k;
              for (int k = 0; k < 4 * size; ++k) right = right && shared(k) == -(k % 4);
              if (!right) count() += 1;
            }
          });
      EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size;
    }
  }
}

// Larger than the slot in which lanes exchange values.
struct large {
  int values[12];
  HPK_FUNCTION large& operator+=(const large& other) {
    for (int k = 0; k < 12; ++k) values[k] += other.values[k];
    return *this;
  }
};
HPK_FUNCTION large made_of(int x) {
  large l = {};
  for (int k = 0; k < 12; ++k) l.values[k] = x + k;
  return l;
}

HPK_TYPED_TEST(Team, hears_the_value_of_one) {
  using member = typename TestFixture::member;
  for (const int size : sizes) {
    const hpk::View<int, TypeParam> wrong("wrong");
    const hpk::View<int, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(3, size), HPK_LAMBDA(const member& team) {
          const int me = team.team_rank();
          const int source = team.league_rank() % team.team_size();
          int value = me;
          team.team_broadcast(value, source);
          large wide = made_of(me);
          team.team_broadcast(wide, source);
          double changed = me;
          team.team_broadcast([](double& x) { x += 0.5; }, changed, source);
          if (value != source || wide.values[11] != source + 11 || changed != source + 0.5)
            count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size;
  }
}

HPK_TYPED_TEST(Team, joins_the_values_of_all) {
  using member = typename TestFixture::member;
  for (const int size : sizes) {
    const hpk::View<int, TypeParam> wrong("wrong");
    const hpk::View<int, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(3, size), HPK_LAMBDA(const member& team) {
          const int me = team.team_rank();
          int sum = me;
          team.team_reduce(hpk::Sum<int>(sum));
          int most = -1;
          team.team_reduce(hpk::Max<int>(most), (me * 7) % size);
          hpk::ValLocScalar<int, int> place{};
          team.team_reduce(hpk::MinLoc<int, int>(place),
                           hpk::ValLocScalar<int, int>{size - me, me});
          large wide{};
          team.team_reduce(hpk::Sum<large>(wide), made_of(me));
          bool right = sum == size * (size - 1) / 2 && place.val == 1 && place.loc == size - 1 &&
                       wide.values[2] == sum + 2 * size;
          if (size % 7 != 0) right = right && most == size - 1;
          if (!right) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size;
  }
}

HPK_TYPED_TEST(Team, sums_those_before_each) {
  using member = typename TestFixture::member;
  constexpr int league = 6;
  for (const int size : sizes) {
    const hpk::View<int, TypeParam> wrong("wrong");
    const hpk::View<int, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    const hpk::View<long, TypeParam> global("global");
    const hpk::View<int**, TypeParam> taken("taken", league, size);
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(league, size), HPK_LAMBDA(const member& team) {
          const int me = team.team_rank();
          if (team.team_scan(me + 1) != me * (me + 1) / 2) count() += 1;
          const large before = team.team_scan(made_of(me));
          if (before.values[3] != me * (me - 1) / 2 + 3 * me) count() += 1;
          // One slot for each thread of the league.
          const long slot = team.team_scan(1L, &global());
          taken(team.league_rank(), me) = static_cast<int>(slot);
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size;
    EXPECT_EQ(hpk_test::on_host(global)(), long{league} * size);
    const auto host = hpk_test::on_host(taken);
    std::vector<int> seen(static_cast<std::size_t>(league * size));
    for (int l = 0; l < league; ++l) {
      for (int t = 0; t < size; ++t) {
        ASSERT_EQ(host(l, t), host(l, 0) + t);
        seen.at(static_cast<std::size_t>(host(l, t))) += 1;
      }
    }
    for (const int s : seen) ASSERT_EQ(s, 1);
  }
}

// x -> a x + b, composed in thread order by a reducer. Joins do not commute.
struct affine_map {
  unsigned a;
  unsigned b;
};
class composition {
 public:
  using reducer = composition;
  using value_type = affine_map;
  HPK_FUNCTION explicit composition(affine_map* value) : value_(value) {}
  HPK_FUNCTION void init(affine_map& m) const { m = {1, 0}; }
  HPK_FUNCTION void join(affine_map& to, const affine_map& from) const {
    to = {from.a * to.a, from.a * to.b + from.b};
  }
  HPK_FUNCTION affine_map& reference() const { return *value_; }

 private:
  affine_map* value_;
};

HPK_TYPED_TEST(Team, scans_by_any_operation) {
  using member = typename TestFixture::member;
  for (const int size : sizes) {
    const hpk::View<int, TypeParam> wrong("wrong");
    const hpk::View<int, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = wrong;
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(3, size), HPK_LAMBDA(const member& team) {
          const auto me = static_cast<unsigned>(team.team_rank());
          // The largest value is in the middle: 0, 1, 2, ..., 2, 1, 0.
          const int mine = team.team_rank() < size / 2 ? team.team_rank() : size - team.team_rank();
          int peak = mine;
          const int before = team.team_scan(hpk::Max<int>(peak));
          int expected_before = hpk::reduction_identity<int>::max();
          int expected_peak = expected_before;
          affine_map all = {me + 2, me};
          const affine_map map = team.team_scan(composition(&all));
          affine_map expected_map = {1, 0};
          affine_map expected_all = {1, 0};
          const composition by(&expected_all);
          for (int k = 0; k < size; ++k) {
            if (k == team.team_rank()) {
              expected_before = expected_peak;
              expected_map = expected_all;
            }
            const int theirs = k < size / 2 ? k : size - k;
            if (theirs > expected_peak) expected_peak = theirs;
            by.join(expected_all, {static_cast<unsigned>(k) + 2, static_cast<unsigned>(k)});
          }
          const bool right = before == expected_before && peak == expected_peak &&
                             map.a == expected_map.a && map.b == expected_map.b &&
                             all.a == expected_all.a && all.b == expected_all.b;
          if (!right) count() += 1;
        });
    EXPECT_EQ(hpk_test::on_host(wrong)(), 0) << size;
  }
}

// A kernel may have a separate call operator for one space.
struct says_where {
  hpk::View<int, hpk::HostSpace> said;
  template <class Exec>
  void operator()(const hpk::TeamMember<Exec>&) const {
    said() = 1;
  }
  void operator()(const hpk::TeamMember<hpk::Serial>&) const { said() = 2; }
};
template <class Exec>
int said_by() {
  const hpk::View<int, hpk::HostSpace> said("said");
  hpk::parallel_for(hpk::TeamPolicy<Exec>(1, 1), says_where{said});
  return said();
}
static_assert(std::is_same_v<hpk::Serial::scratch_memory_space,
                             hpk::TeamPolicy<hpk::Serial>::member_type::scratch_memory_space>);

TEST(TeamMembers, tell_the_space_by_their_type) {
  EXPECT_EQ(said_by<hpk::Serial>(), 2);
  using host = hpk::DefaultHostExecutionSpace;
  EXPECT_EQ(said_by<host>(), (std::is_same_v<host, hpk::Serial> ? 2 : 1));
}

TEST(TeamDeathTest, names_a_scratch_level_or_a_source_that_is_not_there) {
  if (!HPK_CHECKS) GTEST_SKIP() << "preconditions are checked when HPK_CHECKS is 1";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  using exec = hpk::DefaultHostExecutionSpace;
  using member = hpk::TeamPolicy<exec>::member_type;
  EXPECT_DEATH(hpk::parallel_for(hpk::TeamPolicy<exec>(1, 1),
                                 [](const member& team) { (void)team.team_scratch(2); }),
               "level == 0 .. level == 1");
  EXPECT_DEATH(hpk::parallel_for(hpk::TeamPolicy<exec>(1, 1),
                                 [](const member& team) {
                                   int x = 0;
                                   team.team_broadcast(x, 1);
                                 }),
               "source < team_size");
}

// Tests that run on hosts only: threads of a team share values that a GPU could not share.
template <class Exec>
class TeamOnHost : public testing::Test {};
TYPED_TEST_SUITE(TeamOnHost, hpk_test::host_spaces, hpk_test::space_names);

TYPED_TEST(TeamOnHost, shares_values_of_any_type) {
  using member = typename hpk::TeamPolicy<TypeParam>::member_type;
  hpk::View<std::string*, hpk::HostSpace> heard("heard", 5);
  hpk::parallel_for(hpk::TeamPolicy<TypeParam>(1, 5), [=](const member& team) {
    std::string word(static_cast<std::size_t>(team.team_rank() + 1), 'a');
    const std::string before = team.team_scan(word);
    team.team_broadcast(word, 4);
    heard(team.team_rank()) = before + "|" + word;
  });
  EXPECT_EQ(heard(0), "|aaaaa");
  EXPECT_EQ(heard(3), "aaaaaa|aaaaa");
}

template <class Exec>
class TeamOnCpu : public testing::Test {};
TYPED_TEST_SUITE(TeamOnCpu, hpk_test::cpu_spaces, hpk_test::space_names);

// docs/teams.md promises 256 KiB of stack for each thread, of which calls take some.
HPK_TYPED_TEST(TeamOnCpu, has_room_for_large_variables) {
  using member = typename hpk::TeamPolicy<TypeParam>::member_type;
  constexpr int entries = 25'000;
  for (const int size : {1, 2, 64}) {
    const hpk::View<double* [3], TypeParam> found("found", size);
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(3, size), HPK_LAMBDA(const member& team) {
          volatile double table[entries];
          for (int k = 0; k < entries; k += 100) table[k] = k + team.team_rank();
          team.team_barrier();
          double sum = 0;
          for (int k = 0; k < entries; k += 100) sum += table[k];
          found(team.team_rank(), team.league_rank()) = sum;
        });
    const auto sums = hpk_test::on_host(found);
    for (int rank = 0; rank < 3; ++rank)
      EXPECT_EQ(sums(size - 1, rank), 250 * (12'450 + size - 1)) << size;
  }
}

HPK_FUNCTION int recurse(int depth) {
  volatile char frame[512] = {1};
  return depth == 0 ? 0 : recurse(depth - 1) + frame[0];
}

HPK_TYPED_TEST(TeamOnCpu, names_the_thread_whose_stack_overflows) {
  if (HPK_HAS_ADDRESS_SANITIZER || HPK_HAS_THREAD_SANITIZER)
    GTEST_SKIP() << "a sanitizer reports an overflow itself";
  using member = typename hpk::TeamPolicy<TypeParam>::member_type;
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        hpk::parallel_for(
            "deep", hpk::TeamPolicy<TypeParam>(3, 4), HPK_LAMBDA(const member& team) {
              team.team_barrier();
              if (team.league_rank() == 1 && team.team_rank() == 2) recurse(1 << 20);
            });
        hpk::fence();
      },
      "hpk: stack overflow in parallel_for \"deep\" \\(at .*team.cpp:[0-9]+\\): "
      "(thread 2 of 4 of team 1|lane 2 of 4 of group 1) needs more than its stack of 256 KiB");
}

}  // namespace
}  // namespace parallel_team_test
