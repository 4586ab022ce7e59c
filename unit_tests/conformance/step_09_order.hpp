// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 09, law L6: launches, fills and copies of one instance run in the order of their submission,
// without waits in between.
#pragma once

#include <conformance/findings.hpp>

namespace hpk_conformance {

// Reads the value that the group of the mirrored number wrote in the previous launch.
template <class Exec>
struct step_from {
  const int* from;
  int* to;
  HPK_FUNCTION void operator()(lane_of<Exec>& lane) const {
    to[lane.group()] = from[lane.groups() - 1 - lane.group()] + 1;
  }
};

template <class Exec>
void step_09_order(const Exec& exec, findings& found) {
  auto& machine = exec.instance();
  const index_t groups = 50;
  const auto bytes = static_cast<std::size_t>(groups) * sizeof(int);
  const buffer<int, Exec> a(exec, static_cast<std::size_t>(groups));
  const buffer<int, Exec> b(exec, static_cast<std::size_t>(groups));
  for (int repeat = 0; repeat < 5; ++repeat) {
    machine.fill(a.data(), 0, bytes);
    for (int round = 0; round < 10; ++round) {
      machine.launch({.groups = groups}, step_from<Exec>{a.data(), b.data()}, ladder_info());
      machine.launch({.groups = groups}, step_from<Exec>{b.data(), a.data()}, ladder_info());
      machine.copy(b.data(), a.data(), bytes);
      machine.fill(a.data(), 0, bytes);
      machine.copy(a.data(), b.data(), bytes);
    }
    found.expect(count_other(a.host(), 20) == 0, "L6: work of one instance happens in its order");
  }
}

}  // namespace hpk_conformance
