// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans on machines of many lanes, in three launches: the value of each block, the prefixes of the
// blocks, the final pass. In a block every lane has neighbouring iterations, so that joins stay in
// index order. The order of joins depends only on the number of iterations and the size of the
// value: a block has 16 iterations for each lane; lanes are joined by group_exclusive_scan; so are
// blocks, by one group whose lanes first join equally many neighbours. The total is the update
// after the last index.
#pragma once

#include <hpk/parallel/lane_reduce.hpp>

namespace hpk::detail {

/// The iterations of each lane in a block of a scan.
inline constexpr index_t scanned_by_a_lane = 16;

/// The fixed blocks of a scan by groups of `lanes`.
constexpr block_plan plan_lane_scan(index_t n, int lanes) noexcept {
  return n <= 0 ? block_plan{0, 1} : block_plan{n, lanes * scanned_by_a_lane};
}

/// The iterations of a block that a lane scans.
HPK_INLINE_FUNCTION constexpr index_range scanned_chunk(const block_plan& plan, index_t block,
                                                        int lane) noexcept {
  return lane_chunk(plan.begin(block), plan.end(block), scanned_by_a_lane, lane);
}

/// Folds each block in index order.
template <class Tag, class Walk, class F, class Operations>
struct lane_scan_fold_kernel {
  using value = typename Operations::value_type;
  static constexpr int most_lanes = usual_lanes;
  F kernel;
  Operations operations;
  Walk walk;
  block_plan plan;
  value* partials;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const Operations mine = operations.of(kernel);
    const index_range p = scanned_chunk(plan, lane.group(), lane.lane_index());
    value sum;
    value total;
    mine.init(sum);
    for (index_t k = p.begin; k < p.end; ++k) walk.template call<Tag>(kernel, k, sum, false);
    group_exclusive_scan(lane, mine, sum, total, value_scratch<value>(lane));
    if (lane.lane_index() == 0) partials[lane.group()] = total;
  }
};

/// Turns the values of the blocks into their prefixes. Runs on one group.
template <class F, class Operations>
struct lane_prefix_kernel {
  using value = typename Operations::value_type;
  static constexpr int most_lanes = usual_lanes;
  F kernel;
  Operations operations;
  value* partials;
  index_t count;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const Operations mine = operations.of(kernel);
    const index_t each = count / lane.lanes() + (count % lane.lanes() != 0);
    const index_range p = lane_chunk(0, count, each, lane.lane_index());
    value sum;
    value total;
    mine.init(sum);
    for (index_t block = p.begin; block < p.end; ++block) mine.join(sum, partials[block]);
    group_exclusive_scan(lane, mine, sum, total, value_scratch<value>(lane));
    for (index_t block = p.begin; block < p.end; ++block) {
      const value here = partials[block];
      partials[block] = sum;
      mine.join(sum, here);
    }
  }
};

/// The final pass.
template <class Tag, class Walk, class F, class Operations, class Result>
struct lane_scan_kernel {
  using value = typename Operations::value_type;
  static constexpr int most_lanes = usual_lanes;
  F kernel;
  Operations operations;
  Walk walk;
  block_plan plan;
  const value* prefixes;
  result_slot<Result> result;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const Operations mine = operations.of(kernel);
    const index_range p = scanned_chunk(plan, lane.group(), lane.lane_index());
    value sum;
    value total;
    mine.init(sum);
    for (index_t k = p.begin; k < p.end; ++k) walk.template call<Tag>(kernel, k, sum, false);
    group_exclusive_scan(lane, mine, sum, total, value_scratch<value>(lane));
    value update = prefixes[lane.group()];
    mine.join(update, sum);
    for (index_t k = p.begin; k < p.end; ++k) walk.template call<Tag>(kernel, k, update, true);
    // The lane of the last iteration, or lane 0 if there are no iterations.
    if (p.end == plan.n && (p.begin < p.end || lane.lane_index() == 0)) result.store(update);
  }
};

/// Runs a scan on a machine of many lanes.
template <class Tag, class Machine, class F, class Operations, class Result, class Walk>
void run_lane_scan(Machine& machine, const F& kernel, const Operations& operations, Result* result,
                   const Walk& walk, index_t n, const seam::launch_info& info) {
  using value = typename Operations::value_type;
  static_assert(is_passed_as_bytes<value>,
                "hpk::parallel_scan: on a GPU the value must be copyable as bytes; give it no "
                "destructor and no virtual function");
  const int lanes = folding_lanes<value>(machine.properties().folding_lanes);
  const block_plan plan = plan_lane_scan(n, lanes);
  // An empty range is one empty block, whose total is the identity.
  const index_t count = n == 0 ? 1 : plan.count();
  const partial_values<value, Machine> partials(machine, count, 1, info);
  const std::size_t scratch = value_scratch_bytes<value>(lanes);
  const seam::shape blocks{.groups = count, .lanes = lanes, .scratch = {scratch, 0}};
  using fold = lane_scan_fold_kernel<Tag, Walk, F, Operations>;
  machine.launch(blocks, fold{kernel, operations, walk, plan, partials.data()}, info);
  machine.launch({.groups = 1, .lanes = lanes, .scratch = {scratch, 0}},
                 lane_prefix_kernel<F, Operations>{kernel, operations, partials.data(), count},
                 info);
  send_result(machine, result, [&](const auto& slot) {
    using body = lane_scan_kernel<Tag, Walk, F, Operations, Result>;
    machine.launch(blocks, body{kernel, operations, walk, plan, partials.data(), slot}, info);
  });
}

}  // namespace hpk::detail
