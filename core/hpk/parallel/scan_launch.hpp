// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_scan after its call has been checked and its value type found. For every policy whose
// walk is included.
#pragma once

#include <hpk/parallel/block_scan.hpp>
#include <hpk/parallel/lane_scan.hpp>
#include <hpk/parallel/wide_sum.hpp>

namespace hpk::detail {

/// The walk of a scan, reversed if Backward.
template <bool Backward, class Walk>
auto direct(const Walk& walk, [[maybe_unused]] index_t n) {
  if constexpr (Backward) {
    return turn_back(walk, n);
  } else {
    return walk;
  }
}

/// Scans over a policy; stores the total in `result` unless that is null.
template <bool Backward, class Policy, class F, class Operations, class Result>
void run_scan(const Policy& policy, const F& kernel, const Operations& operations, Result* result,
              const seam::launch_info& info) {
  using value = typename Operations::value_type;
  using machine_type = seam::machine<typename Policy::execution_space>;
  seam::observed_launch kept;
  const seam::scan_scope told(kept, info, policy.space(), &launched<F, Policy>);
  const auto plan =
      walk_of<Policy>::template find<F, value&, bool>(policy, kernel, info, told.launch());
  const auto walk = direct<Backward>(plan.walk, plan.n);
  machine_type& machine = policy.space().instance();
  const seam::turn mine(machine);
  if constexpr (machine_type::lane::single) {
    run_block_scan<Policy>(machine, kernel, operations, result, walk, plan.n, info);
  } else {
    run_lane_scan<typename Policy::work_tag>(machine, kernel, operations, result, walk, plan.n,
                                             info);
  }
}

}  // namespace hpk::detail
