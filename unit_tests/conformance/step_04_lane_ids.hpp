// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 04, laws L5 and L7: groups() and lanes() return the requested numbers, ids are below them,
// and a single lane is number 0 of 1.
#pragma once

#include <conformance/findings.hpp>

namespace hpk_conformance {

struct lane_ids {
  index_t group;
  index_t groups;
  int lane;
  int lanes;
};

template <class Exec>
struct write_ids {
  lane_ids* ids;
  int lanes;
  HPK_FUNCTION void operator()(lane_of<Exec>& lane) const {
    ids[lane.group() * lanes + lane.lane_index()] = {lane.group(), lane.groups(), lane.lane_index(),
                                                     lane.lanes()};
  }
};

template <class Exec>
void step_04_lane_ids(const Exec& exec, findings& found) {
  static_assert(hpk::seam::lane_context<lane_of<Exec>>);
  found.expect(exec.instance().properties().subgroup >= 1, "L4: a subgroup has lanes");
  if constexpr (lane_of<Exec>::single) {
    found.expect(exec.instance().properties().largest_lanes == 1,
                 "L5: a machine of single lanes has groups of one lane");
  }
  for (const int lanes : group_widths(exec)) {
    for (const index_t groups : {1, 2, 5, 300}) {
      const buffer<lane_ids, Exec> ids(exec, static_cast<std::size_t>(groups * lanes));
      exec.instance().launch({.groups = groups, .lanes = lanes}, write_ids<Exec>{ids.data(), lanes},
                             ladder_info());
      const auto seen = ids.host();
      for (std::size_t k = 0; k < seen.size(); ++k) {
        const auto slot = static_cast<index_t>(k);
        found.expect(seen[k].group == slot / lanes && seen[k].lane == slot % lanes,
                     "group() and lane_index() count from zero without gaps");
        found.expect(seen[k].groups == groups, "L7: groups() is what was asked");
        found.expect(seen[k].lanes == lanes, "lanes() is what was asked");
      }
    }
  }
}

}  // namespace hpk_conformance
