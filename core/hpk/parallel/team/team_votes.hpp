// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Team barriers at which the threads vote: CUDA's __syncthreads_count, _and and _or.
#pragma once

#include <hpk/parallel/operations/reducer.hpp>
#include <hpk/parallel/team/team.hpp>

namespace hpk {

/// Collective, like team_barrier(): waits for all threads of the team, makes their earlier writes
/// visible to all, and returns to each the number of threads that passed true. A thread of several
/// lanes counts once, by the flag of its first lane.
HPK_CALLS_EITHER
template <class Exec>
HPK_FUNCTION int team_barrier_count(const TeamMember<Exec>& team, bool flag) {
  // A reduction also waits for all threads.
  int count = flag ? 1 : 0;
  team.team_reduce(Sum<int>(count));
  return count;
}
/// team_barrier_count() that returns whether all threads passed true.
HPK_CALLS_EITHER
template <class Exec>
HPK_FUNCTION bool team_barrier_and(const TeamMember<Exec>& team, bool flag) {
  return team_barrier_count(team, flag) == team.team_size();
}
/// team_barrier_count() that returns whether any thread passed true.
HPK_CALLS_EITHER
template <class Exec>
HPK_FUNCTION bool team_barrier_or(const TeamMember<Exec>& team, bool flag) {
  return team_barrier_count(team, flag) != 0;
}

}  // namespace hpk
