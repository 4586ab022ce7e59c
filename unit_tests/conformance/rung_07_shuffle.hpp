// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rung 07, law L4: lanes of a subgroup exchange values and flags without a barrier.
#pragma once

#include <conformance/findings.hpp>

namespace hpk_conformance {

// Every lane reads its neighbour's value within the subgroup, and asks whether any is the last one.
template <class Exec>
struct exchange {
  double* values;
  int* any_true;
  int* any_false;
  HPK_FUNCTION void operator()(lane_of<Exec>& lane) const {
    const int subgroup = lane.subgroup();
    const int self = lane.lane_index() % subgroup;
    const int width = lane.lanes() < subgroup ? lane.lanes() : subgroup;
    const index_t slot = lane.group() * lane.lanes() + lane.lane_index();
    values[slot] = lane.shuffle(static_cast<double>(slot) + 0.5, (self + 1) % width);
    any_true[slot] = lane.any(self == width - 1) ? 1 : 0;
    any_false[slot] = lane.any(false) ? 1 : 0;
  }
};

template <class Exec>
void rung_07_shuffle(const Exec& exec, findings& found) {
  const int subgroup = exec.instance().properties().subgroup;
  for (const int lanes : group_widths(exec)) {
    const index_t groups = 30;
    const auto slots = static_cast<std::size_t>(groups * lanes);
    const buffer<double, Exec> values(exec, slots);
    const buffer<int, Exec> any_true(exec, slots);
    const buffer<int, Exec> any_false(exec, slots);
    exec.instance().launch({.groups = groups, .lanes = lanes},
                           exchange<Exec>{values.data(), any_true.data(), any_false.data()},
                           ladder_info());
    const auto seen = values.host();
    const int width = lanes < subgroup ? lanes : subgroup;
    for (std::size_t k = 0; k < slots; ++k) {
      const int self = static_cast<int>(k % static_cast<std::size_t>(lanes)) % subgroup;
      const double expected = static_cast<double>(k) - self + (self + 1) % width + 0.5;
      found.expect(seen[k] == expected, "L4: shuffle brings the value of the lane asked for");
    }
    found.expect(count_other(any_true.host(), 1) == 0, "L4: any is true when one lane says so");
    found.expect(count_other(any_false.host(), 0) == 0, "L4: any is false when no lane says so");
  }
}

}  // namespace hpk_conformance
