// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_reduce and parallel_scan of sums and products whose accumulators are wider than their
// updates or their result (kernel_updates.hpp). Values of the wide type are folded in the same
// order.
#pragma once

#include <hpk/parallel/patterns/results.hpp>
#include <hpk/parallel/patterns/scan_launch.hpp>

namespace hpk::detail {

/// Whether a valid reduction has an accumulator type wider than its updates or its result.
template <class Policy, class F, class Operations>
constexpr bool is_wide_reduction() {
  return is_wide_operations<Operations> ||
         diagnose_iteration<Policy, F, typename Operations::value_type&>() != kernel_fault::none;
}

/// Runs a reduction with wide accumulators.
template <class Policy, class F, class Operations, class Slot>
void run_wide_reduce(const Policy& policy, const F& kernel, const Operations& operations,
                     const Slot& slot, const seam::launch_info& info) {
  using machine_type = seam::machine<typename Policy::execution_space>;
  using wide = accumulator_t<Operations>;
  using updates = kernel_updates_t<Policy, F, Operations>;
  if constexpr (std::is_same_v<typename updates::makers, type_list<shared_update<wide>>>) {
    run_reduce(policy, kernel, accumulating(operations), slot, info);
  } else {
    using body = update_kernel_t<F, inner_kernel_storage<machine_type, F>, wide&, updates>;
    run_reduce(policy, adapt_kernel<machine_type, body>(kernel, info), accumulating(operations),
               slot, info);
  }
}

/// Runs a scan with the operations of a wider type.
template <bool Backward, class Policy, class F, class Operations, class Result>
void run_wide_scan(const Policy& policy, const F& kernel, const Operations& operations,
                   Result* result, const seam::launch_info& info) {
  using V = typename Operations::value_type;
  using wide = wide_operations<Operations>;
  using machine_type = seam::machine<typename Policy::execution_space>;
  using held = inner_kernel_storage<machine_type, F>;
  using leading = decltype(find_leading<Policy, F, V, bool>());
  using body = wide_scan_kernel<F, held, leading, V, wide>;
  run_scan<Backward>(policy, adapt_kernel<machine_type, body>(kernel, info), wide(operations),
                     result, info);
}

}  // namespace hpk::detail
