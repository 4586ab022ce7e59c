// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_scan after its call has been checked and its value type found: plan and launch. For
// every policy whose walk is included.
#pragma once

#include <hpk/parallel/launch/kernel_updates.hpp>
#include <hpk/parallel/patterns/block_scan.hpp>
#include <hpk/parallel/patterns/lane_scan.hpp>

namespace hpk::detail {

/// Returns the walk of a scan, reversed if Backward.
template <bool Backward, class Walk>
auto oriented(const Walk& walk, [[maybe_unused]] index_t n) {
  if constexpr (Backward) {
    return reversed_walk(walk, n);
  } else {
    return walk;
  }
}

/// Scans over a policy; stores the total in `result` unless that is null.
template <bool Backward, class Policy, class F, class Operations, class Result>
void run_scan(const Policy& policy, const F& kernel, const Operations& operations, Result* result,
              const seam::launch_info& info) {
  using tag = typename Policy::work_tag;
  using value = typename Operations::value_type;
  using machine_type = seam::machine<typename Policy::execution_space>;
  observed_launch observed;
  const scan_scope tool_scope(observed, info, policy.space(), &launched<F, Policy>,
                              HPK_DETAIL_LAUNCHED(kernel, policy));
  const auto found =
      walk_of<Policy>::template find<F, value&, bool>(policy, kernel, info, tool_scope.launch());
  const auto walk = oriented<Backward>(found.walk, found.n);
  const index_t n = found.n;
  machine_type& machine = policy.space().instance();
  const seam::turn turn(machine);
  if constexpr (!machine_type::lane::single) {
    run_lane_scan<tag>(machine, kernel, operations, result, walk, n, info);
  } else {
    using walk_type = std::remove_const_t<decltype(walk)>;
    using work_type = scan_work<machine_type, tag, walk_type, F, Operations, Result>;
    const block_plan plan = plan_scan_blocks(n);
    const bool one_block = n <= plan.length;
    serial_cutoff cutoff(facts_of_kernel<Policy, F>, machine, n,
                         one_block ? 1 : group_count(machine, n));
    index_t groups = cutoff.groups();
    if (one_block || (Operations::exact && groups == 1)) {
      using body = plain_scan_kernel<machine_type, tag, walk_type, F, Operations, Result>;
      machine.launch({}, body{kernel, walk, operations, n, result}, info);
    } else {
      const work_type work{kernel, walk, operations, plan, plan.count(), result};
      if (work.count < groups) groups = work.count;
      if (groups > 1) {
        index_t chunk = blocks_of_round(plan, work.count, groups);
        if constexpr (seam::has_memory_domains<machine_type>) {
          // One round for all blocks, so that parts are in the memory domains of other launches'
          // chunks.
          if (n > longest_cached_scan && machine_type::memory_domains() > 1) chunk = work.count;
        }
        const index_t parts = (work.count / chunk + (work.count % chunk != 0)) * groups;
        const partial_values<value, machine_type> values(machine, work.count, 1, info);
        const std::size_t state_bytes = static_cast<std::size_t>(parts) * sizeof(part_state);
        const typename machine_type::workspace states(machine, state_bytes);
        machine.fill(states.data(), static_cast<int>(part_state::free), state_bytes);
        const scan_kernel<work_type> body{work, chunk, parts, values.data(),
                                          static_cast<part_state*>(states.data())};
        machine.launch(cutoff.shape(groups), body, info);
      } else if constexpr (!Operations::exact) {
        machine.launch({}, single_scan_kernel<work_type>{work}, info);
      }
    }
    cutoff.learn(groups);
  }
}

}  // namespace hpk::detail
