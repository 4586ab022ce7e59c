// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Independent iterations on machines of many lanes: each group takes one contiguous part, which its
// lanes divide.
#pragma once

#include <hpk/parallel/range_walk.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/seam/machine.hpp>

namespace hpk::detail {

/// The iterations of [begin, end) that a lane runs if each takes `each` neighbours.
HPK_INLINE_FUNCTION constexpr index_range lane_chunk(index_t begin, index_t end, index_t each,
                                                     int lane) noexcept {
  const index_t before = each * lane;
  const index_t first = end - begin < before ? end : begin + before;
  return {first, end - first < each ? end : first + each};
}

/// n iterations divided into one part for each group.
struct lane_plan {
  seam::shape shape;
  index_t n;
  index_t part;  ///< iterations of each group but the last; a multiple of the number of lanes
};

/// The largest number of lanes in a group that the compiler assumes for kernels without
/// LaunchBounds.
inline constexpr int usual_lanes = 256;

/// Plans groups of at most `most_lanes` lanes for n > 0 iterations: up to machine.lane_iterations
/// for each lane, but fewer if there would be less than about two groups for each worker.
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

/// The launch limits that the compiler assumes: those of LaunchBounds, else Lanes.
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
    } else if constexpr (requires { requires Lane::has_one_iteration; }) {
      const index_t k = first + lane.lane_index();
      if (k < n) walk.template call<Tag>(kernel, k);
    } else {
      for (index_t k = first + lane.lane_index(); k < last; k += lane.lanes())
        walk.template call<Tag>(kernel, k);
    }
  }
};

/// Launches a kernel over the n iterations of a walk on a machine of many lanes.
template <class Tag, class Bounds = LaunchBounds<>, class Walk, class Machine, class F>
void launch_lanes(Machine& machine, const F& kernel, const Walk& walk, index_t n,
                  const seam::launch_info& info) {
  if (n == 0) return;
  using body = for_lanes_kernel<Tag, Walk, F, Bounds>;
  const lane_plan plan = plan_lanes(machine.properties(), n, body::most_lanes);
  machine.launch(plan.shape, body{kernel, walk, n, plan.part}, info);
}

}  // namespace hpk::detail
