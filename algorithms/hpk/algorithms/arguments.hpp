// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all algorithms share: what they may be called with, which is turned into ranges, and the
// checks of ranges.
//   algorithm([label,] instance, first, last, ...)     host code; returns when the work is done
//   algorithm([label,] instance, view, ...)
//   algorithm(team, first, last, ...)                  in kernels over teams, by all threads
//   algorithm(team, view, ...)
// A View stands for all its elements, where an algorithm takes one iterator for the first of them.
// Iterators are those of Views, pointers, and random-access iterators of the host.
#pragma once

#include <hpk/algorithms/iterator.hpp>
#include <hpk/algorithms/place.hpp>

#include <limits>

namespace hpk::detail::algorithms {

/// An iterator that algorithms take.
template <class T>
concept algorithm_iterator = is_view_iterator_v<T> || std::random_access_iterator<T>;

/// The elements from an iterator on, as kernels access them.
HPK_CALLS_EITHER
template <class It>
HPK_FORCEINLINE_FUNCTION auto row_of(const It& it) {
  if constexpr (is_view_iterator_v<It>) {
    return it.row();
  } else {
    return it;
  }
}
template <class It>
using row_of_t = decltype(row_of(std::declval<const It&>()));

/// `count` elements from `first` on.
template <class It>
struct element_range {
  using value_type = typename std::iterator_traits<It>::value_type;
  It first;
  index_t count;
  HPK_CALLS_EITHER
  HPK_FUNCTION auto row() const { return row_of(first); }
  HPK_CALLS_EITHER
  HPK_FUNCTION It at(index_t i) const {
    return first + static_cast<typename std::iterator_traits<It>::difference_type>(i);
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION It last() const { return at(count); }
};

/// An iterator moved by an index.
HPK_CALLS_EITHER
template <class It>
HPK_FUNCTION It moved_by(const It& it, index_t by) {
  return it + static_cast<typename std::iterator_traits<It>::difference_type>(by);
}

/// Whether kernels of a space can access the elements of an iterator, as far as the type tells.
template <class Exec, class It>
HPK_FUNCTION constexpr bool is_reachable() {
  if constexpr (is_view_iterator_v<It>) {
    return SpaceAccessibility<Exec, typename It::memory_space>::accessible;
  } else if constexpr (std::is_pointer_v<It>) {
    return true;
  } else {
    return SpaceAccessibility<Exec, HostSpace>::accessible;
  }
}

/// Refuses an iterator whose elements the space can't access.
template <class W, class It>
HPK_FUNCTION constexpr void expect_reachable() {
  constexpr bool reachable = is_reachable<typename W::execution_space, It>();
  static_assert(reachable,
                "hpk: the memory of an algorithm's elements is not accessible from the execution "
                "space; copy them with hpk::deep_copy, or name a space that can access them");
}

/// Refuses a range whose end lies before its begin, or whose iterators are of two Views.
HPK_CALLS_EITHER
template <class W, class It>
HPK_FUNCTION element_range<It> make_range([[maybe_unused]] const W& w, const It& first,
                                          const It& last) {
  expect_reachable<W, It>();
  if constexpr (is_view_iterator_v<It> && W::checks) {
    if (!first.is_over_same_view(last)) [[unlikely]] {
      HPK_IF_ON_HOST((reject_two_views(w.place(), first.record(), last.record());))
      HPK_IF_ON_DEVICE((abort_on_arguments();))
    }
  }
  const index_t count = static_cast<index_t>(last - first);
  if constexpr (W::checks) {
    if (count < 0) [[unlikely]] {
      HPK_IF_ON_HOST((reject_reversed_range(w.place(), record_of(first), count);))
      HPK_IF_ON_DEVICE((abort_on_arguments();))
    }
    if constexpr (is_view_iterator_v<It>) {
      if (count != 0 && (first.index() < 0 || last.index() > last.size())) [[unlikely]] {
        HPK_IF_ON_HOST((reject_range_beyond(w.place(), first.record(), first.index(), last.index(),
                                            first.size());))
        HPK_IF_ON_DEVICE((abort_on_arguments();))
      }
    }
  }
  return {first, count};
}
/// All elements of a View.
HPK_CALLS_EITHER
template <class W, class V>
HPK_FUNCTION auto make_range(const W&, const V& view) {
  const auto first = hpk::Experimental::begin(view);
  expect_reachable<W, std::remove_const_t<decltype(first)>>();
  return element_range<std::remove_const_t<decltype(first)>>{first,
                                                             static_cast<index_t>(view.extent(0))};
}

inline constexpr index_t largest_index = std::numeric_limits<index_t>::max();
/// How many elements an iterator has behind it; the largest index where nobody knows.
HPK_CALLS_EITHER
template <class It>
HPK_FUNCTION index_t room_behind([[maybe_unused]] const It& it) {
  if constexpr (is_view_iterator_v<It>) {
    return it.index() < 0 ? 0 : it.size() - it.index();
  } else {
    return largest_index;
  }
}
/// The first `count` elements from an iterator on.
HPK_CALLS_EITHER
template <class W, class It>
HPK_FUNCTION element_range<It> make_counted([[maybe_unused]] const W& w, const It& first,
                                            index_t count) {
  expect_reachable<W, It>();
  if constexpr (W::checks) {
    if (count > 0 && room_behind(first) < count) [[unlikely]] {
      HPK_IF_ON_HOST(
          (reject_short_range(w.place(), record_of(first), room_behind(first), count, true);))
      HPK_IF_ON_DEVICE((abort_on_arguments();))
    }
  }
  return {first, count < 0 ? 0 : count};
}

/// Refuses an output, or a second input, of fewer than `count` elements.
HPK_CALLS_EITHER
template <class W, class It>
HPK_FUNCTION void expect_room([[maybe_unused]] const W& w, const It& out, index_t count) {
  expect_reachable<W, It>();
  if constexpr (W::checks) {
    if (count > 0 && room_behind(out) < count) [[unlikely]] {
      HPK_IF_ON_HOST(
          (reject_short_range(w.place(), record_of(out), room_behind(out), count, false);))
      HPK_IF_ON_DEVICE((abort_on_arguments();))
    }
  }
}

/// Whether ranges of n and m elements, as far as one can tell in no time, share an element;
/// `same_start` says whether they start at the same one and have the same stride.
struct overlap {
  bool shares = false;
  bool same_start = false;
};
HPK_CALLS_EITHER
template <class A, class B>
HPK_FUNCTION overlap find_overlap([[maybe_unused]] const A& a, [[maybe_unused]] index_t n,
                                  [[maybe_unused]] const B& b, [[maybe_unused]] index_t m) {
  if constexpr (requires { a.data(), a.stride(), b.data(), b.stride(); }) {
    if (n <= 0 || m <= 0) return {};
    using T = std::remove_pointer_t<decltype(a.data())>;
    using U = std::remove_pointer_t<decltype(b.data())>;
    if constexpr (std::is_same_v<std::remove_cv_t<T>, std::remove_cv_t<U>>) {
      const auto* const p = reinterpret_cast<const volatile char*>(a.data());
      const auto* const q = reinterpret_cast<const volatile char*>(b.data());
      constexpr index_t size = sizeof(T);
      const index_t reach = a.stride() * (n - 1) * size;
      const index_t other_reach = b.stride() * (m - 1) * size;
      if (a.stride() < 0 || b.stride() < 0 || p + reach < q || q + other_reach < p) return {};
      // Rows of one array that lie side by side.
      if (a.stride() != b.stride() && n != 1 && m != 1) return {};
      const index_t stride = n != 1 ? a.stride() : b.stride();
      const index_t apart = p < q ? q - p : p - q;
      if (stride > 0 && apart % (stride * size) != 0) return {};
      return {true, p == q};
    }
  }
  return {};
}
/// Refuses an output that shares elements with an input, unless it is the input and `in_place`.
HPK_CALLS_EITHER
template <class W, class A, class B>
HPK_FUNCTION void expect_apart([[maybe_unused]] const W& w, const A& a, index_t n, const B& b,
                               index_t m, bool in_place) {
  if constexpr (W::checks) {
    const overlap found = find_overlap(a, n, b, m);
    if (found.shares && !(in_place && found.same_start)) [[unlikely]] {
      HPK_IF_ON_HOST((reject_overlap(w.place(), record_of(a), record_of(b), in_place);))
      HPK_IF_ON_DEVICE((abort_on_arguments();))
    }
  }
}
/// a < b, a == b.
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

/// What an algorithm that writes n elements for n of a range checks.
HPK_CALLS_EITHER
template <bool InPlace = false, class W, class A, class B>
HPK_FUNCTION void expect_output(const W& w, const element_range<A>& in, const B& out) {
  expect_room(w, out, in.count);
  expect_apart(w, in.first, in.count, out, in.count, InPlace);
}

/// An argument behind the ranges: a View stands for an iterator at its first element.
HPK_CALLS_EITHER
template <class T>
HPK_FUNCTION decltype(auto) as_argument(const T& argument) {
  if constexpr (is_view_v<T>) {
    return hpk::Experimental::begin(argument);
  } else {
    return (argument);
  }
}

/// A function stands for its address, which a body can hold.
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
inline constexpr bool never = false;

/// What is left when the arguments fit no form of the algorithm Body.
template <class Body>
struct wrong_arguments {
  template <class W, class... Args>
  HPK_FUNCTION static void call(const W&, const Args&...) {
    static_assert(never<Body>,
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
  template <class W, class V, class... Rest>
    requires is_view_v<V>
  HPK_FUNCTION static auto call(const W& w, const V& view, const Rest&... rest) {
    return Body::run(w, make_range(w, view), as_argument(rest)...);
  }
  HPK_CALLS_EITHER
  template <class W, algorithm_iterator I, class... Rest>
  HPK_FUNCTION static auto call(const W& w, const I& first, const I& last, const Rest&... rest) {
    return Body::run(w, make_range(w, first, last), rest...);
  }
};
/// Algorithms over two ranges: (first, last, first2, last2, ...) or (view, view2, ...).
template <class Body>
struct over_two_ranges : wrong_arguments<Body> {
  using wrong_arguments<Body>::call;
  HPK_CALLS_EITHER
  template <class W, class V, class U, class... Rest>
    requires(is_view_v<V> && is_view_v<U>)
  HPK_FUNCTION static auto call(const W& w, const V& view, const U& other, const Rest&... rest) {
    return Body::run(w, make_range(w, view), make_range(w, other), rest...);
  }
  HPK_CALLS_EITHER
  template <class W, algorithm_iterator I, algorithm_iterator J, class... Rest>
  HPK_FUNCTION static auto call(const W& w, const I& first, const I& last, const J& first2,
                                const J& last2, const Rest&... rest) {
    return Body::run(w, make_range(w, first, last), make_range(w, first2, last2), rest...);
  }
};
/// Algorithms over the first n elements: (first, n, ...) or (view, n, ...).
template <class Body>
struct over_count : wrong_arguments<Body> {
  using wrong_arguments<Body>::call;
  HPK_CALLS_EITHER
  template <class W, class V, std::integral N, class... Rest>
    requires is_view_v<V>
  HPK_FUNCTION static auto call(const W& w, const V& view, N n, const Rest&... rest) {
    return Body::run(w, make_counted(w, hpk::Experimental::begin(view), static_cast<index_t>(n)),
                     as_argument(rest)...);
  }
  HPK_CALLS_EITHER
  template <class W, algorithm_iterator I, std::integral N, class... Rest>
  HPK_FUNCTION static auto call(const W& w, const I& first, N n, const Rest&... rest) {
    return Body::run(w, make_counted(w, first, static_cast<index_t>(n)), rest...);
  }
};
/// Algorithms over a range and a place in it: (first, middle, last, ...) or (view, n, ...).
template <class Body>
struct over_split : wrong_arguments<Body> {
  using wrong_arguments<Body>::call;
  HPK_CALLS_EITHER
  template <class W, class V, std::integral N, class... Rest>
    requires is_view_v<V>
  HPK_FUNCTION static auto call(const W& w, const V& view, N n, const Rest&... rest) {
    const auto range = make_range(w, view);
    return Body::run(w, range, split_at(w, range, static_cast<index_t>(n)), as_argument(rest)...);
  }
  HPK_CALLS_EITHER
  template <class W, algorithm_iterator I, class... Rest>
  HPK_FUNCTION static auto call(const W& w, const I& first, const I& middle, const I& last,
                                const Rest&... rest) {
    const auto range = make_range(w, first, last);
    return Body::run(w, range, split_at(w, range, static_cast<index_t>(middle - first)), rest...);
  }

 private:
  HPK_CALLS_EITHER
  template <class W, class R>
  HPK_FUNCTION static index_t split_at([[maybe_unused]] const W& w, const R& range, index_t n) {
    if constexpr (W::checks) {
      if (n < 0 || n > range.count) [[unlikely]] {
        HPK_IF_ON_HOST((reject_split(w.place(), record_of(range.first), n, range.count);))
        HPK_IF_ON_DEVICE((abort_on_arguments();))
      }
    }
    return n;
  }
};

template <class Exec>
constexpr bool check_instance() {
  constexpr bool known = is_execution_space_v<Exec>;
  static_assert(known,
                "hpk: an algorithm is called with an instance of an execution space, a label and "
                "an instance, or the handle of a team first; write algorithm(hpk::"
                "DefaultExecutionSpace(), ...)");
  return known;
}
/// Calls an algorithm on an instance, with which the arguments begin, or with a label before it.
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

/// Declares the algorithm `name`, whose body is hpk::detail::algorithms::name##_body: for the
/// handle of a team, and for two to eight arguments of host code (reason: behind a pack of
/// arguments none is deduced, so that a call site can follow only a known number of them).
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
    requires(!TeamHandle<A>)                                                       \
  auto name(HPK_DETAIL_STRIP parameters,                                           \
            const std::source_location& where = std::source_location::current()) { \
    return detail::algorithms::call_algorithm<detail::algorithms::name##_body>(    \
        where, HPK_DETAIL_STRIP arguments);                                        \
  }
