// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 07, law L4: lanes of a sub-group, and of parts of it, exchange values and flags without a
// barrier.
#pragma once

#include <conformance/findings.hpp>

namespace hpk_conformance {

// Every lane reads its neighbour's value within the sub-group, and votes whether any lane is the
// last one.
template <class Exec>
struct exchange {
  double* values;
  int* any_true;
  int* any_false;
  int* wrong;
  HPK_FUNCTION void operator()(lane_of<Exec>& lane) const {
    const int subgroup = lane.subgroup();
    const int self = lane.lane_index() % subgroup;
    const int width = lane.lanes() < subgroup ? lane.lanes() : subgroup;
    const index_t slot = lane.group() * lane.lanes() + lane.lane_index();
    values[slot] = lane.shuffle(static_cast<double>(slot) + 0.5, (self + 1) % width);
    any_true[slot] = lane.any(self == width - 1) ? 1 : 0;
    any_false[slot] = lane.any(false) ? 1 : 0;
    const int first = lane.lane_index() - self;
    int bad = 0;
    std::uint64_t odd = 0;
    for (int k = 0; k < subgroup && first + k < lane.lanes(); ++k) {
      if (k % 2 == 1) odd |= std::uint64_t{1} << k;
    }
    if (lane.ballot(self % 2 == 1) != odd) bad += 1;
    // Every second block of each width does one more round.
    for (int block = 1; block <= subgroup; block *= 2) {
      const int begin = lane.lane_index() / block * block;
      const int there = lane.lanes() - begin < block ? lane.lanes() - begin : block;
      for (int round = 0; round <= begin / block % 2; ++round) {
        const int from = (lane.lane_index() - begin + 1) % there;
        if (lane.shuffle(begin * 1000.0 + lane.lane_index() + round, from, block) !=
            begin * 1000.0 + begin + from + round)
          bad += 10;
        lane.sync(block);
      }
    }
    wrong[slot] = bad;
  }
};

template <class Exec>
void step_07_shuffle(const Exec& exec, findings& found) {
  const int subgroup = exec.instance().properties().subgroup;
  for (const int lanes : group_widths(exec)) {
    const index_t groups = 30;
    const auto slots = static_cast<std::size_t>(groups * lanes);
    const buffer<double, Exec> values(exec, slots);
    const buffer<int, Exec> any_true(exec, slots);
    const buffer<int, Exec> any_false(exec, slots);
    const buffer<int, Exec> wrong(exec, slots);
    exec.instance().launch(
        {.groups = groups, .lanes = lanes},
        exchange<Exec>{values.data(), any_true.data(), any_false.data(), wrong.data()},
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
    found.expect(count_other(wrong.host(), 0) == 0,
                 "L4: ballot tells every flag, and blocks of any width exchange on their own");
  }
}

}  // namespace hpk_conformance
