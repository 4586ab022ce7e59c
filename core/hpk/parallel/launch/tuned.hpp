// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that a tuning tool may choose: the tiles of an MDRange without tiles, and the size and
// vector length of teams if the program gives AUTO. If no tool observes the launch, the address of
// the policy is not taken, so that the policy stays in registers.
#pragma once

#include <hpk/parallel/launch/lanes.hpp>
#include <hpk/parallel/policies/mdrange_policy.hpp>
#include <hpk/parallel/policies/team_policy.hpp>
#include <hpk/tools/callbacks.hpp>
#include <hpk/tools/tuning.hpp>

namespace hpk::detail {

/// Asks the tool for the numbers of a launch; returns whether it chose them.
inline bool ask_tool(observed_launch& launch, const seam::launch_info& info, std::string_view space,
                     index_t iterations, tuned_number* numbers, int count) {
  launch.tuning = begin_tuned_launch(info, space, iterations, numbers, count);
  return launch.tuning != 0;
}

template <class Policy>
HPK_NOINLINE typename Policy::tile_type ask_for_tiles(Policy policy, const seam::launch_info& info,
                                                      observed_launch& launch) {
  typename Policy::tile_type tiles = policy.m_tile;
  if (!tool_callbacks.tunes_kernels.load(memory_order::relaxed)) return tiles;
  tuned_number numbers[Policy::rank];
  std::uint64_t points = 1;
  for (int r = 0; r < Policy::rank; ++r) {
    if (tiles[r] != 0) return tiles;
    points *= static_cast<std::uint64_t>(policy.upper(r) - policy.lower(r));
    numbers[r] = {tuned_number::tile, 0};
  }
  if (ask_tool(launch, info, Policy::execution_space::name(), static_cast<index_t>(points), numbers,
               Policy::rank)) {
    for (int r = 0; r < Policy::rank; ++r) tiles[r] = numbers[r].value;
  }
  return tiles;
}

/// Returns the tile sizes of a launch; `launch` is null if no tool observes it. Devices that divide
/// boxes without tiles do not ask the tool.
template <class Policy>
HPK_FORCEINLINE typename Policy::tile_type find_tiles(
    const Policy& policy, [[maybe_unused]] const seam::launch_info& info,
    [[maybe_unused]] observed_launch* launch) {
  typename Policy::tile_type tiles = policy.m_tile;
  using lane = typename seam::machine<typename Policy::execution_space>::lane;
  if constexpr (lane::single || runs_one_iteration<lane>) {
    if (launch != nullptr) [[unlikely]]
      tiles = ask_for_tiles(Policy(policy), info, *launch);
  }
  return tiles;
}

/// Returns the kernel if it requests scratch, else the placeholder no_functor.
template <class F>
HPK_FORCEINLINE decltype(auto) as_scratch_source(const F& kernel) {
  constexpr bool requests =
      requires { kernel.team_shmem_size(1); } || requires { kernel.shmem_size(1); };
  if constexpr (requests) {
    return (kernel);
  } else {
    return no_functor();
  }
}

template <class Policy, class F>
HPK_NOINLINE team_shape ask_for_team_shape(Policy policy, const F& kernel,
                                           const seam::launch_info& info, observed_launch& launch) {
  if (!policy.impl_auto_team_size() || !tool_callbacks.tunes_kernels.load(memory_order::relaxed))
    return policy.shape_for(kernel, info);
  using exec = typename Policy::execution_space;
  constexpr ParallelForTag pattern;
  const bool vectors = !seam::machine<exec>::lane::single && policy.impl_auto_vector_length();
  const index_t usual = policy.team_size_recommended(kernel, pattern);
  tuned_number numbers[] = {{tuned_number::team_size, usual, policy.team_size_max(kernel, pattern)},
                            {tuned_number::vector_length, policy.impl_vector_length(),
                             vectors ? Policy::vector_length_max() : 0}};
  if (ask_tool(launch, info, exec::name(), policy.league_size(), numbers, 2)) {
    if (vectors) policy.impl_set_vector_length(static_cast<int>(numbers[1].value));
    // Fewer threads may fit with longer vectors.
    const int most = policy.team_size_max(kernel, pattern);
    const auto chosen = static_cast<int>(numbers[0].value);
    if (most > 0) policy.impl_set_team_size(chosen < most ? chosen : most);
  }
  return policy.shape_for(kernel, info);
}

/// Returns the team_shape of a launch; `launch` is null if no tool observes it.
template <class Policy, class F>
HPK_FORCEINLINE team_shape find_team_shape(const Policy& policy, const F& kernel,
                                           const seam::launch_info& info, observed_launch* launch) {
  team_shape shape = policy.shape_for(kernel, info);
  if (launch != nullptr) [[unlikely]]
    shape = ask_for_team_shape(Policy(policy), as_scratch_source(kernel), info, *launch);
  return shape;
}

}  // namespace hpk::detail
