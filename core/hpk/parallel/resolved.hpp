// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// policy.resolved(): what a launch of a policy would be like, as numbers and as text. Nothing of it
// is computed unless a program asks.
#pragma once

#include <hpk/parallel/mdrange_launch.hpp>
#include <hpk/parallel/team_launch.hpp>

#include <string>
#include <string_view>

namespace hpk {

/// The shape of a parallel_for over a policy, as it would be launched now.
struct ResolvedLaunch {
  /// Who runs it.
  enum class Place {
    Caller,    ///< the calling thread alone
    Workers,   ///< the workers of the instance, the calling thread among them
    Measured,  ///< one or the other, as launches of the kernel have shown: ask resolved(kernel)
    Device     ///< a device
  };
  std::string_view space;  ///< the name of the execution space
  Place place = Place::Workers;
  index_t iterations = 0;  ///< indices, points or teams
  index_t workers = 1;     ///< groups that run at the same time
  index_t groups = 0;      ///< groups that share the work, if it is not the calling thread's alone
  int lanes = 1;           ///< of each group
  bool dynamic = false;    ///< groups claim pieces; else each has one
  /// Iterations that are claimed at a time, or at multiples of which pieces end.
  index_t chunk = 1;
  int rank = 0;                      ///< dimensions of a box; else 0
  Iterate order = Iterate::Default;  ///< the index of a box that runs fastest
  index_t tile[8] = {};              ///< sizes of its tiles; all 0: it has none
  int team_size = 0;                 ///< threads of a team; else 0
  int vector_length = 0;             ///< lanes of each of them: 1 on hosts
  std::size_t scratch[2] = {0, 0};   ///< bytes of each level for each team

  /// All of it in a line: "Threads: 1000 iterations in 2 pieces on 2 workers, ...".
  std::string text() const;
};

}  // namespace hpk

namespace hpk::detail {

/// What is known of the launches of a kernel: nothing when there is none.
template <class Policy, class F>
ResolvedLaunch::Place find_place(index_t n, index_t groups) {
  using place = ResolvedLaunch::Place;
  if (groups <= 1) return place::Caller;
  const inline_rule rule = find_inline_rule<Policy::work_item_property::value>(n);
  if (rule != inline_rule::measured)
    return rule == inline_rule::always ? place::Caller : place::Workers;
  if constexpr (std::is_same_v<F, no_functor>) {
    return place::Measured;
  } else if constexpr (std::is_class_v<F>) {
    return memory_of_kernel<Policy, F>.allows(n) ? place::Caller : place::Workers;
  } else {
    return place::Workers;
  }
}

/// Returns what groups share: points, or tiles.
template <class Policy, class F>
index_t resolve_box(const Policy& policy, const F& kernel, ResolvedLaunch& found) {
  using exec = typename Policy::execution_space;
  found.rank = Policy::rank;
  constexpr bool last = last_is_fastest<exec, Policy::inner_direction>;
  bool other = false;
  if constexpr (Policy::inner_direction == Iterate::Default && seam::machine<exec>::lane::single)
    other = prefers_other_order<last>(kernel);
  std::uint64_t points = 1;  // of an empty box other extents may be huge
  std::uint64_t tiles = 1;
  bool tiled = false;
  for (int r = 0; r < Policy::rank; ++r) {
    const index_t extent = policy.upper(r) - policy.lower(r);
    found.tile[r] = policy.tile(r);
    points *= static_cast<std::uint64_t>(extent);
    const index_t size = policy.tile(r) == 0 ? (extent < 1 ? 1 : extent) : policy.tile(r);
    tiles *= static_cast<std::uint64_t>(extent / size + (extent % size != 0));
    tiled = tiled || policy.tile(r) != 0;
  }
  found.order = last == (other && !tiled) ? Iterate::Left : Iterate::Right;
  found.iterations = static_cast<index_t>(points);
  return tiled ? static_cast<index_t>(tiles) : found.iterations;
}

template <class Policy, class F>
ResolvedLaunch resolve(const Policy& policy, const F& kernel) {
  using machine_type = seam::machine<typename Policy::execution_space>;
  machine_type& machine = policy.space().instance();
  const seam::machine_properties properties = machine.properties();
  const seam::launch_info info{.pattern = "resolved", .label = {}, .where = {}};
  ResolvedLaunch found;
  found.space = properties.name;
  found.workers = properties.workers;
  found.dynamic = Policy::traits::dynamic;
  index_t pieces = 0;  // that groups share: iterations, or tiles
  if constexpr (is_team_policy_v<Policy>) {
    const team_shape shape = policy.shape_for(kernel, info);
    pieces = found.iterations = shape.league;
    found.team_size = shape.threads;
    found.lanes = machine_type::lane::single ? 1 : shape.lanes();
    found.vector_length = 1 << shape.vector_shift;
    for (int level = 0; level < 2; ++level) found.scratch[level] = shape.program_bytes(level);
  } else if constexpr (is_box_policy_v<Policy>) {
    pieces = resolve_box(policy, kernel, found);
  } else {
    pieces = found.iterations = count_iterations<typename Policy::index_type>(policy, info);
  }
  if constexpr (machine_type::lane::single) {
    const index_t chunk = policy.chunk_size();
    found.groups = pieces == 0 ? 0 : group_count(machine, pieces, chunk);
    found.place = find_place<Policy, F>(found.iterations, found.groups);
    if (chunk != 0) found.chunk = chunk;
    if (chunk == 0 && found.dynamic && pieces != 0)
      found.chunk = automatic_chunk(pieces, found.groups);
  } else {
    found.place = ResolvedLaunch::Place::Device;
    if constexpr (is_team_policy_v<Policy>) {
      found.groups = pieces;
    } else if (found.iterations != 0) {
      constexpr int most = launch_limits<typename Policy::launch_bounds, usual_lanes>::most_lanes;
      const seam::shape shape = plan_lanes(properties, found.iterations, most).shape;
      found.groups = shape.groups;
      found.lanes = shape.lanes;
    }
  }
  return found;
}

}  // namespace hpk::detail
