// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_reduce after its call has been checked and its value type found: plan, launch, finish.
// For every policy whose walk is included.
#pragma once

#include <hpk/parallel/lane_reduce.hpp>
#include <hpk/parallel/range_walk.hpp>

namespace hpk::detail {

/// The shortest block of a reduction: joining blocks must not take longer than the iterations.
inline constexpr index_t shortest_reduce_block = 8;

/// Whether n iterations without a chunk size use the accumulators of a short range.
template <class Walk, class Operations>
constexpr bool is_short_range(index_t n, index_t chunk) noexcept {
  return has_short_ranges<Walk, Operations> && chunk == 0 && n > short_range_accumulators &&
         n <= longest_short_range;
}

/// Joins the partial values, applies final and stores the result.
template <class Walk, class Operations, class Slot>
struct finish_kernel {
  using value = typename Operations::value_type;
  Operations operations;
  value* partials;
  index_t count;
  bool short_range;
  Slot slot;

  void finish() const {
    value total;
    bool joined = false;
    if constexpr (has_short_ranges<Walk, Operations>) {
      if (short_range) {
        join_pairwise<short_range_accumulators>(operations, partials);
        total = static_cast<value&&>(partials[0]);
        joined = true;
      }
    }
    if (!joined) {
      operations.init(total);
      for (index_t block = 0; block < count; ++block) operations.join(total, partials[block]);
    }
    operations.final(total);
    slot.store(total);
  }
  template <class Lane>
  void operator()(Lane&) const {
    finish();
  }
};

/// A reduction by one group; stores no partial values.
template <class Machine, class Tag, class Walk, class F, class Operations, class Slot>
struct single_reduce_kernel {
  using value = typename Operations::value_type;
  kernel_storage<Machine, F> kernel;
  Walk walk;
  Operations operations;
  block_plan plan;
  bool short_range;
  Slot slot;

  template <class Lane>
  void operator()(Lane& lane) const {
    lane.at(0);
    value total = fold();
    operations.final(total);
    slot.store(total);
  }

 private:
  value fold() const {
    if constexpr (has_short_ranges<Walk, Operations> && !Operations::exact) {
      if (short_range) {
        return fold_whole_short_range<Tag, typename Walk::index_type, F>(
            kernel, operations, walk.origin, static_cast<int>(plan.n));
      }
    }
    value total;
    operations.init(total);
    const auto join = [this, &total](value&& v) { operations.join(total, v); };
    // Exact values have the same bits in one block as in many.
    fold_each_block<Tag, F>(kernel, walk, operations,
                            Operations::exact ? block_plan{plan.n, plan.n} : plan, join);
    return total;
  }
};

/// Reduces over a policy into a slot.
template <class Policy, class F, class Operations, class Slot>
void run_reduce(const Policy& policy, const F& kernel, const Operations& operations,
                const Slot& slot, const seam::launch_info& info) {
  using tag = typename Policy::work_tag;
  using value = typename Operations::value_type;
  using machine_type = seam::machine<typename Policy::execution_space>;
  seam::observed_launch kept;
  const seam::reduce_scope told(kept, info, policy.space(), &launched<F, Policy>);
  const auto found = walk_of<Policy>::template find<F, value&>(policy, kernel, info, told.launch());
  const auto& walk = found.walk;
  const index_t n = found.n;
  machine_type& machine = policy.space().instance();
  const seam::turn mine(machine);
  if constexpr (!machine_type::lane::single) {
    run_lane_reduce<tag>(machine, kernel, operations, slot, walk, n, info);
  } else {
    using walk_type = std::remove_cvref_t<decltype(walk)>;
    const index_t chunk = chunk_of(policy);
    const bool short_range = is_short_range<walk_type, Operations>(n, chunk);
    const auto make_plan = [=] {
      return plan_blocks(n, n <= short_range_accumulators ? 1 : shortest_reduce_block, chunk);
    };
    serial_cutoff cutoff(type_list<Policy, F>(), n, group_count(machine, n));
    if (index_t groups = cutoff.groups(); groups > 1) {
      const block_plan plan = make_plan();
      const index_t parts = short_range ? short_range_accumulators : plan.count();
      if (parts < groups) groups = parts;
      if (groups > 1) {
        const partial_values<value, machine_type> partials(machine, parts, 1, info);
        constexpr bool dynamic = Policy::traits::dynamic;
        using body = fold_kernel<machine_type, tag, walk_type, F, Operations, dynamic>;
        // If the program chose the chunk size, each chunk is claimed alone.
        launch_chunks<body, dynamic>(machine, cutoff, groups, parts, chunk != 0 ? 1 : 0, info,
                                     kernel, walk, operations, plan, short_range, partials.data());
        finish_on_caller(machine,
                         finish_kernel<walk_type, Operations, Slot>{operations, partials.data(),
                                                                    parts, short_range, slot},
                         info);
        return;
      }
    }
    using body = single_reduce_kernel<machine_type, tag, walk_type, F, Operations, Slot>;
    machine.launch({}, body{kernel, walk, operations, make_plan(), short_range, slot}, info);
    cutoff.learn(1);
  }
}

}  // namespace hpk::detail
