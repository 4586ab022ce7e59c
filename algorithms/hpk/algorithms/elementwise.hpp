// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algorithms that process every element independently: for_each, fill, generate, transform, copy,
// move, replace and swap_ranges, with their variants. arguments.hpp explains how all algorithms are
// called.
#pragma once

#include <hpk/algorithms/detail/arguments.hpp>

namespace hpk::detail::algorithms {

/// Calls f(element).
template <class Row, class F>
struct visit_step {
  Row row;
  F f;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i) const {
    f(row[i]);
  }
};
/// Assigns a value to the element.
template <class Row, class T>
struct fill_step {
  Row row;
  T value;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i) const {
    row[i] = value;
  }
};
/// Assigns f() to the element.
template <class Row, class F>
struct generate_step {
  Row row;
  F f;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i) const {
    row[i] = f();
  }
};
/// out = f(in).
template <class Out, class In, class F>
struct map_step {
  Out out;
  In in;
  F f;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i) const {
    out[i] = f(in[i]);
  }
};
/// out = f(in, other).
template <class Out, class In, class Other, class F>
struct combine_step {
  Out out;
  In in;
  Other other;
  F f;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i) const {
    out[i] = f(in[i], other[i]);
  }
};
/// out = in.
template <class Out, class In>
struct copy_step {
  Out out;
  In in;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i) const {
    out[i] = in[i];
  }
};
/// out = std::move(in).
template <class Out, class In>
struct move_step {
  Out out;
  In in;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i) const {
    move(static_cast<index_t>(i), static_cast<index_t>(i));
  }
  /// Moves element `from` of the input to element `to` of the output.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void move(index_t to, index_t from) const {
    if constexpr (std::is_lvalue_reference_v<decltype(in[from])>) {
      out[to] = static_cast<std::remove_reference_t<decltype(in[from])>&&>(in[from]);
    } else {
      out[to] = in[from];
    }
  }
};
/// Replaces the element by a value if f(element) is true.
template <class Row, class F, class T>
struct replace_step {
  Row row;
  F f;
  T value;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i) const {
    if (f(row[i])) row[i] = value;
  }
};
/// out = in, or the value if f(in) is true.
template <class Out, class In, class F, class T>
struct replace_copy_step {
  Out out;
  In in;
  F f;
  T value;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i) const {
    if (f(in[i])) {
      out[i] = value;
    } else {
      out[i] = in[i];
    }
  }
};
/// Whether an element equals a value.
template <class T>
struct is_value {
  T value;
  HPK_CALLS_EITHER
  template <class E>
  HPK_FORCEINLINE_FUNCTION bool operator()(const E& element) const {
    return static_cast<bool>(element == value);
  }
};

struct for_each_body : over_range<for_each_body> {
  static constexpr const char* name = "hpk::for_each";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static void run(const Executor& executor, const R& range, const F& f) {
    executor.for_each(range.count, visit_step<decltype(range.row()), F>{range.row(), f});
  }
};
struct for_each_n_body : over_count<for_each_n_body> {
  static constexpr const char* name = "hpk::for_each_n";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const F& f) {
    for_each_body::run(executor, range, f);
    return range.last();
  }
};
struct fill_body : over_range<fill_body> {
  static constexpr const char* name = "hpk::fill";
  HPK_CALLS_EITHER
  template <class Executor, class R, class T>
  HPK_FUNCTION static void run(const Executor& executor, const R& range, const T& value) {
    executor.for_each(range.count, fill_step<decltype(range.row()), T>{range.row(), value});
  }
};
struct fill_n_body : over_count<fill_n_body> {
  static constexpr const char* name = "hpk::fill_n";
  HPK_CALLS_EITHER
  template <class Executor, class R, class T>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const T& value) {
    fill_body::run(executor, range, value);
    return range.last();
  }
};
struct generate_body : over_range<generate_body> {
  static constexpr const char* name = "hpk::generate";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static void run(const Executor& executor, const R& range, const F& f) {
    executor.for_each(range.count, generate_step<decltype(range.row()), F>{range.row(), f});
  }
};
struct generate_n_body : over_count<generate_n_body> {
  static constexpr const char* name = "hpk::generate_n";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const F& f) {
    generate_body::run(executor, range, f);
    return range.last();
  }
};
struct transform_body : over_range<transform_body> {
  static constexpr const char* name = "hpk::transform";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class F>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const Out& out,
                               const F& f) {
    expect_output<true>(executor, range, out);
    executor.for_each(range.count, map_step<row_of_t<Out>, decltype(range.row()), F>{
                                       row_of(out), range.row(), f});
    return moved_by(out, range.count);
  }
  HPK_CALLS_EITHER
  template <class Executor, class R, class Other, class Out, class F>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const Other& other,
                               const Out& out, const F& f) {
    expect_room(executor, other, range.count);
    expect_no_overlap(executor, other, range.count, out, range.count, true);
    expect_output<true>(executor, range, out);
    executor.for_each(range.count,
                      combine_step<row_of_t<Out>, decltype(range.row()), row_of_t<Other>, F>{
                          row_of(out), range.row(), row_of(other), f});
    return moved_by(out, range.count);
  }
};
template <template <class, class> class Step, class Body, bool InPlace>
struct copy_like_body : over_range<Body> {
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const Out& out) {
    expect_output<InPlace>(executor, range, out);
    executor.for_each(range.count,
                      Step<row_of_t<Out>, decltype(range.row())>{row_of(out), range.row()});
    return moved_by(out, range.count);
  }
};
struct copy_body : copy_like_body<copy_step, copy_body, false> {
  static constexpr const char* name = "hpk::copy";
};
struct move_body : copy_like_body<move_step, move_body, false> {
  static constexpr const char* name = "hpk::move";
};
struct copy_n_body : over_count<copy_n_body> {
  static constexpr const char* name = "hpk::copy_n";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const Out& out) {
    return copy_body::run(executor, range, out);
  }
};
/// Algorithms with the end of the output as argument: (first, last, d_last). A View as output means
/// its end.
template <template <class, class> class Step, class Body>
struct backward_body : wrong_arguments<Body> {
  using wrong_arguments<Body>::call;
  HPK_CALLS_EITHER
  template <class Executor, class V, class U>
    requires(is_view_v<V> && is_view_v<U>)
  HPK_FUNCTION static auto call(const Executor& executor, const V& view, const U& out) {
    return run(executor, make_range(executor, view), hpk::Experimental::end(out));
  }
  HPK_CALLS_EITHER
  template <class Executor, algorithm_iterator I, algorithm_iterator Out>
  HPK_FUNCTION static auto call(const Executor& executor, const I& first, const I& last,
                                const Out& out_end) {
    return run(executor, make_range(executor, first, last), out_end);
  }

 private:
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const Out& out_end) {
    const Out out = moved_by(out_end, -range.count);
    if constexpr (Executor::checks && is_view_iterator_v<Out>) {
      if (range.count > out_end.index()) [[unlikely]] {
        HPK_IF_ON_HOST((reject_short_range(executor.info(), record_of(out), out_end.index(),
                                           range.count, false);))
        HPK_IF_ON_DEVICE((abort_on_arguments();))
      }
    }
    expect_output(executor, range, out);
    executor.for_each(range.count,
                      Step<row_of_t<Out>, decltype(range.row())>{row_of(out), range.row()});
    return out;
  }
};
struct copy_backward_body : backward_body<copy_step, copy_backward_body> {
  static constexpr const char* name = "hpk::copy_backward";
};
struct move_backward_body : backward_body<move_step, move_backward_body> {
  static constexpr const char* name = "hpk::move_backward";
};
struct replace_if_body : over_range<replace_if_body> {
  static constexpr const char* name = "hpk::replace_if";
  HPK_CALLS_EITHER
  template <class Executor, class R, class F, class T>
  HPK_FUNCTION static void run(const Executor& executor, const R& range, const F& f,
                               const T& value) {
    executor.for_each(range.count,
                      replace_step<decltype(range.row()), F, T>{range.row(), f, value});
  }
};
struct replace_body : over_range<replace_body> {
  static constexpr const char* name = "hpk::replace";
  HPK_CALLS_EITHER
  template <class Executor, class R, class T, class U>
  HPK_FUNCTION static void run(const Executor& executor, const R& range, const T& from,
                               const U& to) {
    replace_if_body::run(executor, range, is_value<T>{from}, to);
  }
};
struct replace_copy_if_body : over_range<replace_copy_if_body> {
  static constexpr const char* name = "hpk::replace_copy_if";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class F, class T>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const Out& out, const F& f,
                               const T& value) {
    expect_output<true>(executor, range, out);
    executor.for_each(range.count, replace_copy_step<row_of_t<Out>, decltype(range.row()), F, T>{
                                       row_of(out), range.row(), f, value});
    return moved_by(out, range.count);
  }
};
struct replace_copy_body : over_range<replace_copy_body> {
  static constexpr const char* name = "hpk::replace_copy";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class T, class U>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const Out& out,
                               const T& from, const U& to) {
    return replace_copy_if_body::run(executor, range, out, is_value<T>{from}, to);
  }
};
struct swap_ranges_body : over_range<swap_ranges_body> {
  static constexpr const char* name = "hpk::swap_ranges";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Other>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, const Other& other) {
    expect_output(executor, range, other);
    executor.for_each(range.count, swap_elements<decltype(range.row()), row_of_t<Other>>{
                                       range.row(), row_of(other)});
    return moved_by(other, range.count);
  }
};

}  // namespace hpk::detail::algorithms

namespace hpk::Experimental {

/// Calls f(element) for every element of (first, last, f) or (view, f). The order is unspecified. f
/// may modify its element.
HPK_DETAIL_ALGORITHM(for_each)
/// Does the same for the first n elements of (first, n, f) or (view, n, f), or for none if n is not
/// positive. Returns an iterator to the position after them.
HPK_DETAIL_ALGORITHM(for_each_n)

/// Assigns a value to every element: (first, last, value) or (view, value).
HPK_DETAIL_ALGORITHM(fill)
/// Does the same for the first n elements of (first, n, value) or (view, n, value), or for none if
/// n is not positive. Returns an iterator to the position after them.
HPK_DETAIL_ALGORITHM(fill_n)
/// Assigns f() to every element: (first, last, f) or (view, f). f is called as a const object, by
/// several threads at the same time.
HPK_DETAIL_ALGORITHM(generate)
/// Does the same for the first n elements of (first, n, f) or (view, n, f), or for none if n is not
/// positive. Returns an iterator to the position after them.
HPK_DETAIL_ALGORITHM(generate_n)

/// Computes out = f(in) for (first, last, out, f), or out = f(in, in2) for (first, last, first2,
/// out, f). Views can replace the ranges. The output may be exactly one of the inputs, but must not
/// overlap an input partially. Returns the end of the output.
HPK_DETAIL_ALGORITHM(transform)

/// Copies elements to another range: (first, last, out) or (view, out). The ranges must not
/// overlap. Returns the end of the output.
HPK_DETAIL_ALGORITHM(copy)
/// Copies the first n elements, and no element if n <= 0: (first, n, out) or (view, n, out).
/// Returns the end of the output.
HPK_DETAIL_ALGORITHM(copy_n)
/// Copies elements to the positions before an iterator, (first, last, out_end), or to the last
/// elements of a View, (view, out). The ranges must not overlap. Returns the beginning of the
/// output.
HPK_DETAIL_ALGORITHM(copy_backward)
/// Moves elements as copy copies them.
HPK_DETAIL_ALGORITHM(move)
/// Moves elements as copy_backward copies them.
HPK_DETAIL_ALGORITHM(move_backward)

/// Assigns `to` to all elements that equal `from`: (first, last, from, to) or (view, from, to).
HPK_DETAIL_ALGORITHM(replace)
/// Assigns a value to all elements for which f is true: (first, last, f, value) or (view, f,
/// value).
HPK_DETAIL_ALGORITHM(replace_if)
/// Copies elements and writes `to` for every element that equals `from`: (first, last, out, from,
/// to) or (view, out, from, to). The output may be the input. Returns the end of the output.
HPK_DETAIL_ALGORITHM(replace_copy)
/// Copies elements and writes a value for every element for which f is true: (first, last, out, f,
/// value) or (view, out, f, value). The output may be the input. Returns the end of the output.
HPK_DETAIL_ALGORITHM(replace_copy_if)

/// Exchanges the elements of two ranges: (first, last, first2) or (view, view2). The ranges must
/// not overlap. Returns the end of the second range.
HPK_DETAIL_ALGORITHM(swap_ranges)

}  // namespace hpk::Experimental
