// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TeamPolicy: constructors, queries, and refused arguments.
#include <hpk/parallel/policies/team_policy.hpp>

#include <support/spaces.hpp>

namespace parallel_team_policy_test {
namespace {

using hpk::AUTO;
using hpk::PerTeam;
using hpk::PerThread;

static_assert(hpk::is_execution_policy_v<hpk::TeamPolicy<>>);
static_assert(hpk::is_team_handle_v<hpk::TeamPolicy<>::member_type>);
static_assert(!hpk::is_team_handle_v<int> && !hpk::is_team_handle_v<hpk::TeamPolicy<>>);
static_assert(hpk::TeamHandle<hpk::TeamPolicy<>::member_type> && !hpk::TeamHandle<int> &&
              !hpk::TeamHandle<hpk::TeamPolicy<>>);
static_assert(std::is_same_v<decltype(hpk::TeamPolicy()), hpk::TeamPolicy<>>);
static_assert(std::is_same_v<decltype(hpk::TeamPolicy(4, 2)), hpk::TeamPolicy<>>);
static_assert(std::is_same_v<decltype(hpk::TeamPolicy(4, AUTO)), hpk::TeamPolicy<>>);
static_assert(std::is_same_v<decltype(hpk::TeamPolicy(4u, AUTO(), 1L)), hpk::TeamPolicy<>>);
static_assert(std::is_same_v<decltype(hpk::TeamPolicy(hpk::DefaultExecutionSpace(), 4, AUTO)),
                             hpk::TeamPolicy<>>);
template <class Exec>
using policy_of = std::conditional_t<std::is_same_v<Exec, hpk::DefaultExecutionSpace>,
                                     hpk::TeamPolicy<>, hpk::TeamPolicy<Exec>>;
template <class... Execs>
constexpr bool names_its_space(hpk::detail::type_list<Execs...>) {
  return (std::is_same_v<decltype(hpk::TeamPolicy(Execs(), 4, 2, AUTO)), policy_of<Execs>> && ...);
}
static_assert(names_its_space(hpk::detail::enabled_spaces()));
// All policies of a space have one handle type.
struct tag {};
static_assert(std::is_same_v<hpk::TeamPolicy<tag, hpk::Schedule<hpk::Dynamic>>::member_type,
                             hpk::TeamPolicy<hpk::IndexType<int>>::member_type>);

TEST(TeamPolicies, hold_what_they_were_made_from) {
  using policy = hpk::TeamPolicy<hpk::DefaultHostExecutionSpace>;
  const policy none;
  EXPECT_EQ(none.league_size(), 0);
  EXPECT_TRUE(none.impl_auto_team_size());
  const policy given(10, 8, 4);
  EXPECT_EQ(given.league_size(), 10);
  EXPECT_EQ(given.team_size(), 8);
  EXPECT_EQ(given.impl_vector_length(), 4);
  EXPECT_FALSE(given.impl_auto_team_size() || given.impl_auto_vector_length());
  EXPECT_EQ(given.chunk_size(), 1);
  EXPECT_EQ(policy(given).set_chunk_size(3).chunk_size(), 3);
  const policy automatic(10, AUTO, AUTO);
  EXPECT_TRUE(automatic.impl_auto_team_size() && automatic.impl_auto_vector_length());
  EXPECT_EQ(automatic.team_size(), 1);
  EXPECT_EQ(automatic.impl_vector_length(), 1);
  EXPECT_EQ(given.space(), hpk::DefaultHostExecutionSpace());
}

TEST(TeamPolicies, replace_one_part_of_the_scratch_at_a_time) {
  hpk::TeamPolicy<hpk::DefaultHostExecutionSpace> policy(10, 8);
  policy.set_scratch_size(0, PerTeam(100)).set_scratch_size(0, PerThread(7));
  EXPECT_EQ(policy.scratch_size(0), 156u);
  EXPECT_EQ(policy.scratch_size(0, 2), 114u);
  EXPECT_EQ(policy.scratch_size(1), 0u);
  policy.set_scratch_size(1, PerThread(1), PerTeam(2));
  policy.set_scratch_size(0, PerTeam(1));
  EXPECT_EQ(policy.team_scratch_size(0), 1u);
  EXPECT_EQ(policy.thread_scratch_size(0), 7u);
  EXPECT_EQ(policy.team_scratch_size(1), 2u);
  EXPECT_EQ(policy.thread_scratch_size(1), 1u);
  policy.set_scratch_size(1, PerTeam(20), PerThread(10));
  EXPECT_EQ(policy.scratch_size(1), 100u);
  EXPECT_GE(policy.scratch_size_max(0), std::size_t{32} << 10);
  EXPECT_GE(policy.scratch_size_max(1), std::size_t{20} << 20);
}

TEST(TeamPolicies, keep_all_of_it_when_they_get_other_arguments) {
  hpk::TeamPolicy<hpk::DefaultHostExecutionSpace> policy(10, AUTO, 4);
  policy.set_scratch_size(0, PerTeam(100)).set_scratch_size(1, PerThread(7)).set_chunk_size(5);
  const hpk::TeamPolicy<hpk::DefaultHostExecutionSpace, tag, hpk::Schedule<hpk::Dynamic>> other(
      policy);
  EXPECT_EQ(other.league_size(), 10);
  EXPECT_TRUE(other.impl_auto_team_size());
  EXPECT_EQ(other.impl_vector_length(), 4);
  EXPECT_EQ(other.team_scratch_size(0), 100u);
  EXPECT_EQ(other.thread_scratch_size(1), 7u);
  EXPECT_EQ(other.chunk_size(), 5);
}

template <class Exec>
class TeamSizes : public testing::Test {};
TYPED_TEST_SUITE(TeamSizes, hpk_test::spaces, hpk_test::space_names);

struct kernel {
  template <class Member>
  HPK_FUNCTION void operator()(const Member&) const {}
};

// On hosts a team with more threads than workers runs on fibres. It works, but the queries report
// the sizes that are fast.
TYPED_TEST(TeamSizes, are_at_most_the_workers_on_hosts) {
  if constexpr (hpk_test::is_host<TypeParam>) {
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      const hpk::TeamPolicy<TypeParam> policy(exec, 10, AUTO);
      EXPECT_EQ(policy.team_size_max(kernel(), hpk::ParallelForTag()), exec.concurrency());
      EXPECT_EQ(policy.team_size_recommended(kernel(), hpk::ParallelForTag()), 1);
    }
  }
}

TYPED_TEST(TeamSizes, go_up_to_1024) {
  const hpk::TeamPolicy<TypeParam> policy(10, AUTO);
  const int most = policy.team_size_max(kernel(), hpk::ParallelForTag());
  if (!hpk_test::is_host<TypeParam>) {
    EXPECT_EQ(most, 1024);
  }
  hpk::parallel_for(hpk::TeamPolicy<TypeParam>(2, 1024), kernel());
  TypeParam().fence();
  int sum = 0;
  EXPECT_EQ(policy.team_size_max(kernel(), hpk::Sum<int>(sum), hpk::ParallelReduceTag()), most);
  const int liked = policy.team_size_recommended(kernel(), hpk::ParallelReduceTag());
  EXPECT_GE(liked, 1);
  EXPECT_LE(liked, most);
  EXPECT_EQ(policy.team_size(), liked);
  if (hpk_test::is_host<TypeParam>) {
    EXPECT_EQ(liked, 1);
  }
}

// A functor that requests scratch for each thread.
template <int Bytes>
struct asks_for {
  int team_shmem_size(int threads) const { return threads * Bytes; }
  template <class Member>
  HPK_FUNCTION void operator()(const Member&) const {}
};

// On a GPU the scratch of a team limits its size. AUTO chooses a size that fits.
TYPED_TEST(TeamSizes, keep_to_the_scratch_that_a_functor_asks_for) {
  const hpk::TeamPolicy<TypeParam> policy(10, AUTO);
  const asks_for<4096> functor;
  const int most = policy.team_size_max(functor, hpk::ParallelForTag());
  EXPECT_GE(most, 1);
  if (!hpk_test::is_host<TypeParam>) {
    const auto there = policy.scratch_size_max(0);
    EXPECT_LE(static_cast<std::size_t>(most) * 4096, there);
    EXPECT_GT(static_cast<std::size_t>(most + 1) * (4096 + 16), there);
  }
  EXPECT_LE(policy.team_size_recommended(functor, hpk::ParallelForTag()), most);
  hpk::parallel_for(policy, functor);
  hpk::parallel_for(hpk::TeamPolicy<TypeParam>(10, most), functor);
  TypeParam().fence();
  if (!hpk_test::is_host<TypeParam>) {
    hpk::TeamPolicy<TypeParam> greedy(10, AUTO);
    greedy.set_scratch_size(0, PerTeam(1 << 30));
    EXPECT_EQ(greedy.team_size_max(kernel(), hpk::ParallelForTag()), 0);
    EXPECT_THROW(hpk::parallel_for("greedy", greedy, kernel()), hpk::error);
  }
}

enum threads_of_a_team { four = 4 };
TEST(TeamPolicies, take_enumerators_as_sizes) {
  EXPECT_EQ(hpk::TeamPolicy<hpk::DefaultHostExecutionSpace>(1, four).team_size(), 4);
}

struct converts_to_int {
  operator int() const { return 3; }
};

TEST(TeamPolicies, take_league_sizes_of_other_types) {
  using policy = hpk::TeamPolicy<hpk::DefaultHostExecutionSpace>;
  EXPECT_EQ(policy(4.0, AUTO).league_size(), 4);
  EXPECT_EQ(policy(converts_to_int(), 2).league_size(), 3);
  EXPECT_EQ(hpk::TeamPolicy(4.0F, AUTO).league_size(), 4);
}

// On hosts a thread has one lane for any vector length, which therefore need not be a power of two.
void launch_with_any_vector_length() {
  using policy = hpk::TeamPolicy<hpk::DefaultHostExecutionSpace>;
  const policy odd(4, 1, 33);
  EXPECT_EQ(odd.impl_vector_length(), 33);
  hpk::View<int, hpk::HostSpace> count("count");
  hpk::parallel_for(
      odd, HPK_LAMBDA(const policy::member_type& team) {
        hpk::parallel_for(hpk::ThreadVectorRange(team, 5), [&](int) { hpk::atomic_inc(&count()); });
      });
  EXPECT_EQ(count(), 20);
}
TEST(TeamPolicies, take_any_vector_length_on_hosts) { launch_with_any_vector_length(); }

// Expects that `work` throws an hpk::error whose message contains `what`.
template <class Work>
void expect_refused(const char* what, const Work& work) {
  hpk_test::expect_error(work, {what, "team_policy.cpp"});
}

TEST(TeamPolicies, refuse_what_can_not_be) {
  using policy = hpk::TeamPolicy<hpk::DefaultHostExecutionSpace>;
  expect_refused("a league of -1 teams; write 0 to 2147483647", [] { policy(-1, AUTO); });
  expect_refused("a league of 2147483648 teams", [] { policy(std::size_t{1} << 31, AUTO); });
  expect_refused("a league size of 2.5, which is no whole number", [] { policy(2.5, AUTO); });
  expect_refused("a league of 3000000000 teams", [] { policy(3e9, AUTO); });
  expect_refused("a team of 0 threads; write 1 or more, or hpk::AUTO", [] { policy(1, 0); });
  expect_refused("a team of -1 threads", [] { policy(1, -1); });
  expect_refused("a team of -1 threads", [] { policy(1, std::size_t{1} << 40); });
  expect_refused("a vector length of 0; write 1 to 1024, or hpk::AUTO", [] { policy(1, 1, 0); });
  expect_refused("a vector length of 2048", [] { policy(1, 1, 2048); });
  expect_refused("there is no scratch of level 2; write 0 (small and fast) or 1 (large)",
                 [] { policy(1, 1).set_scratch_size(2, PerTeam(1)); });
  expect_refused("-8 bytes of scratch; write 0 to 2^40",
                 [] { policy(1, 1).set_scratch_size(0, PerTeam(-8)); });
  expect_refused("18446744073709551608 bytes of scratch",
                 [] { policy(1, 1).set_scratch_size(1, PerThread(std::size_t{0} - 8)); });
  expect_refused("-5 bytes of scratch", [] { hpk::parallel_for(policy(1, 1), asks_for<-5>()); });
  expect_refused("chunk", [] { policy(1, 1).set_chunk_size(0); });
  expect_refused(
      "hpk::parallel_for \"wide\": a team of 1025 threads; this space takes 1024 at most",
      [] { hpk::parallel_for("wide", policy(1, 1025), kernel()); });
}

}  // namespace
}  // namespace parallel_team_policy_test
