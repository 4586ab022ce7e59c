// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unique tokens: no id has two holders at a time, for workers, teams, nested kernels and several
// host threads. Also the errors when there are too few ids.
#include <hpk/structures/unique_token.hpp>

#include <support/spaces.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace view_unique_token_test {
namespace {

using hpk::Experimental::AcquireTeamUniqueToken;
using hpk::Experimental::AcquireUniqueToken;
using hpk::Experimental::UniqueToken;
using hpk::Experimental::UniqueTokenScope;
using hpk_test::contains;
using hpk_test::error_of;

constexpr auto global = UniqueTokenScope::Global;

static_assert(!std::is_copy_constructible_v<AcquireUniqueToken<hpk::DefaultExecutionSpace>>);
static_assert(!std::is_copy_assignable_v<AcquireUniqueToken<hpk::DefaultExecutionSpace>>);
static_assert(!std::is_copy_constructible_v<AcquireTeamUniqueToken<hpk::TeamPolicy<>>>);
static_assert(std::is_copy_constructible_v<UniqueToken<>>);
static_assert(std::is_same_v<UniqueToken<>,
                             UniqueToken<hpk::DefaultExecutionSpace, UniqueTokenScope::Instance>>);
static_assert(!std::is_constructible_v<UniqueToken<hpk::DefaultExecutionSpace, global>, int>);

// A kernel's use of its id: a plain sum in the element that belongs to the id.
template <class Exec>
struct ledger {
  hpk::View<int*, Exec> holders;
  hpk::View<long*, Exec> sums;
  hpk::View<int, Exec> wrong;

  explicit ledger(int size) : holders("holders", size), sums("sums", size), wrong("wrong") {}
  HPK_FUNCTION void enter(int id, int size) const {
    if (id < 0 || id >= size || hpk::atomic_fetch_add(&holders(id), 1) != 0)
      hpk::atomic_inc(&wrong());
  }
  HPK_FUNCTION void work(int id, long value) const { sums(id) += value; }
  HPK_FUNCTION void leave(int id) const {
    if (hpk::atomic_fetch_sub(&holders(id), 1) != 1) hpk::atomic_inc(&wrong());
  }
  long total() const {
    const auto seen = hpk_test::on_host(sums);
    long sum = 0;
    for (std::size_t k = 0; k < seen.extent(0); ++k) sum += seen(k);
    return sum;
  }
  int faults() const { return hpk_test::on_host(wrong)(); }
};

template <class Exec, class Token>
void use(const Exec& exec, const Token& token, const ledger<Exec>& book, int n) {
  hpk::parallel_for(
      "use", hpk::RangePolicy<Exec>(exec, 0, n), HPK_LAMBDA(int i) {
        const int id = token.acquire();
        book.enter(id, token.size());
        book.work(id, i);
        book.leave(id);
        token.release(id);
      });
}

template <class Exec>
class Token : public testing::Test {};
TYPED_TEST_SUITE(Token, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Token, is_held_by_one_at_a_time) {
  constexpr int n = 20'000;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const UniqueToken<TypeParam> token(exec);
    EXPECT_EQ(token.size(), exec.concurrency());
    const ledger<TypeParam> book(token.size());
    for (int round = 0; round < 3; ++round) use(exec, token, book, n);
    EXPECT_EQ(book.faults(), 0);
    EXPECT_EQ(book.total(), 3L * n * (n - 1) / 2);
  }
}

HPK_TYPED_TEST(Token, of_global_scope_is_shared_by_all_instances) {
  constexpr int n = 5'000;
  const UniqueToken<TypeParam, global> one;
  const UniqueToken<TypeParam, global> other{TypeParam()};
  EXPECT_EQ(one.size(), TypeParam().concurrency());
  EXPECT_EQ(other.size(), one.size());
  const ledger<TypeParam> book(one.size());
  const auto parts = hpk::Experimental::partition_space(TypeParam(), 1, 1);
  std::thread beside([&] { use(parts[0], one, book, n); });
  use(parts[1], other, book, n);
  beside.join();
  EXPECT_EQ(book.faults(), 0);
  EXPECT_EQ(book.total(), 2L * n * (n - 1) / 2);
}

HPK_TYPED_TEST(Token, has_the_size_that_was_asked_for) {
  const UniqueToken<TypeParam> token(7);
  EXPECT_EQ(token.size(), 7);
  EXPECT_EQ(UniqueToken<TypeParam>(100'000, TypeParam()).size(), 100'000);
  for (const int size : {0, -4}) {
    const std::string text = error_of([&] { const UniqueToken<TypeParam> none(size); });
    EXPECT_TRUE(contains(text, "UniqueToken(" + std::to_string(size) + ")"));
  }
}

// Takes all ids, each once, then takes all again, which shows that they were returned.
HPK_TYPED_TEST(Token, gives_every_id_and_takes_it_back) {
  constexpr int size = 37;
  const UniqueToken<TypeParam> token(size);
  const hpk::View<int*, TypeParam> seen("seen", size);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 1), HPK_LAMBDA(int) {
        int held[size];
        for (int round = 0; round < 2; ++round) {
          for (int& id : held) {
            id = token.acquire();
            seen(id) += 1;
          }
          for (const int id : held) token.release(id);
        }
      });
  const auto counts = hpk_test::on_host(seen);
  for (int id = 0; id < size; ++id) EXPECT_EQ(counts(id), 2) << id;
}

HPK_TYPED_TEST(Token, is_given_back_by_its_guard) {
  constexpr int n = 4'000;
  const UniqueToken<TypeParam> token;
  const ledger<TypeParam> book(token.size());
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        const AcquireUniqueToken<TypeParam> acquired(token);
        book.enter(acquired.value(), token.size());
        book.work(acquired.value(), i);
        book.leave(acquired.value());
      });
  EXPECT_EQ(book.faults(), 0);
  EXPECT_EQ(book.total(), static_cast<long>(n) * (n - 1) / 2);
}

// More teams than ids: a team that kept its id would block the teams after it.
HPK_TYPED_TEST(Token, is_shared_by_a_team) {
  using policy = hpk::TeamPolicy<TypeParam>;
  using member = typename policy::member_type;
  using guard = AcquireTeamUniqueToken<policy>;
  constexpr int league = 300;
  static_assert(guard::shmem_size() == 0);
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int team_size : {1, 4, 32}) {
      const UniqueToken<TypeParam> token(exec);
      const ledger<TypeParam> book(token.size());
      const hpk::View<int, TypeParam> differ("differ");
      hpk::parallel_for(
          policy(exec, league, team_size), HPK_LAMBDA(const member& team) {
            const guard acquired(token, team);
            int first = acquired.value();
            team.team_broadcast(first, 0);
            if (first != acquired.value()) hpk::atomic_inc(&differ());
            if (team.team_rank() == 0) {
              book.enter(acquired.value(), token.size());
              book.work(acquired.value(), 1);
            }
            team.team_barrier();
            if (team.team_rank() == team.team_size() - 1) {
              book.work(acquired.value(), 1);
              book.leave(acquired.value());
            }
          });
      EXPECT_EQ(book.faults(), 0);
      EXPECT_EQ(book.total(), 2 * league);
      EXPECT_EQ(hpk_test::on_host(differ)(), 0);
    }
  }
}

template <class Exec>
class TokenOnHost : public testing::Test {};
TYPED_TEST_SUITE(TokenOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(TokenOnHost, is_held_by_one_at_a_time_whatever_threads_and_nested_kernels_do) {
  const TypeParam exec;
  const UniqueToken<TypeParam> token(2);  // fewer ids than threads, which therefore wait
  const ledger<TypeParam> book(token.size());
  constexpr int n = 200;
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&] {
      hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, n),
                        [&](int) { use(exec, token, book, 3); });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(book.faults(), 0);
  EXPECT_EQ(book.total(), 6L * n * 3);
}

// Streaming stores of a holder are visible to the next holder of the id.
HPK_TYPED_TEST(TokenOnHost, shows_streaming_stores_to_the_next_holder) {
  const UniqueToken<TypeParam> token(1);
  const hpk::View<long**, hpk::LayoutRight, hpk::HostSpace> plain("sums", 8, 8);
  const hpk::View<long**, hpk::LayoutRight, hpk::HostSpace, hpk::MemoryTraits<hpk::Streaming>> sums(
      plain);
  constexpr int n = 50'000;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < n; ++i) {
        const int id = token.acquire();
        for (int k = 0; k < 8; ++k) sums(k, 0) += 1;
        token.release(id);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < 8; ++k) EXPECT_EQ(plain(k, 0), 2L * n) << k;
}

HPK_TYPED_TEST(TokenOnHost, names_size_and_kernel_when_a_thread_holds_all) {
  const UniqueToken<TypeParam> token(3);
  const std::string text = error_of([&] {
    hpk::parallel_for("greedy", hpk::RangePolicy<TypeParam>(0, 1), [&](int) {
      for (int k = 0; k < 4; ++k) token.acquire();
    });
  });
  EXPECT_TRUE(contains(text, "no id is free of 3"));
  EXPECT_TRUE(contains(text, "this thread holds all of them"));
  EXPECT_TRUE(contains(text, "greedy"));
}

// Each lane of a team waits at the barrier while it holds an id.
HPK_TYPED_TEST(TokenOnHost, counts_the_lanes_of_a_team) {
  using policy = hpk::TeamPolicy<TypeParam>;
  const auto hold = [&](const UniqueToken<TypeParam>& token) {
    hpk::parallel_for("teams", policy(1, 8), [&](const typename policy::member_type& team) {
      const AcquireUniqueToken<TypeParam> acquired(token);
      team.team_barrier();
    });
  };
  EXPECT_NO_THROW(hold(UniqueToken<TypeParam>(8)));
  const std::string text = error_of([&] { hold(UniqueToken<TypeParam>(7)); });
  EXPECT_TRUE(contains(text, "no id is free of 7"));
  EXPECT_TRUE(contains(text, "teams"));
}

HPK_TYPED_TEST(TokenOnHost, gives_up_when_nobody_gives_back) {
  const UniqueToken<TypeParam> token(2);
  const int own_id = token.acquire();
  std::thread other([&] { token.acquire(); });
  other.join();
  hpk::detail::token_patience.store(1, hpk::detail::memory_order::relaxed);
  const std::string text = error_of([&] {
    hpk::parallel_for("late", hpk::RangePolicy<TypeParam>(0, 1), [&](int) { token.acquire(); });
  });
  hpk::detail::token_patience.store(60, hpk::detail::memory_order::relaxed);
  EXPECT_TRUE(contains(text, "no id is free of 2; other threads hold them"));
  EXPECT_TRUE(contains(text, "late"));
  token.release(own_id);
  EXPECT_EQ(token.acquire(), own_id);
}

HPK_TYPED_TEST(TokenOnHost, comes_back_when_a_team_throws_while_it_is_taken) {
  using policy = hpk::TeamPolicy<TypeParam>;
  const UniqueToken<TypeParam> token(2);
  for (int launch = 0; launch < 5; ++launch) {
    const auto run = [&] {
      hpk::parallel_for("throws", policy(1, 8), [&](const typename policy::member_type& team) {
        if (team.team_rank() == 3) throw std::out_of_range("no token for me");
        const AcquireTeamUniqueToken<policy> acquired(token, team);
      });
    };
    ASSERT_THROW(run(), std::out_of_range) << launch;
  }
}

HPK_TYPED_TEST(TokenOnHost, guard_throws_when_its_id_is_gone) {
  const UniqueToken<TypeParam> token(2);
  const std::string text = error_of([&] {
    hpk::parallel_for("twice", hpk::RangePolicy<TypeParam>(0, 1), [&](int) {
      const AcquireUniqueToken<TypeParam> acquired(token);
      token.release(acquired.value());
    });
  });
  EXPECT_TRUE(contains(text, "was given back before")) << text;
  EXPECT_TRUE(contains(text, "twice")) << text;
}

HPK_TYPED_TEST(TokenOnHost, names_an_id_that_is_given_back_twice_or_is_none) {
  const UniqueToken<TypeParam> token(3);
  const int id = token.acquire();
  token.release(id);
  const auto message = [&](int wrong) {
    return error_of([&] {
      hpk::parallel_for("again", hpk::RangePolicy<TypeParam>(0, 1),
                        [&](int) { token.release(wrong); });
    });
  };
  const std::string twice = message(id);
  EXPECT_TRUE(contains(twice, "UniqueToken of 3 ids: release(" + std::to_string(id) + ")"));
  EXPECT_TRUE(contains(twice, "was given back before"));
  EXPECT_TRUE(contains(twice, "again"));
  EXPECT_TRUE(contains(message(3), "release(3): it is not an id of it"));
  EXPECT_TRUE(contains(message(-1), "release(-1): it is not an id of it"));
}

// The id is returned when an exception ends the kernel.
HPK_TYPED_TEST(TokenOnHost, comes_back_from_a_kernel_that_throws) {
  using policy = hpk::TeamPolicy<TypeParam>;
  const UniqueToken<TypeParam> token(1);
  for (int round = 0; round < 3; ++round) {
    EXPECT_THROW(hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 1),
                                   [&](int) {
                                     const AcquireUniqueToken<TypeParam> acquired(token);
                                     throw 1;
                                   }),
                 int);
    for (const int thrower : {0, 2}) {
      EXPECT_THROW(hpk::parallel_for(policy(1, 4),
                                     [&](const typename policy::member_type& team) {
                                       const AcquireTeamUniqueToken<policy> acquired(token, team);
                                       if (team.team_rank() == thrower) throw 1;
                                     }),
                   int);
    }
  }
  EXPECT_EQ(token.acquire(), 0);
}

}  // namespace
}  // namespace view_unique_token_test
