// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conformance ladder: a backend is done when it passes. Each rung stands in a file of its own
// and assumes those below it. To climb with a new space, in or out of this repository, include this
// file (unit_tests/ is the include path) and print what comes back:
//   for (const std::string& broken : hpk_conformance::run_all<MySpace>())
//   std::puts(broken.c_str());
#pragma once

#include <conformance/rung_01_memory.hpp>
#include <conformance/rung_02_copy_fill.hpp>
#include <conformance/rung_03_each_lane_once.hpp>
#include <conformance/rung_04_lane_ids.hpp>
#include <conformance/rung_05_barrier.hpp>
#include <conformance/rung_06_scratch.hpp>
#include <conformance/rung_07_shuffle.hpp>
#include <conformance/rung_08_atomics.hpp>
#include <conformance/rung_09_order.hpp>
#include <conformance/rung_10_instances.hpp>
#include <conformance/rung_11_workspace.hpp>
#include <conformance/rung_12_completion.hpp>
#include <conformance/rung_13_start_stop.hpp>
#include <conformance/rung_14_failure.hpp>

namespace hpk_conformance {

/// A rung: its name and what it does with an instance.
template <class Exec>
struct rung {
  const char* name;
  void (*climb)(const Exec&, findings&);
};

/// All rungs, lowest first.
template <class Exec>
inline constexpr rung<Exec> ladder[] = {
    {"01 memory", &rung_01_memory<Exec>},
    {"02 copy and fill", &rung_02_copy_fill<Exec>},
    {"03 each lane once", &rung_03_each_lane_once<Exec>},
    {"04 lane ids", &rung_04_lane_ids<Exec>},
    {"05 barrier", &rung_05_barrier<Exec>},
    {"06 scratch", &rung_06_scratch<Exec>},
    {"07 shuffle", &rung_07_shuffle<Exec>},
    {"08 atomics", &rung_08_atomics<Exec>},
    {"09 order within an instance", &rung_09_order<Exec>},
    {"10 instances", &rung_10_instances<Exec>},
    {"11 workspace", &rung_11_workspace<Exec>},
    {"12 completion", &rung_12_completion<Exec>},
    {"13 start and stop", &rung_13_start_stop<Exec>},
    {"14 failure paths", &rung_14_failure<Exec>},
};

/// Climbs the ladder with one instance. What it returns are the laws that were broken; none is
/// well.
template <class Exec>
std::vector<std::string> run_all(const Exec& exec = Exec()) {
  static_assert(hpk::seam::execution_space<Exec>);
  static_assert(hpk::seam::machine_like<machine_of<Exec>>);
  std::vector<std::string> broken;
  for (const rung<Exec>& step : ladder<Exec>) {
    findings found;
    try {
      step.climb(exec, found);
    } catch (const std::exception& caught) {
      found.expect(false, std::string("it ended with an exception: ") + caught.what());
    }
    for (const std::string& law : found.list())
      broken.push_back(std::string(step.name) + ": " + law);
  }
  return broken;
}

}  // namespace hpk_conformance
