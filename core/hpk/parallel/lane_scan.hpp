// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans on machines of many lanes, in three launches: the value of each block, the prefixes of the
// blocks, the final pass. In a block every lane joins neighbouring iterations, so that joins stay
// in index order. Neighbouring lanes compute neighbouring iterations, so that they access
// neighbouring elements; the values change lanes in scratch. Values that are too large for that
// stay on the lane that joins them. The order of joins depends only on the number of iterations and
// the size of the value: a block has 16 iterations for each lane; lanes are joined by
// group_exclusive_scan; so are blocks, by one group whose lanes first join equally many neighbours.
// The total is the update after the last index.
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

/// The values of a block in scratch, one for each iteration. A gap after each lane's values keeps
/// lanes that join theirs at the same time in different banks of shared memory.
template <class V>
class staged_block {
 public:
  /// The bytes of scratch for groups of `lanes`.
  static constexpr std::size_t bytes(int lanes) noexcept {
    return value_scratch_bytes<V>(lanes * static_cast<int>(scanned_by_a_lane + 1));
  }
  HPK_INLINE_FUNCTION explicit staged_block(V* values) noexcept : values_(values) {}
  /// The value of iteration k of the block.
  HPK_INLINE_FUNCTION V& operator[](int k) const noexcept {
    return values_[k + k / static_cast<int>(scanned_by_a_lane)];
  }

 private:
  V* values_;
};

/// The iterations of the block of a group, as its lanes compute them: every lanes()-th.
template <class Tag, class Walk, class F>
struct scanned_iterations {
  const F& kernel;
  const Walk& walk;
  index_t begin;
  int count;

  /// Calls visit(position in the block) for those of the calling lane.
  HPK_CALLS_EITHER
  template <class Lane, class Visit>
  HPK_FORCEINLINE_FUNCTION void each(Lane& lane, const Visit& visit) const {
    const int lanes = lane.lanes();
    const int me = lane.lane_index();
    if (count == lanes * static_cast<int>(scanned_by_a_lane)) [[likely]] {
      // Several accesses to memory at a time.
      HPK_UNROLL_4
      for (int row = 0; row < static_cast<int>(scanned_by_a_lane); ++row) visit(row * lanes + me);
    } else {
      for (int k = me; k < count; k += lanes) visit(k);
    }
  }
  /// Stores the contribution of each iteration.
  HPK_CALLS_EITHER
  template <class Lane, class Operations, class V>
  HPK_FORCEINLINE_FUNCTION void stage(Lane& lane, const Operations& operations,
                                      const staged_block<V>& values) const {
    each(lane, stage_one<Operations, V>{*this, operations, values});
    lane.barrier();
  }
  /// Makes the final call of each iteration, with the update in `values`.
  HPK_CALLS_EITHER
  template <class Lane, class V>
  HPK_FORCEINLINE_FUNCTION void finish(Lane& lane, const staged_block<V>& values) const {
    lane.barrier();
    each(lane, finish_one<V>{*this, values});
  }

 private:
  // Not lambdas: nvcc has rules for those.
  template <class Operations, class V>
  struct stage_one {
    const scanned_iterations& all;
    const Operations& operations;
    const staged_block<V>& values;
    HPK_CALLS_EITHER
    HPK_FORCEINLINE_FUNCTION void operator()(int k) const {
      V value;
      operations.init(value);
      all.walk.template call<Tag>(all.kernel, all.begin + k, value, false);
      values[k] = value;
    }
  };
  template <class V>
  struct finish_one {
    const scanned_iterations& all;
    const staged_block<V>& values;
    HPK_CALLS_EITHER
    HPK_FORCEINLINE_FUNCTION void operator()(int k) const {
      all.walk.template call<Tag>(all.kernel, all.begin + k, values[k], true);
    }
  };
};

/// Folds each block in index order.
template <bool Staged, class Tag, class Walk, class F, class Operations>
struct lane_scan_fold_kernel {
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
    const index_range p = scanned_chunk(plan, lane.group(), lane.lane_index());
    value* const scratch = value_scratch<value>(lane);
    value sum;
    value total;
    mine.init(sum);
    if constexpr (Staged) {
      const index_t begin = plan.begin(lane.group());
      const int count = static_cast<int>(plan.end(lane.group()) - begin);
      const staged_block<value> values(scratch + lane.lanes());
      scanned_iterations<Tag, Walk, F>{kernel, walk, begin, count}.stage(lane, mine, values);
      for (int k = static_cast<int>(p.begin - begin); k < p.end - begin; ++k)
        mine.join(sum, values[k]);
    } else {
      for (index_t k = p.begin; k < p.end; ++k) walk.template call<Tag>(kernel, k, sum, false);
    }
    group_exclusive_scan(lane, mine, sum, total, scratch);
    if (lane.lane_index() == 0) partials[lane.group()] = total;
  }
};

/// Turns the values of the blocks into their prefixes. Runs on one group.
template <class F, class Operations>
struct lane_prefix_kernel {
  using value = typename Operations::value_type;
  static constexpr int most_lanes = usual_lanes;
  static constexpr bool no_large_scratch = true;
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
template <bool Staged, class Tag, class Walk, class F, class Operations, class Result>
struct lane_scan_kernel {
  using value = typename Operations::value_type;
  static constexpr int most_lanes = usual_lanes;
  static constexpr bool no_large_scratch = true;
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
    value* const scratch = value_scratch<value>(lane);
    const index_t begin = plan.begin(lane.group());
    const int count = static_cast<int>(plan.end(lane.group()) - begin);
    const staged_block<value> values(scratch + lane.lanes());
    const scanned_iterations<Tag, Walk, F> iterations{kernel, walk, begin, count};
    value sum;
    value total;
    mine.init(sum);
    if constexpr (Staged) {
      iterations.stage(lane, mine, values);
      for (int k = static_cast<int>(p.begin - begin); k < p.end - begin; ++k)
        mine.join(sum, values[k]);
    } else {
      for (index_t k = p.begin; k < p.end; ++k) walk.template call<Tag>(kernel, k, sum, false);
    }
    group_exclusive_scan(lane, mine, sum, total, scratch);
    value update = prefixes[lane.group()];
    mine.join(update, sum);
    if constexpr (Staged) {
      for (int k = static_cast<int>(p.begin - begin); k < p.end - begin; ++k) {
        const value contribution = values[k];
        values[k] = update;
        mine.join(update, contribution);
      }
      iterations.finish(lane, values);
    } else {
      for (index_t k = p.begin; k < p.end; ++k) walk.template call<Tag>(kernel, k, update, true);
    }
    // The lane of the last iteration, or lane 0 if there are no iterations.
    if (p.end == plan.n && (p.begin < p.end || lane.lane_index() == 0)) result.store(update);
  }
};

/// Runs a scan, of values in scratch if Staged.
template <bool Staged, class Tag, class Machine, class F, class Operations, class Result,
          class Walk>
void run_lane_scan_of(Machine& machine, const F& kernel, const Operations& operations,
                      Result* result, const Walk& walk, index_t n, const seam::launch_info& info) {
  using value = typename Operations::value_type;
  const int lanes = folding_lanes<value>(machine.properties().folding_lanes);
  const block_plan plan = plan_lane_scan(n, lanes);
  // An empty range is one empty block, whose total is the identity.
  const index_t count = n == 0 ? 1 : plan.count();
  const partial_values<value, Machine> partials(machine, count, 1, info);
  const std::size_t scratch = value_scratch_bytes<value>(lanes);
  const seam::shape blocks{
      .groups = count,
      .lanes = lanes,
      .scratch = {scratch + (Staged ? staged_block<value>::bytes(lanes) : 0), 0}};
  using fold = lane_scan_fold_kernel<Staged, Tag, Walk, F, Operations>;
  machine.launch(blocks, fold{kernel, operations, walk, plan, partials.data()}, info);
  machine.launch({.groups = 1, .lanes = lanes, .scratch = {scratch, 0}},
                 lane_prefix_kernel<F, Operations>{kernel, operations, partials.data(), count},
                 info);
  send_result(machine, result, [&](const auto& slot) {
    using body = lane_scan_kernel<Staged, Tag, Walk, F, Operations, Result>;
    machine.launch(blocks, body{kernel, operations, walk, plan, partials.data(), slot}, info);
  });
}

/// Runs a scan on a machine of many lanes.
template <class Tag, class Machine, class F, class Operations, class Result, class Walk>
void run_lane_scan(Machine& machine, const F& kernel, const Operations& operations, Result* result,
                   const Walk& walk, index_t n, const seam::launch_info& info) {
  using value = typename Operations::value_type;
  static_assert(is_passed_as_bytes<value>,
                "hpk::parallel_scan: on a GPU the value must be copyable as bytes; give it no "
                "destructor and no virtual function");
  // What every device of both vendors has, so that several groups are resident at a time.
  constexpr bool staged = std::is_trivially_copyable_v<value> && sizeof(value) <= 8;
  run_lane_scan_of<staged, Tag>(machine, kernel, operations, result, walk, n, info);
}

}  // namespace hpk::detail
