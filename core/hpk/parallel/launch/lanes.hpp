// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Independent iterations on machines of many lanes: each group takes one contiguous part, which its
// lanes divide.
#pragma once

#include <hpk/parallel/launch/range_walk.hpp>
#include <hpk/seam/abilities.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/seam/machine.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace hpk::detail {

/// Returns the iterations of [begin, end) that a lane runs if each lane takes `each` consecutive
/// ones.
HPK_INLINE_FUNCTION constexpr index_range lane_chunk(index_t begin, index_t end, index_t each,
                                                     int lane) noexcept {
  const index_t before = each * lane;
  const index_t first = end - begin < before ? end : begin + before;
  return {first, end - first < each ? end : first + each};
}

/// A kernel that reports each call to the lane if a profile counts the launch.
template <class Lane, class F>
struct noted_kernel {
  const Lane& lane;
  const F& kernel;
  bool is_noted;
  template <class... Args>
  HPK_FORCEINLINE void operator()(Args&&... args) const {
    if (is_noted) [[unlikely]]
      lane.begin_iteration();
    kernel(static_cast<Args&&>(args)...);
  }
};
/// Returns the callable for a lane that runs several iterations: the kernel, or a wrapper that
/// reports each iteration.
HPK_CALLS_EITHER
template <class Lane, class F>
HPK_FORCEINLINE_FUNCTION decltype(auto) kernel_of(const Lane& lane, const F& kernel) {
  if constexpr (seam::notes_iterations<Lane>) {
    return noted_kernel<Lane, F>{lane, kernel, lane.is_counted()};
  } else {
    return (kernel);
  }
}

/// Whether each lane of a parallel_for runs at most one iteration.
template <class Lane>
inline constexpr bool runs_one_iteration = false;
template <class Lane>
  requires Lane::has_one_iteration
inline constexpr bool runs_one_iteration<Lane> = true;

/// n iterations divided into one part for each group.
struct lane_plan {
  seam::shape shape;
  index_t n;
  index_t part;  ///< iterations of each group except the last; a multiple of the number of lanes
};

/// The largest number of lanes in a group that the compiler assumes for kernels without
/// LaunchBounds.
inline constexpr int usual_lanes = 256;

/// Plans groups of at most `most_lanes` lanes for n > 0 iterations: up to machine.lane_iterations
/// per lane, but fewer if there would be less than about two groups per worker.
inline lane_plan plan_lanes(const seam::machine_properties& machine, index_t n,
                            int most_lanes = usual_lanes) {
  const index_t lanes = machine.preferred_lanes < most_lanes ? machine.preferred_lanes : most_lanes;
  const index_t rows = n / lanes + (n % lanes != 0);
  index_t rows_each = rows / (2 * machine.workers);
  if (rows_each > machine.lane_iterations) rows_each = machine.lane_iterations;
  if (rows_each < 1) rows_each = 1;
  const index_t part = rows_each * lanes;
  return {{.groups = n / part + (n % part != 0), .lanes = static_cast<int>(lanes)}, n, part};
}

/// The launch limits that the compiler assumes: from LaunchBounds, else `Lanes` lanes and one
/// group.
template <class Bounds, int Lanes>
struct launch_limits {
  static constexpr int most_lanes =
      Bounds::max_threads == 0 ? Lanes : static_cast<int>(Bounds::max_threads);
  static constexpr int least_groups =
      Bounds::min_blocks == 0 ? 1 : static_cast<int>(Bounds::min_blocks);
};

/// The body of a parallel_for on a machine of many lanes. A lane takes every lanes()-th iteration
/// of its group's part, so that neighbouring lanes access neighbouring elements. With
/// Lane::takes_neighbours, on machines with the caches of a CPU, a lane takes contiguous
/// iterations.
template <class Tag, class Walk, class F, class Bounds = LaunchBounds<>>
struct for_lanes_kernel {
  using limits = launch_limits<Bounds, usual_lanes>;
  static constexpr int most_lanes = limits::most_lanes;
  static constexpr int least_groups = limits::least_groups;
  static constexpr bool no_large_scratch = true;
  F kernel;
  Walk walk;
  index_t n;
  index_t part;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const index_t first = lane.group() * part;
    const index_t last = n - first < part ? n : first + part;
    if constexpr (Lane::takes_neighbours) {
      const index_range p = lane_chunk(first, last, part / lane.lanes(), lane.lane_index());
      if (p.begin < p.end) for_indices<Tag>(kernel, walk, p.begin, p.end);
    } else {
      for (index_t k = first + lane.lane_index(); k < last; k += lane.lanes())
        walk.template call<Tag>(kernel, k);
    }
  }
};

/// The type in which a device computes indices of type I: at least 32 bits, because sums of smaller
/// types are ints.
template <class I>
using computed_index = std::conditional_t<(sizeof(I) < 4), int, I>;

/// The body of a parallel_for over a range on machines whose lanes have one iteration: a lane only
/// computes its index and compares it with the end.
template <class Tag, class I, class F, class Bounds = LaunchBounds<>>
struct for_range_kernel {
  using limits = launch_limits<Bounds, usual_lanes>;
  static constexpr int most_lanes = limits::most_lanes;
  static constexpr int least_groups = limits::least_groups;
  static constexpr bool no_large_scratch = true;
  using index = computed_index<I>;
  F kernel;
  index begin;
  index end;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    using bits = std::make_unsigned_t<index>;
    // A launch has fewer than 2^31 groups.
    const bits group = static_cast<std::uint32_t>(lane.group());
    const bits first = group * static_cast<std::uint32_t>(lane.lanes()) + static_cast<bits>(begin);
    const auto i = static_cast<index>(first + static_cast<std::uint32_t>(lane.lane_index()));
    if (i < end) call<Tag>(kernel, static_cast<I>(i));
  }
};

/// The most groups of a launch whose lanes compute their place from a 32-bit group number.
inline constexpr index_t most_groups = 0x7fff'ffff;

/// Divides a range of n > 0 iterations into launches, and calls visit(begin, end, groups, lanes)
/// for each, with the first and the last index as cursors. A range is one launch, unless it needs
/// more groups than a launch has, or ends so near to the highest index that excess lanes would
/// wrap. In the second case the last group is a separate launch with fewer lanes.
template <class I, class Visit>
void for_launches(I begin, index_t n, int lanes, index_t most, const Visit& visit) {
  using index = computed_index<I>;
  const auto left = static_cast<std::uint64_t>(std::numeric_limits<index>::max()) -
                    static_cast<std::uint64_t>(index_after(static_cast<index>(begin), n));
  const index_t rest = left < static_cast<std::uint64_t>(lanes) ? n % lanes : 0;
  const auto launch = [&](index_t first, index_t last, index_t groups, int wide) {
    visit(index_after(static_cast<index>(begin), first),
          index_after(static_cast<index>(begin), last), groups, wide);
  };
  for (index_t first = 0; first < n - rest;) {
    const index_t size = n - rest - first;
    const index_t groups = (size - 1) / lanes + 1;
    const index_t last = groups > most ? first + most * lanes : n - rest;
    launch(first, last, groups > most ? most : groups, lanes);
    first = last;
  }
  if (rest != 0) launch(n - rest, n, 1, static_cast<int>(rest));
}

/// Launches a kernel over the n iterations of a walk on a machine of many lanes.
template <class Tag, class Bounds = LaunchBounds<>, class Walk, class Machine, class F>
void launch_lanes(Machine& machine, const F& kernel, const Walk& walk, index_t n,
                  const seam::launch_info& info) {
  if (n == 0) return;
  if constexpr (runs_one_iteration<typename Machine::lane>) {
    using I = typename Walk::index_type;
    using body = for_range_kernel<Tag, I, F, Bounds>;
    using index = typename body::index;
    const int lanes = plan_lanes(machine.properties(), n, body::most_lanes).shape.lanes;
    for_launches(
        walk.origin, n, lanes, most_groups, [&](index begin, index end, index_t groups, int wide) {
          machine.launch({.groups = groups, .lanes = wide}, body{kernel, begin, end}, info);
        });
  } else {
    using body = for_lanes_kernel<Tag, Walk, F, Bounds>;
    const lane_plan plan = plan_lanes(machine.properties(), n, body::most_lanes);
    machine.launch(plan.shape, body{kernel, walk, n, plan.part}, info);
  }
}

}  // namespace hpk::detail
