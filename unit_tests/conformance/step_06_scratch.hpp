// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 06, law L3: scratch is one block per group and level, aligned to 16 bytes, which no other
// group uses while the group runs.
#pragma once

#include <conformance/findings.hpp>

#include <cstdint>

namespace hpk_conformance {

struct scratch_result {
  int aligned;
  int apart;
  int one_per_group;
  int kept;
};

// Fills both levels with a mark of the group, gives other groups time to overwrite it, and checks
// it.
template <class Exec>
struct use_scratch {
  scratch_result* results;
  std::size_t bytes[2];

  HPK_FUNCTION static unsigned char mark(index_t group, int level, std::size_t k) {
    return static_cast<unsigned char>(group * 31 + level * 7 + static_cast<index_t>(k));
  }
  HPK_FUNCTION void operator()(lane_of<Exec>& lane) const {
    scratch_result result{1, 1, 1, 1};
    const int lanes = lane.lanes();
    std::byte* levels[2] = {lane.scratch(0), lane.scratch(1)};
    for (int level = 0; level < 2; ++level) {
      if (bytes[level] == 0) continue;
      if (reinterpret_cast<std::uintptr_t>(levels[level]) % 16 != 0) result.aligned = 0;
      if (lane.scratch(level) != levels[level]) result.one_per_group = 0;
      for (auto k = static_cast<std::size_t>(lane.lane_index()); k < bytes[level];
           k += static_cast<std::size_t>(lanes))
        levels[level][k] = static_cast<std::byte>(mark(lane.group(), level, k));
    }
    if (bytes[0] != 0 && bytes[1] != 0) {
      const auto a = reinterpret_cast<std::uintptr_t>(levels[0]);
      const auto b = reinterpret_cast<std::uintptr_t>(levels[1]);
      if (a < b + bytes[1] && b < a + bytes[0]) result.apart = 0;
    }
    // Every lane reads the whole block, so a different address in one lane would show here.
    for (int round = 0; round < 3; ++round) {
      lane.barrier();
      for (int level = 0; level < 2; ++level) {
        for (std::size_t k = 0; k < bytes[level]; ++k) {
          if (levels[level][k] != static_cast<std::byte>(mark(lane.group(), level, k)))
            result.kept = 0;
        }
      }
    }
    results[lane.group() * lanes + lane.lane_index()] = result;
  }
};

template <class Exec>
void step_06_scratch(const Exec& exec, findings& found) {
  for (const int lanes : group_widths(exec)) {
    for (const std::size_t first : {0ul, 1ul, 100ul, 4096ul}) {
      for (const std::size_t second : {0ul, 24ul, 20'000ul}) {
        const index_t groups = lanes > 64 ? 4 : 40;  // every lane reads all of it
        const buffer<scratch_result, Exec> results(exec, static_cast<std::size_t>(groups * lanes));
        exec.instance().launch({.groups = groups, .lanes = lanes, .scratch = {first, second}},
                               use_scratch<Exec>{results.data(), {first, second}}, ladder_info());
        for (const scratch_result& result : results.host()) {
          found.expect(result.aligned == 1, "L3: scratch is aligned to 16");
          found.expect(result.apart == 1, "L3: the two levels do not overlap");
          found.expect(result.one_per_group == 1, "L3: scratch(level) is one address");
          found.expect(result.kept == 1, "L3: scratch is the group's own while it runs");
        }
      }
    }
  }
}

}  // namespace hpk_conformance
