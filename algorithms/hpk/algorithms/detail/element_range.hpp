// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of elements that algorithms work on, and their checks: whether the space can access the
// elements, whether an output is long enough, and whether it overlaps an input.
#pragma once

#include <hpk/algorithms/detail/executor.hpp>
#include <hpk/algorithms/iterator.hpp>

#include <limits>

namespace hpk::detail::algorithms {

/// An iterator that algorithms take.
template <class T>
concept algorithm_iterator = is_view_iterator_v<T> || std::random_access_iterator<T>;

/// The elements from an iterator on, in the form that kernels access.
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

/// A range of `count` elements that begins at `first`.
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

/// Returns an iterator moved by an index.
HPK_CALLS_EITHER
template <class It>
HPK_FUNCTION It moved_by(const It& it, index_t by) {
  return it + static_cast<typename std::iterator_traits<It>::difference_type>(by);
}

/// Whether the iterator type allows kernels of the space to access its elements. Pointers always
/// count as accessible.
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

/// Reports an iterator whose elements the space cannot access, at compile time.
template <class Executor, class It>
HPK_FUNCTION constexpr void expect_reachable() {
  constexpr bool reachable = is_reachable<typename Executor::execution_space, It>();
  static_assert(reachable,
                "hpk: the memory of an algorithm's elements is not accessible from the execution "
                "space; copy them with hpk::deep_copy, or name a space that can access them");
}

/// Makes a range of two iterators. Reports a range that ends before it begins, that leaves its
/// View, or whose iterators belong to different Views.
HPK_CALLS_EITHER
template <class Executor, class It>
HPK_FUNCTION element_range<It> make_range([[maybe_unused]] const Executor& executor,
                                          const It& first, const It& last) {
  expect_reachable<Executor, It>();
  if constexpr (is_view_iterator_v<It> && Executor::checks) {
    if (!first.reaches(last)) [[unlikely]] {
      HPK_IF_ON_HOST((reject_two_views(executor.info(), first.record(), last.record());))
      HPK_IF_ON_DEVICE((abort_on_arguments();))
    }
  }
  const index_t count = static_cast<index_t>(last - first);
  if constexpr (Executor::checks) {
    if (count < 0) [[unlikely]] {
      HPK_IF_ON_HOST((reject_reversed_range(executor.info(), record_of(first), count);))
      HPK_IF_ON_DEVICE((abort_on_arguments();))
    }
    if constexpr (is_view_iterator_v<It>) {
      if (count != 0 && (first.index() < 0 || last.index() > last.size())) [[unlikely]] {
        HPK_IF_ON_HOST((reject_range_beyond(executor.info(), first.record(), first.index(),
                                            last.index(), first.size());))
        HPK_IF_ON_DEVICE((abort_on_arguments();))
      }
    }
  }
  return {first, count};
}
/// Makes a range of all elements of a View.
HPK_CALLS_EITHER
template <class Executor, class V>
HPK_FUNCTION auto make_range(const Executor&, const V& view) {
  const auto first = hpk::Experimental::begin(view);
  expect_reachable<Executor, std::remove_const_t<decltype(first)>>();
  return element_range<std::remove_const_t<decltype(first)>>{first,
                                                             static_cast<index_t>(view.extent(0))};
}

inline constexpr index_t largest_index = std::numeric_limits<index_t>::max();
/// Returns the number of elements from the iterator to the end of its View. For other iterators the
/// number is unknown and the largest index is returned.
HPK_CALLS_EITHER
template <class It>
HPK_FUNCTION index_t remaining_elements([[maybe_unused]] const It& it) {
  if constexpr (is_view_iterator_v<It>) {
    return it.index() < 0 ? 0 : it.size() - it.index();
  } else {
    return largest_index;
  }
}
/// Makes a range of the first `count` elements from an iterator on; it is empty for count < 0.
HPK_CALLS_EITHER
template <class Executor, class It>
HPK_FUNCTION element_range<It> make_counted([[maybe_unused]] const Executor& executor,
                                            const It& first, index_t count) {
  expect_reachable<Executor, It>();
  if constexpr (Executor::checks) {
    if (count > 0 && remaining_elements(first) < count) [[unlikely]] {
      HPK_IF_ON_HOST((reject_short_range(executor.info(), record_of(first),
                                         remaining_elements(first), count, true);))
      HPK_IF_ON_DEVICE((abort_on_arguments();))
    }
  }
  return {first, count < 0 ? 0 : count};
}

/// Reports an output, or a second input, with fewer than `count` elements.
HPK_CALLS_EITHER
template <class Executor, class It>
HPK_FUNCTION void expect_room([[maybe_unused]] const Executor& executor, const It& out,
                              index_t count) {
  expect_reachable<Executor, It>();
  if constexpr (Executor::checks) {
    if (count > 0 && remaining_elements(out) < count) [[unlikely]] {
      HPK_IF_ON_HOST((reject_short_range(executor.info(), record_of(out), remaining_elements(out),
                                         count, false);))
      HPK_IF_ON_DEVICE((abort_on_arguments();))
    }
  }
}

/// Whether two ranges share an element, as far as a check in constant time can tell. `same_start`:
/// they also begin at the same element and have the same stride.
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
      // The ranges may be interleaved without a common element, like two columns of one array.
      if (a.stride() != b.stride() && n != 1 && m != 1) return {};
      const index_t stride = n != 1 ? a.stride() : b.stride();
      const index_t distance = p < q ? q - p : p - q;
      if (stride > 0 && distance % (stride * size) != 0) return {};
      return {true, p == q};
    }
  }
  return {};
}
/// Reports an output that shares elements with an input. With `in_place` the output may be the
/// input itself. With HPK_PERMISSIVE only builds with HPK_CHECKS report it, as in Kokkos.
HPK_CALLS_EITHER
template <class Executor, class A, class B>
HPK_FUNCTION void expect_no_overlap([[maybe_unused]] const Executor& executor, const A& a,
                                    index_t n, const B& b, index_t m, bool in_place) {
  if constexpr (Executor::checks && (HPK_CHECKS || !HPK_PERMISSIVE)) {
    const overlap found = find_overlap(a, n, b, m);
    if (found.shares && !(in_place && found.same_start)) [[unlikely]] {
      HPK_IF_ON_HOST((reject_overlap(executor.info(), record_of(a), record_of(b), in_place);))
      HPK_IF_ON_DEVICE((abort_on_arguments();))
    }
  }
}

/// Checks the output of an algorithm that writes one element for each element of a range.
HPK_CALLS_EITHER
template <bool InPlace = false, class Executor, class A, class B>
HPK_FUNCTION void expect_output(const Executor& executor, const element_range<A>& in,
                                const B& out) {
  expect_room(executor, out, in.count);
  expect_no_overlap(executor, in.first, in.count, out, in.count, InPlace);
}

}  // namespace hpk::detail::algorithms
