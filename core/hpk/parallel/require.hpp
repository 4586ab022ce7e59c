// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// require and prefer: a policy with one more property, which replaces one of the same kind.
#pragma once

#include <hpk/parallel/range_policy.hpp>

namespace hpk::detail {

/// Which properties a policy takes, and whether two are of the same kind.
template <class P>
inline constexpr bool is_policy_property_v =
    is_work_item_property<P>::value || is_schedule<P>::value || is_occupancy<P>::value ||
    is_batch_size<P>::value;
template <class A, class B>
inline constexpr bool are_one_kind_v =
    (is_work_item_property<A>::value && is_work_item_property<B>::value) ||
    (is_schedule<A>::value && is_schedule<B>::value) ||
    (is_occupancy<A>::value && is_occupancy<B>::value) ||
    (is_batch_size<A>::value && is_batch_size<B>::value);

template <class Policy, class P>
struct with_property;
template <template <class...> class Policy, class... Args, class P>
struct with_property<Policy<Args...>, P> {
  using type = std::conditional_t<(are_one_kind_v<Args, P> || ...),
                                  Policy<std::conditional_t<are_one_kind_v<Args, P>, P, Args>...>,
                                  Policy<Args..., P>>;
};

template <class Policy, class P>
constexpr auto add_property(const Policy& policy, const P& property) {
  constexpr bool of_policy = is_execution_policy_v<Policy>;
  static_assert(of_policy,
                "hpk::Experimental::require: the first argument is not a policy; write "
                "require(hpk::RangePolicy(b, e), property)");
  constexpr bool known = is_policy_property_v<P>;
  static_assert(known,
                "hpk::Experimental::require: the second argument is not a property of policies; "
                "write a WorkItemProperty::Hint..., Schedule<...>{}, DesiredOccupancy(percent), "
                "MaximizeOccupancy{} or StaticBatchSize<N>{}");
  if constexpr (of_policy && known) {
    typename with_property<Policy, P>::type result(policy);
    if constexpr (std::is_same_v<P, Experimental::DesiredOccupancy>) result.wish = property;
    return result;
  } else {
    return policy;  // brings no second error
  }
}

}  // namespace hpk::detail

namespace hpk::Experimental {

/// The policy with a property: hints like WorkItemProperty::HintHeavyWeight, or a Schedule<...>{},
/// or what prefer takes. It replaces a property of the same kind. `policy` itself does not change.
template <class Policy, class Property>
constexpr auto require(const Policy& policy, const Property& property) {
  return detail::add_property(policy, property);
}

/// The same for optional properties: DesiredOccupancy(percent), MaximizeOccupancy{},
/// StaticBatchSize<N>{}, or those of require. A space that does not support one ignores it.
template <class Policy, class Property>
constexpr auto prefer(const Policy& policy, const Property& property) {
  return detail::add_property(policy, property);
}

}  // namespace hpk::Experimental
