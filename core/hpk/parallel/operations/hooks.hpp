// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The members init, join and final of a functor or reducer: how hpk finds and calls them.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/parameters_of.hpp>

#include <concepts>
#include <type_traits>

namespace hpk::detail {

// Each of the three members as a type, so that the code below is written once for all of them.
#define HPK_DETAIL_HOOK(name, count)                        \
  struct name##_hook {                                      \
    static constexpr int parameters = count;                \
    HPK_CALLS_EITHER                                        \
    template <class F, class... Args>                       \
    HPK_FUNCTION static auto call(F& f, Args&&... args)     \
        -> decltype(f.name(static_cast<Args&&>(args)...)) { \
      return f.name(static_cast<Args&&>(args)...);          \
    }                                                       \
    template <class F>                                      \
    static auto address() -> decltype(&F::name);            \
  };
/// void init(value_type&) const: sets the value to the identity.
HPK_DETAIL_HOOK(init, 1)
/// void join(value_type&, const value_type&) const: joins the second value to the first.
HPK_DETAIL_HOOK(join, 2)
/// void final(value_type&) const: called once, on the joined value.
HPK_DETAIL_HOOK(final, 1)
#undef HPK_DETAIL_HOOK

/// Calls a member, with the tag first if the policy has one.
HPK_CALLS_EITHER
template <class Hook, class Tag, class F, class... Args>
  requires(!std::is_void_v<Tag>)
HPK_FUNCTION auto call_hook(F& f, Args&&... args)
    -> decltype(Hook::call(f, Tag(), static_cast<Args&&>(args)...)) {
  return Hook::call(f, Tag(), static_cast<Args&&>(args)...);
}
HPK_CALLS_EITHER
template <class Hook, class Tag, class F, class... Args>
  requires std::is_void_v<Tag>
HPK_FUNCTION auto call_hook(F& f, Args&&... args)
    -> decltype(Hook::call(f, static_cast<Args&&>(args)...)) {
  return Hook::call(f, static_cast<Args&&>(args)...);
}

/// The parameter types of operations on values V: references, or T* for arrays T[] of run-time
/// length.
template <class V>
struct value_argument {
  using to = V&;
  using from = const V&;
  /// Whether a parameter P of a member can receive a value, and whether it is meant to.
  template <class P>
  static constexpr bool receives =
      std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>;
  template <class P>
  static constexpr bool is_meant = std::same_as<std::remove_cvref_t<P>, V>;
};
template <class T>
struct value_argument<T[]> {
  using to = T*;
  using from = const T*;
  template <class P>
  static constexpr bool receives = true;
  template <class P>
  static constexpr bool is_meant =
      std::same_as<std::remove_cv_t<std::remove_pointer_t<std::remove_cvref_t<P>>>, T>;
};

/// Whether F has a callable member of this name for values of type V.
template <class Hook, class F, class Tag, class V>
constexpr bool is_callable_hook() {
  using argument = value_argument<V>;
  if constexpr (Hook::parameters == 1) {
    return requires(F& f, typename argument::to v) { call_hook<Hook, Tag>(f, v); };
  } else {
    return requires(F& f, typename argument::to v, typename argument::from w) {
      call_hook<Hook, Tag>(f, v, w);
    };
  }
}

// The parameters of a member that is a single function, without a leading tag; void for anything
// else.
template <class Hook, class F, class Tag>
constexpr auto find_hook_parameters() {
  if constexpr (requires { Hook::template address<F>(); }) {
    using all = member_parameters<F, decltype(Hook::template address<F>())>;
    using first = std::remove_cvref_t<parameter_at<0, all>>;
    return list_after<!std::is_void_v<Tag> && std::is_same_v<first, Tag> ? 1 : 0, all>();
  } else {
    return type_identity<void>();
  }
}

/// How a reduction of V treats a member with one of these names. hook: calls it. broken: the member
/// looks right but can't be used (it takes the value by value, or is not callable). none: ignores
/// it, for example an init that sets up the functor.
enum class hook_kind { none, hook, broken };

template <class Hook, class F, class Tag, class V>
constexpr hook_kind kind_of_hook() {
  constexpr bool callable = is_callable_hook<Hook, const F, Tag, V>();
  using parameters = typename decltype(find_hook_parameters<Hook, F, Tag>())::type;
  if constexpr (!std::is_void_v<parameters>) {
    using first = parameter_at<0, parameters>;
    if (callable && value_argument<V>::template receives<first>) return hook_kind::hook;
    const bool meant =
        parameters::size == Hook::parameters && value_argument<V>::template is_meant<first>;
    return meant ? hook_kind::broken : hook_kind::none;
  } else {
    // Overloads or a template have unknown parameters; only a missing const can be detected.
    if (callable) return hook_kind::hook;
    return is_callable_hook<Hook, F, Tag, V>() ? hook_kind::broken : hook_kind::none;
  }
}

/// Whether F has a hook for values of type V.
template <class Hook, class F, class Tag, class V>
constexpr bool has_hook() {
  return kind_of_hook<Hook, F, Tag, V>() == hook_kind::hook;
}
/// Whether F has a hook that can't be used.
template <class Hook, class F, class Tag, class V>
constexpr bool is_broken_hook() {
  return kind_of_hook<Hook, F, Tag, V>() == hook_kind::broken;
}

/// Whether F has hooks for values V.
template <class F, class Tag, class V>
inline constexpr bool has_hooks =
    has_hook<join_hook, F, Tag, V>() || has_hook<init_hook, F, Tag, V>() ||
    has_hook<final_hook, F, Tag, V>();

/// The address of a functor with hooks. Empty for functors without hooks, so that they can stay in
/// registers.
template <class F, bool Hooks>
class hooked_functor {
 public:
  HPK_FUNCTION explicit hooked_functor(const F& functor) : functor_(&functor) {}
  HPK_FUNCTION const F& operator*() const { return *functor_; }

 private:
  const F* functor_;
};
template <class F>
class hooked_functor<F, false> {
 public:
  HPK_FUNCTION explicit hooked_functor(const F&) {}
};

}  // namespace hpk::detail
