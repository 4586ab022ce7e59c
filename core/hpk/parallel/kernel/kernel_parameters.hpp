// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameter types of a kernel. A loop counts in the type of the kernel's indices (g++ does not
// vectorise a loop with a 64-bit counter over a kernel that takes int), so that type must hold the
// range. The update must be taken by reference. A single signature has all types (parameters_of);
// overloads and templates are probed by calls that are never made.
#pragma once

#include <hpk/base/array.hpp>
#include <hpk/base/parameters_of.hpp>
#include <hpk/base/types.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace hpk::detail {

// An argument that converts to T only.
template <class T>
struct exactly {
  template <std::same_as<T> U>
  operator U() const;
};

/// The callable that a forwarding kernel calls, and the arguments that it adds in front. Probes
/// examine the callable, because a forwarding kernel accepts any argument.
template <class F>
struct call_target {
  using type = F;
  using bound = type_list<>;
};
/// The arguments of the target of F before More: bound arguments and the tag.
template <class F, class Tag, class More>
using arguments_of_target =
    joined_t<typename call_target<F>::bound,
             joined_t<std::conditional_t<std::is_void_v<Tag>, type_list<>, type_list<Tag>>, More>>;

// Whether F takes exactly T between other arguments. The braces exclude `auto` parameters, which
// deduce nothing from a braced list, so that the body of a generic kernel is not instantiated.
template <class F, class T, class Before, class After>
inline constexpr bool takes_exactly = false;
template <class F, class T, class... Bs, class... As>
inline constexpr bool takes_exactly<F, T, type_list<Bs...>, type_list<As...>> =
    requires(const F& f, Bs... before, As... after) {
      f(static_cast<Bs&&>(before)..., {exactly<T>()}, static_cast<As&&>(after)...);
    };
template <class F, class Before, class After>
struct taken_between {
  template <class T>
  struct exactly_as : std::bool_constant<takes_exactly<F, T, Before, After>> {};
};

/// True for an integer type in which a loop can count.
template <class T>
inline constexpr bool is_index_v = std::integral<T> && !std::same_as<T, bool>;

template <int Position, int Count, class I, class F, class Tag, class... Rest>
constexpr auto find_index_parameter() {
  using known = parameters_of<F, Tag>;
  if constexpr (!std::is_void_v<known>) {
    using found = std::remove_cvref_t<parameter_at<Position, known>>;
    return type_identity<std::conditional_t<std::is_arithmetic_v<found>, found, I>>();
  } else {
    using before = arguments_of_target<F, Tag, repeated_t<I, Position>>;
    using after = joined_t<repeated_t<I, Count - 1 - Position>, type_list<Rest...>>;
    using target = typename call_target<F>::type;
    return type_identity<find_first<
        taken_between<target, before, after>::template exactly_as, I, I, int, unsigned, long,
        unsigned long, long long, unsigned long long, short, unsigned short, signed char,
        unsigned char, char, wchar_t, char8_t, char16_t, char32_t, bool, float, double>>();
  }
}
/// The arithmetic type in which F takes the index at `Position` of `Count`; I if F takes any type
/// (`auto`) or a class. Rest are the arguments that the pattern passes after the indices.
template <int Position, int Count, class I, class F, class Tag, class... Rest>
using index_parameter_t =
    typename decltype(find_index_parameter<Position, Count, I, F, Tag, Rest...>())::type;

/// The type in which a loop counts for indices of type P: P, or Default if a loop can't count in P.
template <class P, class Default>
using counter_t = std::conditional_t<is_index_v<P>, P, Default>;
/// The integer type of the only index of F; Default if F takes any type.
template <class Default, class F, class Tag, class... Rest>
using kernel_index_t = counter_t<index_parameter_t<0, 1, Default, F, Tag, Rest...>, Default>;

/// The types of all Count indices of F, as in index_parameter_t.
template <int Count, class I, class F, class Tag, class... Rest>
constexpr auto find_index_parameters() {
  return []<std::size_t... Rs>(std::index_sequence<Rs...>) {
    return type_list<index_parameter_t<static_cast<int>(Rs), Count, I, F, Tag, Rest...>...>();
  }(std::make_index_sequence<static_cast<std::size_t>(Count)>());
}
template <int Count, class I, class F, class Tag, class... Rest>
using index_parameters_t = decltype(find_index_parameters<Count, I, F, Tag, Rest...>());

template <class I, class First, class... Others>
constexpr auto find_common_counter(type_list<First, Others...>) {
  return type_identity<
      std::conditional_t<(std::is_same_v<First, Others> && ...), counter_t<First, I>, I>>();
}
/// The type in which the loops over several indices count: the type of all indices if they share
/// one, else I.
template <class Parameters, class I>
using common_counter_t = typename decltype(find_common_counter<I>(Parameters()))::type;

/// Returns the largest number n such that type P can represent every integer from 0 to n.
template <class P>
constexpr auto highest_index() {
  if constexpr (std::is_same_v<P, bool>) {
    return 1;
  } else if constexpr (std::floating_point<P>) {
    constexpr int digits = std::numeric_limits<P>::digits;
    return index_t{1} << (digits < 62 ? digits : 62);
  } else {
    return std::numeric_limits<P>::max();
  }
}
/// Whether type P can represent a bound of a range. A bool need not represent the end, 2.
template <class P, class I>
HPK_INLINE_FUNCTION constexpr bool holds_bound(I value) noexcept {
  if constexpr (std::is_same_v<P, bool>) {
    return !is_negative(value) && value <= static_cast<I>(2);
  } else if constexpr (std::is_floating_point_v<P>) {
    constexpr int digits = std::numeric_limits<P>::digits;
    const std::uint64_t bits = static_cast<std::uint64_t>(value);
    return digits >= 64 || (is_negative(value) ? 0 - bits : bits) <= std::uint64_t{1}
                                                                         << digits % 64;
  } else {
    const P there = static_cast<P>(value);
    return static_cast<I>(there) == value && is_negative(there) == is_negative(value);
  }
}

/// Whether a parameter of type P refers to the caller's update.
template <class P>
inline constexpr bool is_update_v =
    std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>;

// Whether F takes a temporary V between other arguments.
template <class F, class V, class Before, class After>
inline constexpr bool takes_temporary = false;
template <class F, class V, class... Bs, class... As>
inline constexpr bool takes_temporary<F, V, type_list<Bs...>, type_list<As...>> =
    requires(const F& f, Bs... before, As... after) {
      f(static_cast<Bs&&>(before)..., std::declval<V>(), static_cast<As&&>(after)...);
    };
// Whether F has an overload or template with this signature.
template <class F, class Parameters>
inline constexpr bool has_signature = false;
template <class F, class... Ps>
inline constexpr bool has_signature<F, type_list<Ps...>> = requires {
  static_cast<void (F::*)(Ps...) const>(&F::operator());
} || requires { static_cast<void (F::*)(Ps...) const&>(&F::operator()); };
// Whether F has a signature with these updates and any form of the arguments before them.
template <class F, class Before, class Updates>
inline constexpr bool takes_updates = false;
template <class F, class... Bs, class Updates>
inline constexpr bool takes_updates<F, type_list<Bs...>, Updates> =
    has_signature<F, joined_t<type_list<std::remove_cvref_t<Bs>...>, Updates>> ||
    has_signature<F, joined_t<type_list<Bs...>, Updates>> ||
    has_signature<F, joined_t<type_list<Bs&&...>, Updates>> ||
    has_signature<F, joined_t<type_list<const std::remove_reference_t<Bs>&...>, Updates>>;

template <class F, class Tag, class V, class Indices, class Between, class After>
constexpr bool takes_copy() {
  using target = typename call_target<F>::type;
  using before = arguments_of_target<F, Tag, Indices>;
  if constexpr (takes_temporary<target, V, joined_t<before, Between>, After>) {
    // A forwarding reference takes a temporary too, and another overload may. `auto` also matches
    // the signature with a reference.
    using with_tag_by_reference =
        arguments_of_target<F, std::add_lvalue_reference_t<const Tag>, Indices>;
    using copy = joined_t<joined_t<Between, type_list<V>>, After>;
    using reference = joined_t<joined_t<Between, type_list<V&>>, After>;
    return takes_updates<target, before, copy> ||
           takes_updates<target, with_tag_by_reference, copy> ||
           !(takes_updates<target, before, reference> ||
             takes_updates<target, with_tag_by_reference, reference>);
  } else {
    return false;
  }
}

template <class Known, class F, class Tag, class V, class Indices, class Between, class After>
inline constexpr bool loses_known =
    !is_update_v<parameter_at<static_cast<int>(Indices::size + Between::size), Known>>;
template <class F, class Tag, class V, class Indices, class Between, class After>
inline constexpr bool loses_known<void, F, Tag, V, Indices, Between, After> =
    takes_copy<F, Tag, V, Indices, Between, After>();
/// Whether a kernel that can be called with an update V& loses its contributions, because it takes
/// a copy. False if this is unknown. Indices: the types of the arguments after the tag. Between and
/// After: the types of the arguments before and after the update.
template <class F, class Tag, class V, class Indices, class Between, class After>
inline constexpr bool loses_update =
    loses_known<parameters_of<F, Tag>, F, Tag, V, Indices, Between, After>;

/// Reports a function that should assign to a value but takes a copy; `right` is false then.
template <class F, class T>
struct changes_value {
  static constexpr bool right = !std::is_invocable_v<const F&, T&> ||
                                !loses_update<F, void, T, type_list<>, type_list<>, type_list<>>;
  static_assert(right,
                "hpk: the function that makes a value for single or team_broadcast takes it by "
                "value, so it is lost; write [&](T& value) { ... }");
};

// Whether a kernel loses one of the updates Vs&, which follow the arguments Between.
template <class F, class Tag, class Indices, class Between, class... Vs>
inline constexpr bool loses_update_after = false;
template <class F, class Tag, class Indices, class Between, class V, class... Vs>
inline constexpr bool loses_update_after<F, Tag, Indices, Between, V, Vs...> =
    // Arrays are taken by their address.
    (!std::is_array_v<V> &&
     loses_update<F, Tag, std::decay_t<V>, Indices, Between, type_list<Vs&...>>) ||
    loses_update_after<F, Tag, Indices, joined_t<Between, type_list<V&>>, Vs...>;
/// Whether a kernel loses one of several updates Vs&.
template <class F, class Tag, class Indices, class... Vs>
inline constexpr bool loses_an_update = loses_update_after<F, Tag, Indices, type_list<>, Vs...>;

}  // namespace hpk::detail
