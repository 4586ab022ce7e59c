// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small launches: light kernels get to run on the calling thread, heavy kernels never do, and
// properties and settings take precedence over measurements. Results, exceptions and nesting do not
// depend on the thread.
#include <support/bits.hpp>
#include <support/spaces.hpp>
#include <support/wait.hpp>

#include <hpk/parallel/kernel/inline_launch.hpp>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace hpk_test::inline_launch_cases {

using hpk::Experimental::require;
using hints = hpk::Experimental::WorkItemProperty;

// Sets inline_launches during its lifetime.
class setting {
 public:
  explicit setting(long value) {
    hpk::initialize(hpk::InitializationSettings().set_inline_launches(value));
  }
  ~setting() { hpk::finalize(); }
  setting(const setting&) = delete;
  setting& operator=(const setting&) = delete;
};

// Makes a kernel heavy. The library measures the duration of iterations.
void spin(std::chrono::microseconds time) {
  repeat_for(time, [] {});
}

// Records on which threads the iterations of a launch ran.
class witness {
 public:
  void note() { elsewhere_ += std::this_thread::get_id() != caller_ ? 1 : 0; }
  // Whether all iterations since the last call ran on the thread that constructed the object.
  bool all_here() { return elsewhere_.exchange(0) == 0; }

 private:
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<int> elsewhere_{0};
};

// Launches n iterations of a body in the form with this number.
constexpr int forms = 5;
template <class Exec, class Body>
void launch_form(int form, const Exec& exec, int n, const Body& body) {
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  double sum = 0;
  switch (form) {
    case 0:
      hpk::parallel_for(hpk::RangePolicy<Exec>(exec, 0, n), [&](int i) { body(i); });
      return;
    case 1:
      hpk::parallel_reduce(
          hpk::RangePolicy<Exec>(exec, 0, n), [&](int i, double&) { body(i); }, sum);
      return;
    case 2:
      hpk::parallel_for(hpk::MDRangePolicy<Exec, hpk::Rank<2>>(exec, {0, 0}, {n, 1}),
                        [&](int i, int) { body(i); });
      return;
    case 3:
      hpk::parallel_for(hpk::TeamPolicy<Exec>(exec, n, 1),
                        [&](const member& team) { body(team.league_rank()); });
      return;
    default:
      hpk::parallel_for(hpk::RangePolicy<Exec, hpk::Schedule<hpk::Dynamic>>(exec, 0, n),
                        [&](int i) { body(i); });
  }
}

template <class Exec>
class InlineLaunch : public testing::Test {};
TYPED_TEST_SUITE(InlineLaunch, host_spaces, space_names);

// For any settings and hints, even if workers are idle.
TYPED_TEST(InlineLaunch, of_one_iteration_is_on_the_calling_thread_always) {
  for (const long value : {0L, -1L, 1000L}) {
    SCOPED_TRACE(value);
    const setting told(value);
    witness ran;
    for (int launch = 0; launch < 20; ++launch) {
      const TypeParam exec;
      for (int form = 0; form < forms; ++form) {
        launch_form(form, exec, 1, [&](int) {
          spin(std::chrono::microseconds(20));
          ran.note();
        });
        EXPECT_TRUE(ran.all_here()) << form;
      }
      hpk::parallel_for(require(hpk::RangePolicy<TypeParam>(exec, 0, 1), hints::HintHeavyWeight),
                        [&](int) { ran.note(); });
      EXPECT_TRUE(ran.all_here());
    }
  }
}

// Two iterations that wait for each other can only end if two threads run them.
TYPED_TEST(InlineLaunch, runs_few_heavy_iterations_on_workers_from_the_first_launch) {
  if constexpr (has_workers<TypeParam>) {
    const setting measured(-1);
    const TypeParam exec(2);
    for (int form = 0; form < forms; ++form) {
      SCOPED_TRACE(form);
      for (int launch = 0; launch < 20; ++launch) {
        std::atomic<int> there{0};
        bool met[2] = {false, false};
        launch_form(form, exec, 2, [&](int i) {
          spin(std::chrono::microseconds(50));
          met[i] = wait_for_all(there, 2);
        });
        ASSERT_TRUE(met[0] && met[1]) << launch;
      }
    }
  }
}

TYPED_TEST(InlineLaunch, comes_to_run_light_iterations_on_the_calling_thread) {
  // Sanitizers slow down accesses so much that every launch takes longer than waking a worker.
  if constexpr (HPK_HAS_THREAD_SANITIZER || HPK_HAS_ADDRESS_SANITIZER) return;
  const setting measured(-1);
  const TypeParam exec = with_workers<TypeParam>(2);
  for (int form = 0; form < forms; ++form) {
    SCOPED_TRACE(form);
    witness threads;
    int launches = 0, here = 0;
    while (here < 3 && launches < 100000) {
      launch_form(form, exec, 2, [&](int) { threads.note(); });
      here += threads.all_here() ? 1 : 0;
      ++launches;
    }
    EXPECT_EQ(here, 3);
  }
}

// Calls launch(body). Returns whether the body ran only on the calling thread.
template <class Launch>
bool runs_here(const Launch& launch) {
  witness threads;
  launch([&](auto...) { threads.note(); });
  return threads.all_here();
}

TYPED_TEST(InlineLaunch, takes_heavy_for_the_workers_and_light_for_the_caller) {
  if constexpr (has_workers<TypeParam>) {
    const setting measured(-1);
    const TypeParam exec(2);
    const auto heavy = require(hpk::RangePolicy<TypeParam>(exec, 0, 2), hints::HintHeavyWeight);
    for (int launch = 0; launch < 500; ++launch) {
      ASSERT_FALSE(runs_here([&](auto body) { hpk::parallel_for(heavy, body); })) << launch;
    }
    const auto both = require(heavy, hints::HintHeavyWeight | hints::HintLightWeight);
    EXPECT_FALSE(runs_here([&](auto body) { hpk::parallel_for(both, body); }));
    const hpk::RangePolicy<TypeParam> most(exec, 0, 1024), more(exec, 0, 1025);
    const auto light = hints::HintLightWeight | hints::HintRegular;
    EXPECT_TRUE(runs_here([&](auto body) { hpk::parallel_for(require(most, light), body); }));
    EXPECT_FALSE(runs_here([&](auto body) { hpk::parallel_for(require(more, light), body); }));
    EXPECT_TRUE(runs_here([&](auto body) {
      hpk::parallel_for(
          require(hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>(exec, {0, 0}, {4, 4}), light), body);
    }));
    EXPECT_TRUE(runs_here([&](auto body) {
      hpk::parallel_for(require(hpk::TeamPolicy<TypeParam>(exec, 9, 1), light), body);
    }));
    double sum = 0;
    EXPECT_TRUE(runs_here([&](auto body) {
      hpk::parallel_reduce(require(most, light), [&](int, double&) { body(); }, sum);
    }));
    EXPECT_TRUE(runs_here([&](auto body) {
      hpk::parallel_scan(require(most, light), [&](int, double&, bool) { body(); }, sum);
    }));
  }
}

TYPED_TEST(InlineLaunch, obeys_the_setting) {
  if constexpr (has_workers<TypeParam>) {
    const TypeParam exec(2);
    const auto here = [&](int n) {
      return runs_here(
          [&](auto body) { hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, n), body); });
    };
    {
      const setting off(0);
      for (int launch = 0; launch < 500; ++launch) ASSERT_FALSE(here(2)) << launch;
      EXPECT_TRUE(here(1));
    }
    {
      const setting hundred(100);
      EXPECT_TRUE(here(2));
      EXPECT_TRUE(here(100));
      for (int launch = 0; launch < 100; ++launch) ASSERT_FALSE(here(101)) << launch;
    }
    {
      const setting large(1000000);
      EXPECT_TRUE(here(100000));
    }
  }
}

// A kernel that is light eight times and then heavy rarely runs inline.
TYPED_TEST(InlineLaunch, sends_kernels_that_become_heavy_back_to_the_workers) {
  if constexpr (has_workers<TypeParam>) {
    const setting measured(-1);
    const TypeParam exec(2);
    int mistakes = 0;
    for (int round = 0; round < 100; ++round) {
      for (int launch = 0; launch < 9; ++launch) {
        const bool heavy = launch == 8;
        witness threads;
        hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 2), [&](int) {
          if (heavy) spin(std::chrono::microseconds(20));
          threads.note();
        });
        mistakes += heavy && threads.all_here() ? 1 : 0;
      }
    }
    EXPECT_LE(mistakes, 20);
  }
}

TYPED_TEST(InlineLaunch, reports_the_lowest_failure) {
  const setting measured(-1);
  const TypeParam exec = with_workers<TypeParam>(2);
  for (int launch = 0; launch < 300; ++launch) {
    std::string text;
    try {
      hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 64), [&](int i) {
        if (launch % 3 == 0 && i >= 7) throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error& failure) {
      text = failure.what();
    }
    ASSERT_EQ(text, launch % 3 == 0 ? "7" : "") << launch;
  }
}

TYPED_TEST(InlineLaunch, nests_inside_kernels) {
  const setting measured(-1);
  const TypeParam exec = with_workers<TypeParam>(2);
  for (int launch = 0; launch < 300; ++launch) {
    std::atomic<int> calls{0};
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 4), [&](int) {
      hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 8), [&](int) { ++calls; });
    });
    ASSERT_EQ(calls, 32);
  }
}

TYPED_TEST(InlineLaunch, gives_the_same_bits) {
  const setting measured(-1);
  for (const int n : {2, 65, 1000, 8192}) {
    std::vector<float> first;
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      for (int launch = 0; launch < 60; ++launch) {
        float sum = 0, total = 0;
        const hpk::RangePolicy<TypeParam> range(exec, 0, n);
        hpk::parallel_reduce(
            range, [](int i, float& s) { s += 1.0f / static_cast<float>(i + 1); }, sum);
        hpk::parallel_scan(
            range, [](int i, float& s, bool) { s += 1.0f / static_cast<float>(i + 1); }, total);
        if (first.empty()) first = {sum, total};
        ASSERT_TRUE(same_bits(sum, first[0])) << n << ' ' << launch;
        ASSERT_TRUE(same_bits(total, first[1])) << n << ' ' << launch;
      }
    }
  }
}

// If workers sleep, launches of several microseconds run inline too, but not all of them, so that
// launches in quick succession wake the workers.
TYPED_TEST(InlineLaunch, leaves_sleeping_workers_alone_most_of_the_time) {
  if constexpr (TypeParam::name() == std::string_view("Threads")) {
    if constexpr (HPK_HAS_THREAD_SANITIZER || HPK_HAS_ADDRESS_SANITIZER) return;
    const hpk::ScopeGuard no_spin(
        hpk::InitializationSettings().set_inline_launches(-1).set_option("spin-microseconds", 0));
    const TypeParam exec(2);
    int here = 0;
    int elsewhere = 0;
    for (int launch = 0; launch < 100000 && (here < 100 || elsewhere < 10); ++launch) {
      witness threads;
      hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 20), [&](int) {
        spin(std::chrono::microseconds(1));
        threads.note();
      });
      (threads.all_here() ? here : elsewhere) += 1;
    }
    EXPECT_GE(here, 100);
    EXPECT_GE(elsewhere, 10);
  }
}

constexpr std::int64_t microsecond = 1000;

TEST(LaunchMemory, gains_from_workers_above_the_break_even_time) {
  using hpk::detail::break_even_ns, hpk::detail::overhead_ns;
  EXPECT_EQ(break_even_ns(2), 2 * overhead_ns);
  EXPECT_EQ(break_even_ns(5), 5 * overhead_ns / 4);
  for (const hpk::index_t workers : {2, 3, 16, 1000}) {
    const std::int64_t time = break_even_ns(workers);
    EXPECT_NEAR(static_cast<double>(time), static_cast<double>(time / workers + overhead_ns), 2.0);
  }
}

// Records a launch of 1000 iterations of `nanoseconds` each on two workers.
void learn(hpk::detail::cost_history& memory, std::int64_t nanoseconds) {
  const std::int64_t own = 500 * nanoseconds;
  memory.learn_workers({.n = 1000, .share = 500, .own = own, .total = own + microsecond},
                       microsecond);
}

TEST(LaunchMemory, trusts_by_doubling_and_drops_at_once) {
  hpk::detail::cost_history memory;
  EXPECT_FALSE(memory.allows(1));
  for (const hpk::index_t limit : {1, 3, 7, 15, 31}) {
    learn(memory, 1);  // 1000 iterations are done in time
    EXPECT_TRUE(memory.allows(limit));
    EXPECT_FALSE(memory.allows(limit + 1));
  }
  for (int k = 0; k < 20; ++k) learn(memory, 1);
  EXPECT_TRUE(memory.allows(1000));
  EXPECT_FALSE(memory.allows(1001));
  learn(memory, 100);
  EXPECT_TRUE(memory.allows(10));
  EXPECT_FALSE(memory.allows(11));
  learn(memory, 1000000);
  EXPECT_FALSE(memory.allows(1));
}

TEST(LaunchMemory, times_every_sixteenth_of_heavy_launches) {
  hpk::detail::cost_history memory;
  learn(memory, 1);
  EXPECT_TRUE(memory.is_due());
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(memory.is_due());
    learn(memory, 9);
    for (int k = 0; k < 15; ++k) EXPECT_FALSE(memory.is_due()) << k;
  }
  ASSERT_TRUE(memory.is_due());
  learn(memory, 1);
  EXPECT_TRUE(memory.is_due());
}

TEST(LaunchMemory, times_each_launch_before_a_trial) {
  hpk::detail::cost_history memory;
  for (int k = 0; k < 20; ++k) {
    learn(memory, 3);
    EXPECT_TRUE(memory.is_due()) << k;
  }
  for (int k = 0; k < 5; ++k) memory.wants_trial(1000);
  learn(memory, 3);
  EXPECT_FALSE(memory.is_due());
}

TEST(LaunchMemory, times_fewer_inline_launches_the_longer_all_is_well) {
  hpk::detail::cost_history memory;
  const auto launches_until_due = [&] {
    int launches = 1;
    while (!memory.is_due()) ++launches;
    return launches;
  };
  const auto learn_inline = [&](std::int64_t nanoseconds) {
    memory.learn_inline(1000, nanoseconds, microsecond);
  };
  for (int k = 0; k < 64; ++k) {
    ASSERT_EQ(launches_until_due(), 1) << k;
    learn_inline(microsecond);
  }
  EXPECT_EQ(launches_until_due(), 1);
  for (int k = 0; k < 64; ++k) {
    learn_inline(microsecond);
    ASSERT_EQ(launches_until_due(), 16) << k;
  }
  for (int k = 0; k < 10; ++k) {
    learn_inline(microsecond);
    ASSERT_EQ(launches_until_due(), 64) << k;
  }
  learn_inline(1000 * microsecond);
  EXPECT_EQ(launches_until_due(), 1);
}

// Trains the memory until launches of 1000 iterations run inline.
void trust(hpk::detail::cost_history& memory) {
  for (int k = 0; k < 20; ++k) learn(memory, 1);
}

TEST(LaunchMemory, takes_one_long_launch_for_chance_and_two_for_a_mistake) {
  hpk::detail::cost_history memory;
  trust(memory);
  const auto is_long = [&] { memory.learn_inline(1000, 10 * microsecond, microsecond); };
  for (int round = 0; round < 3; ++round) {
    is_long();
    for (int k = 0; k < 16; ++k) {
      ASSERT_TRUE(memory.allows(1000));
      ASSERT_TRUE(memory.is_due());
      memory.learn_inline(1000, microsecond, microsecond);
    }
  }
  is_long();
  for (int k = 0; k < 15; ++k) memory.learn_inline(1000, microsecond, microsecond);
  is_long();
  EXPECT_FALSE(memory.allows(1));
}

TEST(LaunchMemory, is_hard_to_convince_after_a_mistake) {
  hpk::detail::cost_history memory;
  for (int k = 0; k < 2; ++k) memory.learn_inline(1000, 1000 * microsecond, microsecond);
  int launches = 0;
  while (!memory.allows(1)) {
    learn(memory, 1000000);  // what is heavy counts for nothing
    learn(memory, 1);
    ++launches;
    ASSERT_LE(launches, 100);
  }
  EXPECT_GE(launches, 64);
}

// The number of launches on the workers before one of n iterations is tried inline, or 1000 if none
// is.
int launches_until_trial(hpk::detail::cost_history& memory, hpk::index_t n) {
  int launches = 0;
  while (launches < 1000 && !memory.wants_trial(n)) ++launches;
  return launches;
}

TEST(LaunchMemory, tries_launches_near_the_break_even_time_inline) {
  hpk::detail::cost_history memory;
  EXPECT_EQ(launches_until_trial(memory, 1000), 1000);
  for (int k = 0; k < 20; ++k) learn(memory, 8);  // 125 iterations are done in time
  EXPECT_EQ(launches_until_trial(memory, 1001), 1000);
  EXPECT_EQ(launches_until_trial(memory, 1000), 4);
  EXPECT_EQ(launches_until_trial(memory, 1000), 255);
  memory.learn_trial(1000, 3 * microsecond, microsecond);
  EXPECT_FALSE(memory.allows(1000));
  memory.learn_trial(1000, 2 * microsecond, microsecond);  // on workers it takes 5
  EXPECT_TRUE(memory.allows(1000));
  for (int k = 0; k < 5; ++k) memory.learn_inline(1000, 3 * microsecond, microsecond);
  EXPECT_TRUE(memory.allows(1000));
  for (int k = 0; k < 2; ++k) memory.learn_inline(1000, 4 * microsecond, microsecond);
  EXPECT_FALSE(memory.allows(1));
}

TEST(LaunchMemory, keeps_launches_on_workers_that_are_faster_than_the_caller) {
  hpk::detail::cost_history memory;
  const auto on_workers = [&](hpk::index_t n, std::int64_t total) {
    memory.learn_workers({.n = n, .share = n / 2, .own = 2 * n, .total = total}, microsecond);
  };
  for (int k = 0; k < 20; ++k) on_workers(1000, 1500);
  memory.learn_trial(1000, 1600, microsecond);
  EXPECT_FALSE(memory.allows(1000));
  on_workers(1000, 100000);  // workers slept
  on_workers(1000, 1500);
  memory.learn_trial(1000, 1600, microsecond);
  EXPECT_FALSE(memory.allows(1000));
  for (int k = 0; k < 20; ++k) on_workers(1000, 1700);
  on_workers(2000, 1800);  // tells nothing about 1000 iterations
  memory.learn_trial(1000, 1600, microsecond);
  EXPECT_FALSE(memory.allows(1000));
  for (int k = 0; k < 20; ++k) on_workers(1000, 1700);
  memory.learn_trial(1000, 1600, microsecond);
  EXPECT_TRUE(memory.allows(1000));
}

// A kernel that runs inline only because of a trial goes back to the workers, which may have become
// faster: after 16 timed launches at first, then after twice as many each time, up to 256.
TEST(LaunchMemory, repeats_trials_ever_more_seldom) {
  hpk::detail::cost_history memory;
  for (const int stay : {16, 32, 64, 128, 256, 256, 256}) {
    for (int k = 0; k < 20; ++k) learn(memory, 8);
    while (!memory.wants_trial(1000)) {
    }
    memory.learn_trial(1000, 2 * microsecond, microsecond);
    for (int k = 0; k < stay; ++k) {
      memory.learn_inline(1000, 2 * microsecond, microsecond);
      ASSERT_TRUE(memory.allows(1000)) << stay << ' ' << k;
    }
    memory.learn_inline(1000, 2 * microsecond, microsecond);
    EXPECT_FALSE(memory.allows(1000));
    EXPECT_TRUE(memory.allows(500));
    EXPECT_EQ(launches_until_trial(memory, 1000), 4);
  }
  trust(memory);
  for (int k = 0; k < 1000; ++k) memory.learn_inline(1000, microsecond, microsecond);
  EXPECT_TRUE(memory.allows(1000));
}

}  // namespace hpk_test::inline_launch_cases
