// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detects, where possible, kernels of reductions and scans that do not take their update by
// reference, so that contributions to the copy are lost.
#pragma once

#include <hpk/parallel/launch/dispatch.hpp>

namespace hpk::detail {

/// The types in which a kernel takes the arguments that identify the iteration, before Rest.
template <class Policy, class F, class... Rest>
constexpr auto find_iteration_parameters() {
  if constexpr (is_team_policy_v<Policy>) {
    return iteration_arguments<Policy>();
  } else {
    return index_parameters_t<count_arguments<Policy>(), typename Policy::index_type, F,
                              typename Policy::work_tag, Rest...>();
  }
}
template <class Policy, class F, class... Rest>
using iteration_parameters = decltype(find_iteration_parameters<Policy, F, Rest...>());

/// Whether the kernel, which can be called for an iteration of the policy, is known to take one of
/// its updates, of types Vs, by value.
template <class Policy, class F, class... Vs>
inline constexpr bool loses_updates_over =
    loses_an_update<F, typename Policy::work_tag, iteration_parameters<Policy, F, Vs&...>, Vs...>;
/// Whether the kernel of a scan is known to take its update by value; the final flag follows it.
template <class Policy, class F, class V>
inline constexpr bool loses_scan_update_over =
    loses_update<F, typename Policy::work_tag, V, iteration_parameters<Policy, F, V&, bool>,
                 type_list<>, type_list<bool>>;

}  // namespace hpk::detail
