// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools: no generator has two holders at the same time, equal seeds give equal states, states
// advance, and misuse is reported.
#include <hpk/algorithms/random_pool.hpp>

#include <support/spaces.hpp>

#include <cstdint>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace random_pool_test {
namespace {

using hpk::Random_Philox_Pool;
using hpk::Random_Threefry_Pool;
using hpk::Random_XorShift1024_Pool;
using hpk::Random_XorShift64_Pool;
using hpk_test::expect_error;

using some_pool = Random_XorShift64_Pool<>;
static_assert(
    std::is_same_v<some_pool::generator_type, hpk::Random_XorShift64<hpk::DefaultExecutionSpace>>);
static_assert(std::is_same_v<some_pool::device_type, hpk::DefaultExecutionSpace::device_type>);
static_assert(std::is_same_v<Random_XorShift1024_Pool<>::generator_type,
                             hpk::Random_XorShift1024<hpk::DefaultExecutionSpace>>);
static_assert(!std::is_convertible_v<int, some_pool>);

template <class Exec>
class RandomPool : public testing::Test {};
TYPED_TEST_SUITE(RandomPool, hpk_test::spaces, hpk_test::space_names);

// Counts the holders of each generator. Kernels identify a generator by its index. In a pool of
// counters the index is the stream, which kernels cannot query, so a state is identified by its
// numbers.
template <class Exec>
struct ledger {
  hpk::View<int*, Exec> holders;
  hpk::View<long*, Exec> visits;
  hpk::View<int, Exec> wrong;
  explicit ledger(hpk::index_t n) : holders("holders", n), visits("visits", n), wrong("wrong") {}
};

// States are small numbers, which kernels read and restore, so they identify the generator.
template <class Exec>
void visit_unfenced(const Exec& exec, const Random_XorShift64_Pool<Exec>& pool,
                    const hpk::View<std::uint64_t*, Exec>& states, const ledger<Exec>& book,
                    int n) {
  hpk::parallel_for(
      "visit", hpk::RangePolicy<Exec>(exec, 0, n), HPK_LAMBDA(int i) {
        const auto g = pool.get_state();
        int k = 0;
        while (states(k) != g.state()) ++k;
        if (hpk::atomic_fetch_add(&book.holders(k), 1) != 0) hpk::atomic_inc(&book.wrong());
        hpk::atomic_add(&book.visits(k), i);
        if (hpk::atomic_fetch_sub(&book.holders(k), 1) != 1) hpk::atomic_inc(&book.wrong());
        pool.free_state(g);
      });
}
template <class Exec>
void visit(const Exec& exec, const Random_XorShift64_Pool<Exec>& pool,
           const hpk::View<std::uint64_t*, Exec>& states, const ledger<Exec>& book, int n) {
  visit_unfenced(exec, pool, states, book, n);
  exec.fence();
}

// Returns the sum of all visits. Call it after all visiting kernels have ended.
template <class Exec>
long sum_of_visits(const ledger<Exec>& book) {
  long sum = 0;
  const auto visits = hpk_test::on_host(book.visits);
  for (std::size_t k = 0; k < visits.extent(0); ++k) sum += visits(k);
  return sum;
}

template <class Exec>
hpk::View<std::uint64_t*, Exec> states_of(const Random_XorShift64_Pool<Exec>& pool) {
  const auto n = pool.size();
  const hpk::View<std::uint64_t*, Exec> states("states", n);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, n),
      HPK_LAMBDA(hpk::index_t i) { states(i) = pool.get_state(i).state(); });
  hpk::fence();
  return states;
}

HPK_TYPED_TEST(RandomPool, hands_out_a_generator_to_one_at_a_time) {
  constexpr int n = 5000;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const Random_XorShift64_Pool<TypeParam> pool(exec, 5);
    exec.fence();
    EXPECT_EQ(pool.size(), exec.concurrency());
    const ledger<TypeParam> book(pool.size());
    visit(exec, pool, states_of(pool), book, n);
    EXPECT_EQ(sum_of_visits(book), long{n} * (n - 1) / 2);
    EXPECT_EQ(hpk_test::on_host(book.wrong)(), 0);
  }
}

// Two host threads use one pool, which has fewer states than the instances have workers.
HPK_TYPED_TEST(RandomPool, of_few_states_makes_others_wait) {
  constexpr int n = 3000;
  const auto parts = hpk::Experimental::partition_space(TypeParam(), 1, 1);
  // One state would be enough where each lane ends before the next begins.
  const Random_XorShift64_Pool<TypeParam> pool(5, hpk_test::is_host<TypeParam> ? 2 : 64);
  const auto states = states_of(pool);
  const ledger<TypeParam> book(pool.size());
  std::thread beside([&] { visit(parts[0], pool, states, book, n); });
  visit(parts[1], pool, states, book, n);
  beside.join();
  EXPECT_EQ(sum_of_visits(book), long{n} * (n - 1));
  EXPECT_EQ(hpk_test::on_host(book.wrong)(), 0);
}

template <class Exec, class Pool>
std::vector<std::uint64_t> numbers_of(const Pool& pool, bool free) {
  const auto n = pool.size();
  const hpk::View<std::uint64_t* [3], hpk::LayoutRight, Exec> drawn("drawn", n);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(hpk::index_t i) {
        auto g = pool.get_state(i);
        for (int k = 0; k < 3; ++k) drawn(i, k) = g.urand64();
        if (free) pool.free_state(g);
      });
  const auto host = hpk_test::on_host(drawn);
  std::vector<std::uint64_t> numbers;
  for (hpk::index_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) numbers.push_back(host(i, k));
  }
  return numbers;
}

template <class Exec, class Pool>
void expect_repeatable(const Pool& made) {
  const Pool pool(17, 30);
  const Pool other(17, 30);
  EXPECT_EQ(pool.size(), 30);
  EXPECT_EQ(pool.seed(), 17u);
  const auto first = numbers_of<Exec>(pool, false);
  // Generators that are not freed change no state.
  EXPECT_EQ(numbers_of<Exec>(pool, true), first);
  const auto second = numbers_of<Exec>(pool, true);
  EXPECT_NE(second, first);
  EXPECT_EQ(numbers_of<Exec>(other, true), first);
  // A copy refers to the same pool.
  const Pool copy = other;
  EXPECT_EQ(numbers_of<Exec>(copy, true), second);
  EXPECT_NE(numbers_of<Exec>(Pool(18, 30), true), first);
  // State k does not depend on the number of states.
  auto fewer = numbers_of<Exec>(Pool(17, 10), true);
  fewer.insert(fewer.end(), first.begin() + 30, first.end());
  EXPECT_EQ(fewer, first);
  Pool again = made;
  again.init(17, 30);
  EXPECT_EQ(numbers_of<Exec>(again, true), first);
  EXPECT_EQ(numbers_of<Exec>(Pool(Exec(), 17, 30), true), first);
  EXPECT_EQ(Pool(3).size(), Exec().concurrency());
  // Part of a larger pool.
  const std::vector<std::uint64_t> rest(first.begin() + 60, first.end());
  EXPECT_EQ(numbers_of<Exec>(Pool(17, 20, 10), true), rest);
  EXPECT_EQ(numbers_of<Exec>(Pool(Exec(), 17, 20, 10), true), rest);
}
HPK_TYPED_TEST(RandomPool, of_equal_seeds_gives_equal_numbers) {
  expect_repeatable<TypeParam>(Random_XorShift64_Pool<TypeParam>());
  expect_repeatable<TypeParam>(Random_XorShift1024_Pool<TypeParam>(4));
  expect_repeatable<TypeParam>(hpk::Random_SFC64_Pool<TypeParam>());
  expect_repeatable<TypeParam>(Random_Philox_Pool<TypeParam>());
  expect_repeatable<TypeParam>(Random_Threefry_Pool<TypeParam>());
}

// The states are those of generators with the seed; for counters, the streams of the seed.
HPK_TYPED_TEST(RandomPool, states_are_the_documented_ones) {
  const auto first = numbers_of<TypeParam>(Random_XorShift64_Pool<TypeParam>(9, 1), true);
  hpk::Random_XorShift64<> g(9);
  for (const std::uint64_t number : first) EXPECT_EQ(number, g.urand64());
  const auto large = numbers_of<TypeParam>(Random_XorShift1024_Pool<TypeParam>(9, 1), true);
  hpk::Random_XorShift1024<> h(9);
  for (const std::uint64_t number : large) EXPECT_EQ(number, h.urand64());
  const Random_Philox_Pool<TypeParam> pool(9, 4);
  for (std::uint64_t visit = 0; visit < 2; ++visit) {
    const auto numbers = numbers_of<TypeParam>(pool, true);
    for (std::size_t k = 0; k < 4; ++k) {
      auto c = hpk::CounterRandom<>(9, k).at(visit);
      for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(numbers[3 * k + j], c.urand64());
    }
  }
}

// Any number of draws between one get_state() and its free_state().
template <class Exec, class Pool>
std::vector<std::uint64_t> numbers_in_pieces(const Pool& pool) {
  const hpk::View<std::uint64_t*, Exec> drawn("drawn", 200);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, 1), HPK_LAMBDA(int) {
        const int pieces[] = {0, 1, 1, 2, 15, 16, 17, 1, 31, 33, 0, 64, 1, 18};
        int k = 0;
        for (const int piece : pieces) {
          auto g = pool.get_state();
          for (int j = 0; j < piece; ++j) drawn(k++) = g.urand64();
          // Draws from a copy do not change the pool.
          auto copy = g;
          for (int j = 0; j < 20; ++j) copy.urand64();
          pool.free_state(g);
          // Neither do draws from a generator that is not freed.
          auto forgotten = pool.get_state(0);
          for (int j = 0; j < 20; ++j) forgotten.urand64();
        }
      });
  const auto host = hpk_test::on_host(drawn);
  return {host.data(), host.data() + 200};
}
HPK_TYPED_TEST(RandomPool, states_move_on_by_what_was_drawn) {
  const auto small = numbers_in_pieces<TypeParam>(Random_XorShift64_Pool<TypeParam>(9, 1));
  hpk::Random_XorShift64<> g(9);
  for (const std::uint64_t number : small) EXPECT_EQ(number, g.urand64());
  const auto large = numbers_in_pieces<TypeParam>(Random_XorShift1024_Pool<TypeParam>(9, 1));
  hpk::Random_XorShift1024<> h(9);
  for (const std::uint64_t number : large) EXPECT_EQ(number, h.urand64());
  const auto sfc = numbers_in_pieces<TypeParam>(hpk::Random_SFC64_Pool<TypeParam>(9, 1));
  hpk::Random_SFC64<> i(9);
  for (const std::uint64_t number : sfc) EXPECT_EQ(number, i.urand64());
}

// Copies the generator after `drawn` numbers and returns how many of the copies' next 20 numbers
// differ from the generator's.
template <class Exec, class Pool>
int wrong_numbers_of_copies(const Pool& pool, int drawn) {
  const hpk::View<int, Exec> wrong("wrong");
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, 1), HPK_LAMBDA(int) {
        auto g = pool.get_state();
        for (int j = 0; j < drawn; ++j) g.urand64();
        auto copy = g;
        auto assigned = decltype(g)(1);
        assigned = g;
        std::uint64_t numbers[20];
        for (std::uint64_t& number : numbers) number = g.urand64();
        pool.free_state(g);
        auto other = pool.get_state();
        for (int j = 0; j < 20; ++j) other.urand64();
        pool.free_state(other);
        for (const std::uint64_t number : numbers) {
          wrong() += copy.urand64() == number ? 0 : 1;
          wrong() += assigned.urand64() == number ? 0 : 1;
        }
      });
  return hpk_test::on_host(wrong)();
}
HPK_TYPED_TEST(RandomPool, gives_generators_whose_copies_are_values) {
  for (const int drawn : {0, 1, 5, 16, 40}) {
    EXPECT_EQ(wrong_numbers_of_copies<TypeParam>(Random_XorShift64_Pool<TypeParam>(9, 1), drawn),
              0);
    EXPECT_EQ(wrong_numbers_of_copies<TypeParam>(Random_XorShift1024_Pool<TypeParam>(9, 1), drawn),
              0);
    EXPECT_EQ(wrong_numbers_of_copies<TypeParam>(hpk::Random_SFC64_Pool<TypeParam>(9, 1), drawn),
              0);
  }
}

// Each thread of the teams holds a generator across a barrier.
HPK_TYPED_TEST(RandomPool, serves_threads_of_teams) {
  using team_policy = hpk::TeamPolicy<TypeParam>;
  constexpr int size = hpk_test::is_host<TypeParam> ? 1 : 32;
  const Random_XorShift1024_Pool<TypeParam> pool(9, 4096);
  const hpk::View<double* [size], hpk::LayoutRight, TypeParam> drawn("drawn", 20);
  hpk::parallel_for(
      team_policy(20, size), HPK_LAMBDA(const typename team_policy::member_type& team) {
        auto g = pool.get_state();
        team.team_barrier();
        drawn(team.league_rank(), team.team_rank()) = g.drand(1, 2);
        pool.free_state(g);
      });
  const auto host = hpk_test::on_host(drawn);
  for (int i = 0; i < 20; ++i) {
    for (int k = 0; k < size; ++k) EXPECT_GE(host(i, k), 1);
  }
}

template <class Exec>
class RandomPoolOnHost : public testing::Test {};
TYPED_TEST_SUITE(RandomPoolOnHost, hpk_test::host_spaces, hpk_test::space_names);

// Several threads launch on a pool and its copies, kernels nest, and iterations hold two
// generators, also outside of kernels. Each generator has one holder at a time.
HPK_TYPED_TEST(RandomPoolOnHost, never_hands_out_one_twice_at_the_same_time) {
  const TypeParam exec;
  constexpr int threads = 4;
  constexpr int n = 100;
  // Enough states for all generators that are held at the same time.
  const Random_XorShift64_Pool<TypeParam> pool(5, threads * (3 * exec.concurrency() + 1));
  const auto states = states_of(pool);
  const ledger<TypeParam> book(pool.size());
  const auto nest = [&](const Random_XorShift64_Pool<TypeParam>& copy) {
    hpk::parallel_for("outer", hpk::RangePolicy<TypeParam>(exec, 0, n), [=](int) {
      const auto g = copy.get_state();
      visit_unfenced(exec, copy, states, book, 3);
      const auto h = copy.get_state();
      if (g.state() == h.state()) hpk::atomic_inc(&book.wrong());
      copy.free_state(g);
      copy.free_state(h);
    });
  };
  std::vector<std::thread> launching;
  for (int t = 0; t < threads; ++t)
    launching.emplace_back([&] {
      const auto outside = pool.get_state();
      const auto copy = pool;
      nest(copy);
      pool.free_state(outside);
    });
  for (std::thread& thread : launching) thread.join();
  EXPECT_EQ(hpk_test::on_host(book.wrong)(), 0);
  EXPECT_EQ(sum_of_visits(book), long{threads} * n * 3);
}

// One loop uses two pools in turn.
HPK_TYPED_TEST(RandomPoolOnHost, gives_a_worker_the_states_of_several_pools) {
  const Random_XorShift64_Pool<TypeParam> one(5);
  const Random_XorShift64_Pool<TypeParam> other(6, 3 * one.size());
  const auto states_of_one = states_of(one);
  const auto states_of_other = states_of(other);
  const ledger<TypeParam> book(one.size());
  const ledger<TypeParam> second(other.size());
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 200), [=](int) {
    visit_unfenced(TypeParam(), one, states_of_one, book, 2);
    visit_unfenced(TypeParam(), other, states_of_other, second, 2);
  });
  EXPECT_EQ(hpk_test::on_host(book.wrong)(), 0);
  EXPECT_EQ(hpk_test::on_host(second.wrong)(), 0);
  EXPECT_EQ(sum_of_visits(book), 200);
  EXPECT_EQ(sum_of_visits(second), 200);
}

using HostPool = Random_XorShift64_Pool<hpk::DefaultHostExecutionSpace>;

TEST(RandomPoolErrors, sizes_that_are_pools_of_nothing) {
  expect_error([] { HostPool(1, 0); }, {"hpk::Random_XorShift64_Pool: 0 states",
                                        "from 1 to 2147483647", "random_pool.cpp"});
  expect_error([] { HostPool(hpk::DefaultHostExecutionSpace(), 1, -3); }, {": -3 states"});
  expect_error([] { HostPool().init(1, hpk::index_t{1} << 31); }, {": 2147483648 states"});
  expect_error([] { HostPool(1, -2, 5); }, {": 5 states from state -2 on; write a first state"});
  expect_error([] { HostPool(1, 0x7fffffff, 1); }, {"1 states from state 2147483647"});
}

TEST(RandomPoolErrors, getting_what_there_is_not) {
  const HostPool empty;
  EXPECT_EQ(empty.size(), 0);
  expect_error([&] { empty.get_state(); }, {"get_state() of a pool without states",
                                            "hpk::Random_XorShift64_Pool<Space>(seed)"});
  const HostPool pool(1, 2);
#if HPK_CHECKS
  expect_error([&] { pool.get_state(2); }, {"get_state(2) of a pool of 2 states", "from 0 to 1"});
  expect_error([&] { pool.get_state(-1); }, {"get_state(-1)"});
#endif
  const auto a = pool.get_state();
  const auto b = pool.get_state();
  EXPECT_NE(a.state(), b.state());
  expect_error([&] { pool.get_state(); },
               {"finds no free generator among 2; this thread holds all of them",
                "call free_state() for each get_state()", "more states"});
  pool.free_state(a);
  const auto c = pool.get_state();
  EXPECT_EQ(c.state(), a.state());
  pool.free_state(c);
  pool.free_state(b);
}

TEST(RandomPoolErrors, freeing_twice_or_elsewhere) {
  const HostPool pool(1, 2);
  const HostPool other(1, 1);
  const auto g = pool.get_state();
  pool.free_state(g);
  const auto twice = [&] { pool.free_state(g); };
  expect_error(twice, {"hpk::Random_XorShift64_Pool of 2 states: free_state() of generator",
                       "freed before", "one free_state() for each get_state()"});
  // Also while another caller holds the generator.
  const auto a = pool.get_state();
  const auto b = pool.get_state();
  expect_error(twice, {"freed before"});
  expect_error([&] { other.free_state(a); }, {"which this pool did not hand out"});
  expect_error([&] { other.free_state(b); }, {"which this pool did not hand out"});
  pool.free_state(a);
  pool.free_state(b);
  const hpk::Random_XorShift64<hpk::DefaultHostExecutionSpace> own(1);
  expect_error([&] { pool.free_state(own); }, {"of generator -1"});
}

// A kernel that never frees its generators: the message names the kernel.
TEST(RandomPoolErrors, kernels_are_named) {
  const HostPool pool(1, 3);
  expect_error(
      [&] {
        hpk::parallel_for("greedy", hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 1),
                          [=](int) {
                            for (int k = 0; k < 4; ++k) static_cast<void>(pool.get_state());
                          });
      },
      {"this thread holds all of them", "greedy"});
}

TEST(RandomPoolErrors, sixteen_threads_of_the_host_share_a_pool) {
  const HostPool pool(1, 4);
  std::vector<std::uint64_t> sums(16);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 16; ++t)
    threads.emplace_back([&, t] {
      for (int k = 0; k < 200; ++k) {
        auto g = pool.get_state();
        sums[t] += g.urand64() >> 60;
        pool.free_state(g);
      }
    });
  for (auto& thread : threads) thread.join();
  for (const std::uint64_t sum : sums) EXPECT_NEAR(static_cast<double>(sum), 1500, 6 * 65);
}

}  // namespace
}  // namespace random_pool_test
