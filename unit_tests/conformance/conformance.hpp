// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conformance ladder: a backend that passes it is complete. Each step is in a separate file and
// relies on the earlier steps. To run it on a new space, in or out of this repository, include this
// file (unit_tests/ is the include path) and print the result:
//   std::puts(broken.c_str());
// climb_all reports each step, and what the step could not test.
#pragma once

#include <conformance/step_01_memory.hpp>
#include <conformance/step_02_copy_fill.hpp>
#include <conformance/step_03_each_lane_once.hpp>
#include <conformance/step_04_lane_ids.hpp>
#include <conformance/step_05_barrier.hpp>
#include <conformance/step_06_scratch.hpp>
#include <conformance/step_07_shuffle.hpp>
#include <conformance/step_08_atomics.hpp>
#include <conformance/step_09_order.hpp>
#include <conformance/step_10_instances.hpp>
#include <conformance/step_11_workspace.hpp>
#include <conformance/step_12_completion.hpp>
#include <conformance/step_13_start_stop.hpp>
#include <conformance/step_14_failure.hpp>
#include <conformance/step_15_waiting.hpp>

namespace hpk_conformance {

/// A step: its name and its function, which takes an instance.
template <class Exec>
struct step {
  const char* name;
  void (*climb)(const Exec&, findings&);
};

/// All steps in ascending order.
template <class Exec>
inline constexpr step<Exec> ladder[] = {
    {"01 memory", &step_01_memory<Exec>},
    {"02 copy and fill", &step_02_copy_fill<Exec>},
    {"03 each lane once", &step_03_each_lane_once<Exec>},
    {"04 lane ids", &step_04_lane_ids<Exec>},
    {"05 barrier", &step_05_barrier<Exec>},
    {"06 scratch", &step_06_scratch<Exec>},
    {"07 shuffle", &step_07_shuffle<Exec>},
    {"08 atomics", &step_08_atomics<Exec>},
    {"09 order within an instance", &step_09_order<Exec>},
    {"10 instances", &step_10_instances<Exec>},
    {"11 workspace", &step_11_workspace<Exec>},
    {"12 completion", &step_12_completion<Exec>},
    {"13 start and stop", &step_13_start_stop<Exec>},
    {"14 failure paths", &step_14_failure<Exec>},
    {"15 waiting", &step_15_waiting<Exec>},
};

/// Runs one step with an instance. A step that checks nothing must give a reason; otherwise that is
/// a finding.
template <class Exec>
findings climb_step(const step<Exec>& one, const Exec& exec) {
  findings found;
  try {
    one.climb(exec, found);
    found.expect(found.checks() > 0 || !found.left_out().empty(),
                 "a step checks something, or says why it does not");
  } catch (const std::exception& caught) {
    found.expect(false, std::string("it ended with an exception: ") + caught.what());
  }
  return found;
}

/// Runs all steps with one instance, and calls report(const step<Exec>&, const findings&) after
/// each.
template <class Exec, class Report>
void climb_all(const Exec& exec, const Report& report) {
  static_assert(hpk::seam::execution_space<Exec>);
  static_assert(hpk::seam::machine_like<machine_of<Exec>>);
  for (const step<Exec>& one : ladder<Exec>) report(one, climb_step(one, exec));
}

/// Runs all steps with one instance. Returns the broken laws.
template <class Exec>
std::vector<std::string> run_all(const Exec& exec = Exec()) {
  std::vector<std::string> broken;
  climb_all(exec, [&](const step<Exec>& one, const findings& found) {
    for (const std::string& law : found.list())
      broken.push_back(std::string(one.name) + ": " + law);
  });
  return broken;
}

}  // namespace hpk_conformance
