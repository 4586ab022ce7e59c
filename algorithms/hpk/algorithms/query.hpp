// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries of ranges: count, all_of, any_of, none_of, equal, lexicographical_compare, is_sorted,
// is_sorted_until, is_partitioned and partition_point. Queries that a single element can decide
// stop early.
#pragma once

#include <hpk/algorithms/search.hpp>

namespace hpk::detail::algorithms {

/// Counts the elements for which f is true.
template <class Row, class F>
struct count_step {
  using value_type = index_t;
  Row row;
  F f;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i, index_t& update) const {
    update += f(row[i]) ? 1 : 0;
  }
};
struct count_if_body : over_range<count_if_body> {
  static constexpr const char* name = "hpk::count_if";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static index_t run(const Executor& executor, const R& range, const F& f) {
    return executor.reduce(range.count, count_step<decltype(range.row()), F>{range.row(), f});
  }
};
struct count_body : over_range<count_body> {
  static constexpr const char* name = "hpk::count";
  HPK_CALLS_EITHER
  template <class Executor, class R, class T>
  HPK_FUNCTION static index_t run(const Executor& executor, const R& range, const T& value) {
    return count_if_body::run(executor, range, is_value<T>{value});
  }
};

struct all_of_body : over_range<all_of_body> {
  static constexpr const char* name = "hpk::all_of";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static bool run(const Executor& executor, const R& range, const F& f) {
    return find_match<false>(executor, range, f) == range.count;
  }
};
struct any_of_body : over_range<any_of_body> {
  static constexpr const char* name = "hpk::any_of";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static bool run(const Executor& executor, const R& range, const F& f) {
    return find_match<true>(executor, range, f) != range.count;
  }
};
struct none_of_body : over_range<none_of_body> {
  static constexpr const char* name = "hpk::none_of";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static bool run(const Executor& executor, const R& range, const F& f) {
    return find_match<true>(executor, range, f) == range.count;
  }
};

struct equal_body : over_two_ranges<equal_body> {
  static constexpr const char* name = "hpk::equal";
  using over_two_ranges<equal_body>::call;
  /// (first, last, first2[, f]).
  HPK_CALLS_EITHER
  template <class Executor, algorithm_iterator I, algorithm_iterator J>
  HPK_FUNCTION static bool call(const Executor& executor, const I& first, const I& last,
                                const J& other) {
    return call(executor, first, last, other, equals());
  }
  HPK_CALLS_EITHER
  template <class Executor, algorithm_iterator I, algorithm_iterator J, class F>
    requires(!algorithm_iterator<F>)
  HPK_FUNCTION static bool call(const Executor& executor, const I& first, const I& last,
                                const J& other, const F& f) {
    const auto range = make_range(executor, first, last);
    expect_room(executor, other, range.count);
    return run(executor, range, element_range<J>{other, range.count}, f);
  }
  HPK_CALLS_EITHER
  template <class Executor, class R, class S, class F = equals>
  HPK_FUNCTION static bool run(const Executor& executor, const R& range, const S& other,
                               const F& f = {}) {
    if (range.count != other.count) return false;
    return find_difference(executor, range.count, range.row(), other.row(), f) == range.count;
  }
};
/// Whether a[at] < b[at]. A kernel compares them, because the host may not be able to access the
/// elements.
template <class A, class B, class F>
struct order_step {
  using value_type = index_t;
  A a;
  B b;
  index_t at;
  F f;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FUNCTION void operator()(I, index_t& update) const {
    update += f(a[at], b[at]) ? 1 : 0;
  }
};
/// Whether a and b are equivalent in the order f.
template <class F>
struct is_equivalent {
  F f;
  HPK_CALLS_EITHER
  template <class T, class U>
  HPK_FORCEINLINE_FUNCTION bool operator()(const T& a, const U& b) const {
    return !f(a, b) && !f(b, a);
  }
};
struct lexicographical_compare_body : over_two_ranges<lexicographical_compare_body> {
  static constexpr const char* name = "hpk::lexicographical_compare";
  HPK_CALLS_EITHER
  template <class Executor, class R, class S, class F = less>
  HPK_FUNCTION static bool run(const Executor& executor, const R& range, const S& other,
                               const F& f = {}) {
    const index_t common_count = range.count < other.count ? range.count : other.count;
    const index_t at =
        find_difference(executor, common_count, range.row(), other.row(), is_equivalent<F>{f});
    if (at == common_count) return range.count < other.count;
    using step = order_step<decltype(range.row()), decltype(other.row()), F>;
    return executor.reduce(1, step{range.row(), other.row(), at, f}) != 0;
  }
};

/// Whether element i + 1 is less than element i.
template <class Row, class F>
struct is_descent {
  Row row;
  F f;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const { return f(row[i + 1], row[i]); }
};
struct is_sorted_until_body : over_range<is_sorted_until_body> {
  static constexpr const char* name = "hpk::is_sorted_until";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F = less>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const F& f = {}) {
    return range.at(sorted_length(executor, range, f));
  }
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static index_t sorted_length(const Executor& executor, const R& range, const F& f) {
    if (range.count <= 1) return range.count;
    return find_first(executor, range.count - 1,
                      is_descent<decltype(range.row()), F>{range.row(), f}) +
           1;
  }
};
struct is_sorted_body : over_range<is_sorted_body> {
  static constexpr const char* name = "hpk::is_sorted";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F = less>
  HPK_FUNCTION static bool run(const Executor& executor, const R& range, const F& f = {}) {
    return is_sorted_until_body::sorted_length(executor, range, f) == range.count;
  }
};

/// Whether f is true for element i + 1 but not for element i.
template <class Row, class F>
struct is_partition_violation {
  Row row;
  F f;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const { return f(row[i + 1]) && !f(row[i]); }
};
struct is_partitioned_body : over_range<is_partitioned_body> {
  static constexpr const char* name = "hpk::is_partitioned";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static bool run(const Executor& executor, const R& range, const F& f) {
    if (range.count <= 1) return true;
    const index_t pairs = range.count - 1;
    return find_first(executor, pairs,
                      is_partition_violation<decltype(range.row()), F>{range.row(), f}) == pairs;
  }
};
/// Finds the number of leading elements for which f is true, by bisection.
template <class Row, class F>
struct bisect_step {
  using value_type = index_t;
  Row row;
  index_t count;
  F f;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FUNCTION void operator()(I, index_t& update) const {
    index_t low = 0;
    for (index_t high = count; low < high;) {
      const index_t middle = low + (high - low) / 2;
      if (f(row[middle])) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    update += low;
  }
};
struct partition_point_body : over_range<partition_point_body> {
  static constexpr const char* name = "hpk::partition_point";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const F& f) {
    if (range.count == 0) return range.first;
    return range.at(
        executor.reduce(1, bisect_step<decltype(range.row()), F>{range.row(), range.count, f}));
  }
};

}  // namespace hpk::detail::algorithms

namespace hpk::Experimental {

/// Returns the number of elements that equal a value: (first, last, value) or (view, value).
HPK_DETAIL_ALGORITHM(count)
/// Returns the number of elements for which f is true: (first, last, f) or (view, f).
HPK_DETAIL_ALGORITHM(count_if)
/// Whether f is true for all elements: (first, last, f) or (view, f). True for an empty range.
HPK_DETAIL_ALGORITHM(all_of)
/// Whether f is true for any element: (first, last, f) or (view, f).
HPK_DETAIL_ALGORITHM(any_of)
/// Whether f is true for no element: (first, last, f) or (view, f).
HPK_DETAIL_ALGORITHM(none_of)

/// Whether two ranges have the same length and equal elements, or f(a, b) is true for all pairs:
/// (first, last, first2[, f]), (first, last, first2, last2[, f]) or (view, view2[, f]).
HPK_DETAIL_ALGORITHM(equal)
/// Whether the first range precedes the second. The first pair of different elements decides; if
/// there is none, the shorter range comes first: (first, last, first2, last2[, less]) or (view,
/// view2[, less]).
HPK_DETAIL_ALGORITHM(lexicographical_compare)

/// Whether no element is less than its predecessor: (first, last[, less]) or (view[, less]).
HPK_DETAIL_ALGORITHM(is_sorted)
/// Returns the end of the longest sorted range that starts at the first element: (first, last[,
/// less]) or (view[, less]).
HPK_DETAIL_ALGORITHM(is_sorted_until)
/// Whether all elements for which f is true precede the others: (first, last, f) or (view, f).
HPK_DETAIL_ALGORITHM(is_partitioned)
/// Returns the end of the elements for which f is true, in a partitioned range: (first, last, f) or
/// (view, f). It bisects: the number of calls of f is the logarithm (base 2) of the number of
/// elements.
HPK_DETAIL_ALGORITHM(partition_point)

}  // namespace hpk::Experimental
