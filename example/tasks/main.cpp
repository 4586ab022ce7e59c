// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks: Fibonacci numbers by recursion, quicksort, and a sparse triangular solve in which each row
// waits for the rows that it needs.
#include <hpk/core.hpp>
#include <hpk/tasks.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

using Scheduler = hpk::TaskScheduler<hpk::DefaultHostExecutionSpace>;
using Member = Scheduler::member_type;

struct Fibonacci {
  using value_type = long;
  explicit Fibonacci(int number) : n(number) {}
  void operator()(Member& member, long& result) {
    auto& scheduler = member.scheduler();
    if (n < 2) {
      result = n;
    } else if (!parts[0].is_null()) {
      result = parts[0].get() + parts[1].get();
    } else {
      parts[0] = hpk::task_spawn(hpk::TaskSingle(scheduler), Fibonacci(n - 1));
      parts[1] = hpk::task_spawn(hpk::TaskSingle(scheduler), Fibonacci(n - 2));
      hpk::respawn(this, scheduler.when_all(parts, 2));
    }
  }
  int n;
  hpk::BasicFuture<long, Scheduler> parts[2];
};

struct Quicksort {
  using value_type = void;
  int* first;
  int* last;
  void operator()(Member& member) const {
    if (last - first < 1000) {
      std::sort(first, last);
      return;
    }
    const int pivot = first[(last - first) / 2];
    int* const middle = std::partition(first, last, [=](int x) { return x < pivot; });
    int* const rest = std::partition(middle, last, [=](int x) { return x == pivot; });
    hpk::task_spawn(hpk::TaskSingle(member.scheduler()), Quicksort{first, middle});
    hpk::task_spawn(hpk::TaskSingle(member.scheduler()), Quicksort{rest, last});
  }
};

// A row of L x = b, where L has ones on the diagonal and two entries left of it.
struct Row {
  using value_type = void;
  hpk::View<double*, hpk::HostSpace> x;
  hpk::View<const double*, hpk::HostSpace> b;
  int row;
  void operator()(Member&) const {
    x(row) = b(row);
    if (row > 0) x(row) -= 0.5 * x(row - 1);
    if (row > 9) x(row) -= 0.25 * x(row / 2);
  }
};

int main(int argc, char** argv) {
  const hpk::ScopeGuard guard(argc, argv);
  const Scheduler scheduler(hpk::HostSpace(), std::size_t{16} << 20);

  const auto number = hpk::host_spawn("fibonacci", hpk::TaskSingle(scheduler), Fibonacci(20));
  hpk::wait(scheduler);
  std::printf("fibonacci(20) = %ld\n", number.get());

  std::vector<int> values(100'000);
  unsigned state = 1;
  for (int& value : values) value = static_cast<int>((state = state * 1664525u + 1013904223u) >> 8);
  hpk::host_spawn("quicksort", hpk::TaskSingle(scheduler),
                  Quicksort{values.data(), values.data() + values.size()});
  hpk::wait(scheduler);
  const bool sorted = std::is_sorted(values.begin(), values.end());
  std::printf("sorted: %s\n", sorted ? "yes" : "no");

  constexpr int rows = 1000;
  const hpk::View<double*, hpk::HostSpace> x("x", rows);
  const hpk::View<double*, hpk::HostSpace> b("b", rows);
  // The solution is 1 everywhere.
  for (int i = 0; i < rows; ++i) b(i) = 1 + (i > 0 ? 0.5 : 0) + (i > 9 ? 0.25 : 0);
  std::vector<hpk::BasicFuture<void, Scheduler>> done(rows);
  for (int i = 0; i < rows; ++i) {
    const Row row{x, b, i};
    if (i == 0) {
      done[0] = hpk::host_spawn(hpk::TaskSingle(scheduler), row);
      continue;
    }
    const hpk::BasicFuture<void, Scheduler> needs[] = {
        done[static_cast<std::size_t>(i - 1)], done[static_cast<std::size_t>(i > 9 ? i / 2 : 0)]};
    done[static_cast<std::size_t>(i)] =
        hpk::host_spawn(hpk::TaskSingle(scheduler.when_all(needs, 2)), row);
  }
  hpk::wait(scheduler);
  double error = 0;
  for (int i = 0; i < rows; ++i) error = std::max(error, std::abs(x(i) - 1));
  std::printf("largest error of the solve: %g\n", error);
  return sorted && number.get() == 6765 && error == 0 ? 0 : 1;
}
