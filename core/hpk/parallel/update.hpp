// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detects, where possible, kernels of reductions that do not take their update by reference:
// contributions to a copy are lost.
#pragma once

#include <hpk/parallel/dispatch.hpp>

#include <utility>

namespace hpk::detail {

// Whether the kernel's update parameter (at Position, after a tag) is known not to be an lvalue
// reference to non-const.
template <int Position, class Signature>
struct update_by_value : std::false_type {};
template <int Position, class... Ps>
struct nth_raw {
  static constexpr bool reference = true;
};
template <int Position, class P, class... Ps>
  requires(Position > 0)
struct nth_raw<Position, P, Ps...> : nth_raw<Position - 1, Ps...> {};
template <class P, class... Ps>
struct nth_raw<0, P, Ps...> {
  static constexpr bool reference =
      std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>;
};
template <int Position, class R, class C, class... Ps>
struct update_by_value<Position, R (C::*)(Ps...) const>
    : std::bool_constant<!nth_raw<Position, Ps...>::reference> {};
template <int Position, class R, class C, class... Ps>
struct update_by_value<Position, R (C::*)(Ps...) const noexcept>
    : std::bool_constant<!nth_raw<Position, Ps...>::reference> {};
template <int Position, class R, class... Ps>
struct update_by_value<Position, R (*)(Ps...)>
    : std::bool_constant<!nth_raw<Position, Ps...>::reference> {};
template <int Position, class R, class... Ps>
struct update_by_value<Position, R (*)(Ps...) noexcept>
    : std::bool_constant<!nth_raw<Position, Ps...>::reference> {};
template <class F, class Tag, int Arguments>
constexpr bool takes_update_by_value() {
  constexpr int position = Arguments + (std::is_void_v<Tag> ? 0 : 1);
  if constexpr (std::is_function_v<std::remove_pointer_t<F>>) {
    return update_by_value<position, std::decay_t<F>>::value;
  } else if constexpr (requires { &F::operator(); }) {
    return update_by_value<position, decltype(&F::operator())>::value;
  } else {
    return false;
  }
}

// Whether a call with a V& selects an overload that takes V or const V&. The braces match nothing
// else, not even `auto` parameters.
template <class F, class Tag, class V, class... Leading>
inline constexpr bool is_called_with_copy =
    requires(const F& f, Leading... leading) { f(Tag(), leading..., {exactly<V>()}); };
template <class F, class V, class... Leading>
inline constexpr bool is_called_with_copy<F, void, V, Leading...> =
    requires(const F& f, Leading... leading) { f(leading..., {exactly<V>()}); };

/// Whether the kernel is known not to take its update by reference, so that contributions are lost.
template <class Policy, class F, class V>
constexpr bool loses_update() {
  using tag = typename Policy::work_tag;
  constexpr int count = count_arguments<Policy>();
  if constexpr (!std::is_class_v<F> || requires { &F::operator(); }) {
    return takes_update_by_value<F, tag, count>();
  } else if constexpr (is_mdrange_policy_v<Policy>) {
    return []<std::size_t... Rs>(std::index_sequence<Rs...>) {
      using index = typename Policy::index_type;
      return is_called_with_copy<F, tag, V, std::conditional_t<Rs != 0, index, index>...>;
    }(std::make_index_sequence<static_cast<std::size_t>(Policy::rank)>());
  } else {
    return is_called_with_copy<F, tag, V, kernel_argument_t<Policy>>;
  }
}

}  // namespace hpk::detail
