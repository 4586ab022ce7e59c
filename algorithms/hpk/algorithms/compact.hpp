// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algorithms that select some of the elements and preserve their order: copy_if, remove, remove_if,
// remove_copy, remove_copy_if, unique, unique_copy and partition_copy.
#pragma once

#include <hpk/algorithms/detail/compact_steps.hpp>

namespace hpk::detail::algorithms {

struct copy_if_body : over_range<copy_if_body> {
  static constexpr const char* name = "hpk::copy_if";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class F>
  HPK_FUNCTION static Out run(const Executor& executor, const R& range, const Out& out,
                              const F& f) {
    return compact_copy(executor, range, out,
                        select_match<true, decltype(range.row()), F>{range.row(), f});
  }
};
struct remove_copy_if_body : over_range<remove_copy_if_body> {
  static constexpr const char* name = "hpk::remove_copy_if";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class F>
  HPK_FUNCTION static Out run(const Executor& executor, const R& range, const Out& out,
                              const F& f) {
    return compact_copy(executor, range, out,
                        select_match<false, decltype(range.row()), F>{range.row(), f});
  }
};
struct remove_copy_body : over_range<remove_copy_body> {
  static constexpr const char* name = "hpk::remove_copy";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class T>
  HPK_FUNCTION static Out run(const Executor& executor, const R& range, const Out& out,
                              const T& value) {
    return remove_copy_if_body::run(executor, range, out, is_value<T>{value});
  }
};
struct unique_copy_body : over_range<unique_copy_body> {
  static constexpr const char* name = "hpk::unique_copy";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class F = equals>
  HPK_FUNCTION static Out run(const Executor& executor, const R& range, const Out& out,
                              const F& f = {}) {
    return compact_copy(executor, range, out,
                        select_distinct<decltype(range.row()), F>{range.row(), f});
  }
};
struct remove_if_body : over_range<remove_if_body> {
  static constexpr const char* name = "hpk::remove_if";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const F& f) {
    using select = select_match<false, decltype(range.row()), F>;
    return range.at(compact_in_place(executor, range, select{range.row(), f}));
  }
};
struct remove_body : over_range<remove_body> {
  static constexpr const char* name = "hpk::remove";
  HPK_CALLS_EITHER
  template <class Executor, class R, class T>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const T& value) {
    return remove_if_body::run(executor, range, is_value<T>{value});
  }
};
struct unique_body : over_range<unique_body> {
  static constexpr const char* name = "hpk::unique";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F = equals>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const F& f = {}) {
    using select = select_distinct<decltype(range.row()), F>;
    return range.at(compact_in_place(executor, range, select{range.row(), f}));
  }
};

/// Writes each element to one of two outputs and counts the elements of the first output.
template <class Yes, class No, class Row, class F>
struct partition_step {
  using value_type = index_t;
  Yes yes;
  No no;
  Row row;
  F f;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I k, index_t& update, bool final) const {
    const index_t i = static_cast<index_t>(k);
    if (f(row[i])) {
      if (final) yes[update] = row[i];
      ++update;
    } else {
      if (final) no[i - update] = row[i];
    }
  }
};
struct partition_copy_body : over_range<partition_copy_body> {
  static constexpr const char* name = "hpk::partition_copy";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Yes, class No, class F>
  HPK_FUNCTION static pair<Yes, No> run(const Executor& executor, const R& range, const Yes& yes,
                                        const No& no, const F& f) {
    expect_reachable<Executor, Yes>();
    expect_reachable<Executor, No>();
    const index_t n = range.count;
    if (n == 0) return {yes, no};
    using row = decltype(range.row());
    if constexpr (Executor::checks) {
      if (remaining_elements(yes) < n || remaining_elements(no) < n) {
        using select = select_match<true, row, F>;
        const index_t count = executor.reduce(n, count_selected<select>{{range.row(), f}});
        expect_room(executor, yes, count);
        expect_room(executor, no, n - count);
      }
    }
    expect_no_overlap(executor, range.first, n, yes, 1, false);
    expect_no_overlap(executor, range.first, n, no, 1, false);
    using step = partition_step<row_of_t<Yes>, row_of_t<No>, row, F>;
    const index_t count = executor.scan(n, step{row_of(yes), row_of(no), range.row(), f});
    expect_no_overlap(executor, range.first, n, yes, count, false);
    expect_no_overlap(executor, range.first, n, no, n - count, false);
    expect_no_overlap(executor, yes, count, no, n - count, false);
    return {moved_by(yes, count), moved_by(no, n - count)};
  }
};

}  // namespace hpk::detail::algorithms

namespace hpk::Experimental {

/// Copies the elements for which f is true, in order: (first, last, out, f) or (view, out, f). The
/// ranges must not overlap. Returns the end of the output.
HPK_DETAIL_ALGORITHM(copy_if)
/// Copies the elements for which f is false, in order: (first, last, out, f) or (view, out, f). The
/// ranges must not overlap. Returns the end of the output.
HPK_DETAIL_ALGORITHM(remove_copy_if)
/// Copies the elements that do not equal a value, in order: (first, last, out, value) or (view,
/// out, value). The ranges must not overlap. Returns the end of the output.
HPK_DETAIL_ALGORITHM(remove_copy)
/// Copies elements except those that equal their predecessor, or for which f(predecessor, element)
/// is true, in order: (first, last, out[, f]) or (view, out[, f]). The ranges must not overlap.
/// Returns the end of the output.
HPK_DETAIL_ALGORITHM(unique_copy)

/// Moves the elements that do not equal a value to the beginning, in order: (first, last, value) or
/// (view, value). Returns their end; the elements after it are unspecified.
HPK_DETAIL_ALGORITHM(remove)
/// Moves the elements for which f is false to the beginning, in order: (first, last, f) or (view,
/// f). Returns their end; the elements after it are unspecified.
HPK_DETAIL_ALGORITHM(remove_if)
/// Moves the elements to the beginning, in order, except those that equal their predecessor, or for
/// which f(predecessor, element) is true: (first, last[, f]) or (view[, f]). Returns their end; the
/// elements after it are unspecified.
HPK_DETAIL_ALGORITHM(unique)

/// Copies the elements for which f is true to one range and the others to another range, in order:
/// (first, last, out_true, out_false, f) or (view, out_true, out_false, f). The three ranges must
/// not overlap. Returns the ends of both outputs as an hpk::pair.
HPK_DETAIL_ALGORITHM(partition_copy)

}  // namespace hpk::Experimental
