// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes as fibres: each runs once, in order, and waits at barriers. Groups that cannot continue
// report an error, an exception unwinds all lanes, and ThreadSanitizer reports the races of a
// kernel and no others. Built twice: with the fibres that hpk uses, and with ucontext
// (unit_ucontext).
#include <hpk/backends/fibers/fiber.hpp>

#include <support/errors.hpp>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <string>
#include <thread>
#include <vector>

namespace hpk_test::fiber_cases {

using hpk::fibers::fiber_group;
using hpk::fibers::fiber_plan;
using hpk::fibers::fiber_result;
using kind = fiber_result::kind;

void meet() { fiber_group::current()->barrier(); }
void sync_subgroup() { fiber_group::current()->sync_subgroup(); }

struct shape {
  int lanes = 1;
  int subgroup = 1;
  const int* order = nullptr;
};

template <class Kernel>
fiber_result run(fiber_group& group, const shape& s, Kernel kernel) {
  fiber_plan plan;
  plan.lanes = s.lanes;
  plan.subgroup = s.subgroup;
  plan.order = s.order;
  plan.call = [](void* context, int lane) { (*static_cast<Kernel*>(context))(lane); };
  if constexpr (requires { kernel.paused(0); })
    plan.paused = [](void* context, int lane) { static_cast<Kernel*>(context)->paused(lane); };
  plan.context = &kernel;
  return group.run(plan);
}

template <class Kernel>
fiber_result run(const shape& s, Kernel kernel) {
  fiber_group group;
  return run(group, s, kernel);
}

// One entry per lane, which only that lane writes between two barriers.
std::vector<int> per_lane(int lanes, int value = 0) {
  return std::vector<int>(static_cast<std::size_t>(lanes), value);
}
std::size_t at(int lane) { return static_cast<std::size_t>(lane); }

// Counts how many objects were destroyed.
struct guard {
  std::atomic<int>& destroyed;
  ~guard() { destroyed.fetch_add(1, std::memory_order_relaxed); }
};

std::vector<int> reversed(int lanes) {
  std::vector<int> order;
  while (lanes > 0) order.push_back(--lanes);
  return order;
}

// The int that a lane threw.
int thrown_int(const fiber_result& result) {
  return thrown_by([&] {
    if (result.thrown != nullptr) std::rethrow_exception(result.thrown);
  });
}

TEST(Fiber, runs_every_lane_once) {
  fiber_group group;
  for (const int lanes : {1, 2, 31, 33, 256, 1100, 3}) {
    std::vector<int> calls = per_lane(lanes);
    const fiber_result result = run(group, {lanes}, [&](int lane) {
      EXPECT_EQ(group.lane(), lane);
      EXPECT_EQ(fiber_group::current(), &group);
      ++calls[at(lane)];
    });
    EXPECT_EQ(result.how, kind::completed);
    EXPECT_EQ(result.finished, lanes);
    EXPECT_EQ(calls, per_lane(lanes, 1));
  }
  EXPECT_EQ(fiber_group::current(), nullptr);
}

TEST(Fiber, runs_lanes_that_do_not_pause_on_one_stack) {
  if (HPK_HAS_THREAD_SANITIZER) GTEST_SKIP() << "there each lane has a stack of its own";
  std::vector<const void*> frames(100);
  run({100}, [&](int lane) {
    frames[at(lane)] = __builtin_frame_address(0);
    if (lane == 60) sync_subgroup();
  });
  EXPECT_EQ(std::count(frames.begin(), frames.end(), frames[0]), 100);
  run({100, 2}, [&](int lane) {
    frames[at(lane)] = __builtin_frame_address(0);
    if (lane / 2 == 30) sync_subgroup();
  });
  EXPECT_EQ(std::count(frames.begin(), frames.end(), frames[0]), 61);
  EXPECT_EQ(std::count(frames.begin(), frames.end(), frames[99]), 38);
}

TEST(Fiber, runs_lanes_in_the_order_given_in_every_phase) {
  constexpr int lanes = 50, phases = 4;
  const std::vector<int> backwards = reversed(lanes);
  for (const bool given : {false, true}) {
    std::atomic<int> clock = 0;
    std::vector<int> times = per_lane(lanes * phases);
    const fiber_result result = run({lanes, 1, given ? backwards.data() : nullptr}, [&](int lane) {
      for (int phase = 0; phase < phases; ++phase) {
        times[at(phase * lanes + lane)] = clock.fetch_add(1, std::memory_order_relaxed);
        if (phase + 1 < phases) meet();
      }
    });
    EXPECT_EQ(result.how, kind::completed);
    for (int phase = 0; phase < phases; ++phase) {
      for (int lane = 0; lane < lanes; ++lane)
        EXPECT_EQ(times[at(phase * lanes + lane)],
                  phase * lanes + (given ? lanes - 1 - lane : lane));
    }
  }
}

TEST(Fiber, barriers_separate_phases) {
  fiber_group group;
  for (const int lanes : {70, 1024}) {
    const int phases = HPK_HAS_THREAD_SANITIZER && lanes > 100 ? 2 : 40;
    std::vector<int> seen = per_lane(lanes, -1);
    const fiber_result result = run(group, {lanes, 32}, [&](int lane) {
      for (int phase = 0; phase < phases; ++phase) {
        seen[at(lane)] = phase;
        meet();
        for (const int other : {(lane + 1) % lanes, lanes - 1 - lane})
          EXPECT_EQ(seen[at(other)], phase);
        meet();
      }
    });
    EXPECT_EQ(result.how, kind::completed);
    EXPECT_EQ(result.finished, lanes);
  }
}

TEST(Fiber, lanes_that_leave_make_the_group_diverge_and_the_others_are_unwound) {
  std::atomic<int> destroyed = 0, late = 0;
  const fiber_result result = run({10}, [&](int lane) {
    const guard g{destroyed};
    if (lane == 0 || lane == 7) return;
    meet();
    ++late;
  });
  EXPECT_EQ(result.how, kind::diverged);
  EXPECT_EQ(result.lane, 1);
  EXPECT_EQ(result.waiting, 8);
  EXPECT_EQ(result.finished, 2);
  EXPECT_FALSE(result.at_subgroup);
  EXPECT_EQ(destroyed, 10);
  EXPECT_EQ(late, 0);
}

TEST(Fiber, lanes_at_unlike_meetings_diverge) {
  const std::vector<int> backwards = reversed(8);
  for (const int* order : {static_cast<const int*>(nullptr), backwards.data()}) {
    const fiber_result result = run({8, 4, order}, [](int lane) {
      if (lane == 2) meet();
      sync_subgroup();
    });
    EXPECT_EQ(result.how, kind::diverged);
    EXPECT_EQ(result.lane, 0);
    EXPECT_EQ(result.waiting, 3);
    EXPECT_EQ(result.finished, 4);
    EXPECT_TRUE(result.at_subgroup);
  }
}

TEST(Fiber, subgroups_meet_whatever_their_width) {
  constexpr int lanes = 70;
  for (const int width : {1, 4, 32, 64, 128}) {
    std::vector<int> seen = per_lane(lanes, -1);
    const fiber_result result = run({lanes, width}, [&](int lane) {
      const int first = lane / width * width;
      const int size = std::min(width, lanes - first);
      // Sub-groups synchronise a different number of times, so none waits for another.
      for (int phase = 0; phase <= lane / width; ++phase) {
        seen[at(lane)] = phase;
        sync_subgroup();
        EXPECT_EQ(seen[at(first + (lane - first + 1) % size)], phase);
        sync_subgroup();
      }
    });
    EXPECT_EQ(result.how, kind::completed) << width;
    EXPECT_EQ(result.finished, lanes);
  }
}

TEST(Fiber, barriers_and_subgroup_meetings_mix) {
  constexpr int lanes = 44, width = 8;
  std::vector<int> seen = per_lane(lanes, -1);
  std::vector<int> total = per_lane(lanes);
  const std::vector<int> backwards = reversed(lanes);
  const fiber_result result = run({lanes, width, backwards.data()}, [&](int lane) {
    for (int phase = 0; phase < 10; ++phase) {
      for (int round = 0; round < lane / width; ++round) {
        seen[at(lane)] = round;
        sync_subgroup();
        EXPECT_EQ(seen[at(lane / width * width)], round);
        sync_subgroup();
      }
      total[at(lane)] = phase;
      meet();
      EXPECT_EQ(total[at((lane + width) % lanes)], phase);
      if (lane / width == 5) sync_subgroup();
      meet();
    }
  });
  EXPECT_EQ(result.how, kind::completed);
}

TEST(Fiber, a_lane_that_throws_stops_the_group_and_the_paused_lanes_are_unwound) {
  const std::vector<int> backwards = reversed(12);
  for (const int* order : {static_cast<const int*>(nullptr), backwards.data()}) {
    std::atomic<int> destroyed = 0, late = 0;
    const fiber_result result = run({12, 1, order}, [&](int lane) {
      const guard g{destroyed};
      meet();
      if (lane == 5 || lane == 9) throw lane;
      meet();
      ++late;
    });
    EXPECT_EQ(result.how, kind::threw);
    EXPECT_EQ(result.lane, order == nullptr ? 5 : 9);
    EXPECT_EQ(thrown_int(result), result.lane);
    EXPECT_EQ(destroyed, 12);
    EXPECT_EQ(late, 0);
  }
}

TEST(Fiber, lanes_behind_one_that_throws_are_not_started) {
  std::atomic<int> started = 0;
  const fiber_result result = run({100}, [&](int lane) {
    ++started;
    if (lane == 40) meet();
    if (lane == 60) throw lane;
  });
  EXPECT_EQ(result.how, kind::threw);
  EXPECT_EQ(thrown_int(result), 60);
  EXPECT_EQ(result.finished, 59);
  EXPECT_EQ(started, 61);
}

// Waits at a barrier in its destructor.
struct meets_at_the_end {
  ~meets_at_the_end() noexcept(false) { meet(); }
};

TEST(Fiber, stops_lanes_that_catch_everything_or_meet_in_destructors) {
  std::atomic<int> swallowed = 0;
  const fiber_result result = run({6}, [&](int lane) {
    if (lane == 5) throw 5;
    for (int k = 0; k < 3; ++k) {
      try {
        const meets_at_the_end late;
        meet();
      } catch (...) {
        ++swallowed;
      }
    }
    if (lane == 2) throw 2;
  });
  EXPECT_EQ(result.how, kind::threw);
  EXPECT_EQ(thrown_int(result), 5);
  EXPECT_EQ(swallowed, 15);
}

TEST(Fiber, lanes_meet_inside_catch_blocks) {
  constexpr int lanes = 20;
  std::atomic<int> rethrown = 0;
  const fiber_result result = run({lanes, 4}, [&](int lane) {
    try {
      try {
        if (lane % 3 != 2) throw lane;
        meet();
      } catch (int) {
        EXPECT_NE(std::current_exception(), nullptr);
        meet();
        throw;
      }
      EXPECT_EQ(std::current_exception(), nullptr);
      meet();
    } catch (int value) {
      EXPECT_EQ(value, lane);
      ++rethrown;
      meet();
    }
    EXPECT_EQ(std::current_exception(), nullptr);
    meet();
  });
  EXPECT_EQ(result.how, kind::completed);
  EXPECT_EQ(rethrown, 14);
}

TEST(Fiber, lanes_meet_while_an_exception_is_in_flight) {
  struct waits {
    int lane;
    ~waits() noexcept(false) {
      EXPECT_EQ(std::uncaught_exceptions(), lane % 2);
      meet();
      EXPECT_EQ(std::uncaught_exceptions(), lane % 2);
    }
  };
  const fiber_result result = run({10}, [&](int lane) {
    try {
      const waits w{lane};
      if (lane % 2 == 1) throw lane;
    } catch (int value) {
      EXPECT_EQ(value, lane);
    }
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  });
  EXPECT_EQ(result.how, kind::completed);
}

TEST(Fiber, keeps_the_exceptions_of_its_caller) {
  try {
    throw 7;
  } catch (int) {
    const auto leaves = [](int lane) {
      EXPECT_EQ(std::current_exception(), nullptr);
      if (lane != 3) meet();
    };
    EXPECT_EQ(run({4}, leaves).how, kind::diverged);
    EXPECT_THROW(throw, int);
  }
  EXPECT_EQ(std::current_exception(), nullptr);
}

TEST(Fiber, groups_run_inside_lanes_of_others) {
  fiber_group outer;
  std::atomic<int> inner_lanes = 0;
  const fiber_result result = run(outer, {5}, [&](int lane) {
    meet();
    fiber_group inner;
    for (int k = 0; k < 2; ++k) {
      const fiber_result nested = run(inner, {7, 2}, [&](int inner_lane) {
        EXPECT_EQ(fiber_group::current(), &inner);
        sync_subgroup();
        ++inner_lanes;
        meet();
        EXPECT_EQ(inner.lane(), inner_lane);
        if (k == 1 && inner_lane == 3) throw 100 * lane;
        meet();
      });
      EXPECT_EQ(nested.how, k == 0 ? kind::completed : kind::threw);
      EXPECT_EQ(thrown_int(nested), k == 0 ? -1 : 100 * lane);
      EXPECT_EQ(fiber_group::current(), &outer);
      EXPECT_EQ(outer.lane(), lane);
      meet();
    }
  });
  EXPECT_EQ(result.how, kind::completed);
  EXPECT_EQ(inner_lanes, 70);
}

TEST(Fiber, a_group_does_not_run_inside_itself) {
  fiber_group group;
  const fiber_result result = run(group, {3}, [&](int) { run(group, {3}, [](int) {}); });
  EXPECT_EQ(result.lane, 0);
  EXPECT_THROW(std::rethrow_exception(result.thrown), hpk::error);
  EXPECT_EQ(run(group, {3}, [](int) {}).how, kind::completed);
}

TEST(Fiber, lanes_have_the_rounding_of_the_caller) {
  fiber_group group;
  for (const int rounding : {FE_UPWARD, FE_TONEAREST, FE_DOWNWARD}) {
    std::fesetround(rounding);
    run(group, {5}, [&](int) {
      EXPECT_EQ(std::fegetround(), rounding);
      meet();
      EXPECT_EQ(std::fegetround(), rounding);
    });
    EXPECT_EQ(std::fegetround(), rounding);
  }
  std::fesetround(FE_TONEAREST);
}

TEST(Fiber, one_object_runs_thousands_of_groups) {
  fiber_group group;
  const int groups = HPK_HAS_THREAD_SANITIZER || HPK_HAS_ADDRESS_SANITIZER ? 1000 : 6000;
  std::atomic<int> destroyed = 0;
  int lanes_run = 0;
  for (int k = 0; k < groups; ++k) {
    const int lanes = 2 + k * 7 % 45;
    lanes_run += lanes;
    const fiber_result result = run(group, {lanes, 4}, [&, how = k % 3](int lane) {
      const guard g{destroyed};
      sync_subgroup();
      if (how == 1 && lane == lanes - 1) return;
      meet();
      if (how == 2 && lane == 1) throw lane;
    });
    ASSERT_EQ(result.how, k % 3 == 0 ? kind::completed : k % 3 == 1 ? kind::diverged : kind::threw);
  }
  EXPECT_EQ(destroyed, lanes_run);
}

TEST(Fiber, threads_run_groups_of_their_own_and_may_hand_them_on) {
  fiber_group handed_on;
  const auto work = [](fiber_group& group) {
    for (int k = 0; k < 20; ++k) {
      run(group, {40, 8}, [&](int) {
        meet();
        EXPECT_EQ(fiber_group::current(), &group);
        sync_subgroup();
      });
    }
  };
  for (int round = 0; round < 3; ++round) {
    std::thread other([&] { work(handed_on); });
    fiber_group own_group;
    work(own_group);
    other.join();
  }
  work(handed_on);
}

struct with_callback {
  std::vector<int>& calls;
  bool throws;
  void operator()(int lane) const {
    for (int k = 0; k < lane / 8; ++k) sync_subgroup();
    meet();
    if (lane == 29 && throws) throw lane;
    meet();
  }
  void paused(int lane) const {
    EXPECT_EQ(fiber_group::current()->lane(), lane);
    ++calls[at(lane)];
  }
};

TEST(Fiber, calls_the_callback_before_every_pause_and_at_the_end) {
  std::vector<int> all = per_lane(30), stopped = all;
  EXPECT_EQ(run({30, 8}, with_callback{all, false}).how, kind::completed);
  EXPECT_EQ(run({30, 8}, with_callback{stopped, true}).how, kind::threw);
  for (int lane = 0; lane < 30; ++lane) {
    EXPECT_EQ(all[at(lane)], 3 + lane / 8);
    EXPECT_EQ(stopped[at(lane)], 2 + lane / 8);
  }
}

// Each lane writes one cell and reads its neighbour's. ThreadSanitizer sets the exit status.
void exchange_and_exit(bool with_barrier, bool with_subgroup) {
  std::vector<int> cells = per_lane(8);
  std::atomic<int> sum = 0;
  run({8, 4}, [&](int lane) {
    for (int phase = 0; phase < 3; ++phase) {
      cells[at(lane)] = lane;
      if (with_barrier) meet();
      if (with_subgroup) sync_subgroup();
      sum.fetch_add(cells[at((lane + 1) % 8)], std::memory_order_relaxed);
      meet();
    }
  });
  std::exit(sum == 0 ? 1 : 0);
}

TEST(FiberDeathTest, thread_sanitizer_sees_the_races_of_a_kernel) {
  if (!HPK_HAS_THREAD_SANITIZER) GTEST_SKIP() << "not built with ThreadSanitizer";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const testing::ExitedWithCode reported(66);
  EXPECT_EXIT(exchange_and_exit(true, false), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(exchange_and_exit(false, false), reported, "data race");
  // Sub-groups synchronise, but a lane reads what a lane of another sub-group writes.
  EXPECT_EXIT(exchange_and_exit(false, true), reported, "data race");
}

}  // namespace hpk_test::fiber_cases
