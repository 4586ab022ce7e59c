// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches: find, find_if, find_if_not, adjacent_find, search, search_n, find_end, find_first_of
// and mismatch. They process blocks of increasing length in order and stop after the block with the
// answer, so that a hit near the beginning costs little more than one launch. The result is the
// lowest index, or the highest in searches for the last occurrence, for any number of workers.
#pragma once

#include <hpk/algorithms/elementwise.hpp>

namespace hpk::detail::algorithms {

/// Finds the lowest index for which f is true; an iteration visits `chunk` neighbouring indices.
template <class F>
struct search_step {
  using value_type = index_t;
  F f;
  index_t begin;
  index_t end;
  index_t chunk;
  HPK_FUNCTION void init(index_t& best) const { best = end; }
  HPK_FUNCTION void join(index_t& best, index_t other) const {
    if (other < best) best = other;
  }
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I k, index_t& best) const {
    const index_t from = begin + static_cast<index_t>(k) * chunk;
    if (from >= best) return;
    const index_t to = end - from < chunk ? end : from + chunk;
    for (index_t i = from; i < to; ++i) {
      if (f(i)) {
        best = i;
        return;
      }
    }
  }
};

/// Returns the lowest index i in [0, n) for which f(i) is true, or n if there is none.
HPK_CALLS_EITHER
template <class Executor, class F>
HPK_FUNCTION index_t find_first(const Executor& executor, index_t n, const F& f) {
  // The first block takes a few microseconds; longer blocks make up for the cost of their launches.
  index_t length = Executor::is_team ? 1024 : 4096;
  for (index_t begin = 0; begin < n;) {
    const index_t end = n - begin < length ? n : begin + length;
    const index_t chunks = (end - begin + Executor::chunk - 1) / Executor::chunk;
    const index_t found = executor.reduce(chunks, search_step<F>{f, begin, end, Executor::chunk});
    if (found < end) return found;
    begin = end;
    // Limits the elements that are searched after a hit to a small multiple of those before it.
    length *= Executor::chunk == 1 ? 8 : 2;
  }
  return n;
}

/// Calls f with indices counted from the end.
template <class F>
struct mirrored {
  F f;
  index_t last;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const { return f(last - i); }
};
/// Returns the highest index i in [0, n) for which f(i) is true, or -1 if there is none.
HPK_CALLS_EITHER
template <class Executor, class F>
HPK_FUNCTION index_t find_last(const Executor& executor, index_t n, const F& f) {
  return n - 1 - find_first(executor, n, mirrored<F>{f, n - 1});
}

/// Whether f(element i) is Wanted.
template <bool Wanted, class Row, class F>
struct is_match {
  Row row;
  F f;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const {
    return static_cast<bool>(f(row[i])) == Wanted;
  }
};
HPK_CALLS_EITHER
template <bool Wanted, class Executor, class R, class F>
HPK_FUNCTION index_t find_match(const Executor& executor, const R& range, const F& f) {
  return find_first(executor, range.count,
                    is_match<Wanted, decltype(range.row()), F>{range.row(), f});
}

/// Whether f(a[i], b[i]) is false.
template <class A, class B, class F>
struct is_difference {
  A a;
  B b;
  F f;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const { return !f(a[i], b[i]); }
};
HPK_CALLS_EITHER
template <class Executor, class A, class B, class F>
HPK_FUNCTION index_t find_difference(const Executor& executor, index_t n, const A& a, const B& b,
                                     const F& f) {
  return find_first(executor, n, is_difference<A, B, F>{a, b, f});
}

struct find_if_body : over_range<find_if_body> {
  static constexpr const char* name = "hpk::find_if";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const F& f) {
    return range.at(find_match<true>(executor, range, f));
  }
};
struct find_if_not_body : over_range<find_if_not_body> {
  static constexpr const char* name = "hpk::find_if_not";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const F& f) {
    return range.at(find_match<false>(executor, range, f));
  }
};
struct find_body : over_range<find_body> {
  static constexpr const char* name = "hpk::find";
  HPK_CALLS_EITHER
  template <class Executor, class R, class T>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const T& value) {
    return find_if_body::run(executor, range, is_value<T>{value});
  }
};

/// Whether f(element i, element i + 1) is true.
template <class Row, class F>
struct is_pair {
  Row row;
  F f;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const { return f(row[i], row[i + 1]); }
};
struct adjacent_find_body : over_range<adjacent_find_body> {
  static constexpr const char* name = "hpk::adjacent_find";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F = equals>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const F& f = {}) {
    if (range.count <= 1) return range.last();
    const index_t pairs = range.count - 1;
    const index_t at =
        find_first(executor, pairs, is_pair<decltype(range.row()), F>{range.row(), f});
    return at == pairs ? range.last() : range.at(at);
  }
};

/// Whether an occurrence of the pattern begins at element i.
template <class Row, class Pattern, class F>
struct is_occurrence {
  Row row;
  Pattern pattern;
  index_t length;
  F f;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const {
    for (index_t k = 0; k < length; ++k) {
      if (!f(row[i + k], pattern[k])) return false;
    }
    return true;
  }
};
struct search_body : over_two_ranges<search_body> {
  static constexpr const char* name = "hpk::search";
  HPK_CALLS_EITHER
  template <class Executor, class R, class S, class F = equals>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const S& pattern,
                               const F& f = {}) {
    if (pattern.count == 0) return range.first;
    if (pattern.count > range.count) return range.last();
    const index_t positions = range.count - pattern.count + 1;
    using predicate = is_occurrence<decltype(range.row()), decltype(pattern.row()), F>;
    const index_t at =
        find_first(executor, positions, predicate{range.row(), pattern.row(), pattern.count, f});
    return at == positions ? range.last() : range.at(at);
  }
};
struct find_end_body : over_two_ranges<find_end_body> {
  static constexpr const char* name = "hpk::find_end";
  HPK_CALLS_EITHER
  template <class Executor, class R, class S, class F = equals>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const S& pattern,
                               const F& f = {}) {
    if (pattern.count == 0 || pattern.count > range.count) return range.last();
    const index_t positions = range.count - pattern.count + 1;
    using predicate = is_occurrence<decltype(range.row()), decltype(pattern.row()), F>;
    const index_t at =
        find_last(executor, positions, predicate{range.row(), pattern.row(), pattern.count, f});
    return at < 0 ? range.last() : range.at(at);
  }
};
/// A row whose elements all have one value.
template <class T>
struct constant_row {
  T value;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION const T& operator[](index_t) const { return value; }
};
struct search_n_body : over_range<search_n_body> {
  static constexpr const char* name = "hpk::search_n";
  HPK_CALLS_EITHER
  template <class Executor, class R, std::integral N, class T, class F = equals>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, N n, const T& value,
                               const F& f = {}) {
    const index_t count = static_cast<index_t>(n);
    if (count <= 0) return range.first;
    if (count > range.count) return range.last();
    const index_t positions = range.count - count + 1;
    using predicate = is_occurrence<decltype(range.row()), constant_row<T>, F>;
    const index_t at = find_first(executor, positions, predicate{range.row(), {value}, count, f});
    return at == positions ? range.last() : range.at(at);
  }
};
/// Whether element i matches any element of a set.
template <class Row, class Set, class F>
struct is_one_of {
  Row row;
  Set set;
  index_t count;
  F f;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const {
    for (index_t k = 0; k < count; ++k) {
      if (f(row[i], set[k])) return true;
    }
    return false;
  }
};
struct find_first_of_body : over_two_ranges<find_first_of_body> {
  static constexpr const char* name = "hpk::find_first_of";
  HPK_CALLS_EITHER
  template <class Executor, class R, class S, class F = equals>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const S& set,
                               const F& f = {}) {
    if (set.count == 0) return range.last();
    using predicate = is_one_of<decltype(range.row()), decltype(set.row()), F>;
    return range.at(
        find_first(executor, range.count, predicate{range.row(), set.row(), set.count, f}));
  }
};
struct mismatch_body : over_two_ranges<mismatch_body> {
  static constexpr const char* name = "hpk::mismatch";
  HPK_CALLS_EITHER
  template <class Executor, class R, class S, class F = equals>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const S& other,
                               const F& f = {}) {
    const index_t common_count = range.count < other.count ? range.count : other.count;
    const index_t at = find_difference(executor, common_count, range.row(), other.row(), f);
    return pair<decltype(range.last()), decltype(other.last())>(range.at(at), other.at(at));
  }
};

}  // namespace hpk::detail::algorithms

namespace hpk::Experimental {

/// Returns the first element that equals a value, or the end: (first, last, value) or (view,
/// value).
HPK_DETAIL_ALGORITHM(find)
/// Returns the first element for which f is true, or the end: (first, last, f) or (view, f).
HPK_DETAIL_ALGORITHM(find_if)
/// Returns the first element for which f is false, or the end: (first, last, f) or (view, f).
HPK_DETAIL_ALGORITHM(find_if_not)
/// Returns the first element that equals the next one, or for which f(element, next) is true, or
/// the end: (first, last[, f]) or (view[, f]).
HPK_DETAIL_ALGORITHM(adjacent_find)

/// Returns the beginning of the first occurrence of a pattern, or the end if there is none, or the
/// beginning of the range for an empty pattern: (first, last, pattern_first, pattern_last[, f]) or
/// (view, pattern[, f]). Elements match if they are equal, or if f(element, of_pattern) is true.
/// The number of comparisons is at most the product of both lengths.
HPK_DETAIL_ALGORITHM(search)
/// Returns the beginning of the last occurrence of a pattern, or the end if there is none or if the
/// pattern is empty. Arguments and matches as for search.
HPK_DETAIL_ALGORITHM(find_end)
/// Returns the beginning of the first n consecutive elements that equal a value, or for which
/// f(element, value) is true. Returns the end if there are none, and the beginning of the range if
/// n is not positive: (first, last, n, value[, f]) or (view, n, value[, f]).
HPK_DETAIL_ALGORITHM(search_n)
/// Returns the first element that equals an element of a set, or for which f(element, of_set) is
/// true, or the end: (first, last, set_first, set_last[, f]) or (view, set[, f]).
HPK_DETAIL_ALGORITHM(find_first_of)

/// Returns iterators to the first elements of two ranges that differ, or for which f(a, b) is
/// false, as an hpk::pair. If there are none, they are at the end of the shorter range: (first,
/// last, first2, last2[, f]) or (view, view2[, f]).
HPK_DETAIL_ALGORITHM(mismatch)

}  // namespace hpk::Experimental
