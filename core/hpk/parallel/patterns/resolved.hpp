// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// policy.resolved(): how a launch of a policy would run, as numbers and as text. Computed only on
// request.
#pragma once

#include <hpk/parallel/launch/mdrange_launch.hpp>
#include <hpk/parallel/patterns/team_launch.hpp>

#include <string>
#include <string_view>

namespace hpk {

/// How a parallel_for over a policy would run now.
struct ResolvedLaunch {
  /// Where the launch runs.
  enum class Place {
    Caller,    ///< the calling thread alone
    Workers,   ///< the workers of the instance, the calling thread among them; while workers
               ///< sleep, a short launch may be left to the calling thread
    Measured,  ///< Caller or Workers, by the measured cost of the kernel: call resolved(kernel)
    Device     ///< a device
  };
  std::string_view space;        ///< the name of the execution space
  Place place = Place::Workers;  ///< which threads or device run it
  index_t iterations = 0;        ///< iterations, or teams
  index_t workers = 1;           ///< groups that run at the same time
  index_t groups = 0;  ///< chunks or groups of the launch, unless the calling thread runs it alone
  int lanes = 1;       ///< lanes of each group
  bool dynamic = false;  ///< true: workers claim chunks; false: each worker has one
  /// Iterations per claim; chunks of Schedule<Static> end at multiples of it.
  index_t chunk = 1;
  int rank = 0;                      ///< dimensions of an MDRange; else 0
  Iterate order = Iterate::Default;  ///< the loop order of an MDRange
  index_t tile[8] = {};              ///< tile sizes of an MDRange; all 0: no tiles
  int team_size = 0;                 ///< threads of a team; else 0
  int vector_length = 0;             ///< vector lanes of a thread: 1 on hosts
  std::size_t scratch[2] = {0, 0};   ///< bytes of each level for each team

  /// A line of text: "Threads: 1000 iterations in 2 chunks on 2 workers, ...".
  std::string text() const;
};

}  // namespace hpk

namespace hpk::detail {

/// Returns where the kernel would run, by its measured cost if it was launched before.
template <class Policy, class F>
ResolvedLaunch::Place find_place(index_t n, index_t groups) {
  using place = ResolvedLaunch::Place;
  if (groups <= 1) return place::Caller;
  const inline_rule rule = find_inline_rule(Policy::work_item_property::value, n);
  if (rule != inline_rule::measured)
    return rule == inline_rule::always ? place::Caller : place::Workers;
  if constexpr (std::is_same_v<F, no_functor>) {
    return place::Measured;
  } else if constexpr (std::is_class_v<F>) {
    return history_of_kernel<Policy, F>.allows(n) ? place::Caller : place::Workers;
  } else {
    return place::Workers;
  }
}

/// Sets the groups of an MDRange that is not empty, on machines whose groups run tiles.
template <class Policy>
void resolve_tiles(const Policy& policy, const seam::machine_properties& properties, int most_lanes,
                   ResolvedLaunch& found) {
  using exec = typename Policy::execution_space;
  index_space<Policy::rank, typename Policy::index_type,
              last_is_fastest<exec, Policy::inner_direction>>
      shape;
  for (int r = 0; r < Policy::rank; ++r) {
    shape.lower[r] = policy.lower(r);
    shape.extent[r] = policy.upper(r) - policy.lower(r);
  }
  const auto edges = plan_tiles(shape, found.tile,
                                most_tile_lanes(properties, Policy::rank, found.tile, most_lanes));
  found.lanes = edges.lanes();
  found.groups = 1;
  for (int r = 0; r < Policy::rank; ++r) found.groups *= edges.count(r, shape.extent[r]);
}

/// Returns the number of iterations or tiles that groups divide.
template <class Policy, class F>
index_t resolve_mdrange(const Policy& policy, const F& kernel, ResolvedLaunch& found) {
  using exec = typename Policy::execution_space;
  found.rank = Policy::rank;
  constexpr bool last = last_is_fastest<exec, Policy::inner_direction>;
  bool other = false;
  if constexpr (Policy::inner_direction == Iterate::Default && seam::machine<exec>::lane::single)
    other = prefers_other_order<last>(kernel);
  std::uint64_t points = 1;  // unsigned: an empty MDRange may have huge extents in other dimensions
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
  index_t items = 0;  // iterations or tiles that groups divide
  if constexpr (is_team_policy_v<Policy>) {
    const team_shape shape = policy.shape_for(kernel, info);
    items = found.iterations = shape.league;
    found.team_size = shape.threads;
    found.lanes = machine_type::lane::single ? 1 : shape.lanes();
    found.vector_length = 1 << shape.vector_shift;
    for (int level = 0; level < 2; ++level) found.scratch[level] = shape.program_bytes(level);
  } else if constexpr (is_mdrange_policy_v<Policy>) {
    items = resolve_mdrange(policy, kernel, found);
  } else {
    items = found.iterations = count_iterations<typename Policy::index_type>(policy, info);
  }
  if constexpr (machine_type::lane::single) {
    const index_t chunk = chunk_of(policy);
    found.groups = items == 0 ? 0 : group_count(machine, items, chunk);
    found.place = find_place<Policy, F>(found.iterations, found.groups);
    if (chunk != 0) found.chunk = chunk;
    if (chunk == 0 && found.dynamic && items != 0)
      found.chunk = automatic_chunk(items, found.groups);
  } else {
    found.place = ResolvedLaunch::Place::Device;
    if constexpr (is_team_policy_v<Policy>) {
      found.groups = items;
    } else if (found.iterations != 0) {
      constexpr int most = launch_limits<typename Policy::launch_bounds, usual_lanes>::most_lanes;
      if constexpr (is_mdrange_policy_v<Policy> &&
                    runs_one_iteration<typename machine_type::lane>) {
        resolve_tiles(policy, properties, most, found);
        return found;
      }
      const seam::shape shape = plan_lanes(properties, found.iterations, most).shape;
      found.groups = shape.groups;
      found.lanes = shape.lanes;
    }
  }
  return found;
}

}  // namespace hpk::detail
