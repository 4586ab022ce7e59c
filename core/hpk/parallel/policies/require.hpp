// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// require and prefer: add a property to a policy; it replaces a property of the same kind.
#pragma once

#include <hpk/parallel/policies/range_policy.hpp>

namespace hpk::detail {

template <class Policy, class P>
struct with_property;
template <template <class...> class Policy, class... Args, class P>
struct with_property<Policy<Args...>, P> {
  template <class Arg>
  static constexpr bool replaces = policy_properties::unite<Arg, P>;
  using type = std::conditional_t<(replaces<Args> || ...),
                                  Policy<std::conditional_t<replaces<Args>, P, Args>...>,
                                  Policy<Args..., P>>;
};

template <class Policy, class P>
constexpr auto add_property(const Policy& policy, const P& property) {
  constexpr bool of_policy = is_execution_policy_v<Policy>;
  static_assert(of_policy,
                "hpk::Experimental::require: the first argument is not a policy; write "
                "require(hpk::RangePolicy(b, e), property)");
  constexpr bool known = policy_properties::contain<P>;
  static_assert(known,
                "hpk::Experimental::require: the second argument is not a property of policies; "
                "write a WorkItemProperty::Hint..., Schedule<...>{}, DesiredOccupancy(percent), "
                "MaximizeOccupancy{} or StaticBatchSize<N>{}");
  if constexpr (of_policy && known) {
    typename with_property<Policy, P>::type result(policy);
    if constexpr (std::is_same_v<P, Experimental::DesiredOccupancy>) result.wish = property;
    return result;
  } else {
    return policy;  // avoids a second error
  }
}

}  // namespace hpk::detail

namespace hpk::Experimental {

/// Returns the policy with a property: a hint like WorkItemProperty::HintHeavyWeight, a
/// Schedule<...>{}, or a property of prefer. It replaces a property of the same kind. `policy`
/// itself does not change.
template <class Policy, class Property>
constexpr auto require(const Policy& policy, const Property& property) {
  return detail::add_property(policy, property);
}

/// Returns the policy with an optional property: DesiredOccupancy(percent), MaximizeOccupancy{},
/// StaticBatchSize<N>{}, or a property of require. A space that does not support it ignores it.
template <class Policy, class Property>
constexpr auto prefer(const Policy& policy, const Property& property) {
  return detail::add_property(policy, property);
}

}  // namespace hpk::Experimental
