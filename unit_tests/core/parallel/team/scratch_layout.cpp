// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named scratch: variables, arrays of fixed and of run-time length, of teams and of threads, in
// both levels, aligned and without overlap.
#include <hpk/scratch_layout.hpp>

#include <support/spaces.hpp>

#include <cstdint>
#include <string>

namespace parallel_scratch_layout_test {
namespace {

struct total;
struct table;
struct letters;
struct rest;
struct wide;

struct alignas(32) vector_of_four {
  double lane[4];
};
using shared =
    hpk::ScratchLayout<hpk::ScratchVariable<letters, char[3]>, hpk::ScratchArray<rest, short>,
                       hpk::ScratchVariable<total, double>, hpk::ScratchVariable<table, int[16]>,
                       hpk::ScratchArray<wide, vector_of_four>>;
static_assert(shared::bytes(0, 0) >= 3 + sizeof(double) + 16 * sizeof(int));
static_assert(shared::bytes(100, 7) >= shared::bytes(0, 0) + 200 + 7 * sizeof(vector_of_four) - 32);
static_assert(hpk::ScratchLayout<>::bytes() <= 16);

template <class Exec>
class ScratchLayout : public testing::Test {};
TYPED_TEST_SUITE(ScratchLayout, hpk_test::spaces, hpk_test::space_names);

template <class T>
HPK_FUNCTION bool is_aligned(const T* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % alignof(T) == 0;
}

// Threads write every byte of every variable in turn, and all threads read it.
template <class Layout, class Member>
HPK_FUNCTION int count_wrong(const Layout& s, const Member& team, int shorts, int wides) {
  int wrong = 0;
  wrong += !is_aligned(s.template get<rest>()) + !is_aligned(&s.template get<total>()) +
           !is_aligned(&s.template get<table>()[0]) + !is_aligned(s.template get<wide>());
  wrong += s.template size<rest>() != static_cast<std::size_t>(shorts);
  wrong += s.template size<wide>() != static_cast<std::size_t>(wides);
  hpk::single(hpk::PerTeam(team), [&] {
    for (char& c : s.template get<letters>()) c = 'x';
    s.template get<total>() = 0.5;
  });
  hpk::parallel_for(hpk::TeamThreadRange(team, shorts),
                    [&](int i) { s.template get<rest>()[i] = static_cast<short>(i); });
  hpk::parallel_for(hpk::TeamThreadRange(team, 16),
                    [&](int i) { s.template get<table>()[i] = -i; });
  hpk::parallel_for(hpk::TeamThreadRange(team, wides), [&](int i) {
    for (double& lane : s.template get<wide>()[i].lane) lane = i;
  });
  team.team_barrier();
  for (const char c : s.template get<letters>()) wrong += c != 'x';
  wrong += s.template get<total>() != 0.5;
  for (int i = 0; i < shorts; ++i) wrong += s.template get<rest>()[i] != i;
  for (int i = 0; i < 16; ++i) wrong += s.template get<table>()[i] != -i;
  for (int i = 0; i < wides; ++i)
    for (const double lane : s.template get<wide>()[i].lane) wrong += lane != i;
  team.team_barrier();
  return wrong;
}

HPK_TYPED_TEST(ScratchLayout, holds_the_variables_of_a_team) {
  using policy_type = hpk::TeamPolicy<TypeParam>;
  for (const int size : {1, 5, 64}) {
    for (const int shorts : {0, 1, 33}) {
      const int wides = shorts / 4;
      policy_type policy(4, size);
      policy.set_scratch_size(0, hpk::PerTeam(shared::bytes(shorts, wides) + 24));
      policy.set_scratch_size(1, hpk::PerTeam(shared::bytes(shorts, wides)));
      int wrong = 0;
      hpk::parallel_reduce(
          policy,
          HPK_LAMBDA(const typename policy_type::member_type& team, int& sum) {
            // After another request, and in both levels at the same time.
            auto* const before = static_cast<char*>(team.team_scratch(0).get_shmem(5));
            const shared low(team, shorts, wides);
            const shared high(team.team_scratch(1), shorts, wides);
            sum += count_wrong(low, team, shorts, wides) + count_wrong(high, team, shorts, wides);
            sum += before == low.template get<letters>();
          },
          wrong);
      ASSERT_EQ(wrong, 0) << size << " " << shorts;
    }
  }
}

HPK_TYPED_TEST(ScratchLayout, holds_the_variables_of_a_thread) {
  using policy_type = hpk::TeamPolicy<TypeParam>;
  using own = hpk::ScratchLayout<hpk::ScratchVariable<total, double>, hpk::ScratchArray<rest, int>>;
  for (const int size : {1, 7, 32}) {
    policy_type policy(3, size);
    policy.set_scratch_size(1, hpk::PerThread(own::bytes(9)));
    int wrong = 0;
    hpk::parallel_reduce(
        policy,
        HPK_LAMBDA(const typename policy_type::member_type& team, int& sum) {
          const own mine(team.thread_scratch(1), 9);
          const int me = team.team_rank();
          mine.template get<total>() = me;
          for (int i = 0; i < 9; ++i) mine.template get<rest>()[i] = 100 * me + i;
          team.team_barrier();
          sum += mine.template get<total>() != me;
          for (int i = 0; i < 9; ++i) sum += mine.template get<rest>()[i] != 100 * me + i;
        },
        wrong);
    ASSERT_EQ(wrong, 0) << size;
  }
}

template <class Exec>
class ScratchLayoutOnHost : public testing::Test {};
TYPED_TEST_SUITE(ScratchLayoutOnHost, hpk_test::host_spaces, hpk_test::space_names);

TYPED_TEST(ScratchLayoutOnHost, that_does_not_fit_is_an_error_that_names_the_kernel) {
  using policy_type = hpk::TeamPolicy<TypeParam>;
  policy_type policy(1, 1);
  policy.set_scratch_size(0, hpk::PerTeam(shared::bytes(1, 1)));
  const std::string text = hpk_test::error_of([&] {
    hpk::parallel_for("too much", policy, [](const typename policy_type::member_type& team) {
      const shared scratch(team, 1000, 1);
      static_cast<void>(scratch);
    });
  });
  EXPECT_TRUE(hpk_test::contains(text, "too much"));
}

}  // namespace
}  // namespace parallel_scratch_layout_test
