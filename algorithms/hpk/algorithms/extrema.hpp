// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positions of the least and the greatest elements: min_element, max_element and minmax_element.
#pragma once

#include <hpk/algorithms/detail/arguments.hpp>

namespace hpk::detail::algorithms {

/// Finds the index of the first least element by f, or of the first greatest if Greatest; -1 for no
/// element.
template <class Row, class F, bool Greatest>
struct extremum_step {
  using value_type = index_t;
  Row row;
  F f;
  HPK_FUNCTION void init(index_t& best) const { best = -1; }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void join(index_t& best, index_t other) const {
    if (other < 0) return;
    if (best < 0 || precedes(other, best) || (other < best && !precedes(best, other))) best = other;
  }
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i, index_t& best) const {
    join(best, static_cast<index_t>(i));
  }

 private:
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool precedes(index_t a, index_t b) const {
    if constexpr (Greatest) {
      return f(row[b], row[a]);
    } else {
      return f(row[a], row[b]);
    }
  }
};
/// Indices of the first least and the last greatest element.
struct index_pair {
  index_t least;
  index_t greatest;
};
template <class Row, class F>
struct extrema_step {
  using value_type = index_pair;
  Row row;
  F f;
  HPK_FUNCTION void init(index_pair& best) const { best = {-1, -1}; }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void join(index_pair& best, const index_pair& other) const {
    if (other.least < 0) return;
    if (best.least < 0) {
      best = other;
      return;
    }
    if (f(row[other.least], row[best.least]) ||
        (other.least < best.least && !f(row[best.least], row[other.least])))
      best.least = other.least;
    if (f(row[best.greatest], row[other.greatest]) ||
        (other.greatest > best.greatest && !f(row[other.greatest], row[best.greatest])))
      best.greatest = other.greatest;
  }
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i, index_pair& best) const {
    join(best, {static_cast<index_t>(i), static_cast<index_t>(i)});
  }
};

template <class Body, bool Greatest>
struct extremum_body : over_range<Body> {
  HPK_CALLS_EITHER
  template <class Executor, class R, class F = less>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const F& f = {}) {
    if (range.count == 0) return range.last();
    using step = extremum_step<decltype(range.row()), F, Greatest>;
    return range.at(executor.reduce(range.count, step{range.row(), f}));
  }
};
struct min_element_body : extremum_body<min_element_body, false> {
  static constexpr const char* name = "hpk::min_element";
};
struct max_element_body : extremum_body<max_element_body, true> {
  static constexpr const char* name = "hpk::max_element";
};
struct minmax_element_body : over_range<minmax_element_body> {
  static constexpr const char* name = "hpk::minmax_element";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F = less>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const F& f = {}) {
    using it = decltype(range.last());
    if (range.count == 0) return pair<it, it>(range.first, range.first);
    const index_pair found =
        executor.reduce(range.count, extrema_step<decltype(range.row()), F>{range.row(), f});
    return pair<it, it>(range.at(found.least), range.at(found.greatest));
  }
};

}  // namespace hpk::detail::algorithms

namespace hpk::Experimental {

/// Returns an iterator to the first least element, or the end for an empty range: (first, last[,
/// less]) or (view[, less]). If the range contains NaNs, any element may be returned.
HPK_DETAIL_ALGORITHM(min_element)
/// Returns an iterator to the first greatest element, or the end for an empty range: (first, last[,
/// less]) or (view[, less]). If the range contains NaNs, any element may be returned.
HPK_DETAIL_ALGORITHM(max_element)
/// Returns iterators to the first least and the last greatest element as an hpk::pair, or the
/// beginning twice for an empty range: (first, last[, less]) or (view[, less]). If the range
/// contains NaNs, any elements may be returned.
HPK_DETAIL_ALGORITHM(minmax_element)

}  // namespace hpk::Experimental
