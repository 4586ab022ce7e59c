// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts policies to numbers and back: a replayed launch gets a policy like the captured one, on
// another instance.
#pragma once

#include <hpk/parallel/policies/mdrange_policy.hpp>
#include <hpk/parallel/policies/range_policy.hpp>
#include <hpk/parallel/policies/team_policy.hpp>
#include <hpk/tools/launch_observer.hpp>

namespace hpk::detail {

/// Returns bounds and chunk size, bounds and tiles, or sizes and scratch of teams; nothing for
/// other policies.
template <class Policy>
policy_numbers numbers_of(const Policy& policy) {
  policy_numbers found;
  const auto add = [&](auto value) { found.values[found.count++] = static_cast<index_t>(value); };
  if constexpr (requires { policy.m_tile; }) {
    for (int r = 0; r < Policy::rank; ++r) {
      add(policy.m_lower[r]);
      add(policy.m_upper[r]);
      add(policy.m_tile[r]);
    }
  } else if constexpr (requires { policy.league_size(); }) {
    add(policy.league_size());
    add(policy.impl_auto_team_size() ? int{team_count::automatic} : policy.team_size());
    add(policy.impl_auto_vector_length() ? int{team_count::automatic}
                                         : policy.impl_vector_length());
    add(policy.given_chunk_size());
    for (int level = 0; level < 2; ++level) {
      add(policy.team_scratch_size(level));
      add(policy.thread_scratch_size(level));
    }
  } else if constexpr (requires { policy.begin(); }) {
    add(policy.begin());
    add(policy.end());
    add(policy.chunk_size());
  }
  return found;
}

/// Returns the policy with these numbers on the default instance of its space.
template <class Policy>
Policy policy_from(const policy_numbers& numbers) {
  const index_t* const v = numbers.values;
  using exec = typename Policy::execution_space;
  if constexpr (requires(const Policy& p) { p.m_tile; }) {
    Policy policy;
    for (int r = 0; r < Policy::rank; ++r) {
      policy.m_lower[r] = v[3 * r];
      policy.m_upper[r] = v[3 * r + 1];
      policy.m_tile[r] = v[3 * r + 2];
    }
    return policy;
  } else if constexpr (requires(const Policy& p) { p.league_size(); }) {
    Policy policy(exec(), v[0], 1);
    policy.impl_set_team_size(static_cast<int>(v[1]));
    policy.impl_set_vector_length(static_cast<int>(v[2]));
    if (v[3] != 0) policy.set_chunk_size(static_cast<int>(v[3]));
    for (int level = 0; level < 2; ++level)
      policy.set_scratch_size(level, PerTeam(v[4 + 2 * level]), PerThread(v[5 + 2 * level]));
    return policy;
  } else {
    using index = typename Policy::index_type;
    Policy policy(exec(), static_cast<index>(v[0]), static_cast<index>(v[1]));
    if (v[2] != 0) policy.set_chunk_size(static_cast<int>(v[2]));
    return policy;
  }
}

/// Returns the iterations of a pattern with these numbers: a count, a policy, or one of them
/// backward.
template <class Iterations>
Iterations iterations_from(const policy_numbers& numbers) {
  if constexpr (integer_value<Iterations>) {
    return static_cast<Iterations>(numbers.values[1]);
  } else if constexpr (requires { &Iterations::forward; }) {
    return {iterations_from<decltype(Iterations::forward)>(numbers)};
  } else {
    return policy_from<Iterations>(numbers);
  }
}

}  // namespace hpk::detail
