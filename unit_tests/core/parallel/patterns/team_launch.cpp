// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_for and parallel_reduce over teams: every team runs once, with any schedule. Results of
// every kind have the same bits for any number of workers. Also scratch that a functor requests,
// and errors.
#include <hpk/parallel/patterns/team_launch.hpp>

#include <support/spaces.hpp>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>

namespace parallel_team_launch_test {
namespace {

using hpk::AUTO;
using hpk::TeamPolicy;

template <class Exec>
class TeamLaunch : public testing::Test {};
TYPED_TEST_SUITE(TeamLaunch, hpk_test::spaces, hpk_test::space_names);

struct mark {};

template <class Exec>
struct tagged {
  hpk::View<int*, Exec, hpk::MemoryTraits<hpk::Atomic>> seen;
  using member = typename TeamPolicy<Exec>::member_type;
  HPK_FUNCTION void operator()(mark, const member& team) const {
    seen(team.league_rank()) += team.team_rank() + 1;
  }
  HPK_FUNCTION void operator()(mark, const member& team, long& update) const {
    update += team.league_rank() * (team.team_rank() + 1);
  }
};

HPK_TYPED_TEST(TeamLaunch, runs_every_team_once) {
  using member = typename TeamPolicy<TypeParam>::member_type;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int league : {0, 1, 2, 7, 100, 5000}) {
      for (const int size : {1, 6}) {
        const hpk::View<int*, TypeParam> seen("seen", league);
        const hpk::View<int*, TypeParam, hpk::MemoryTraits<hpk::Atomic>> count = seen;
        const auto kernel = HPK_LAMBDA(const member& team) { count(team.league_rank()) += 1; };
        hpk::parallel_for("static", TeamPolicy<TypeParam>(exec, league, size), kernel);
        hpk::parallel_for(TeamPolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, league, size),
                          kernel);
        TeamPolicy<TypeParam, hpk::Schedule<hpk::Dynamic>, hpk::LaunchBounds<64>> chunks(
            exec, league, size, 1);
        hpk::parallel_for("dynamic", chunks.set_chunk_size(3), kernel);
        hpk::parallel_for("tagged", TeamPolicy<TypeParam, mark>(exec, league, size),
                          tagged<TypeParam>{count});
        exec.fence();
        const auto host = hpk_test::on_host(seen);
        for (int l = 0; l < league; ++l) ASSERT_EQ(host(l), 3 * size + size * (size + 1) / 2);
      }
    }
  }
}

HPK_TYPED_TEST(TeamLaunch, folds_what_every_thread_adds) {
  using member = typename TeamPolicy<TypeParam>::member_type;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int league : {0, 1, 7, 64, 1000, 5000}) {
      for (const int size : {1, 3, 33}) {
        const long teams = long{league} * (league - 1) / 2;
        const TeamPolicy<TypeParam> policy(exec, league, size);
        long sum = -1;
        hpk::parallel_reduce(
            "sum", policy, HPK_LAMBDA(const member& team, long& u) { u += team.league_rank(); },
            sum);
        EXPECT_EQ(sum, teams * size);
        const hpk::View<long, TypeParam> result("result");
        hpk::parallel_reduce(TeamPolicy<TypeParam, mark>(policy), tagged<TypeParam>{}, result);
        EXPECT_EQ(hpk_test::on_host(result)(), teams * size * (size + 1) / 2);
        int most = -1;
        hpk::parallel_reduce(
            policy,
            HPK_LAMBDA(const member& team, int& u) {
              const int v = team.league_rank() * 100 + team.team_rank();
              if (v > u) u = v;
            },
            hpk::Max<int>(most));
        int expected = 0;
        hpk::Max<int>(expected).init(expected);
        EXPECT_EQ(most, league == 0 ? expected : (league - 1) * 100 + size - 1);
      }
    }
  }
}

// Sums whose rounding depends on their order.
HPK_TYPED_TEST(TeamLaunch, has_the_same_bits_for_any_number_of_workers) {
  using member = typename TeamPolicy<TypeParam>::member_type;
  for (const int size : {1, 5}) {
    double first = 0;
    bool is_first = true;
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      for (const bool dynamic : {false, true}) {
        double sum = 0;
        const auto kernel = HPK_LAMBDA(const member& team, double& u) {
          double inner = 0;
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, 100),
              [&](int i, double& v) { v += 1.0 / (1 + i + 13 * team.league_rank()); }, inner);
          if (team.team_rank() == 0) u += inner;
        };
        if (dynamic) {
          hpk::parallel_reduce(TeamPolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, 3333, size),
                               kernel, sum);
        } else {
          hpk::parallel_reduce(TeamPolicy<TypeParam>(exec, 3333, size), kernel, sum);
        }
        if (is_first) first = sum;
        is_first = false;
        EXPECT_EQ(std::memcmp(&sum, &first, sizeof sum), 0);
      }
    }
  }
}

// A functor that requests scratch with team_shmem_size.
template <class Exec>
struct asks_for_scratch {
  using member = typename TeamPolicy<Exec>::member_type;
  using scratch = hpk::View<int*, typename member::scratch_memory_space, hpk::MemoryUnmanaged>;
  hpk::View<int*, Exec> out;
  std::size_t team_shmem_size(int team_size) const { return scratch::shmem_size(team_size + 1); }
  HPK_FUNCTION void operator()(const member& team) const {
    const scratch values(team.team_shmem(), team.team_size() + 1);
    values(team.team_rank() + 1) = team.team_rank();
    team.team_barrier();
    int sum = 0;
    for (int k = 0; k < team.team_size(); ++k) sum += values(k + 1);
    if (team.team_rank() == 0) out(team.league_rank()) = sum;
  }
};

HPK_TYPED_TEST(TeamLaunch, gives_a_functor_the_scratch_that_it_asks_for) {
  for (const int size : {1, 10}) {
    const hpk::View<int*, TypeParam> out("out", 20);
    hpk::parallel_for(TeamPolicy<TypeParam>(20, size), asks_for_scratch<TypeParam>{out});
    const auto host = hpk_test::on_host(out);
    for (int l = 0; l < 20; ++l) EXPECT_EQ(host(l), size * (size - 1) / 2);
  }
}

template <class Exec>
class TeamLaunchOnHost : public testing::Test {};
TYPED_TEST_SUITE(TeamLaunchOnHost, hpk_test::host_spaces, hpk_test::space_names);

TYPED_TEST(TeamLaunchOnHost, passes_on_what_a_lane_throws) {
  using member = typename TeamPolicy<TypeParam>::member_type;
  for (const int size : {1, 8}) {
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      try {
        hpk::parallel_for(TeamPolicy<TypeParam>(exec, 100, size), [](const member& team) {
          if (team.league_rank() >= 50 && team.team_rank() == team.team_size() - 1)
            throw std::runtime_error(std::to_string(team.league_rank()));
          team.team_barrier();
        });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::runtime_error& e) {
        EXPECT_GE(std::stoi(e.what()), 50);
      }
      double sum = 0;
      EXPECT_THROW(hpk::parallel_reduce(
                       TeamPolicy<TypeParam>(exec, 100, size),
                       [](const member&, double&) { throw std::runtime_error("no"); }, sum),
                   std::runtime_error);
    }
  }
}

TYPED_TEST(TeamLaunchOnHost, names_the_kernel_whose_lanes_miss_a_barrier) {
  using member = typename TeamPolicy<TypeParam>::member_type;
  hpk_test::expect_error(
      [] {
        hpk::parallel_for("half a team", TeamPolicy<TypeParam>(3, 4), [](const member& team) {
          if (team.league_rank() == 1 && team.team_rank() < 2) team.team_barrier();
        });
      },
      {"hpk::parallel_for \"half a team\": thread 0 of team 1 waits at a barrier that not all "
       "threads of the team reach: 2 of 4 wait",
       "team_launch.cpp"});
}

TYPED_TEST(TeamLaunchOnHost, names_the_kernel_whose_lanes_are_about_different_things) {
  using member = typename TeamPolicy<TypeParam>::member_type;
  hpk_test::expect_error(
      [] {
        hpk::parallel_for("mixed", TeamPolicy<TypeParam>(3, 8), [](const member& team) {
          int value = 1;
          if (team.team_rank() % 2 == 1) {
            team.team_broadcast(value, 0);
          } else {
            team.team_barrier();
            team.team_barrier();
          }
        });
      },
      {"hpk::parallel_for \"mixed\": thread 0 of team 0 waits at a barrier that not all threads of "
       "the team reach: 4 of 8 wait, 0 left the kernel, 4 wait elsewhere"});
  hpk_test::expect_error(
      [] {
        hpk::parallel_for("sizes", TeamPolicy<TypeParam>(1, 4), [](const member& team) {
          if (team.team_rank() == 2) {
            double sum = 1;
            team.team_reduce(hpk::Sum<double>(sum));
          } else {
            int most = 1;
            team.team_reduce(hpk::Max<int>(most));
          }
        });
      },
      {"hpk::parallel_for \"sizes\": thread 0 of team 0 waits at a barrier that not all threads"});
}

TYPED_TEST(TeamLaunchOnHost, names_the_kernel_that_uses_the_handle_of_an_outer_team) {
  using member = typename TeamPolicy<TypeParam>::member_type;
  hpk_test::expect_error(
      [] {
        hpk::parallel_for("outer", TeamPolicy<TypeParam>(1, 4), [](const member& outer) {
          hpk::parallel_for("inner", TeamPolicy<TypeParam>(1, 4),
                            [&](const member&) { outer.team_barrier(); });
        });
      },
      {"hpk::parallel_for \"inner\": the handle of a team is used in a kernel that was launched "
       "inside of that team"});
  // A team of one runs on the fibre of the outer lane.
  std::atomic<int> met = 0;
  hpk::parallel_for("outer", TeamPolicy<TypeParam>(1, 4), [&](const member& outer) {
    hpk::parallel_for("inner", TeamPolicy<TypeParam>(1, 1), [&](const member&) {
      outer.team_barrier();
      ++met;
    });
  });
  EXPECT_EQ(met, 4);
}

TYPED_TEST(TeamLaunchOnHost, names_the_kernel_whose_scratch_finds_no_memory) {
  if (HPK_HAS_ADDRESS_SANITIZER || HPK_HAS_THREAD_SANITIZER)
    GTEST_SKIP() << "sanitizers end the program when memory is spent";
  using member = typename TeamPolicy<TypeParam>::member_type;
  const auto launch = [] {
    TeamPolicy<TypeParam> policy(2, 1024);
    policy.set_scratch_size(1, hpk::PerThread(std::int64_t{1} << 40));
    hpk::parallel_for("huge", policy, [](const member&) {});
  };
  hpk_test::expect_error(launch, {"hpk::parallel_for \"huge\": no memory is left for"});
  EXPECT_THROW(launch(), std::bad_alloc);
}

TYPED_TEST(TeamLaunchOnHost, names_the_kernel_whose_scratch_is_spent) {
  using member = typename TeamPolicy<TypeParam>::member_type;
  using scratch = hpk::View<double*, typename member::scratch_memory_space>;
  hpk_test::expect_error(
      [] {
        TeamPolicy<TypeParam> policy(3, 2);
        policy.set_scratch_size(0, hpk::PerTeam(scratch::shmem_size(10)));
        hpk::parallel_for("greedy", policy, [](const member& team) {
          const scratch ten(team.team_scratch(0), 10);
          const scratch more(team.team_scratch(0), 2);
        });
      },
      {"hpk::parallel_for \"greedy\": a team asks for 16 bytes of scratch, and 8 are left",
       "team_launch.cpp"});
}

// Values that own heap memory, in teams of several fibres.
TYPED_TEST(TeamLaunchOnHost, folds_values_of_class_type_in_order) {
  using member = typename TeamPolicy<TypeParam>::member_type;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    std::string word;
    hpk::parallel_reduce(
        TeamPolicy<TypeParam>(exec, 5, 3),
        [](const member& team, std::string& u) {
          u += std::to_string(team.league_rank() * 10 + team.team_rank()) + " ";
        },
        word);
    EXPECT_EQ(word, "0 1 2 10 11 12 20 21 22 30 31 32 40 41 42 ");
  }
}

// A launch in a kernel runs inline, also a team launch in a lane of another team.
TYPED_TEST(TeamLaunchOnHost, runs_teams_inside_of_teams) {
  using member = typename TeamPolicy<TypeParam>::member_type;
  std::atomic<int> count = 0;
  hpk::parallel_for(TeamPolicy<TypeParam>(4, 3), [&](const member& outer) {
    outer.team_barrier();
    hpk::parallel_for(TeamPolicy<TypeParam>(2, 5), [&](const member& inner) {
      inner.team_barrier();
      ++count;
    });
    outer.team_barrier();
  });
  EXPECT_EQ(count, 4 * 3 * 2 * 5);
}

TYPED_TEST(TeamLaunchOnHost, borrows_the_views_of_its_kernel) {
  using member = typename TeamPolicy<TypeParam>::member_type;
  const hpk::View<int**, TypeParam> v("v", 10, 10);
  for (const int size : {1, 4}) {
    hpk::parallel_for(TeamPolicy<TypeParam>(10, size), [=](const member& team) {
      const auto row = hpk::subview(v, team.league_rank(), hpk::ALL);
      hpk::parallel_for(hpk::TeamThreadRange(team, 10), [&](int i) { row(i) += 1; });
    });
    EXPECT_EQ(v.use_count(), 1);
  }
  EXPECT_EQ(v(9, 9), 2);
}

}  // namespace
}  // namespace parallel_team_launch_test
