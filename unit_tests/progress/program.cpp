// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops with a Progress; check.py runs them on a terminal. Steps take a given time of a clock that
// stands still between them, so that the lines are the same in every run. Usage: program <case>
// [hpk's flags]
#include <hpk/core.hpp>
#include <hpk/progress.hpp>
#include <hpk/runtime/progress_text.hpp>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

std::int64_t now = 0;
void wait(double seconds) { now += static_cast<std::int64_t>(seconds * 1e9 + 0.5); }

void run(const std::string& name) {
  if (name == "loop") {
    hpk::Progress steps("steps");
    for (int k = 0; k < 8; ++k) {
      wait(0.1);
      ++steps;
    }
  } else if (name == "fast") {
    hpk::Progress steps("steps");
    for (int k = 0; k < 1'000'000; ++k) {
      wait(1e-6);
      ++steps;
    }
    for (int k = 0; k < 20; ++k) {
      wait(1);
      ++steps;
    }
  } else if (name == "known") {
    hpk::Progress steps("steps", 1000);
    steps.start_at(100);
    for (int k = 1; k <= 9; ++k) {
      wait(0.1);
      steps.update(100 + 100 * k);
    }
  } else if (name == "back") {
    hpk::Progress steps("steps", 5000);
    for (int k = 1; k <= 5000; ++k) steps.update(k);
    wait(0.3);
    steps.update(7);
  } else if (name == "clear") {
    hpk::Progress steps("steps", 3, hpk::ProgressEnd::clear);
    steps += 3;
  } else if (name == "nest") {
    hpk::Progress outer("outer", 3);
    for (int i = 0; i < 3; ++i) {
      hpk::Progress inner("inner", 1'000'000'000);
      for (int k = 0; k < 3; ++k) {
        wait(0.1);
        ++inner;
      }
      ++outer;
    }
  } else if (name == "overlap") {
    std::optional<hpk::Progress> first(std::in_place, "first", 2);
    wait(1);
    hpk::Progress second("second", 2);
    ++*first;
    first.reset();
    wait(1);
    ++second;
  } else if (name == "error") {
    hpk::Progress steps("steps", 10);
    steps += 4;
    throw std::runtime_error("the end");
  } else if (name == "long") {
    hpk::Progress steps("steps", 25);
    for (int k = 0; k < 25; ++k) {
      wait(1);
      ++steps;
    }
  } else if (name == "kernel") {
    hpk::for_each_space([](auto space) {
      using exec = decltype(space);
      if constexpr (hpk::SpaceAccessibility<hpk::HostSpace,
                                            typename exec::memory_space>::accessible) {
        hpk::Progress steps("steps", 200000);
        hpk::parallel_for(hpk::RangePolicy<exec>(0, 200000), [&](int) { ++steps; });
      }
    });
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  hpk::detail::progress_time = []() noexcept { return now; };
  const hpk::ScopeGuard scope(argc, argv);
  try {
    run(argc > 1 ? argv[1] : "");
  } catch (const std::runtime_error& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
  }
}
