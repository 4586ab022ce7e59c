// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TaskScheduler: trees of tasks, futures, priorities, teams, memory, and every mistake.
#include <hpk/tasks.hpp>

#include <support/spaces.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tasks_scheduler_test {
namespace {

template <class Exec>
class Tasks : public testing::Test {};
TYPED_TEST_SUITE(Tasks, hpk_test::host_spaces, hpk_test::space_names);

template <class Exec>
using scheduler_of = hpk::TaskScheduler<Exec>;
constexpr std::size_t megabyte = std::size_t{1} << 20;

long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

// As in Kokkos: spawns two tasks, waits for both by respawn, and adds.
template <class Scheduler>
struct Fibonacci {
  using value_type = long;
  using future = hpk::BasicFuture<long, Scheduler>;
  explicit Fibonacci(int number) : n(number) {}
  void operator()(typename Scheduler::member_type& member, long& result) {
    auto& scheduler = member.scheduler();
    if (n < 2) {
      result = n;
    } else if (!parts[0].is_null()) {
      result = parts[0].get() + parts[1].get();
    } else {
      parts[1] =
          hpk::task_spawn(hpk::TaskSingle(scheduler, hpk::TaskPriority::High), Fibonacci(n - 2));
      parts[0] = hpk::task_spawn(hpk::TaskSingle(scheduler), Fibonacci(n - 1));
      const hpk::BasicFuture<void, Scheduler> both[] = {parts[0], parts[1]};
      hpk::respawn(this, scheduler.when_all(both, 2), hpk::TaskPriority::High);
    }
  }
  int n;
  future parts[2];
};

// A task that calls a function of a test.
template <class Scheduler, class F>
struct Calls {
  using value_type = int;
  F function;
  void operator()(typename Scheduler::member_type& member, int& result) {
    if constexpr (std::is_invocable_v<F&, Calls*, typename Scheduler::member_type&>) {
      result = function(this, member);
    } else {
      result = function();
    }
  }
};
template <class Exec, class F>
auto calls(F function) {
  return Calls<scheduler_of<Exec>, F>{std::move(function)};
}

TYPED_TEST(Tasks, compute_as_a_recursion_does) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const scheduler_of<TypeParam> scheduler(exec, 4 * megabyte);
    for (int n : {0, 1, 2, 7, 16}) {
      auto result =
          hpk::host_spawn(hpk::TaskSingle(scheduler), Fibonacci<scheduler_of<TypeParam>>(n));
      EXPECT_FALSE(result.is_ready());
      hpk::wait(scheduler);
      EXPECT_TRUE(result.is_ready());
      EXPECT_EQ(result.get(), fibonacci(n));
      EXPECT_EQ(result.reference_count(), 1);
    }
    EXPECT_EQ(scheduler.allocated_task_count(), 0u);
    EXPECT_GT(scheduler.allocated_task_count_accum(), 3000u);
    EXPECT_GE(scheduler.allocated_task_count_max(), 16u);
    EXPECT_GE(scheduler.allocation_capacity(), 4 * megabyte);
  }
}

TYPED_TEST(Tasks, run_behind_those_they_wait_for) {
  const scheduler_of<TypeParam> scheduler(hpk::HostSpace(), megabyte);
  std::atomic<int> clock{0};
  std::vector<hpk::BasicFuture<int, scheduler_of<TypeParam>>> chain;
  for (int k = 0; k < 50; ++k) {
    auto step = calls<TypeParam>([&] { return clock.fetch_add(1); });
    if (k == 0)
      chain.push_back(hpk::host_spawn(hpk::TaskSingle(scheduler), step));
    else if (k % 2 == 0)
      chain.push_back(hpk::host_spawn(hpk::TaskSingle(chain.back()), step));
    else
      chain.push_back(hpk::host_spawn(hpk::TaskTeam(scheduler, chain.back()), step));
  }
  // when_all with a function, with null futures, and with no future.
  const auto all = scheduler.when_all(51, [&](int k) {
    return k == 50 ? typename decltype(chain)::value_type() : chain[static_cast<std::size_t>(k)];
  });
  const auto none = scheduler.when_all(static_cast<decltype(chain)::value_type*>(nullptr), 0);
  EXPECT_TRUE(none.is_ready());
  const auto last = hpk::host_spawn(hpk::TaskSingle(scheduler, all),
                                    calls<TypeParam>([&] { return clock.load(); }));
  hpk::wait(scheduler);
  for (int k = 0; k < 50; ++k) EXPECT_EQ(chain[static_cast<std::size_t>(k)].get(), k);
  EXPECT_EQ(last.get(), 50);
  EXPECT_TRUE(all.is_ready());
  EXPECT_NO_THROW(all.get());
}

TYPED_TEST(Tasks, of_one_worker_follow_their_priorities) {
  const auto run = [](const TypeParam& exec) {
    const scheduler_of<TypeParam> scheduler(exec, megabyte);
    std::string order;
    using hpk::TaskPriority;
    const std::pair<char, TaskPriority> tasks[] = {
        {'l', TaskPriority::Low}, {'r', TaskPriority::Regular}, {'h', TaskPriority::High},
        {'L', TaskPriority::Low}, {'R', TaskPriority::Regular}, {'H', TaskPriority::High}};
    for (const auto& [name, priority] : tasks) {
      hpk::host_spawn(hpk::TaskSingle(scheduler, priority),
                      calls<TypeParam>([&order, name] { return order += name, 0; }));
    }
    hpk::wait(scheduler);
    return order;
  };
  EXPECT_EQ(run(hpk_test::with_workers<TypeParam>(1)), "hHrRlL");
}

TYPED_TEST(Tasks, may_run_again_until_another_is_done) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const scheduler_of<TypeParam> scheduler(exec, megabyte);
    std::atomic<int> ready{0};
    auto polls = hpk::host_spawn(hpk::TaskSingle(scheduler),
                                 calls<TypeParam>([&, runs = 0](auto* self, auto& member) mutable {
                                   ++runs;
                                   if (ready < 3) hpk::respawn(self, member.scheduler());
                                   return runs;
                                 }));
    for (int k = 0; k < 3; ++k)
      hpk::host_spawn(hpk::TaskSingle(scheduler, hpk::TaskPriority::Regular),
                      calls<TypeParam>([&] { return ++ready; }));
    hpk::wait(scheduler);
    EXPECT_GE(polls.get(), 1);
    EXPECT_EQ(ready, 3);
  }
}

TYPED_TEST(Tasks, work_in_nested_loops_as_a_team_of_one) {
  const scheduler_of<TypeParam> scheduler(hpk::HostSpace(), megabyte);
  const hpk::View<int*, hpk::HostSpace> view("view", 100);
  auto sum = hpk::host_spawn(
      hpk::TaskTeam(scheduler), calls<TypeParam>([view](auto*, auto& member) {
        hpk::parallel_for(hpk::TeamThreadRange(member, 100), [&](int i) { view(i) = i; });
        member.team_barrier();
        int total = 0;
        hpk::parallel_reduce(
            hpk::ThreadVectorRange(member, 100), [&](int i, int& s) { s += view(i); }, total);
        // A launch inside a task runs inline.
        hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 100), [=](int i) { view(i) += 1; });
        return total * member.team_size() + member.team_rank() + member.league_rank();
      }));
  hpk::wait(scheduler);
  EXPECT_EQ(sum.get(), 4950);
  EXPECT_EQ(view(99), 100);
}

TYPED_TEST(Tasks, own_their_views_and_end_them) {
  hpk::BasicFuture<int, scheduler_of<TypeParam>> kept;
  std::weak_ptr<int> watched;
  {
    const scheduler_of<TypeParam> scheduler(hpk::HostSpace(), megabyte);
    {
      const hpk::View<int*, hpk::HostSpace> view("view", 3);
      auto shared = std::make_shared<int>(1);
      watched = shared;
      kept = hpk::host_spawn(hpk::TaskSingle(scheduler), calls<TypeParam>([view, shared] {
                               view(0) = *shared;
                               return view(0) + view.use_count();
                             }));
    }
    hpk::wait(scheduler);
    EXPECT_TRUE(watched.expired());
  }
  // The future outlives its scheduler.
  EXPECT_EQ(kept.get(), 2);
}

TYPED_TEST(Tasks, that_throw_fail_with_those_that_wait) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const scheduler_of<TypeParam> scheduler(exec, megabyte);
    std::atomic<int> runs{0};
    const auto counts = calls<TypeParam>([&] { return ++runs; });
    auto bad = hpk::host_spawn("reads a file", hpk::TaskSingle(scheduler),
                               calls<TypeParam>([]() -> int { throw std::runtime_error("gone"); }));
    auto behind = hpk::host_spawn(hpk::TaskSingle(bad), counts);
    const hpk::BasicFuture<int, scheduler_of<TypeParam>> both[] = {bad, behind};
    auto further = hpk::host_spawn(hpk::TaskSingle(scheduler.when_all(both, 2)), counts);
    auto other = hpk::host_spawn(hpk::TaskSingle(scheduler), counts);
    EXPECT_THROW(hpk::wait(scheduler), std::runtime_error);
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(other.get(), 1);
    hpk_test::expect_error([&] { bad.get(); },
                           {"the task \"reads a file\"", "scheduler.cpp:", "it threw"});
    hpk_test::expect_error([&] { further.get(); }, {"waited for a task that failed"});
    EXPECT_NO_THROW(hpk::wait(scheduler));
    EXPECT_THROW(
        (hpk::host_spawn(hpk::TaskSingle(bad), counts), hpk::wait(scheduler), behind.get()),
        hpk::error);
  }
}

TYPED_TEST(Tasks, find_no_memory_and_say_so) {
  const scheduler_of<TypeParam> scheduler(hpk::HostSpace(), 4096);
  using future = hpk::BasicFuture<int, scheduler_of<TypeParam>>;
  const auto one = calls<TypeParam>([] { return 1; });
  std::vector<future> all;
  int missing = 0;
  for (int k = 0; k < 100; ++k) {
    all.push_back(hpk::host_spawn("one of many", hpk::TaskSingle(scheduler), one));
    if (all.back().is_null()) ++missing;
  }
  EXPECT_GT(missing, 0);
  EXPECT_LT(missing, 100);
  EXPECT_NO_THROW(hpk::wait(scheduler));
  hpk_test::expect_error([&] { all.back().get(); }, {"the future is null"});
  // The program does not check for null futures.
  for (int k = 0; k < 100; ++k) hpk::host_spawn("dropped", hpk::TaskSingle(scheduler), one);
  hpk_test::expect_error([&] { hpk::wait(scheduler); },
                         {"tasks were lost", "\"dropped\"", "larger capacity", "scheduler.cpp:"});
  // Destroying them frees memory.
  all.clear();
  EXPECT_EQ(scheduler.allocated_task_count(), 0u);
  auto again = hpk::host_spawn(hpk::TaskSingle(scheduler), one);
  hpk::wait(scheduler);
  EXPECT_EQ(again.get(), 1);
}

TYPED_TEST(Tasks, larger_than_a_block_are_refused) {
  const scheduler_of<TypeParam> scheduler(hpk::HostSpace(), megabyte);
  struct large {
    double values[1000] = {};
  };
  hpk_test::expect_error(
      [&] {
        hpk::host_spawn("large", hpk::TaskSingle(scheduler),
                        calls<TypeParam>([data = large()] { return data.values[0] != 0; }));
      },
      {"the task \"large\" takes", "1024", "larger max_block", "scheduler.cpp:"});
}

TYPED_TEST(Tasks, mistakes_of_futures) {
  const scheduler_of<TypeParam> scheduler(hpk::HostSpace(), megabyte);
  const scheduler_of<TypeParam> other(hpk::HostSpace(), megabyte);
  const auto one = calls<TypeParam>([] { return 1; });
  auto mine = hpk::host_spawn("mine", hpk::TaskSingle(scheduler), one);
  hpk_test::expect_error([&] { mine.get(); },
                         {"the task \"mine\"", "is not done", "hpk::wait", "scheduler.cpp:"});
  hpk_test::expect_error([&] { hpk::host_spawn(hpk::TaskSingle(other, mine), one); },
                         {"hpk::TaskSingle", "\"mine\"", "of another scheduler"});
  hpk_test::expect_error([&] { other.when_all(&mine, 1); },
                         {"when_all", "\"mine\"", "of another scheduler"});
  decltype(mine) null;
  hpk_test::expect_error([&] { null.get(); }, {"the future is null"});
  hpk_test::expect_error([&] { hpk::host_spawn(hpk::TaskSingle(null), one); },
                         {"hpk::TaskSingle", "the future is null"});
  hpk_test::expect_error([&] { hpk::task_spawn(hpk::TaskSingle(scheduler), one); },
                         {"hpk::task_spawn", "outside of a task", "hpk::host_spawn"});
  auto loose = one;
  hpk_test::expect_error([&] { hpk::respawn(&loose, mine); },
                         {"hpk::respawn", "outside of a task"});
  hpk::wait(scheduler);
  EXPECT_EQ(mine.get(), 1);
  mine.clear();
  EXPECT_TRUE(mine.is_null());
  EXPECT_EQ(mine.reference_count(), 0);
}

// Expects wait() to throw this error when a task makes a mistake.
template <class Exec, class F>
void expect_error_in_task(F function, std::initializer_list<const char*> pieces) {
  const scheduler_of<Exec> scheduler(hpk::HostSpace(), megabyte);
  hpk::host_spawn("wrong", hpk::TaskSingle(scheduler), calls<Exec>(function));
  hpk_test::expect_error([&] { hpk::wait(scheduler); }, pieces);
}

TYPED_TEST(Tasks, mistakes_inside) {
  using scheduler_type = scheduler_of<TypeParam>;
  expect_error_in_task<TypeParam>(
      [](auto*, auto& member) { return hpk::wait(member.scheduler()), 0; },
      {"hpk::wait", "inside of a task", "hpk::respawn", "in task \"wrong\"", "scheduler.cpp:"});
  expect_error_in_task<TypeParam>(
      [](auto* self, auto& member) {
        hpk::respawn(self, member.scheduler());
        hpk::respawn(self, member.scheduler());
        return 0;
      },
      {"hpk::respawn", "called twice", "task \"wrong\""});
  expect_error_in_task<TypeParam>(
      [](auto* self, auto& member) {
        auto copy = *self;
        return hpk::respawn(&copy, member.scheduler()), 0;
      },
      {"not the task that runs", "respawn(this"});
  expect_error_in_task<TypeParam>(
      [](auto* self, auto&) {
        return hpk::respawn(self, hpk::BasicFuture<int, scheduler_type>()), 0;
      },
      {"hpk::respawn", "the future is null"});
  const scheduler_type other(hpk::HostSpace(), megabyte);
  auto strange =
      hpk::host_spawn("strange", hpk::TaskSingle(other), calls<TypeParam>([] { return 1; }));
  expect_error_in_task<TypeParam>(
      [strange](auto* self, auto&) { return hpk::respawn(self, strange), 0; },
      {"hpk::respawn", "\"strange\"", "of another scheduler"});
  hpk::wait(other);
  expect_error_in_task<TypeParam>(
      [](auto*, auto& member) {
        const auto* scheduler = &member.scheduler();
        hpk::parallel_for("inner", hpk::RangePolicy<TypeParam>(0, 1), [=](int) {
          hpk::host_spawn(hpk::TaskSingle(*scheduler), calls<TypeParam>([] { return 1; }));
        });
        return 0;
      },
      {"hpk::host_spawn", "inside the kernel parallel_for \"inner\""});
}

TYPED_TEST(Tasks, that_wait_for_themselves_are_an_error) {
  using scheduler_type = scheduler_of<TypeParam>;
  using future = hpk::BasicFuture<int, scheduler_type>;
  const scheduler_type scheduler(hpk::HostSpace(), megabyte);
  future own;
  own = hpk::host_spawn(
      "narcissus", hpk::TaskSingle(scheduler),
      calls<TypeParam>([&own](auto* self, auto&) { return hpk::respawn(self, own), 0; }));
  hpk_test::expect_error([&] { hpk::wait(scheduler); },
                         {"would wait for itself", "task \"narcissus\""});
  // A cycle of two tasks, one through a when_all.
  future first;
  future second;
  first = hpk::host_spawn(
      "first", hpk::TaskSingle(scheduler),
      calls<TypeParam>([&second](auto* self, auto&) { return hpk::respawn(self, second), 0; }));
  second = hpk::host_spawn("second", hpk::TaskSingle(scheduler),
                           calls<TypeParam>([&first](auto* self, auto& member) {
                             const auto all = member.scheduler().when_all(&first, 1);
                             return hpk::respawn(self, all), 0;
                           }));
  hpk_test::expect_error(
      [&] { hpk::wait(scheduler); },
      {"wait for each other", "\"first\" (spawned at", "\"second\" (spawned at", "scheduler.cpp:"});
  hpk_test::expect_error([&] { first.get(); }, {"no result"});
  EXPECT_NO_THROW(hpk::wait(scheduler));
}

TYPED_TEST(Tasks, are_refused_inside_of_kernels) {
  const scheduler_of<TypeParam> scheduler(hpk::HostSpace(), megabyte);
  const auto refused = [](auto call, const char* name) {
    hpk_test::expect_error(
        [&] {
          hpk::parallel_for("kernel", hpk::RangePolicy<TypeParam>(0, 1), [=](int) { call(); });
        },
        {name, "inside the kernel parallel_for \"kernel\""});
  };
  refused([&] { hpk::wait(scheduler); }, "hpk::wait");
  refused([] { scheduler_of<TypeParam>(hpk::HostSpace(), megabyte); }, "hpk::TaskScheduler");
  refused([&] { hpk::host_spawn(hpk::TaskSingle(scheduler), calls<TypeParam>([] { return 1; })); },
          "hpk::host_spawn");
}

TYPED_TEST(Tasks, many_threads_spawn_and_wait) {
  const scheduler_of<TypeParam> scheduler(hpk::HostSpace(), 4 * megabyte);
  std::atomic<long> sum{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        auto before =
            hpk::host_spawn(hpk::TaskSingle(scheduler), Fibonacci<scheduler_of<TypeParam>>(8));
        hpk::host_spawn(hpk::TaskSingle(before),
                        calls<TypeParam>([&sum, before] { return sum += before.get(), 0; }));
        hpk::wait(scheduler);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  hpk::wait(scheduler);
  EXPECT_EQ(sum, 8 * 5 * 21);
  EXPECT_EQ(scheduler.allocated_task_count(), 0u);
}

TEST(TaskSchedulerDeathTest, ends_with_tasks_that_did_not_run) {
  using exec = hpk::DefaultHostExecutionSpace;
  EXPECT_DEATH(
      {
        const scheduler_of<exec> scheduler(hpk::HostSpace(), megabyte);
        auto one =
            hpk::host_spawn("forgotten", hpk::TaskSingle(scheduler), calls<exec>([] { return 1; }));
        hpk::host_spawn("behind", hpk::TaskSingle(one), calls<exec>([] { return 1; }));
      },
      "tasks that did not run: \"forgotten\" .spawned at .*hpk::wait");
  // During the unwinding of another exception it only prints the message.
  testing::internal::CaptureStderr();
  EXPECT_THROW(
      {
        const scheduler_of<exec> scheduler(hpk::HostSpace(), megabyte);
        hpk::host_spawn("forgotten", hpk::TaskSingle(scheduler), calls<exec>([] { return 1; }));
        throw std::runtime_error("other");
      },
      std::runtime_error);
  EXPECT_TRUE(hpk_test::contains(testing::internal::GetCapturedStderr(), "\"forgotten\""));
}

}  // namespace
}  // namespace tasks_scheduler_test
