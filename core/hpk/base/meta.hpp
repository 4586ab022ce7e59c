// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of types and queries on them. Uses folds instead of recursion, so that the cost of a query
// is linear in the length of the list, not quadratic.
#pragma once

#include <hpk/base/classes.hpp>
#include <hpk/base/compiler.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk::classes {
/// @cond internal
/// A list of types, without data.
template <class... Ts>
struct type_list {
  static constexpr std::size_t size = sizeof...(Ts);
};
/// @endcond
}  // namespace hpk::classes

namespace hpk::detail {
using classes::type_list;

/// Names a type without constructing an object.
template <class T>
struct type_identity {
  using type = T;
};

template <class... As, class... Bs>
auto join_lists(type_list<As...>, type_list<Bs...>) -> type_list<As..., Bs...>;
/// The types of one list, then those of another.
template <class First, class Second>
using joined_t = decltype(join_lists(First(), Second()));

template <class T, std::size_t... Ks>
auto repeat(std::index_sequence<Ks...>) -> type_list<std::conditional_t<Ks != 0, T, T>...>;
/// A list of N times T.
template <class T, int N>
using repeated_t = decltype(repeat<T>(std::make_index_sequence<static_cast<std::size_t>(N)>()));

/// Calls f(type_identity<T>{}) for each T of the list, in order.
template <class... Ts, class F>
constexpr void for_each_type(type_list<Ts...>, F&& f) {
  (f(type_identity<Ts>{}), ...);
}

template <bool Found, class T>
struct candidate {
  using type = T;
};

/// Keeps the left operand once a match was found; the fold operation of find_first.
template <bool FoundL, class L, bool FoundR, class R>
constexpr auto operator||(candidate<FoundL, L> l, candidate<FoundR, R> r) {
  if constexpr (FoundL) {
    return l;
  } else {
    return r;
  }
}

/// The first T for which Predicate<T>::value holds, or Default.
template <template <class> class Predicate, class Default, class... Ts>
using find_first =
    typename decltype((candidate<false, void>{} || ... || candidate<Predicate<Ts>::value, Ts>{}) ||
                      candidate<true, Default>{})::type;

/// The number of Ts that satisfy Predicate.
template <template <class> class Predicate, class... Ts>
inline constexpr int count_of = (0 + ... + (Predicate<Ts>::value ? 1 : 0));

/// True for a specialisation of Template, which has only type parameters.
template <class T, template <class...> class Template>
inline constexpr bool is_specialization_v = false;
template <template <class...> class Template, class... Ts>
inline constexpr bool is_specialization_v<Template<Ts...>, Template> = true;

/// An integer type, or an enumeration.
template <class T>
concept integer_value =
    std::is_integral_v<T> || (std::is_enum_v<T> && std::is_convertible_v<T, long long>);
template <class T, bool = std::is_enum_v<T>>
struct integer_of {
  using type = T;
};
template <class T>
struct integer_of<T, true> {
  using type = decltype(+std::declval<T>());  // after integral promotion
};
/// The integer type of an integer_value: T itself, or the promoted underlying type of an
/// enumeration.
template <class T>
using integer_t = typename integer_of<T>::type;

/// Types that may be copied as bytes between GPU lanes and from device memory. This includes types
/// whose copy constructor only copies their members, which cannot be verified.
template <class V>
inline constexpr bool is_passed_as_bytes =
    std::is_trivially_copyable_v<V> ||
    (std::is_trivially_destructible_v<V> && !std::is_polymorphic_v<V>);

/// Always true; requires each T that is not void to be complete. The instantiation of the Ts here
/// makes the compiler report their own errors first, near the program's line that names them.
template <class... Ts>
inline constexpr bool are_complete =
    ((sizeof(std::conditional_t<std::is_void_v<Ts>, char, Ts>) != 0) && ...);

/// False, but dependent: evaluated only on instantiation.
template <class...>
inline constexpr bool always_false = false;

/// Whether F is the type of a lambda with captures, judged by its name and because it is not
/// assignable. False if unknown.
template <class F>
constexpr bool is_lambda() {
#if HPK_HAS_GNU_ATTRIBUTES && !HPK_HAS_CUDA_COMPILER
  constexpr std::string_view name = __PRETTY_FUNCTION__;
  constexpr bool named =
      name.find("<lambda(") != name.npos || name.find("(lambda at ") != name.npos;
  return named && !std::is_copy_assignable_v<F> && !std::is_default_constructible_v<F> &&
         !std::is_aggregate_v<F> && !std::is_polymorphic_v<F>;
#else
  return false;
#endif
}

}  // namespace hpk::detail
