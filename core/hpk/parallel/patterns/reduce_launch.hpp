// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_reduce after its call has been checked and its value type found: plan, launch, finish.
// For every policy whose walk is included.
#pragma once

#include <hpk/base/prefetch.hpp>
#include <hpk/parallel/launch/range_walk.hpp>
#include <hpk/parallel/patterns/lane_reduce.hpp>

namespace hpk::detail {

/// The launch body that folds a group's blocks, or its accumulators of a short range, into partial
/// values.
template <class Machine, class Tag, class Walk, class F, class Operations, bool Dynamic>
struct fold_kernel {
  using value = typename Operations::value_type;
  kernel_storage<Machine, F> kernel;
  Walk walk;
  Operations operations;
  reduce_plan plan;
  bool short_range;
  index_t margin;
  value* partials;
  chunk_source<Dynamic> parts;

  template <class Lane>
  void operator()(Lane& lane) const {
    static_assert(Lane::single,
                  "hpk: this kernel body is for machines with one lane for each group");
    if constexpr (has_short_ranges<Walk, Operations>) {
      if (short_range) {
        fold_accumulators(lane);
        return;
      }
    }
    index_range p = no_chunk_yet;
    if constexpr (Dynamic) {
      if (!parts.next(lane, p)) return;
    } else {
      p = worker_blocks(plan.blocks, lane.group(), lane.groups(), margin);
      lane.at(p.begin);
    }
    do {
      // The values of the previous launch are in the cache of the thread that joined them. Single
      // stores would fetch their lines one at a time.
      fetch_for_stores(partials + p.begin,
                       static_cast<std::size_t>(p.end - p.begin) * sizeof(value));
      fold_reduce_blocks<Tag, F>(kernel, walk, operations, plan, p.begin, p.end,
                                 partials + p.begin);
    } while (Dynamic && parts.next(lane, p));
  }

 private:
  // Runs every accumulator to its end or failure before it reports the lowest failing index: an
  // accumulator that is claimed later may contain a lower one (rule "errors from kernels").
  template <class Lane>
  void fold_accumulators(Lane& lane) const {
    std::exception_ptr failure;
    index_t lowest = plan.blocks.n;
    for (index_range p = no_chunk_yet; parts.next(lane, p);) {
      index_t reached = 0;
      fetch_for_stores(partials + p.begin,
                       static_cast<std::size_t>(p.end - p.begin) * sizeof(value));
      try {
        value sums[short_range_accumulators];
        const int first = static_cast<int>(p.begin);
        const int last = static_cast<int>(p.end);
        fold_short_range<Tag, typename Walk::index_type, F>(kernel, operations, walk.origin,
                                                            static_cast<int>(plan.blocks.n), first,
                                                            last, sums, reached);
        for (int k = first; k < last; ++k) partials[k] = sums[k];
      } catch (...) {
        if (reached < lowest) {
          lowest = reached;
          failure = std::current_exception();
        }
      }
    }
    if (failure != nullptr) {
      lane.at(lowest);
      std::rethrow_exception(failure);
    }
  }
};

/// Joins the partial values, applies final and stores the result.
template <class Walk, class Operations, class Slot>
struct finish_kernel {
  using value = typename Operations::value_type;
  Operations operations;
  value* partials;
  index_t count;
  bool short_range;
  Slot slot;

  HPK_NOINLINE void finish() const {
    bool halves = false;
    if constexpr (has_short_ranges<Walk, Operations>) {
      halves = short_range;
      if (halves) join_pairwise<short_range_accumulators>(operations, partials);
    }
    value total;
    if (!halves && count <= most_ordered_blocks) {
      operations.init(total);
      for (index_t k = 0; k < count; ++k) operations.join(total, partials[k]);
    } else {
      if (!halves) join_neighbours(operations, partials, count);
      total = static_cast<value&&>(partials[0]);
    }
    operations.final(total);
    slot.store(total);
  }
  template <class Lane>
  void operator()(Lane&) const {
    finish();
  }
};

/// A reduction in one group, which stores no partial values.
template <class Machine, class Tag, class Walk, class F, class Operations, class Slot>
struct single_reduce_kernel {
  using value = typename Operations::value_type;
  kernel_storage<Machine, F> kernel;
  Walk walk;
  Operations operations;
  reduce_plan plan;
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
            kernel, operations, walk.origin, static_cast<int>(plan.blocks.n));
      }
    }
    value total;
    operations.init(total);
    if constexpr (Operations::exact) {
      fold_few_blocks<Tag, F>(kernel, walk, operations, plan.blocks, total);  // it is one block
      return total;
    } else if (plan.blocks.length == 1 && plan.blocks.n <= most_ordered_blocks) {
      fold_iterations<Tag, F>(kernel, walk, operations, plan.blocks.n, total);
      return total;
    }
    const bool ordered = (plan.blocks.n - 1) / most_ordered_blocks < plan.blocks.length;
    // A range has few blocks only if they are long.
    if constexpr (!has_short_ranges<Walk, Operations>) {
      if (ordered && plan.segment >= plan.blocks.length) {
        fold_few_blocks<Tag, F>(kernel, walk, operations, plan.blocks, total);
        return total;
      }
    }
    fold_many_blocks<Tag, F>(kernel, walk, operations, plan, ordered, total);
    return total;
  }
};

/// Calls run(slot) for a launch that stores its result in `slot`. If the result is a variable
/// (`waits`), waits for it; `fence_name` is the name of the fence for tools.
template <class Machine, class Slot, class Run>
void run_into(Machine& machine, const Slot& slot, bool waits, std::string_view fence_name,
              const Run& run) {
  if constexpr (seam::has_host_workspaces<Machine>) {
    if (waits) {
      const typename Machine::host_workspace memory(machine, Slot::bytes);
      run(slot.at(memory.data()));
      detail::fence_machine(machine, fence_name);
      slot.take(memory.data());
      return;
    }
  }
  run(slot);
  if (waits) detail::fence_machine(machine, fence_name);
}

/// Reduces over a policy into a slot.
template <class Policy, class F, class Operations, class Slot>
void run_reduce(const Policy& policy, const F& kernel, const Operations& operations,
                const Slot& slot, const seam::launch_info& info) {
  using tag = typename Policy::work_tag;
  using value = typename Operations::value_type;
  using machine_type = seam::machine<typename Policy::execution_space>;
  observed_launch observed;
  const reduce_scope tool_scope(observed, info, policy.space(), &launched<F, Policy>,
                                HPK_DETAIL_LAUNCHED(kernel, policy));
  const auto found =
      walk_of<Policy>::template find<F, value&>(policy, kernel, info, tool_scope.launch());
  const auto& walk = found.walk;
  const index_t n = found.n;
  machine_type& machine = policy.space().instance();
  const seam::turn turn(machine);
  const index_t chunk = chunk_of(policy);
  if constexpr (!machine_type::lane::single) {
    run_lane_reduce<tag>(machine, kernel, operations, slot, walk, n, chunk, info);
  } else {
    using walk_type = std::remove_cvref_t<decltype(walk)>;
    const bool short_range = has_short_ranges<walk_type, Operations> && is_short_range(n, chunk);
    const auto make_plan = [&] {
      return plan_host_reduce<value, Operations::interleave>(walk.row(), n, chunk);
    };
    serial_cutoff cutoff(facts_of_kernel<Policy, F>, machine, n, group_count(machine, n));
    if (index_t groups = cutoff.groups(); groups > 1) {
      const reduce_plan plan = make_plan();
      const index_t parts = short_range ? short_range_accumulators : plan.blocks.count();
      if (parts < groups) groups = parts;
      if (groups > 1) {
        const partial_values<value, machine_type> partials(machine, parts, 1, info);
        constexpr bool dynamic = Policy::traits::dynamic;
        using body = fold_kernel<machine_type, tag, walk_type, F, Operations, dynamic>;
        // If the program chose the chunk size, groups claim one chunk at a time.
        launch_chunks<body, dynamic>(machine, cutoff, groups, parts, {chunk != 0 ? 1 : 0}, info,
                                     kernel, walk, operations, plan, short_range,
                                     usable_margin(found.before, n, groups), partials.data());
        finish_on_caller(machine,
                         finish_kernel<walk_type, Operations, Slot>{operations, partials.data(),
                                                                    parts, short_range, slot},
                         info);
        return;
      }
    }
    using body = single_reduce_kernel<machine_type, tag, walk_type, F, Operations, Slot>;
    // Exact values have the same bits in one block as in several.
    const reduce_plan plan = Operations::exact || short_range ? one_block(n) : make_plan();
    machine.launch({}, body{kernel, walk, operations, plan, short_range, slot}, info);
    cutoff.learn(1);
  }
}

}  // namespace hpk::detail
