// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 12, completion: the work of a synchronous machine is done when the call returns; the work of
// any other machine is done after fence(), fence_all() and the global fence. The step checks with
// another instance, which waits only for its own copy.
#pragma once

#include <conformance/findings.hpp>
#include <support/wait.hpp>

#include <cstdint>

namespace hpk_conformance {

// Writes slowly, so that a call that does not wait is detected.
template <class Exec>
struct slow_write {
  int* to;
  std::uint64_t* turns;  // one per group, initially zero
  int value;
  HPK_FUNCTION void operator()(lane_of<Exec>& lane) const {
    HPK_IF_ON_HOST((hpk_test::let_others_run(2 * static_cast<int>(lane.group() % 3));))
    HPK_IF_ON_DEVICE((spin(turns + lane.group(), (lane.group() % 3) * 15'000);))
    to[lane.group()] = value;
  }
  // Each turn needs the result of the previous one, which takes a GPU about 0.5 us.
  HPK_FUNCTION static void spin(std::uint64_t* own, index_t rounds) {
    std::uint64_t taken = 0;  // too small to change the address
    for (index_t k = 0; k < rounds; ++k)
      taken = hpk::atomic_fetch_add(own + (taken >> 62), std::uint64_t{1});
  }
};

template <class Exec>
void step_12_completion(const Exec& exec, findings& found) {
  using machine_type = machine_of<Exec>;
  auto& machine = exec.instance();
  const Exec other = another_instance(exec);
  constexpr std::size_t groups = 12;
  std::vector<int> copied(groups, 0);  // outlives every copy to it
  const buffer<int, Exec> memory(exec, groups);
  const buffer<std::uint64_t, Exec> turns(exec, groups);
  machine.fill(turns.data(), 0, groups * sizeof(std::uint64_t));
  machine.fence();

  const auto done = [&](int value) {
    std::vector<int> seen(groups, value - 1);
    other.instance().copy(seen.data(), memory.data(), groups * sizeof(int));
    other.instance().fence();
    return count_other(seen, value) == 0;
  };
  bool ran_on = false;  // whether some launch was unfinished when its call returned
  const auto launch = [&](int value) {
    machine.launch({.groups = groups}, slow_write<Exec>{memory.data(), turns.data(), value},
                   ladder_info());
    if constexpr (hpk::seam::has_events<machine_type>) ran_on = !machine.idle() || ran_on;
  };

  launch(1);
  if constexpr (machine_type::synchronous)
    found.expect(done(1), "a synchronous launch returns when the work is done");
  machine.fence();
  found.expect(done(1), "behind fence() the work of the instance is done");
  launch(2);
  machine_type::fence_all();
  found.expect(done(2), "behind fence_all() the work of the backend is done");
  launch(3);
  hpk::fence();
  found.expect(done(3), "behind the global fence all work is done");
  launch(4);
  machine.copy(copied.data(), memory.data(), groups * sizeof(int));
  machine.fence();
  found.expect(count_other(copied, 4) == 0, "behind a fence copies are done");
  launch(5);
  machine.fill(memory.data(), 0, groups * sizeof(int));
  exec.fence();
  found.expect(done(0), "behind a fence fills are done");
  machine.fence();
  machine.fence();

  if constexpr (!machine_type::synchronous) {
    if (!has_instances<Exec>) {
      found.leave_out("a fence that waits for nothing",
                      "the space has no other instance to look at the work");
    } else if (!ran_on) {
      found.leave_out("a fence that waits for nothing",
                      "no launch was seen to run on after its call had returned");
    }
  }
}

}  // namespace hpk_conformance
