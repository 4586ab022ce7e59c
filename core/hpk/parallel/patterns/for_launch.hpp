// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_for after its call has been checked: plan and launch. Includes the walk of ranges; the
// headers of other policies provide their walks.
#pragma once

#include <hpk/parallel/launch/lanes.hpp>
#include <hpk/parallel/launch/range_walk.hpp>

namespace hpk::detail {

/// The body of a parallel_for on a machine whose groups have one lane.
template <class Machine, class Tag, class Walk, class F, bool Dynamic>
struct for_body {
  kernel_storage<Machine, F> kernel;
  Walk walk;
  chunk_source<Dynamic> chunks;

  template <class Lane>
  void operator()(Lane& lane) const {
    static_assert(Lane::single,
                  "hpk: this kernel body is for machines with one lane for each group");
    for (index_range p = no_chunk_yet; chunks.next(lane, p);)
      for_indices<Tag, F>(kernel, walk, p.begin, p.end);
  }
};

/// Launches a kernel over a policy. `observed`: null if no tool observes the launch.
template <class Policy, class F>
void launch_for(const Policy& policy, const F& kernel, const seam::launch_info& info,
                observed_launch* observed) {
  using machine_type = seam::machine<typename Policy::execution_space>;
  using tag = typename Policy::work_tag;
  const auto plan = walk_of<Policy>::template find_for<F>(policy, kernel, info, observed);
  if (plan.items == 0) return;
  machine_type& machine = policy.space().instance();
  constexpr bool dynamic = Policy::traits::dynamic;
  using body = for_body<machine_type, tag, std::remove_cvref_t<decltype(plan.walk)>, F, dynamic>;
  if constexpr (!machine_type::lane::single) {
    const seam::turn turn(machine);
    launch_lanes<tag, typename Policy::launch_bounds>(machine, kernel, plan.walk, plan.n, info);
  } else if constexpr (seam::erases_bodies<machine_type> && !dynamic) {
    const index_t chunk = chunk_of(policy);
    const index_t groups = group_count(machine, plan.items, chunk);
    const index_t margin = chunk > 1 ? 0 : usable_margin(plan.before, plan.items, groups);
    const body iterations{kernel, plan.walk, {plan.items, chunk, margin}};
    typename machine_type::erased_body erased(iterations);
    launch_divided(machine, erased, {facts_of_kernel<Policy, F>, plan.n, groups}, info);
  } else {
    const seam::turn turn(machine);
    const index_t chunk = chunk_of(policy);
    serial_cutoff cutoff(facts_of_kernel<Policy, F>, machine, plan.n,
                         group_count(machine, plan.items, chunk));
    const index_t margin = chunk > 1 ? 0 : usable_margin(plan.before, plan.items, cutoff.groups());
    launch_chunks<body, dynamic>(machine, cutoff, cutoff.groups(), plan.items, {chunk, margin},
                                 info, kernel, plan.walk);
  }
}

/// Runs a kernel of the library over a policy and notifies tools.
template <class Policy, class F>
void run_for(const Policy& policy, const F& kernel, const seam::launch_info& info) {
  observed_launch observed;
  const for_scope tool_scope(observed, info, policy.space(), &launched<F, Policy>,
                             HPK_DETAIL_LAUNCHED(kernel, policy));
  launch_for(policy, kernel, info, tool_scope.launch());
}

}  // namespace hpk::detail
