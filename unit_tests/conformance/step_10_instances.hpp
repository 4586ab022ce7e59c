// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 10, instances: two that run at the same time do not disturb each other, several threads may
// use one, and a launch inside a kernel of a host machine runs inline (rule "one instance, one
// launch at a time").
#pragma once

#include <conformance/findings.hpp>
#include <conformance/step_09_order.hpp>

#include <thread>

namespace hpk_conformance {

template <class Exec>
struct launch_inside {
  machine_of<Exec>* inner;
  int* counts;
  void operator()(lane_of<Exec>& lane) const {
    int* const mine = counts + lane.group() * 8;
    inner->launch({.groups = 8}, [=](lane_of<Exec>& l) { ++mine[l.group()]; }, ladder_info());
  }
};

/// Runs step 09 on all instances at the same time, with one thread each. Returns true if all pass.
template <class Exec>
bool all_keep_order(const std::vector<Exec>& instances) {
  std::vector<findings> found(instances.size());
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < instances.size(); ++k)
    threads.emplace_back([&, k] { step_09_order(instances[k], found[k]); });
  for (auto& thread : threads) thread.join();
  bool all = true;
  for (const findings& f : found) all = all && f.list().empty();
  return all;
}

template <class Exec>
void step_10_instances(const Exec& exec, findings& found) {
  const Exec copy = exec;
  found.expect(&copy.instance() == &exec.instance(), "copies of a space are the same instance");
  const Exec other = another_instance(exec);
  found.expect(all_keep_order<Exec>({exec, other}), "two instances work at the same time");
  found.expect(all_keep_order<Exec>({exec, exec, copy, other}), "threads may share an instance");

  if constexpr (machine_of<Exec>::runs_on_host) {
    for (const Exec& inner : {exec, other}) {
      const buffer<int, Exec> counts(exec, 20 * 8);
      exec.instance().fill(counts.data(), 0, 20 * 8 * sizeof(int));
      exec.instance().launch({.groups = 20}, launch_inside<Exec>{&inner.instance(), counts.data()},
                             ladder_info());
      found.expect(count_other(counts.host(), 1) == 0, "a nested launch runs all its groups");
    }
  } else {
    found.leave_out("launches in kernels", "kernels of a device launch nothing");
  }
  if (!has_instances<Exec>) found.leave_out("two instances", "the space has only the default one");
}

}  // namespace hpk_conformance
