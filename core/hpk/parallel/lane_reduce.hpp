// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions on machines of many lanes. n iterations are cut into at most 1024 fixed blocks, whose
// length is a multiple of the number of lanes. Arithmetic values with the default += or a built-in
// reducer: lane k of a block folds the iterations k, k + lanes, ... in order, then the lanes are
// joined pairwise (group.hpp). Everything else is folded in index order, because joins may not
// commute: the block is cut into chunks of equal length, at most 16 neighbouring iterations, and
// lane k folds the chunks k, k + lanes, ... After each round the lanes are joined pairwise into one
// value; these values are joined in order. The blocks are joined by as many lanes as there are
// blocks, rounded up to a power of two, but by no more than fold a block: each lane joins equally
// many neighbours, then the lanes are joined pairwise.
//
// The number of lanes depends only on the size of the value, so every device gives the same bits,
// unless its groups can't have that many lanes (machine_properties::folding_lanes). Host spaces
// have fewer accumulators and may give other bits, except for values without rounding.
#pragma once

#include <hpk/parallel/fold.hpp>
#include <hpk/parallel/group.hpp>
#include <hpk/parallel/lanes.hpp>
#include <hpk/parallel/reduce_target.hpp>

namespace hpk::detail {

/// The number of lanes of a group that folds values V, at most `most`: their scratch fits every
/// device.
template <class V>
constexpr int folding_lanes(int most = usual_lanes) {
  int lanes = most;
  while (lanes > 1 && static_cast<std::size_t>(lanes) * sizeof(V) > (std::size_t{32} << 10))
    lanes /= 2;
  return lanes;
}

/// The fixed blocks of a reduction by groups of `lanes` lanes: at least 4 iterations for each lane.
constexpr block_plan plan_lane_blocks(index_t n, int lanes) noexcept {
  if (n <= 0) return {0, 1};
  const index_t row = lanes;
  const index_t rows = n / row + (n % row != 0);
  index_t rows_each = rows / 1024 + (rows % 1024 != 0);
  if (rows_each < 4) rows_each = 4;
  return {n, rows_each * row};
}

/// The most neighbouring iterations that a lane folds before the lanes are joined in index order.
inline constexpr index_t longest_lane_chunk = 16;

/// Folds the block of a group into its partial value.
template <class Tag, class Walk, class F, class Operations>
struct lane_fold_kernel {
  using value = typename Operations::value_type;
  static constexpr int most_lanes = usual_lanes;
  static constexpr bool no_large_scratch = true;
  F kernel;
  Operations operations;
  Walk walk;
  block_plan plan;
  value* partials;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const Operations mine = operations.of(kernel);
    const index_t block = lane.group();
    value sum;
    mine.init(sum);
    if constexpr (Operations::interleave) {
      const index_t end = plan.end(block);
      const index_t step = lane.lanes();
      index_t k = plan.begin(block) + lane.lane_index();
      // Several accesses to memory at a time.
      for (; end - k > 3 * step; k += 4 * step) {
        HPK_UNROLL_4
        for (int row = 0; row < 4; ++row) walk.template call<Tag>(kernel, k + row * step, sum);
      }
      for (; k < end; k += step) walk.template call<Tag>(kernel, k, sum);
      group_reduce(lane, mine, sum, value_scratch<value>(lane));
    } else {
      fold_in_order(lane, mine, sum);
    }
    if (lane.lane_index() == 0) partials[block] = sum;
  }

 private:
  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void fold_in_order(Lane& lane, const Operations& mine, value& sum) const {
    const index_t share = plan.length / lane.lanes();
    const index_t each = share < longest_lane_chunk ? share : longest_lane_chunk;
    const index_t end = plan.end(lane.group());
    for (index_t row = plan.begin(lane.group()); row < end; row += each * lane.lanes()) {
      const index_range p = lane_chunk(row, end, each, lane.lane_index());
      value part;
      mine.init(part);
      for (index_t k = p.begin; k < p.end; ++k) walk.template call<Tag>(kernel, k, part);
      group_reduce(lane, mine, part, value_scratch<value>(lane));
      if (lane.lane_index() == 0) mine.join(sum, part);
    }
  }
};

/// Joins the partial values, applies final and stores the result.
template <class F, class Operations, class Slot>
struct lane_finish_kernel {
  using value = typename Operations::value_type;
  static constexpr int most_lanes = usual_lanes;
  static constexpr bool no_large_scratch = true;
  F kernel;
  Operations operations;
  const value* partials;
  index_t count;
  Slot slot;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const Operations mine = operations.of(kernel);
    const index_t each = count / lane.lanes() + (count % lane.lanes() != 0);
    const index_range p = lane_chunk(0, count, each, lane.lane_index());
    value sum;
    mine.init(sum);
    for (index_t block = p.begin; block < p.end; ++block) mine.join(sum, partials[block]);
    group_reduce(lane, mine, sum, value_scratch<value>(lane));
    if (lane.lane_index() != 0) return;
    mine.final(sum);
    slot.store(sum);
  }
};

/// Joins `count` partial values by a launch of one group, and copies the result to its destination.
template <class Machine, class F, class Operations, class Slot>
void finish_lane_reduce(Machine& machine, const F& kernel, const Operations& operations,
                        const typename Operations::value_type* partials, index_t count,
                        const Slot& slot, const seam::launch_info& info) {
  using value = typename Operations::value_type;
  const int lanes = folding_lanes<value>(machine.properties().folding_lanes);
  int finishing = 1;
  while (finishing < lanes && finishing < count) finishing *= 2;
  send_result(machine, slot, [&](const auto& there) {
    using finish = lane_finish_kernel<F, Operations, Slot>;
    machine.launch(
        {.groups = 1, .lanes = finishing, .scratch = {value_scratch_bytes<value>(lanes), 0}},
        finish{kernel, operations, partials, count, there}, info);
  });
}

/// Runs a reduction on a machine of many lanes.
template <class Tag, class Machine, class F, class Operations, class Slot, class Walk>
void run_lane_reduce(Machine& machine, const F& kernel, const Operations& operations,
                     const Slot& slot, const Walk& walk, index_t n, const seam::launch_info& info) {
  using value = typename Operations::value_type;
  static_assert(is_passed_as_bytes<value>,
                "hpk::parallel_reduce: on a GPU the value must be copyable as bytes; give it no "
                "destructor and no virtual function");
  const int lanes = folding_lanes<value>(machine.properties().folding_lanes);
  const block_plan plan = plan_lane_blocks(n, lanes);
  const index_t count = plan.count();
  const partial_values<value, Machine> partials(machine, count == 0 ? 1 : count, 1, info);
  const std::size_t scratch = value_scratch_bytes<value>(lanes);
  if (count != 0) {
    machine.launch(
        {.groups = count, .lanes = lanes, .scratch = {scratch, 0}},
        lane_fold_kernel<Tag, Walk, F, Operations>{kernel, operations, walk, plan, partials.data()},
        info);
  }
  finish_lane_reduce(machine, kernel, operations, partials.data(), count, slot, info);
}

}  // namespace hpk::detail
