// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_for and parallel_reduce over teams. On machines whose groups have one lane a league is a
// range of ranks, dealt and folded as any other range; each rank runs its team's lanes on the
// worker that it fell to. On machines of many lanes a team is a group.
#pragma once

#include <hpk/parallel/for.hpp>
#include <hpk/parallel/lane_reduce.hpp>
#include <hpk/parallel/team.hpp>

namespace hpk::detail {

/// The scratch of one team after another on a worker.
template <class Machine>
class team_scratch {
 public:
  team_scratch(Machine& machine, const team_shape& shape)
      : level0_((shape.bytes(0) + 63) / 64 * 64), memory_(machine, level0_ + shape.bytes(1)) {}
  std::byte* level(int l) const noexcept {
    return static_cast<std::byte*>(memory_.data()) + (l == 0 ? 0 : level0_);
  }

 private:
  std::size_t level0_;
  typename Machine::workspace memory_;
};

/// Calls the kernel for one lane of each of some teams. Out of line for the reasons of for_indices,
/// and in this one place, so that the kernel is inlined.
template <class Exec, class Tag, class F, class... Update>
HPK_NOINLINE void call_teams(const F& HPK_RESTRICT kernel, const team_shape& shape, index_t begin,
                             index_t end, int index, int lanes,
                             const team_scratch<seam::machine<Exec>>& scratch, Update&... update) {
  kernel_in_loop<F> mine = in_loop(kernel);
  const team_shape asked = shape;
  std::byte* const level0 = scratch.level(0);
  std::byte* const level1 = scratch.level(1);
  for (index_t rank = begin; rank < end; ++rank) {
    const TeamMember<Exec> member(asked, rank, rank, index_t{asked.league}, index, lanes, level0,
                                  level1);
    call<Tag>(mine, member, update...);
  }
}

/// Runs the teams [begin, end) on the calling worker.
template <class Exec, class Tag, class F>
void run_teams(const F& kernel, const team_shape& shape, seam::machine<Exec>& machine,
               index_t begin, index_t end) {
  using machine_type = seam::machine<Exec>;
  const team_scratch<machine_type> scratch(machine, shape);
  if (shape.threads == 1) {
    call_teams<Exec, Tag>(kernel, shape, begin, end, 0, 1, scratch);
    return;
  }
  for (index_t rank = begin; rank < end; ++rank) {
    const auto run = [&](int index) {
      call_teams<Exec, Tag>(kernel, shape, rank, rank + 1, index, shape.threads, scratch);
    };
    machine_type::run_lanes(run, rank, shape.threads);
  }
}

/// Folds the teams [begin, end) into an update. Of several lanes every one has a value of its own;
/// they are joined in the order of the lanes.
template <class Exec, class Tag, class F, class Operations>
void fold_teams(const F& kernel, const team_shape& shape, seam::machine<Exec>& machine,
                const Operations& operations, index_t begin, index_t end,
                typename Operations::value_type& update) {
  using machine_type = seam::machine<Exec>;
  using value = typename Operations::value_type;
  const team_scratch<machine_type> scratch(machine, shape);
  if (shape.threads == 1) {
    call_teams<Exec, Tag>(kernel, shape, begin, end, 0, 1, scratch, update);
    return;
  }
  const partial_values<value, machine_type> values(machine, shape.threads);
  value* const each = values.data();
  for (index_t rank = begin; rank < end; ++rank) {
    for (int k = 0; k < shape.threads; ++k) operations.init(each[k]);
    const auto run = [&](int index) {
      call_teams<Exec, Tag>(kernel, shape, rank, rank + 1, index, shape.threads, scratch,
                            each[index]);
    };
    machine_type::run_lanes(run, rank, shape.threads);
    for (int k = 0; k < shape.threads; ++k) operations.join(update, each[k]);
  }
}

/// The body of a parallel_for over teams on a machine whose groups have one lane.
template <class Exec, class Tag, class F, bool Dynamic>
struct teams_kernel {
  const F& kernel;
  const team_shape& shape;
  seam::machine<Exec>& machine;
  piece_source<Dynamic> pieces;

  template <class Lane>
  void operator()(Lane& lane) const {
    pieces.for_each(lane, [this](const piece& p) {
      run_teams<Exec, Tag>(kernel, shape, machine, p.begin, p.end);
    });
  }
};

/// A kernel over teams as one over ranks that folds.
template <class Exec, class Tag, class F, class Operations>
struct team_fold {
  using value = typename Operations::value_type;
  const F& kernel;
  team_shape shape;
  seam::machine<Exec>& machine;
  Operations operations;

  void operator()(index_t rank, value& update) const {
    fold_teams<Exec, Tag>(kernel, shape, machine, operations, rank, rank + 1, update);
  }
};

/// The same operations without interleaved accumulators: team bodies are too large to gain from
/// them.
template <class Operations>
struct joined_in_order : Operations {
  static constexpr bool interleave = false;
};

/// The ranks of a league as a range.
template <class Policy>
auto league_range(const Policy& policy) {
  RangePolicy<typename Policy::execution_space, typename Policy::schedule_type, IndexType<index_t>,
              typename Policy::work_item_property>
      ranks(policy.space(), 0, policy.league_size());
  if (policy.given_chunk_size() != 0) ranks.set_chunk_size(policy.given_chunk_size());
  return ranks;
}

/// The body of a parallel_for over teams on a machine of many lanes.
template <class Exec, class Tag, class F, class Bounds>
struct team_lanes_kernel {
  using limits = launch_limits<Bounds, 1024>;
  static constexpr int most_lanes = limits::most_lanes;
  static constexpr int least_groups = limits::least_groups;
  F kernel;
  team_shape shape;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const TeamMember<Exec> member(shape, lane.group(), lane);
    call<Tag>(kernel, member);
  }
};

/// Folds the teams of a block into its partial value, one after another. A thread's update is that
/// of its first lane.
template <class Exec, class Tag, class F, class Operations>
struct team_lanes_fold {
  using value = typename Operations::value_type;
  F kernel;
  Operations operations;
  team_shape shape;
  block_plan plan;
  value* partials;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const Operations mine = operations.of(kernel);
    const index_t block = lane.group();
    value sum;
    mine.init(sum);
    for (index_t rank = plan.begin(block); rank < plan.end(block); ++rank) {
      const TeamMember<Exec> member(shape, rank, lane);
      value part;
      mine.init(part);
      call<Tag>(kernel, member, part);
      lane.barrier();  // the next team has the same scratch
      if (shape.threads != 1)
        join_lanes(thread_party(lane, shape.vector_shift), lane.scratch(0), mine, part);
      if (lane.lane_index() == 0) mine.join(sum, part);
    }
    if (lane.lane_index() == 0) partials[block] = sum;
  }
};

template <class Policy, class F>
void run_team_for(const Policy& policy, const team_shape& shape, const F& kernel,
                  const seam::launch_info& info) {
  using exec = typename Policy::execution_space;
  using tag = typename Policy::work_tag;
  using machine_type = seam::machine<exec>;
  if (shape.league == 0) return;
  if constexpr (machine_type::lane::single) {
    constexpr bool dynamic = Policy::traits::dynamic;
    machine_type& machine = policy.space().instance();
    static_assert(machine_type::synchronous);
    const index_t chunk = policy.given_chunk_size();
    launch_gauge gauge = gauge_launch<Policy, F>(machine, shape.league, chunk);
    const index_t groups = gauge.groups();
    const piece_schedule<machine_type, dynamic> schedule(machine, shape.league, groups, chunk);
    using body = teams_kernel<exec, tag, F, dynamic>;
    machine.launch(gauge.shape(groups), body{kernel, shape, machine, schedule.pieces()}, info);
    gauge.learn(groups);
  } else {
    machine_type& machine = policy.space().instance();
    machine.launch({.groups = shape.league,
                    .lanes = shape.lanes(),
                    .scratch = {shape.bytes(0), shape.bytes(1)}},
                   team_lanes_kernel<exec, tag, F, typename Policy::launch_bounds>{kernel, shape},
                   info);
  }
}

template <class Policy, class F, class Operations, class Slot>
void run_team_reduce(const Policy& policy, const team_shape& shape, const F& kernel,
                     const Operations& operations, const Slot& slot,
                     const seam::launch_info& info) {
  using exec = typename Policy::execution_space;
  using tag = typename Policy::work_tag;
  using machine_type = seam::machine<exec>;
  machine_type& machine = policy.space().instance();
  if constexpr (machine_type::lane::single) {
    const team_fold<exec, tag, F, Operations> teams{kernel, shape, machine, operations};
    run_single_lane_reduce(league_range(policy), teams, joined_in_order<Operations>{operations},
                           slot, info);
  } else {
    using value = typename Operations::value_type;
    static_assert(is_passed_as_bytes<value>,
                  "hpk::parallel_reduce: on a GPU the value must be copyable as bytes; give it no "
                  "destructor and no virtual function");
    const index_t league = shape.league;
    const block_plan plan = {league, league <= 1024 ? 1 : (league + 1023) / 1024};
    const index_t count = plan.count();
    const partial_values<value, machine_type> partials(machine, count == 0 ? 1 : count, 1, info);
    if (count != 0) {
      machine.launch(
          {.groups = count, .lanes = shape.lanes(), .scratch = {shape.bytes(0), shape.bytes(1)}},
          team_lanes_fold<exec, tag, F, Operations>{kernel, operations, shape, plan,
                                                    partials.data()},
          info);
    }
    finish_lane_reduce(machine, kernel, operations, partials.data(), count, slot, info);
  }
}

}  // namespace hpk::detail
