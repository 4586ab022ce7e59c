// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 05, law L2: writes of lanes before a barrier are visible to all lanes of the group after it,
// in every round.
#pragma once

#include <conformance/findings.hpp>

namespace hpk_conformance {

// Every lane passes its number to its neighbour `rounds` times.
template <class Exec>
struct pass_around {
  int* results;
  int rounds;
  HPK_FUNCTION void operator()(lane_of<Exec>& lane) const {
    auto* slots = reinterpret_cast<int*>(lane.scratch(0));
    const int lanes = lane.lanes();
    const int self = lane.lane_index();
    int held = self;
    for (int round = 0; round < rounds; ++round) {
      slots[self] = held;
      lane.barrier();
      held = slots[(self + 1) % lanes];
      lane.barrier();
    }
    results[lane.group() * lanes + self] = held;
  }
};

template <class Exec>
void step_05_barrier(const Exec& exec, findings& found) {
  for (const int lanes : group_widths(exec)) {
    for (const index_t groups : {1, 9, 200}) {
      for (const int rounds : {0, 1, 10}) {
        const buffer<int, Exec> results(exec, static_cast<std::size_t>(groups * lanes));
        exec.instance().launch({.groups = groups,
                                .lanes = lanes,
                                .scratch = {static_cast<std::size_t>(lanes) * sizeof(int), 0}},
                               pass_around<Exec>{results.data(), rounds}, ladder_info());
        const auto held = results.host();
        for (std::size_t k = 0; k < held.size(); ++k)
          found.expect(held[k] == static_cast<int>((k % static_cast<std::size_t>(lanes) +
                                                    static_cast<std::size_t>(rounds)) %
                                                   static_cast<std::size_t>(lanes)),
                       "L2: a barrier makes the writes of all lanes visible to all lanes");
      }
    }
  }
}

}  // namespace hpk_conformance
