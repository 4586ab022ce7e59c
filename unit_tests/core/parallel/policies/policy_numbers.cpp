// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Policies as numbers, and back: a policy made from the numbers of another policy equals it.
#include <hpk/parallel/policies/policy_numbers.hpp>

#include <support/spaces.hpp>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace policy_numbers_test {
namespace {

using hpk::detail::numbers_of;
using hpk::detail::policy_from;

std::vector<hpk::index_t> list(const hpk::detail::policy_numbers& numbers) {
  return {numbers.values, numbers.values + numbers.count};
}
template <class Policy>
Policy made_again(const Policy& policy) {
  const auto numbers = numbers_of(policy);
  const auto again = policy_from<Policy>(numbers);
  EXPECT_EQ(list(numbers_of(again)), list(numbers));
  return again;
}

template <class Exec>
class PolicyNumbers : public testing::Test {};
TYPED_TEST_SUITE(PolicyNumbers, hpk_test::spaces, hpk_test::space_names);

template <class Policy, class B, class E>
void expect_range(B begin, E end, int chunk) {
  Policy policy(begin, end);
  if (chunk != 0) policy.set_chunk_size(chunk);
  const Policy again = made_again(policy);
  EXPECT_EQ(again.begin(), policy.begin());
  EXPECT_EQ(again.end(), policy.end());
  EXPECT_EQ(again.chunk_size(), chunk);
  EXPECT_EQ(numbers_of(policy).count, 3);
}

struct tag {};

HPK_TYPED_TEST(PolicyNumbers, of_ranges) {
  using Exec = TypeParam;
  for (const int chunk : {0, 1, 48}) {
    expect_range<hpk::RangePolicy<Exec>>(0, 0, chunk);
    expect_range<hpk::RangePolicy<Exec>>(-5, 1000, chunk);
    expect_range<hpk::RangePolicy<Exec, tag, hpk::Schedule<hpk::Dynamic>>>(3, 4, chunk);
    expect_range<hpk::RangePolicy<Exec, hpk::IndexType<int>>>(
        std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), chunk);
    expect_range<hpk::RangePolicy<Exec, hpk::IndexType<std::int8_t>>>(-128, 127, chunk);
    expect_range<hpk::RangePolicy<Exec>>(std::numeric_limits<hpk::index_t>::min(),
                                         std::numeric_limits<hpk::index_t>::max(), chunk);
    expect_range<hpk::RangePolicy<Exec, hpk::IndexType<std::uint32_t>>>(4000000000u, 4294967295u,
                                                                        chunk);
    expect_range<hpk::RangePolicy<Exec, hpk::IndexType<std::uint64_t>>>(
        std::uint64_t{1} << 63, std::numeric_limits<std::uint64_t>::max(), chunk);
    expect_range<hpk::RangePolicy<Exec, hpk::IndexType<std::uint64_t>>>(
        5u, std::numeric_limits<std::uint64_t>::max() - 1, chunk);
  }
  EXPECT_EQ(list(numbers_of(hpk::RangePolicy<Exec>(2, 9, hpk::ChunkSize(4)))),
            (std::vector<hpk::index_t>{2, 9, 4}));
}

template <class Policy>
void expect_box(const Policy& policy) {
  const Policy again = made_again(policy);
  EXPECT_EQ(numbers_of(policy).count, 3 * Policy::rank);
  for (int r = 0; r < Policy::rank; ++r) {
    EXPECT_EQ(again.lower(r), policy.lower(r));
    EXPECT_EQ(again.upper(r), policy.upper(r));
    EXPECT_EQ(again.tile(r), policy.tile(r));
  }
}
template <class Exec, int Rank, std::size_t... Rs>
void expect_boxes(std::index_sequence<Rs...>) {
  using policy = hpk::MDRangePolicy<Exec, hpk::Rank<Rank>>;
  using left = hpk::MDRangePolicy<Exec, hpk::Rank<Rank, hpk::Iterate::Left, hpk::Iterate::Right>,
                                  hpk::IndexType<int>>;
  constexpr int up = 100;
  expect_box(policy());
  expect_box(policy({int(Rs)...}, {int(Rs + up)...}));
  expect_box(policy({-int(Rs)...}, {int(up + 3 * Rs)...}, {int(2 * Rs)...}));
  expect_box(left({int(Rs)...}, {int(up - Rs)...}, {4}));
}

HPK_TYPED_TEST(PolicyNumbers, of_boxes) {
  using Exec = TypeParam;
  [&]<int... Ranks>(std::integer_sequence<int, Ranks...>) {
    (expect_boxes<Exec, Ranks + 1>(std::make_index_sequence<std::size_t(Ranks + 1)>()), ...);
  }(std::make_integer_sequence<int, 8>());
  EXPECT_EQ(list(numbers_of(hpk::MDRangePolicy<Exec, hpk::Rank<2>>({1, 2}, {30, 40}, {0, 8}))),
            (std::vector<hpk::index_t>{1, 30, 0, 2, 40, 8}));
}

template <class Policy>
void expect_teams(const Policy& policy) {
  const Policy again = made_again(policy);
  EXPECT_EQ(again.league_size(), policy.league_size());
  EXPECT_EQ(again.impl_auto_team_size(), policy.impl_auto_team_size());
  EXPECT_EQ(again.team_size(), policy.team_size());
  EXPECT_EQ(again.impl_auto_vector_length(), policy.impl_auto_vector_length());
  EXPECT_EQ(again.impl_vector_length(), policy.impl_vector_length());
  EXPECT_EQ(again.given_chunk_size(), policy.given_chunk_size());
  for (const int level : {0, 1}) {
    EXPECT_EQ(again.team_scratch_size(level), policy.team_scratch_size(level));
    EXPECT_EQ(again.thread_scratch_size(level), policy.thread_scratch_size(level));
  }
}

HPK_TYPED_TEST(PolicyNumbers, of_teams) {
  using Exec = TypeParam;
  using policy = hpk::TeamPolicy<Exec>;
  expect_teams(policy());
  expect_teams(policy(0, 1));
  expect_teams(policy(std::numeric_limits<int>::max(), 4));
  expect_teams(policy(20, hpk::AUTO));
  expect_teams(policy(20, hpk::AUTO, hpk::AUTO));
  // On Emu sub-groups may have only one lane.
  const int most = policy::vector_length_max();
  expect_teams(policy(20, 2, most < 4 ? most : 4));
  expect_teams(policy(20, hpk::AUTO, most < 2 ? most : 2).set_chunk_size(3));
  expect_teams(policy(20, 1, hpk::AUTO).set_scratch_size(0, hpk::PerTeam(1000)));
  expect_teams(policy(20, 2)
                   .set_scratch_size(0, hpk::PerTeam(8), hpk::PerThread(24))
                   .set_scratch_size(1, hpk::PerTeam(100000), hpk::PerThread(12))
                   .set_chunk_size(100));
  expect_teams(hpk::TeamPolicy<Exec, tag, hpk::IndexType<long>>(7, hpk::AUTO));
}

// For example the policy of a space that hpk does not know.
TEST(PolicyNumbersOf, other_types_are_none) {
  struct {
  } other;
  EXPECT_EQ(numbers_of(other).count, 0);
}

}  // namespace
}  // namespace policy_numbers_test
