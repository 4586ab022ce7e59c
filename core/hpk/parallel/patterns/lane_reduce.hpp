// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions on machines of many lanes, in one launch, with the tree of joins that all execution
// spaces share (reduce_shape.hpp). Each accumulator belongs to a lane, so that neighbouring lanes
// access neighbouring elements. Where values are folded in order, each segment belongs to a lane,
// so that lanes access elements of different segments. A group has one block, or several short
// ones, and joins their values in scratch. The group that finishes last, which a counter
// identifies, joins the values of all blocks.
#pragma once

#include <hpk/atomic/atomic.hpp>
#include <hpk/parallel/launch/lanes.hpp>
#include <hpk/parallel/launch/reduce_shape.hpp>
#include <hpk/parallel/operations/reduce_target.hpp>
#include <hpk/parallel/team/group.hpp>

namespace hpk::detail {

/// Returns the number of lanes, at most `most`, of a group that folds or scans values V: their
/// scratch fits every device.
template <class V>
constexpr int folding_lanes(int most = usual_lanes) {
  return values_in_scratch<V>(most);
}

/// The number of values that a lane joins at a time: few, to leave registers for the program's
/// kernel.
inline constexpr int joined_at_once = 4;

/// Joins up to four values by neighbours into the first, small ones in registers; `stride`: their
/// distance.
HPK_CALLS_EITHER
template <class Operations, class V>
HPK_INLINE_FUNCTION void join_few(const Operations& operations, V* values, int count,
                                  int stride = 1) {
  if constexpr (is_shuffled<V>) {
    if (count < 2) return;
    V first = values[0];
    const V second = values[stride];
    if (count == 2) {
      operations.join(first, second);
    } else {
      V third = values[2 * stride];
      const V fourth = values[(count == 3 ? 2 : 3) * stride];
      operations.join(first, second);
      if (count != 3) operations.join(third, fourth);
      operations.join(first, third);
    }
    values[0] = first;
  } else {
    join_neighbours(operations, values, count, stride);
  }
}

/// Joins Count values, 2 or 4, by halves into the first; `stride`: their distance.
HPK_CALLS_EITHER
template <int Count, class Operations, class V>
HPK_INLINE_FUNCTION void join_halves(const Operations& operations, V* values, int stride) {
  if constexpr (is_shuffled<V>) {
    V all[std::size_t{Count}];
    HPK_UNROLL_4
    for (int k = 0; k < Count; ++k) all[k] = values[k * stride];
    join_pairwise<Count>(operations, all);
    values[0] = all[0];
  } else {
    for (int half = Count / 2; half > 0; half /= 2) {
      for (int k = 0; k < half; ++k)
        operations.join(values[k * stride], values[(k + half) * stride]);
    }
  }
}

/// Joins each of `lists` lists of Count values, whose first value is at place(list), by halves into
/// the first. Skips lists for which wanted(list) is false. Every lane of a group calls it.
HPK_CALLS_EITHER
template <int Count, class Lane, class Operations, class V, class Place, class Wanted>
HPK_INLINE_FUNCTION void join_lists(Lane& lane, const Operations& operations, V* scratch, int lists,
                                    const Place& place, const Wanted& wanted) {
  if constexpr (Count > 1) {
    constexpr int at_once = Count < joined_at_once ? Count : joined_at_once;
    constexpr int left = Count / at_once;
    for (int k = lane.lane_index(); k < lists * left; k += lane.lanes()) {
      if (wanted(k / left))
        join_halves<at_once>(operations, scratch + place(k / left) + k % left, left);
    }
    lane.barrier();
    join_lists<left>(lane, operations, scratch, lists, place, wanted);
  }
}

/// How the lanes of one group join the values of blocks, of which there are at most 1024.
struct finish_plan {
  int count;  ///< number of blocks
  int each;   ///< neighbouring blocks that a lane joins first, a power of two
  int left;   ///< number of values that remain afterwards

  /// `room`: the number of values that fit the group's scratch, a power of two.
  static constexpr finish_plan of(index_t blocks, int room) {
    const int count = static_cast<int>(blocks);
    int each = 1;
    while (each * room < count) each *= 2;
    return {count, each, (count + each - 1) / each};
  }
};

/// How groups divide the blocks of a reduction.
struct lane_blocks {
  int values;       ///< accumulators or segments of a group, a power of two
  int width;        ///< values of a block, a power of two
  int shift;        ///< binary logarithm of `width`
  int groups;       ///< number of groups
  int segments[2];  ///< segments of each block except the last, and of the last
  finish_plan finish;
};

/// Divides the blocks of a reduction. `ordered_below`: one lane folds blocks with fewer iterations.
template <class Operations>
constexpr lane_blocks divide_blocks(const reduce_plan& plan, index_t ordered_below) {
  using value = typename Operations::value_type;
  const index_t length = plan.blocks.length;
  const index_t count = plan.blocks.count();
  const auto segments = [&](index_t n) {
    return static_cast<int>(n / plan.segment + (n % plan.segment != 0));
  };
  const index_t last = count == 0 ? 0 : plan.blocks.n - plan.blocks.begin(count - 1);
  lane_blocks found{values_in_scratch<value>(usual_lanes),
                    1,
                    0,
                    1,
                    {segments(length), segments(last)},
                    finish_plan()};
  int width = found.segments[0];
  if constexpr (Operations::interleave)
    width = length < ordered_below ? 1 : width * accumulators_of<value>;
  for (; found.width < width; found.width *= 2) ++found.shift;
  if (found.values < found.width) found.values = found.width;
  const int each = found.values >> found.shift;
  if (count != 0) found.groups = static_cast<int>((count + each - 1) / each);
  found.finish = finish_plan::of(count, found.values);
  return found;
}

/// Returns the offset in scratch of a flag after `values` values V.
template <class V>
HPK_INLINE_FUNCTION constexpr std::size_t flag_offset(int values) noexcept {
  return (value_scratch_bytes<V>(values) + 15) / 16 * 16;
}

/// Whether the group of the calling lane is the last of its launch to call this function; then it
/// sees all earlier writes of the others. `counter` is 0 at the beginning and at the end of the
/// launch. `flag`: scratch.
HPK_CALLS_EITHER
template <class Lane>
HPK_INLINE_FUNCTION bool is_last_group(Lane& lane, unsigned* counter, int* flag) {
  lane.barrier();
  if (lane.groups() == 1) return true;
  if (lane.lane_index() == 0) {
    const auto before = atomic_fetch_add(counter, 1u, MemoryOrderAcqRel());
    *flag = before + 1 == static_cast<unsigned>(lane.groups());
    if (*flag != 0) atomic_store(counter, 0u);
  }
  lane.barrier();
  return *flag != 0;
}

/// Returns the number of values to join, of `left` values of which every `reach`-th is already
/// joined.
HPK_INLINE_FUNCTION constexpr int parts_of(int left, int reach) {
  const int most = reach * joined_at_once;
  return left >= most ? joined_at_once : (left + reach - 1) / reach;
}

/// Joins the values of all blocks in one group, applies final and stores the result.
HPK_CALLS_EITHER
template <class Lane, class Operations, class Slot, class V>
HPK_INLINE_FUNCTION void finish_blocks(Lane& lane, const Operations& operations, V* partials,
                                       const finish_plan& plan, const Slot& slot) {
  V* const scratch = value_scratch<V>(lane);
  const int me = lane.lane_index();
  const int lanes = lane.lanes();
  const bool ordered = plan.count <= most_ordered_blocks;
  V total;
  if (ordered && plan.each != 1) {
    if (me != 0) return;
    operations.init(total);
    HPK_ROLLED_ON_DEVICE
    for (int k = 0; k < plan.count; ++k) operations.join(total, partials[k]);
  } else {
    for (int v = me; v < plan.left; v += lanes) {
      V* const first = partials + v * plan.each;
      const int rest = plan.count - v * plan.each;
      const int count = rest < plan.each ? rest : plan.each;
      if (plan.each <= joined_at_once) {
        join_few(operations, first, count);
      } else {
        join_neighbours(operations, first, count);
      }
      scratch[v] = first[0];
    }
    lane.barrier();
    if (ordered) {
      if (me != 0) return;
      operations.init(total);
      HPK_UNROLL_4
      for (int k = 0; k < plan.left; ++k) operations.join(total, scratch[k]);
    } else {
      for (int reach = 1; reach < plan.left; reach *= joined_at_once) {
        const int step = reach * joined_at_once;
        for (int v = me * step; v < plan.left; v += lanes * step)
          join_few(operations, scratch + v, parts_of(plan.left - v, reach), reach);
        lane.barrier();
      }
      if (me != 0) return;
      total = scratch[0];
    }
  }
  operations.final(total);
  slot.store(total);
}

/// Folds blocks, and joins their values.
template <class Tag, class Walk, class F, class Operations, class Slot>
struct lane_reduce_kernel {
  using value = typename Operations::value_type;
  static constexpr int most_lanes = usual_lanes;
  static constexpr bool no_large_scratch = true;
  /// The values of a segment.
  static constexpr int of_segment = Operations::interleave ? accumulators_of<value> : 1;
  F kernel;
  Operations operations;
  Walk walk;
  reduce_plan plan;
  lane_blocks blocks;
  value* partials;
  unsigned* counter;
  Slot slot;

  static constexpr std::size_t scratch_bytes(const lane_blocks& divided) noexcept {
    return flag_offset<value>(padded(divided.values)) + sizeof(int);
  }
  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const Operations bound_operations = operations.of(kernel);
    value* const scratch = value_scratch<value>(lane);
    const int units = blocks.values >> blocks.shift;
    const int first = static_cast<int>(lane.group()) * units;
    for (int v = lane.lane_index(); v < blocks.values; v += lane.lanes())
      fold(lane, bound_operations, first + (v >> blocks.shift), v & (blocks.width - 1),
           scratch[padded(v)]);
    lane.barrier();
    if (blocks.width != 1) {
      if constexpr (of_segment != 1) {
        join_lists<of_segment>(lane, bound_operations, scratch, blocks.values / of_segment,
                               place_of_segment(), is_interleaved{*this, first});
      }
      join_segments(lane, bound_operations, first, scratch);
    }
    for (int unit = lane.lane_index(); unit < units; unit += lane.lanes()) {
      if (first + unit < blocks.finish.count)
        partials[first + unit] = scratch[padded(unit << blocks.shift)];
    }
    auto* const flag =
        reinterpret_cast<int*>(lane.scratch(0) + flag_offset<value>(padded(blocks.values)));
    if (is_last_group(lane, counter, flag))
      finish_blocks(lane, bound_operations, partials, blocks.finish, slot);
  }

 private:
  // Returns the place of a value in scratch: values of several segments that are read at the same
  // time are in different banks of shared memory.
  HPK_INLINE_FUNCTION static constexpr int padded(int v) {
    return of_segment == 1 || !is_shuffled<value> ? v : v + v / of_segment;
  }
  /// Returns the iterations of a segment; none if there is no such segment.
  HPK_INLINE_FUNCTION index_range segment_of(int block, int segment) const {
    if (block >= blocks.finish.count || segment >= segments_of(block)) return {0, 0};
    const index_t end = plan.blocks.end(block);
    const index_t begin = plan.blocks.begin(block) + segment * plan.segment;
    return {begin, end - begin < plan.segment ? end : begin + plan.segment};
  }
  HPK_INLINE_FUNCTION int segments_of(int block) const {
    return block + 1 == blocks.finish.count ? blocks.segments[1] : blocks.segments[0];
  }
  HPK_INLINE_FUNCTION static constexpr bool is_ordered(const index_range& p) {
    return p.end - p.begin < interleaved_from<value, Walk::interleaved_from>;
  }
  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FORCEINLINE_FUNCTION void fold(const Lane& lane, const Operations& bound_operations,
                                     int block, int part, value& folded) const {
    const index_range p = segment_of(block, part / of_segment);
    if (p.begin >= p.end) return;
    decltype(auto) called = kernel_of(lane, kernel);
    value sum;
    bound_operations.init(sum);
    if constexpr (of_segment == 1) {
      walk.template each<Tag>(called, p.begin, p.end, sum);
    } else if (!is_ordered(p)) {
      walk.template strided<of_segment, Tag>(called, p.begin, p.end, part % of_segment, sum);
    } else if (part % of_segment == 0) {
      HPK_ROLLED_ON_DEVICE
      for (index_t k = p.begin; k < p.end; ++k) walk.template call<Tag>(called, k, sum);
    }
    folded = sum;
  }
  // Functors, because nvcc restricts lambdas.
  struct place_of_segment {
    HPK_INLINE_FUNCTION int operator()(int segment) const { return padded(segment * of_segment); }
  };
  struct is_interleaved {
    const lane_reduce_kernel& all;
    int first;
    HPK_INLINE_FUNCTION bool operator()(int segment) const {
      const int v = segment * of_segment;
      const int part = v & (all.blocks.width - 1);
      const index_range p = all.segment_of(first + (v >> all.blocks.shift), part / of_segment);
      return p.begin < p.end && !is_ordered(p);
    }
  };
  /// Joins the segments of each block of the group into the first segment.
  HPK_CALLS_EITHER
  template <class Lane>
  HPK_INLINE_FUNCTION void join_segments(Lane& lane, const Operations& bound_operations, int first,
                                         value* scratch) const {
    constexpr int stride = padded(of_segment);
    const int width = blocks.width;
    for (int reach = 1; reach * of_segment < width; reach *= joined_at_once) {
      const int most = reach * of_segment * joined_at_once;
      const int step = most < width ? most : width;
      for (int v = lane.lane_index() * step; v < blocks.values; v += lane.lanes() * step) {
        const int block = first + (v >> blocks.shift);
        if (block >= blocks.finish.count) continue;
        const int left = segments_of(block) - (v & (width - 1)) / of_segment;
        join_few(bound_operations, scratch + padded(v), parts_of(left, reach), reach * stride);
      }
      lane.barrier();
    }
  }
};

/// Reduces a short range in one group: each lane has an accumulator.
template <class Tag, class Walk, class F, class Operations, class Slot>
struct short_lane_reduce_kernel {
  using value = typename Operations::value_type;
  static constexpr int most_lanes = usual_lanes;
  static constexpr bool no_large_scratch = true;
  F kernel;
  Operations operations;
  Walk walk;
  index_t n;
  Slot slot;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    constexpr int all = short_range_accumulators;
    const Operations bound_operations = operations.of(kernel);
    value* const scratch = value_scratch<value>(lane);
    for (int v = lane.lane_index(); v < all; v += lane.lanes()) {
      value sum;
      bound_operations.init(sum);
      walk.template strided<all, Tag>(kernel_of(lane, kernel), 0, n, v, sum);
      scratch[v] = sum;
    }
    lane.barrier();
    join_lists<all>(lane, bound_operations, scratch, 1, place_of_list(), wants_list());
    if (lane.lane_index() != 0) return;
    value total = scratch[0];
    bound_operations.final(total);
    slot.store(total);
  }

 private:
  struct place_of_list {
    HPK_INLINE_FUNCTION int operator()(int) const { return 0; }
  };
  struct wants_list {
    HPK_INLINE_FUNCTION bool operator()(int) const { return true; }
  };
};

/// Words that are 0 at the beginning of a launch and that the launch resets to 0.
template <class Machine>
class zeroed_words {
 public:
  zeroed_words(Machine& machine, std::size_t bytes) : space_(machine, bytes) {
    if constexpr (!seam::has_zeroed_workspaces<Machine>) machine.fill(space_.data(), 0, bytes);
  }
  unsigned* data() const noexcept { return static_cast<unsigned*>(space_.data()); }

 private:
  seam::zeroed_workspace_t<Machine> space_;
};

/// Runs a reduction on a machine of many lanes.
template <class Tag, class Machine, class F, class Operations, class Slot, class Walk>
void run_lane_reduce(Machine& machine, const F& kernel, const Operations& operations,
                     const Slot& slot, const Walk& walk, index_t n, index_t chunk,
                     const seam::launch_info& info) {
  using value = typename Operations::value_type;
  static_assert(is_passed_as_bytes<value>,
                "hpk::parallel_reduce: on a GPU the value must be copyable as bytes; give it no "
                "destructor and no virtual function");
  const auto lanes = [&](int values) {
    const int most = machine.properties().folding_lanes;
    return values < most ? values : most;
  };
  if constexpr (has_short_ranges<Walk, Operations>) {
    if (is_short_range(n, chunk)) {
      constexpr int all = short_range_accumulators;
      send_result(machine, slot, [&](const auto& there) {
        using there_type = std::remove_cvref_t<decltype(there)>;
        using body = short_lane_reduce_kernel<Tag, Walk, F, Operations, there_type>;
        machine.launch(
            {.groups = 1, .lanes = lanes(all), .scratch = {value_scratch_bytes<value>(all), 0}},
            body{kernel, operations, walk, n, there}, info);
      });
      return;
    }
  }
  const reduce_plan plan = plan_reduce<value, Operations::interleave>(walk.row(), n, chunk);
  const lane_blocks blocks =
      divide_blocks<Operations>(plan, interleaved_from<value, Walk::interleaved_from>);
  const int count = blocks.finish.count;
  const partial_values<value, Machine> partials(machine, count == 0 ? 1 : count, 1, info);
  const zeroed_words<Machine> counter(machine, sizeof(unsigned));
  send_result(machine, slot, [&](const auto& there) {
    using there_type = std::remove_cvref_t<decltype(there)>;
    using body = lane_reduce_kernel<Tag, Walk, F, Operations, there_type>;
    machine.launch(
        {.groups = blocks.groups,
         .lanes = lanes(blocks.values),
         .scratch = {body::scratch_bytes(blocks), 0}},
        body{kernel, operations, walk, plan, blocks, partials.data(), counter.data(), there}, info);
  });
}

}  // namespace hpk::detail
