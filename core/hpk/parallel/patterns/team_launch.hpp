// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of a TeamPolicy. On machines whose groups have one lane, a league is a range of team
// ranks, distributed and folded like any other range; one worker runs all lanes of a team. On
// machines of many lanes, a team is a group.
#pragma once

#include <hpk/parallel/launch/tuned.hpp>
#include <hpk/parallel/patterns/lane_reduce.hpp>
#include <hpk/parallel/team/team.hpp>

namespace hpk::detail {

/// The scratch of a worker, which its teams reuse in order.
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

/// Calls the kernel for one lane of each team in [begin, end). Out of line for the reasons given at
/// for_indices, and the only call of the kernel, so that the kernel is inlined.
template <class Exec, class Tag, class F, class... Update>
HPK_NOINLINE void call_teams(const F& HPK_RESTRICT kernel, const team_shape& shape, index_t begin,
                             index_t end, int index, int lanes,
                             const team_scratch<seam::machine<Exec>>& scratch, Update&... update) {
  kernel_in_loop<F> loop_kernel = in_loop(kernel);
  const team_shape local_shape = shape;
  std::byte* const level0 = scratch.level(0);
  std::byte* const level1 = scratch.level(1);
  for (index_t rank = begin; rank < end; ++rank) {
    const TeamMember<Exec> member(local_shape, rank, rank, index_t{local_shape.league}, index,
                                  lanes, level0, level1);
    call<Tag>(loop_kernel, member, update...);
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

/// Folds the teams [begin, end) into an update. If a team has several lanes, each has a separate
/// value; the values are joined in lane order.
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

/// The walk through the teams of a league. Refers to the plan of the launch.
template <class Exec>
struct team_walk {
  static constexpr bool is_range = false;
  using machine_type = seam::machine<Exec>;
  static constexpr index_t row() noexcept { return no_segments; }

  const team_shape& shape;
  machine_type& machine;

  /// Folds in order: team bodies are too large to gain from interleaved accumulators.
  template <class Tag, class F, class Operations>
  typename Operations::value_type fold(const F& kernel, const Operations& operations, index_t first,
                                       index_t last) const {
    typename Operations::value_type sum;
    operations.init(sum);
    fold_teams<Exec, Tag>(kernel, shape, machine, operations, first, last, sum);
    return sum;
  }
};

template <class Tag, class F, class Exec>
HPK_FORCEINLINE void for_indices(const F& kernel, const team_walk<Exec>& walk, index_t first,
                                 index_t last) {
  run_teams<Exec, Tag>(kernel, walk.shape, walk.machine, first, last);
}

/// The result of walk_of for a TeamPolicy.
template <class Exec>
struct team_plan {
  const team_shape shape;
  const team_walk<Exec> walk;
  const index_t n;
  const index_t items;
  static constexpr index_t before = 0;

  template <class Policy, class F>
  HPK_FORCEINLINE team_plan(const Policy& policy, const F& kernel, const seam::launch_info& info,
                            observed_launch* observed)
      : shape(find_team_shape(policy, kernel, info, observed)),
        walk{shape, policy.space().instance()},
        n(shape.league),
        items(shape.league) {}
  team_plan(const team_plan&) = delete;
  team_plan& operator=(const team_plan&) = delete;
};

template <class Policy>
  requires is_team_policy_v<Policy>
struct walk_of<Policy> {
  using exec = typename Policy::execution_space;
  template <class F, class... Rest>
  HPK_FORCEINLINE static auto find(const Policy& policy, const F& kernel,
                                   const seam::launch_info& info, observed_launch* observed) {
    static_assert(!seam::machine<exec>::lane::single || seam::machine<exec>::synchronous);
    return team_plan<exec>(policy, kernel, info, observed);
  }
  template <class F>
  HPK_FORCEINLINE static auto find_for(const Policy& policy, const F& kernel,
                                       const seam::launch_info& info, observed_launch* observed) {
    return find<F>(policy, kernel, info, observed);
  }
};

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
    unsigned turn = 0;
    const TeamMember<Exec> member(shape, lane.group(), turn, lane);
    call<Tag>(kernel, member);
  }
};

/// Folds the teams of a block, in order, into its partial value; the last group joins the values of
/// all blocks. A thread contributes the update of its first lane.
template <class Exec, class Tag, class F, class Operations, class Slot>
struct team_lanes_fold {
  using value = typename Operations::value_type;
  /// The number of values that the last group joins in scratch, a power of two. They take at most 4
  /// KiB, so that more groups fit a multiprocessor.
  static constexpr int joined_values = values_in_scratch<value>(usual_lanes, 4096);
  F kernel;
  Operations operations;
  team_shape shape;
  block_plan plan;
  finish_plan finish;
  value* partials;
  unsigned* counter;
  Slot slot;

  /// The bytes of level-0 scratch that the last group needs.
  static constexpr std::size_t finish_bytes = flag_offset<value>(joined_values) + sizeof(int);

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const Operations bound_operations = operations.of(kernel);
    const index_t block = lane.group();
    value sum;
    bound_operations.init(sum);
    unsigned turn = 0;
    for (index_t rank = plan.begin(block); rank < plan.end(block); ++rank) {
      const TeamMember<Exec> member(shape, rank, turn, lane);
      value part;
      bound_operations.init(part);
      call<Tag>(kernel, member, part);
      lane.barrier();  // the next team uses the same scratch
      if (shape.threads != 1) {
        part = joined_value(thread_tile(lane, shape.vector_shift),
                            exchange_slots(lane.scratch(0), lane.lanes(), turn), bound_operations,
                            part);
      }
      if (lane.lane_index() == 0) bound_operations.join(sum, part);
    }
    if (lane.lane_index() == 0) partials[block] = sum;
    auto* const flag = reinterpret_cast<int*>(lane.scratch(0) + flag_offset<value>(joined_values));
    if (is_last_group(lane, counter, flag))
      finish_blocks(lane, bound_operations, partials, finish, slot);
  }
};

template <class Tag, class Bounds, class Exec, class Machine, class F>
void launch_lanes(Machine& machine, const F& kernel, const team_walk<Exec>& walk, index_t league,
                  const seam::launch_info& info) {
  const team_shape& shape = walk.shape;
  machine.launch(
      {.groups = league, .lanes = shape.lanes(), .scratch = {shape.bytes(0), shape.bytes(1)}},
      team_lanes_kernel<Exec, Tag, F, Bounds>{kernel, shape}, info);
}

/// Runs a reduction over teams on a machine of many lanes.
template <class Tag, class Exec, class F, class Operations, class Slot>
void run_lane_reduce(seam::machine<Exec>& machine, const F& kernel, const Operations& operations,
                     const Slot& slot, const team_walk<Exec>& walk, index_t league, index_t,
                     const seam::launch_info& info) {
  using value = typename Operations::value_type;
  static_assert(is_passed_as_bytes<value>,
                "hpk::parallel_reduce: on a GPU the value must be copyable as bytes; give it no "
                "destructor and no virtual function");
  const team_shape& shape = walk.shape;
  const block_plan plan = {league, league <= 1024 ? 1 : (league + 1023) / 1024};
  const index_t count = plan.count();
  const partial_values<value, seam::machine<Exec>> partials(machine, count == 0 ? 1 : count, 1,
                                                            info);
  const zeroed_words<seam::machine<Exec>> counter(machine, sizeof(unsigned));
  send_result(machine, slot, [&](const auto& there) {
    using there_type = std::remove_cvref_t<decltype(there)>;
    using body = team_lanes_fold<Exec, Tag, F, Operations, there_type>;
    const auto bytes = static_cast<std::size_t>(shape.bytes(0));
    const finish_plan finish = finish_plan::of(count, body::joined_values);
    machine.launch(
        {.groups = count == 0 ? 1 : count,
         .lanes = shape.lanes(),
         .scratch = {bytes < body::finish_bytes ? body::finish_bytes : bytes, shape.bytes(1)}},
        body{kernel, operations, shape, plan, finish, partials.data(), counter.data(), there},
        info);
  });
}

}  // namespace hpk::detail
