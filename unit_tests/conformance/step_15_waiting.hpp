// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 15, law L7: a group that waits for a group that has started gets its value, for any number
// of groups and any order of their starts. Each group draws a number, waits for the group with the
// previous number, and publishes its own sum.
#pragma once

#include <conformance/findings.hpp>

#include <cstdint>

namespace hpk_conformance {

/// How groups publish their sums. The tests of the ladder replace it by a wrong one.
struct told_sums {
  /// A waiting group gives up after this number of polls.
  static constexpr std::int64_t most_polls = std::int64_t{1} << 26;
  HPK_FUNCTION static void tell(std::uint64_t* sum, std::uint64_t value) {
    hpk::atomic_store(sum, value, hpk::MemoryOrderRelease());
  }
};

template <class Exec, class Sums>
struct wait_for_sum {
  std::uint64_t* next;  // the number of the group that starts next
  std::uint64_t* sums;  // one per number: 0 until it is published

  HPK_FUNCTION void operator()(lane_of<Exec>& lane) const {
    auto* const drawn = reinterpret_cast<std::uint64_t*>(lane.scratch(0));
    if (lane.lane_index() == 0) *drawn = hpk::atomic_fetch_add(next, std::uint64_t{1});
    lane.barrier();
    const std::uint64_t mine = *drawn;
    // The last lane publishes and all lanes wait: no lane waits for another lane of its group.
    std::uint64_t before = mine == 0 ? 1 : 0;
    for (std::int64_t k = 0; before == 0 && k < Sums::most_polls; ++k) {
      before = hpk::atomic_load(&sums[mine - 1], hpk::MemoryOrderAcquire());
      HPK_IF_ON_HOST((if (before == 0) hpk::seam::pause_between_polls(0);))
    }
    if (lane.lane_index() == lane.lanes() - 1 && before != 0) Sums::tell(&sums[mine], before + 1);
  }
};

template <class Exec, class Sums = told_sums>
void step_15_waiting(const Exec& exec, findings& found) {
  auto& machine = exec.instance();
  for (const int lanes : group_widths(exec)) {
    for (const std::size_t large : {std::size_t{0}, std::size_t{1} << 16}) {
      if (lanes == 1 && large != 0) continue;
      constexpr index_t groups = 100;
      const buffer<std::uint64_t, Exec> next(exec, 1);
      const buffer<std::uint64_t, Exec> sums(exec, groups);
      machine.fill(next.data(), 0, sizeof(std::uint64_t));
      machine.fill(sums.data(), 0, groups * sizeof(std::uint64_t));
      // With large scratch few groups run at once.
      machine.launch({.groups = groups, .lanes = lanes, .scratch = {sizeof(std::uint64_t), large}},
                     wait_for_sum<Exec, Sums>{next.data(), sums.data()}, ladder_info());
      const auto seen = sums.host();
      found.expect(next.host()[0] == groups, "every group draws one number");
      for (std::size_t k = 0; k < groups; ++k) {
        found.expect(seen[k] == k + 2, "L7: a group that waits for one that has started goes on");
      }
    }
  }
}

}  // namespace hpk_conformance
