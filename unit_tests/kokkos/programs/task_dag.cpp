// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks of older Kokkos versions: spawn, when_all, respawn, priorities, teams.
#include <Kokkos_Core.hpp>
#include <Kokkos_TaskScheduler.hpp>

#include <cstdio>

template <class Scheduler>
struct Fib {
  using scheduler_type = Scheduler;
  using future_type = Kokkos::BasicFuture<long, Scheduler>;
  using value_type = long;
  future_type first;
  future_type second;
  const value_type n;

  KOKKOS_INLINE_FUNCTION explicit Fib(const value_type arg) : n(arg) {}
  KOKKOS_INLINE_FUNCTION void operator()(typename scheduler_type::member_type& member,
                                         value_type& result) {
    auto& scheduler = member.scheduler();
    if (n < 2) {
      result = n;
    } else if (!first.is_null() && !second.is_null()) {
      result = first.get() + second.get();
    } else {
      second =
          Kokkos::task_spawn(Kokkos::TaskSingle(scheduler, Kokkos::TaskPriority::High), Fib(n - 2));
      first = Kokkos::task_spawn(Kokkos::TaskSingle(scheduler), Fib(n - 1));
      Kokkos::BasicFuture<void, scheduler_type> both[] = {first, second};
      Kokkos::BasicFuture<void, scheduler_type> all = scheduler.when_all(both, 2);
      if (all.is_null()) Kokkos::abort("no memory");
      Kokkos::respawn(this, all, Kokkos::TaskPriority::High);
    }
  }
};

template <class Scheduler>
struct TeamSum {
  using value_type = void;
  Kokkos::View<long, Kokkos::HostSpace> sum;
  KOKKOS_INLINE_FUNCTION void operator()(typename Scheduler::member_type& member) {
    long mine = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(member, 100), [](const int i, long& update) { update += i; }, mine);
    if (member.team_rank() == 0) sum() = mine;
    member.team_barrier();
  }
};

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    using scheduler_type = Kokkos::TaskScheduler<Kokkos::DefaultHostExecutionSpace>;
    using memory_space = typename scheduler_type::memory_space;
    scheduler_type scheduler(memory_space(), 1 << 22, 64, 1024, 4096);
    auto f = Kokkos::host_spawn(Kokkos::TaskSingle(scheduler), Fib<scheduler_type>(15));
    Kokkos::View<long, Kokkos::HostSpace> sum("sum");
    auto done = Kokkos::host_spawn(Kokkos::TaskTeam(scheduler, Kokkos::TaskPriority::Low),
                                   TeamSum<scheduler_type>{sum});
    Kokkos::wait(scheduler);
    std::printf("fib(15) = %ld\n", f.get());
    std::printf("sum = %ld %d\n", sum(), done.is_ready() ? 1 : 0);
    f.clear();
    std::printf("null: %d, references: %d\n", f.is_null() ? 1 : 0, done.reference_count());
  }
  Kokkos::finalize();
  return 0;
}
