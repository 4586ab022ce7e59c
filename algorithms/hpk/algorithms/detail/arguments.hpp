// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How all algorithms are called, and how their arguments become ranges.
//   algorithm([label,] instance, first, last, ...)     host code; returns when the work is done
//   algorithm([label,] instance, view, ...)
//   algorithm(team, first, last, ...)                  in kernels over teams, by all threads
//   algorithm(team, view, ...)
// A View can replace a pair of iterators, or an iterator to the first element of an output.
// Iterators are iterators over Views, pointers, or random-access iterators of the host.
#pragma once

#include <hpk/algorithms/detail/element_range.hpp>

namespace hpk::detail::algorithms {

/// Compares with operator<, or with operator==.
struct less {
  HPK_CALLS_EITHER
  template <class T, class U>
  HPK_FORCEINLINE_FUNCTION constexpr bool operator()(const T& a, const U& b) const {
    return static_cast<bool>(a < b);
  }
};
struct equals {
  HPK_CALLS_EITHER
  template <class T, class U>
  HPK_FORCEINLINE_FUNCTION constexpr bool operator()(const T& a, const U& b) const {
    return static_cast<bool>(a == b);
  }
};

/// Converts an argument after the ranges: a View becomes an iterator to its first element.
HPK_CALLS_EITHER
template <class T>
HPK_FUNCTION decltype(auto) as_argument(const T& argument) {
  if constexpr (is_view_v<T>) {
    return hpk::Experimental::begin(argument);
  } else {
    return (argument);
  }
}

/// Converts a function to its address, which a kernel body can hold.
HPK_CALLS_EITHER
template <class T>
HPK_FUNCTION constexpr decltype(auto) as_value(const T& argument) {
  if constexpr (std::is_function_v<T>) {
    return &argument;
  } else {
    return (argument);
  }
}

template <class>
inline constexpr bool always_false = false;

/// Overload for arguments that fit no form of the algorithm Body: reports the error.
template <class Body>
struct wrong_arguments {
  template <class Executor, class... Args>
  HPK_FUNCTION static void call(const Executor&, const Args&...) {
    static_assert(always_false<Body>,
                  "hpk: the arguments fit no form of this algorithm; write algorithm([label,] "
                  "instance or team, first, last, ...) with iterators of one type, or "
                  "algorithm([label,] instance or team, view, ...); see its documentation");
  }
};

/// Algorithms over a range: (first, last, ...) or (view, ...).
template <class Body>
struct over_range : wrong_arguments<Body> {
  using wrong_arguments<Body>::call;
  HPK_CALLS_EITHER
  template <class Executor, class V, class... Rest>
    requires is_view_v<V>
  HPK_FUNCTION static auto call(const Executor& executor, const V& view, const Rest&... rest) {
    return Body::run(executor, make_range(executor, view), as_argument(rest)...);
  }
  HPK_CALLS_EITHER
  template <class Executor, algorithm_iterator I, class... Rest>
  HPK_FUNCTION static auto call(const Executor& executor, const I& first, const I& last,
                                const Rest&... rest) {
    return Body::run(executor, make_range(executor, first, last), rest...);
  }
};
/// Algorithms over two ranges: (first, last, first2, last2, ...) or (view, view2, ...).
template <class Body>
struct over_two_ranges : wrong_arguments<Body> {
  using wrong_arguments<Body>::call;
  HPK_CALLS_EITHER
  template <class Executor, class V, class U, class... Rest>
    requires(is_view_v<V> && is_view_v<U>)
  HPK_FUNCTION static auto call(const Executor& executor, const V& view, const U& other,
                                const Rest&... rest) {
    return Body::run(executor, make_range(executor, view), make_range(executor, other), rest...);
  }
  HPK_CALLS_EITHER
  template <class Executor, algorithm_iterator I, algorithm_iterator J, class... Rest>
  HPK_FUNCTION static auto call(const Executor& executor, const I& first, const I& last,
                                const J& first2, const J& last2, const Rest&... rest) {
    return Body::run(executor, make_range(executor, first, last),
                     make_range(executor, first2, last2), rest...);
  }
};
/// Algorithms over the first n elements: (first, n, ...) or (view, n, ...).
template <class Body>
struct over_count : wrong_arguments<Body> {
  using wrong_arguments<Body>::call;
  HPK_CALLS_EITHER
  template <class Executor, class V, std::integral N, class... Rest>
    requires is_view_v<V>
  HPK_FUNCTION static auto call(const Executor& executor, const V& view, N n, const Rest&... rest) {
    return Body::run(
        executor, make_counted(executor, hpk::Experimental::begin(view), static_cast<index_t>(n)),
        as_argument(rest)...);
  }
  HPK_CALLS_EITHER
  template <class Executor, algorithm_iterator I, std::integral N, class... Rest>
  HPK_FUNCTION static auto call(const Executor& executor, const I& first, N n,
                                const Rest&... rest) {
    return Body::run(executor, make_counted(executor, first, static_cast<index_t>(n)), rest...);
  }
};
/// Algorithms over a range and a position in it: (first, middle, last, ...) or (view, n, ...).
template <class Body>
struct over_split : wrong_arguments<Body> {
  using wrong_arguments<Body>::call;
  HPK_CALLS_EITHER
  template <class Executor, class V, std::integral N, class... Rest>
    requires is_view_v<V>
  HPK_FUNCTION static auto call(const Executor& executor, const V& view, N n, const Rest&... rest) {
    const auto range = make_range(executor, view);
    return Body::run(executor, range, split_at(executor, range, static_cast<index_t>(n)),
                     as_argument(rest)...);
  }
  HPK_CALLS_EITHER
  template <class Executor, algorithm_iterator I, class... Rest>
  HPK_FUNCTION static auto call(const Executor& executor, const I& first, const I& middle,
                                const I& last, const Rest&... rest) {
    const auto range = make_range(executor, first, last);
    return Body::run(executor, range,
                     split_at(executor, range, static_cast<index_t>(middle - first)), rest...);
  }

 private:
  HPK_CALLS_EITHER
  template <class Executor, class R>
  HPK_FUNCTION static index_t split_at([[maybe_unused]] const Executor& executor, const R& range,
                                       index_t n) {
    if constexpr (Executor::checks) {
      if (n < 0 || n > range.count) [[unlikely]] {
        HPK_IF_ON_HOST((reject_split(executor.info(), record_of(range.first), n, range.count);))
        HPK_IF_ON_DEVICE((abort_on_arguments();))
      }
    }
    return n;
  }
};

/// The type of the first argument in host code: a label, an instance, or a View or iterator if the
/// instance was forgotten, which is then reported. Calls with any other first argument do not
/// match, so that programs may have functions of the same name.
template <class A>
concept begins_arguments = is_execution_space_v<A> || std::convertible_to<A, std::string_view> ||
                           is_view_v<A> || algorithm_iterator<A>;

template <class Exec>
constexpr bool check_instance() {
  constexpr bool known = is_execution_space_v<Exec>;
  static_assert(known,
                "hpk: an algorithm is called with an instance of an execution space, a label and "
                "an instance, or the handle of a team first; write algorithm(hpk::"
                "DefaultExecutionSpace(), ...)");
  return known;
}
/// Calls an algorithm whose arguments begin with an instance, or with a label and an instance.
template <class Body, class Exec, class B, class... Rest>
auto call_algorithm(const std::source_location& where, const Exec& exec, const B& b,
                    const Rest&... rest) {
  if constexpr (check_instance<Exec>()) {
    return Body::call(on_instance<Exec>{exec, {Body::name, Body::name, where}}, as_value(b),
                      as_value(rest)...);
  }
}
template <class Body, std::convertible_to<std::string_view> Label, class Exec, class... Rest>
auto call_algorithm(const std::source_location& where, const Label& label, const Exec& exec,
                    const Rest&... rest) {
  if constexpr (check_instance<Exec>()) {
    return Body::call(on_instance<Exec>{exec, {Body::name, label, where}}, as_value(rest)...);
  }
}
template <class Body, class Team, class... Rest>
HPK_FUNCTION auto call_in_team(const Team& team, const Rest&... rest) {
  return Body::call(on_team<Team>{team, Body::name}, rest...);
}

}  // namespace hpk::detail::algorithms

/// Declares the algorithm `name` with the body hpk::detail::algorithms::name##_body: one overload
/// for team handles, and overloads for two to eight arguments in host code. The host overloads take
/// no parameter pack, because a pack in front of the defaulted source_location could not be
/// deduced.
#define HPK_DETAIL_ALGORITHM(name)                                                                 \
  HPK_CALLS_EITHER                                                                                 \
  template <TeamHandle Team, class... Args>                                                        \
  HPK_FUNCTION auto name(const Team& team, const Args&... args) {                                  \
    return detail::algorithms::call_in_team<detail::algorithms::name##_body>(team, args...);       \
  }                                                                                                \
  HPK_DETAIL_ALGORITHM_OF(name, (class A, class B), (const A& a, const B& b), (a, b))              \
  HPK_DETAIL_ALGORITHM_OF(name, (class A, class B, class C), (const A& a, const B& b, const C& c), \
                          (a, b, c))                                                               \
  HPK_DETAIL_ALGORITHM_OF(name, (class A, class B, class C, class D),                              \
                          (const A& a, const B& b, const C& c, const D& d), (a, b, c, d))          \
  HPK_DETAIL_ALGORITHM_OF(name, (class A, class B, class C, class D, class E),                     \
                          (const A& a, const B& b, const C& c, const D& d, const E& e),            \
                          (a, b, c, d, e))                                                         \
  HPK_DETAIL_ALGORITHM_OF(                                                                         \
      name, (class A, class B, class C, class D, class E, class F),                                \
      (const A& a, const B& b, const C& c, const D& d, const E& e, const F& f),                    \
      (a, b, c, d, e, f))                                                                          \
  HPK_DETAIL_ALGORITHM_OF(                                                                         \
      name, (class A, class B, class C, class D, class E, class F, class G),                       \
      (const A& a, const B& b, const C& c, const D& d, const E& e, const F& f, const G& g),        \
      (a, b, c, d, e, f, g))                                                                       \
  HPK_DETAIL_ALGORITHM_OF(                                                                         \
      name, (class A, class B, class C, class D, class E, class F, class G, class H),              \
      (const A& a, const B& b, const C& c, const D& d, const E& e, const F& f, const G& g,         \
       const H& h),                                                                                \
      (a, b, c, d, e, f, g, h))
#define HPK_DETAIL_ALGORITHM_OF(name, types, parameters, arguments)                \
  template <HPK_DETAIL_STRIP types>                                                \
    requires detail::algorithms::begins_arguments<A>                               \
  auto name(HPK_DETAIL_STRIP parameters,                                           \
            const std::source_location& where = std::source_location::current()) { \
    return detail::algorithms::call_algorithm<detail::algorithms::name##_body>(    \
        where, HPK_DETAIL_STRIP arguments);                                        \
  }
