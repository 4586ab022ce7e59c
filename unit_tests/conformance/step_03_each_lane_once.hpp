// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 03, law L1: every (group, lane) pair runs once, with fewer, as many and far more groups than
// can run at the same time; on host threads inside a kernel_scope.
#pragma once

#include <conformance/findings.hpp>

namespace hpk_conformance {

template <class Exec>
struct count_lane {
  int* counts;
  HPK_FUNCTION void operator()(lane_of<Exec>& lane) const {
    int once = 1;
    HPK_IF_ON_HOST((if (!hpk::seam::inside_kernel()) once = 100;))
    counts[lane.group() * lane.lanes() + lane.lane_index()] += once;
  }
};

template <class Exec>
void step_03_each_lane_once(const Exec& exec, findings& found) {
  auto& machine = exec.instance();
  for (const int lanes : group_widths(exec)) {
    for (const index_t groups : {0, 1, 2, 3, 7, 64, 1000}) {
      const auto slots = static_cast<std::size_t>(groups * lanes);
      // The slot past the end must stay zero.
      const buffer<int, Exec> counts(exec, slots + 1);
      machine.fill(counts.data(), 0, (slots + 1) * sizeof(int));
      machine.launch({.groups = groups, .lanes = lanes}, count_lane<Exec>{counts.data()},
                     ladder_info());
      std::vector<int> expected(slots + 1, 1);
      expected.back() = 0;
      found.expect(counts.host() == expected,
                   "L1: every (group, lane) pair runs once, on host threads in a kernel_scope");
    }
  }
}

}  // namespace hpk_conformance
