// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks: Fibonacci numbers with one task per call, compared with OpenMP tasks (Serial: with one
// OpenMP thread), and the cost of a single task. Measures only overhead.
#include <hpk/tasks.hpp>

#include "pair.hpp"
#include "topics.hpp"

namespace bench {

namespace {

template <class Scheduler>
struct fibonacci {
  using value_type = long;
  explicit fibonacci(int number) : n(number) {}
  void operator()(typename Scheduler::member_type& member, long& result) {
    auto& scheduler = member.scheduler();
    if (n < 2) {
      result = n;
    } else if (!parts[0].is_null()) {
      result = parts[0].get() + parts[1].get();
    } else {
      parts[1] = hpk::task_spawn(hpk::TaskSingle(scheduler), fibonacci(n - 2));
      parts[0] = hpk::task_spawn(hpk::TaskSingle(scheduler), fibonacci(n - 1));
      hpk::respawn(this, scheduler.when_all(parts, 2));
    }
  }
  int n;
  hpk::BasicFuture<long, Scheduler> parts[2];
};

template <class Scheduler>
struct one {
  using value_type = long;
  void operator()(typename Scheduler::member_type&, long& result) const { result = 1; }
};

long by_tasks(int n) {
  if (n < 2) return n;
  long first = 0;
  long second = 0;
#pragma omp task shared(first) firstprivate(n)
  first = by_tasks(n - 1);
#pragma omp task shared(second) firstprivate(n)
  second = by_tasks(n - 2);
#pragma omp taskwait
  return first + second;
}

long by_openmp(int n, [[maybe_unused]] int threads) {
  long result = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  result = by_tasks(n);
  return result;
}

long one_by_openmp([[maybe_unused]] int threads) {
  long result = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp task shared(result)
  result = 1;
  return result;
}

}  // namespace

void add_tasks() {
  for_each_space([](auto space) {
    using type = decltype(space);
    using scheduler_type = hpk::TaskScheduler<type>;
    const int threads = type().concurrency();
    for (const int n : {16, 22}) {
      add("tasks", type::name(), "fibonacci", n, [n, threads](comparison& pair) {
        const scheduler_type scheduler(hpk::HostSpace(), std::size_t{64} << 20);
        const auto hpk_side = [&] {
          const auto result =
              hpk::host_spawn(hpk::TaskSingle(scheduler), fibonacci<scheduler_type>(n));
          hpk::wait(scheduler);
          return result.get();
        };
        pair.agree(hpk_side() == by_openmp(n, threads));
        pair.time([&] { keep(hpk_side()); }, [&] { keep(by_openmp(n, threads)); });
      });
    }
    add("tasks", type::name(), "one", 1, [threads](comparison& pair) {
      const scheduler_type scheduler(hpk::HostSpace(), std::size_t{1} << 20);
      const auto hpk_side = [&] {
        const auto result = hpk::host_spawn(hpk::TaskSingle(scheduler), one<scheduler_type>());
        hpk::wait(scheduler);
        return result.get();
      };
      pair.agree(hpk_side() == one_by_openmp(threads));
      pair.time([&] { keep(hpk_side()); }, [&] { keep(one_by_openmp(threads)); });
    });
  });
}

}  // namespace bench
