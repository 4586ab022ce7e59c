// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 12, completion: a synchronous machine's work is done when the call returns; that of any
// other is done behind fence(), fence_all() and the global fence. Events and host tasks are not
// part of the seam yet; what stands for them is the fence.
#pragma once

#include <conformance/findings.hpp>
#include <support/wait.hpp>

namespace hpk_conformance {

// Dawdles, so that a call that did not wait would be found out.
template <class Exec>
struct slow_write {
  int* to;
  int value;
  void operator()(lane_of<Exec>& lane) const {
    hpk_test::let_others_run(static_cast<int>(lane.group() % 3));
    to[lane.group()] = value;
  }
};

template <class Exec>
void step_12_completion(const Exec& exec, findings& found) {
  if constexpr (machine_of<Exec>::runs_on_host) {
    auto& machine = exec.instance();
    const int groups = 12;
    const buffer<int, Exec> memory(exec, groups);
    const auto done = [&](int value) {
      for (int k = 0; k < groups; ++k) {
        if (memory.data()[k] != value) return false;
      }
      return true;
    };
    const auto launch = [&](int value) {
      machine.launch({.groups = groups}, slow_write<Exec>{memory.data(), value}, ladder_info());
    };
    machine.fence();
    launch(1);
    if constexpr (machine_of<Exec>::synchronous)
      found.expect(done(1), "a synchronous launch returns when the work is done");
    machine.fence();
    found.expect(done(1), "behind fence() the work of the instance is done");
    launch(2);
    machine_of<Exec>::fence_all();
    found.expect(done(2), "behind fence_all() the work of the backend is done");
    launch(3);
    hpk::fence();
    found.expect(done(3), "behind the global fence all work is done");
    machine.fill(memory.data(), 0, groups * sizeof(int));
    exec.fence();
    found.expect(done(0), "behind a fence fills are done");
    machine.fence();
    machine.fence();
  }
}

}  // namespace hpk_conformance
