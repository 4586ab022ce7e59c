// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 13, start and stop: the default instance starts by itself, stops, and starts again with
// settings, any number of times. Other instances are not affected.
#pragma once

#include <conformance/findings.hpp>
#include <conformance/step_03_each_lane_once.hpp>

namespace hpk_conformance {

template <class Exec>
void step_13_start_stop(const Exec& exec, findings& found) {
  using machine_type = machine_of<Exec>;
  const auto works = [](const Exec& instance) {
    const buffer<int, Exec> counts(instance, 40);
    instance.instance().fill(counts.data(), 0, 40 * sizeof(int));
    instance.instance().launch({.groups = 40}, count_lane<Exec>{counts.data()}, ladder_info());
    return count_other(counts.host(), 1) == 0;
  };
  const Exec own = another_instance(exec);
  if (!machine_type::runs_on_host)
    found.leave_out("the number of workers at the start", "a device has the workers that it has");
  if (!has_instances<Exec>)
    found.leave_out("an instance of its own", "the space has only the default one");
  for (int round = 0; round < 2; ++round) {
    hpk::seam::settings asked;
    asked.num_threads = 1 + round;
    machine_type::start(asked);
    found.expect(works(Exec()), "the default instance works after start");
    if constexpr (machine_type::runs_on_host)
      found.expect(Exec().instance().properties().workers <= asked.num_threads,
                   "start heeds the number of workers asked for");
    machine_type::stop();
    machine_type::stop();
    found.expect(works(own), "an instance of its own works after stop");
    found.expect(works(Exec()), "the default instance starts again by itself");
    machine_type::stop();
  }
  struct counting : hpk::seam::fact_sink {
    int sections = 0;
    int facts = 0;
    void section(std::string_view) override { ++sections; }
    void fact(std::string_view key, std::string_view) override { facts += key.empty() ? 0 : 1; }
  } sink;
  own.instance().describe(sink);
  found.expect(sink.sections >= 1 && sink.facts >= 1, "describe tells something");
}

}  // namespace hpk_conformance
