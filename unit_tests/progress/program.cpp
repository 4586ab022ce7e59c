// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops with a Progress; check.py runs them on a terminal. Usage: program <case> [hpk's flags]
#include <hpk/core.hpp>
#include <hpk/progress.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

// Calls `step` for a time that a line on the terminal needs several times.
template <class Step>
long for_a_while(double seconds, const Step& step) {
  const hpk::Timer timer;
  long count = 0;
  while (timer.seconds() < seconds) step(count++);
  return count;
}

void run(const std::string& name) {
  if (name == "loop") {
    hpk::Progress steps("steps");
    std::printf("%ld\n", for_a_while(0.8, [&](long) { ++steps; }));
  } else if (name == "known") {
    hpk::Progress steps("steps", 1000);
    steps.start_at(100);
    const hpk::Timer timer;
    for_a_while(0.6, [&](long) { steps.update(100 + static_cast<int>(timer.seconds() * 1000)); });
    steps.update(1000);
  } else if (name == "clear") {
    hpk::Progress steps("steps", 3, hpk::ProgressEnd::clear);
    steps += 3;
  } else if (name == "nest") {
    hpk::Progress outer("outer", 3);
    for (int i = 0; i < 3; ++i) {
      hpk::Progress inner("inner", 1000000000);
      for_a_while(0.3, [&](long) { ++inner; });
      ++outer;
    }
  } else if (name == "error") {
    hpk::Progress steps("steps", 10);
    steps += 4;
    throw std::runtime_error("the end");
  } else if (name == "kernel") {
    constexpr int n = 200000;
    hpk::Progress steps("steps", 4 * n);
    hpk::for_each_space([&](auto space) {
      using exec = decltype(space);
      if constexpr (hpk::SpaceAccessibility<hpk::HostSpace,
                                            typename exec::memory_space>::accessible) {
        for (int k = 0; k < 4; ++k)
          hpk::parallel_for(hpk::RangePolicy<exec>(0, n), [&](int) { ++steps; });
        steps.update(0);
      }
    });
    hpk::parallel_for(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 4 * n),
                      [&](int) { ++steps; });
  } else if (name == "cost") {
    constexpr int n = 20'000'000;
    const hpk::Timer timer;
    hpk::Progress steps("steps", n);
    for (int k = 0; k < n; ++k) ++steps;
    std::printf("%.2f ns\n", timer.seconds() / n * 1e9);
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  const hpk::ScopeGuard scope(argc, argv);
  try {
    run(argc > 1 ? argv[1] : "");
  } catch (const std::runtime_error& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
  }
}
