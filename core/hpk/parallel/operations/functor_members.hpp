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
#define HPK_DETAIL_MEMBER(name, count)                      \
  struct name##_member {                                    \
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
HPK_DETAIL_MEMBER(init, 1)
/// void join(value_type&, const value_type&) const: joins the second value to the first.
HPK_DETAIL_MEMBER(join, 2)
/// void final(value_type&) const: called once, on the joined value.
HPK_DETAIL_MEMBER(final, 1)
#undef HPK_DETAIL_MEMBER

/// Calls a member, with the tag first if the policy has one.
HPK_CALLS_EITHER
template <class Member, class Tag, class F, class... Args>
  requires(!std::is_void_v<Tag>)
HPK_FUNCTION auto call_member(F& f, Args&&... args)
    -> decltype(Member::call(f, Tag(), static_cast<Args&&>(args)...)) {
  return Member::call(f, Tag(), static_cast<Args&&>(args)...);
}
HPK_CALLS_EITHER
template <class Member, class Tag, class F, class... Args>
  requires std::is_void_v<Tag>
HPK_FUNCTION auto call_member(F& f, Args&&... args)
    -> decltype(Member::call(f, static_cast<Args&&>(args)...)) {
  return Member::call(f, static_cast<Args&&>(args)...);
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
template <class Member, class F, class Tag, class V>
constexpr bool is_callable_member() {
  using argument = value_argument<V>;
  if constexpr (Member::parameters == 1) {
    return requires(F& f, typename argument::to v) { call_member<Member, Tag>(f, v); };
  } else {
    return requires(F& f, typename argument::to v, typename argument::from w) {
      call_member<Member, Tag>(f, v, w);
    };
  }
}

// The parameters of a member that is a single function, without a leading tag; void for anything
// else.
template <class Member, class F, class Tag>
constexpr auto find_parameters_of_member() {
  if constexpr (requires { Member::template address<F>(); }) {
    using all = member_parameters<F, decltype(Member::template address<F>())>;
    using first = std::remove_cvref_t<parameter_at<0, all>>;
    return list_after<!std::is_void_v<Tag> && std::is_same_v<first, Tag> ? 1 : 0, all>();
  } else {
    return type_identity<void>();
  }
}

/// How a reduction of V treats a member with one of these names. usable: calls it. broken: the
/// member looks right but can't be used (it takes the value by value, or is not callable). none:
/// ignores it, for example an init that sets up the functor.
enum class member_kind { none, usable, broken };

template <class Member, class F, class Tag, class V>
constexpr member_kind kind_of_member() {
  constexpr bool callable = is_callable_member<Member, const F, Tag, V>();
  using parameters = typename decltype(find_parameters_of_member<Member, F, Tag>())::type;
  if constexpr (!std::is_void_v<parameters>) {
    using first = parameter_at<0, parameters>;
    if (callable && value_argument<V>::template receives<first>) return member_kind::usable;
    const bool meant =
        parameters::size == Member::parameters && value_argument<V>::template is_meant<first>;
    return meant ? member_kind::broken : member_kind::none;
  } else {
    // Overloads or a template have unknown parameters; only a missing const can be detected.
    if (callable) return member_kind::usable;
    return is_callable_member<Member, F, Tag, V>() ? member_kind::broken : member_kind::none;
  }
}

/// Whether F has the member for values of type V.
template <class Member, class F, class Tag, class V>
constexpr bool has_member() {
  return kind_of_member<Member, F, Tag, V>() == member_kind::usable;
}
/// Whether F has a member of this name that can't be used.
template <class Member, class F, class Tag, class V>
constexpr bool is_broken_member() {
  return kind_of_member<Member, F, Tag, V>() == member_kind::broken;
}

/// Whether F has one of the three members for values V.
template <class F, class Tag, class V>
inline constexpr bool has_reduction_members =
    has_member<join_member, F, Tag, V>() || has_member<init_member, F, Tag, V>() ||
    has_member<final_member, F, Tag, V>();

/// The address of a functor with these members. Empty for other functors, so that they can stay in
/// registers.
template <class F, bool HasMembers>
class functor_address {
 public:
  HPK_FUNCTION explicit functor_address(const F& functor) : functor_(&functor) {}
  HPK_FUNCTION const F& operator*() const { return *functor_; }

 private:
  const F* functor_;
};
template <class F>
class functor_address<F, false> {
 public:
  HPK_FUNCTION explicit functor_address(const F&) {}
};

}  // namespace hpk::detail
