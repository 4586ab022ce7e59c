// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans with any operation: reduce, transform_reduce, the four scans, and
// adjacent_difference. The result has the same bits for any number of workers (rule "same bits").
#pragma once

#include <hpk/algorithms/detail/arguments.hpp>

namespace hpk::detail::algorithms {

/// x + y, the operation of algorithms that are called without one.
struct plus {
  HPK_CALLS_EITHER
  template <class T, class U>
  HPK_FORCEINLINE_FUNCTION constexpr auto operator()(const T& a, const U& b) const {
    return a + b;
  }
};
struct minus {
  HPK_CALLS_EITHER
  template <class T, class U>
  HPK_FORCEINLINE_FUNCTION constexpr auto operator()(const T& a, const U& b) const {
    return a - b;
  }
};
struct times {
  HPK_CALLS_EITHER
  template <class T, class U>
  HPK_FORCEINLINE_FUNCTION constexpr auto operator()(const T& a, const U& b) const {
    return a * b;
  }
};
/// x.
struct identity {
  HPK_CALLS_EITHER
  template <class T>
  HPK_FORCEINLINE_FUNCTION constexpr const T& operator()(const T& x) const noexcept {
    return x;
  }
};

/// A row of f(element).
template <class Row, class F>
struct mapped_row {
  Row row;
  F f;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION auto operator[](index_t i) const { return f(row[i]); }
};
/// A row of f(element, element of another row).
template <class Row, class Other, class F>
struct combined_row {
  Row row;
  Other other;
  F f;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION auto operator[](index_t i) const { return f(row[i], other[i]); }
};

/// The sum of a row of numbers by +=, for which the patterns have the fastest code.
template <class T, class Row>
struct sum_step {
  using value_type = T;
  Row row;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i, T& update) const {
    update += static_cast<T>(row[i]);
  }
};

/// A value, or no value yet. Replaces the identity, which an operation need not have.
template <class T>
struct maybe {
  T value{};
  bool known = false;
};
/// Joins values by an operation without an identity.
template <class T, class F>
struct maybe_operation {
  using value_type = maybe<T>;
  F operation;
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(value_type& update) const { update.known = false; }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void add(value_type& update, const T& value) const {
    update.value = update.known ? static_cast<T>(operation(update.value, value)) : value;
    update.known = true;
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(value_type& update, const value_type& other) const {
    if (other.known) add(update, other.value);
  }
};
/// Joins `chunk` neighbouring elements by an operation.
template <class T, class Row, class F>
struct fold_step : maybe_operation<T, F> {
  using value_type = maybe<T>;
  Row row;
  index_t count;
  index_t chunk;
  HPK_FUNCTION fold_step(const F& f, const Row& elements, index_t n, index_t length)
      : maybe_operation<T, F>{f}, row(elements), count(n), chunk(length) {}
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I k, value_type& update) const {
    const index_t begin = static_cast<index_t>(k) * chunk;
    const index_t end = count - begin < chunk ? count : begin + chunk;
    T value = static_cast<T>(row[begin]);
    for (index_t i = begin + 1; i < end; ++i)
      value = static_cast<T>(this->operation(value, static_cast<T>(row[i])));
    this->add(update, value);
  }
};

/// Returns init joined with all elements of a row.
HPK_CALLS_EITHER
template <class Executor, class Row, class T, class F>
HPK_FUNCTION T fold_row(const Executor& executor, index_t n, const Row& row, const T& init,
                        const F& f) {
  if (n == 0) return init;
  if constexpr (std::is_same_v<F, plus> && std::is_arithmetic_v<T>) {
    return static_cast<T>(init + executor.reduce(n, sum_step<T, Row>{row}));
  } else {
    const index_t chunks = n / Executor::chunk + (n % Executor::chunk != 0);
    const maybe<T> result =
        executor.reduce(chunks, fold_step<T, Row, F>(f, row, n, Executor::chunk));
    return static_cast<T>(f(init, result.value));
  }
}

struct reduce_body : over_range<reduce_body> {
  static constexpr const char* name = "hpk::reduce";
  HPK_CALLS_EITHER
  template <class Executor, class R, class T, class F>
  HPK_FUNCTION static T run(const Executor& executor, const R& range, const T& init, const F& f) {
    return fold_row(executor, range.count, range.row(), init, f);
  }
  HPK_CALLS_EITHER
  template <class Executor, class R, class T>
  HPK_FUNCTION static T run(const Executor& executor, const R& range, const T& init) {
    return run(executor, range, init, plus());
  }
  HPK_CALLS_EITHER
  template <class Executor, class R>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range) {
    return run(executor, range, typename R::value_type());
  }
};
struct transform_reduce_body : over_range<transform_reduce_body> {
  static constexpr const char* name = "hpk::transform_reduce";
  HPK_CALLS_EITHER
  template <class Executor, class R, class T, class F, class G>
    requires(!algorithm_iterator<T>)
  HPK_FUNCTION static T run(const Executor& executor, const R& range, const T& init, const F& join,
                            const G& map) {
    using row = mapped_row<decltype(range.row()), G>;
    return fold_row(executor, range.count, row{range.row(), map}, init, join);
  }
  HPK_CALLS_EITHER
  template <class Executor, class R, algorithm_iterator Other, class T, class F, class G>
  HPK_FUNCTION static T run(const Executor& executor, const R& range, const Other& other,
                            const T& init, const F& join, const G& combine) {
    expect_room(executor, other, range.count);
    using row = combined_row<decltype(range.row()), row_of_t<Other>, G>;
    return fold_row(executor, range.count, row{range.row(), row_of(other), combine}, init, join);
  }
  HPK_CALLS_EITHER
  template <class Executor, class R, algorithm_iterator Other, class T>
  HPK_FUNCTION static T run(const Executor& executor, const R& range, const Other& other,
                            const T& init) {
    return run(executor, range, other, init, plus(), times());
  }
};

/// A scan of numbers by +=; out[i] = init + the sum up to i, without element i if Exclusive.
template <bool Exclusive, class T, class Out, class Row>
struct sum_scan_step {
  using value_type = T;
  Out out;
  Row row;
  T init;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i, T& update, bool final) const {
    // Read first: the output may be the input.
    const T value = static_cast<T>(row[i]);
    if constexpr (Exclusive) {
      if (final) out[i] = static_cast<T>(init + update);
      update += value;
    } else {
      update += value;
      if (final) out[i] = static_cast<T>(init + update);
    }
  }
};
/// An inclusive scan of numbers by +=, without an initial value.
template <class T, class Out, class Row>
struct plain_sum_scan_step {
  using value_type = T;
  Out out;
  Row row;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i, T& update, bool final) const {
    update += static_cast<T>(row[i]);
    if (final) out[i] = update;
  }
};
/// A scan by any operation.
template <bool Exclusive, bool HasInit, class T, class Out, class Row, class F>
struct scan_step : maybe_operation<T, F> {
  using value_type = maybe<T>;
  Out out;
  Row row;
  T init;
  HPK_FUNCTION scan_step(const F& f, const Out& to, const Row& from, const T& start)
      : maybe_operation<T, F>{f}, out(to), row(from), init(start) {}
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i, value_type& update, bool final) const {
    const T value = static_cast<T>(row[i]);
    if constexpr (Exclusive) {
      if (final) out[i] = with_init(update);
      this->add(update, value);
    } else {
      this->add(update, value);
      if (final) out[i] = with_init(update);
    }
  }

 private:
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION T with_init(const value_type& update) const {
    if constexpr (HasInit) {
      return update.known ? static_cast<T>(this->operation(init, update.value)) : init;
    } else {
      return update.value;
    }
  }
};

HPK_CALLS_EITHER
template <bool Exclusive, bool HasInit, class Executor, class R, class Row, class Out, class T,
          class F>
HPK_FUNCTION Out scan_row(const Executor& executor, const R& range, const Row& row, const Out& out,
                          const T& init, const F& f) {
  expect_output<true>(executor, range, out);
  using to = row_of_t<Out>;
  if (range.count == 0) return out;
  if constexpr (std::is_same_v<F, plus> && std::is_arithmetic_v<T>) {
    if constexpr (HasInit) {
      executor.scan(range.count, sum_scan_step<Exclusive, T, to, Row>{row_of(out), row, init});
    } else {
      executor.scan(range.count, plain_sum_scan_step<T, to, Row>{row_of(out), row});
    }
  } else {
    executor.scan(range.count,
                  scan_step<Exclusive, HasInit, T, to, Row, F>(f, row_of(out), row, init));
  }
  return moved_by(out, range.count);
}

struct exclusive_scan_body : over_range<exclusive_scan_body> {
  static constexpr const char* name = "hpk::exclusive_scan";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class T, class F = plus>
  HPK_FUNCTION static Out run(const Executor& executor, const R& range, const Out& out,
                              const T& init, const F& f = {}) {
    return scan_row<true, true>(executor, range, range.row(), out, init, f);
  }
};
struct inclusive_scan_body : over_range<inclusive_scan_body> {
  static constexpr const char* name = "hpk::inclusive_scan";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class F = plus>
  HPK_FUNCTION static Out run(const Executor& executor, const R& range, const Out& out,
                              const F& f = {}) {
    return scan_row<false, false>(executor, range, range.row(), out, typename R::value_type(), f);
  }
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class F, class T>
  HPK_FUNCTION static Out run(const Executor& executor, const R& range, const Out& out, const F& f,
                              const T& init) {
    return scan_row<false, true>(executor, range, range.row(), out, init, f);
  }
};
struct transform_exclusive_scan_body : over_range<transform_exclusive_scan_body> {
  static constexpr const char* name = "hpk::transform_exclusive_scan";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class T, class F, class G>
  HPK_FUNCTION static Out run(const Executor& executor, const R& range, const Out& out,
                              const T& init, const F& f, const G& map) {
    using row = mapped_row<decltype(range.row()), G>;
    return scan_row<true, true>(executor, range, row{range.row(), map}, out, init, f);
  }
};
struct transform_inclusive_scan_body : over_range<transform_inclusive_scan_body> {
  static constexpr const char* name = "hpk::transform_inclusive_scan";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class F, class G>
  HPK_FUNCTION static Out run(const Executor& executor, const R& range, const Out& out, const F& f,
                              const G& map) {
    using row = mapped_row<decltype(range.row()), G>;
    using T = std::remove_cvref_t<decltype(std::declval<const row&>()[0])>;
    return scan_row<false, false>(executor, range, row{range.row(), map}, out, T(), f);
  }
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class F, class G, class T>
  HPK_FUNCTION static Out run(const Executor& executor, const R& range, const Out& out, const F& f,
                              const G& map, const T& init) {
    using row = mapped_row<decltype(range.row()), G>;
    return scan_row<false, true>(executor, range, row{range.row(), map}, out, init, f);
  }
};

/// Computes out[0] = in[0], out[i] = f(in[i], in[i - 1]).
template <class Out, class Row, class F>
struct difference_step {
  Out out;
  Row row;
  F f;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i) const {
    if (i == 0) {
      out[i] = row[i];
    } else {
      out[i] = f(row[i], row[i - 1]);
    }
  }
};
struct adjacent_difference_body : over_range<adjacent_difference_body> {
  static constexpr const char* name = "hpk::adjacent_difference";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out, class F = minus>
  HPK_FUNCTION static Out run(const Executor& executor, const R& range, const Out& out,
                              const F& f = {}) {
    expect_output(executor, range, out);
    executor.for_each(range.count, difference_step<row_of_t<Out>, decltype(range.row()), F>{
                                       row_of(out), range.row(), f});
    return moved_by(out, range.count);
  }
};

}  // namespace hpk::detail::algorithms

namespace hpk::Experimental {

/// Returns init joined with all elements: (first, last[, init[, f]]) or (view[, init[, f]]). The
/// default of init is T(), and the default of f is addition. The result has the type of init. f(a,
/// b) must be associative and commutative. The number of elements determines how calls of f are
/// grouped, so that the bits do not depend on the number of workers (rule "same bits").
HPK_DETAIL_ALGORITHM(reduce)
/// Returns init joined with f(element) of all elements, (first, last, init, join, f) or (view,
/// init, join, f), or with f(a, b) of the elements of two ranges, (first, last, first2, init[,
/// join, f]) or (view, view2, init[, join, f]). By default the latter is the sum of the products.
/// Requirements and order as for reduce.
HPK_DETAIL_ALGORITHM(transform_reduce)

/// Computes out[i] = init joined with in[0] to in[i - 1]: (first, last, out, init[, f]) or (view,
/// out, init[, f]). The default of f is addition. f must be associative, but need not be
/// commutative. Values have the type of init. The output may be the input. Returns the end of the
/// output.
HPK_DETAIL_ALGORITHM(exclusive_scan)
/// Computes out[i] = in[0] to in[i] joined, with init in front if it is given: (first, last, out[,
/// f[, init]]) or (view, out[, f[, init]]). Otherwise like exclusive_scan.
HPK_DETAIL_ALGORITHM(inclusive_scan)
/// Does an exclusive_scan of map(element): (first, last, out, init, f, map) or (view, out, init, f,
/// map). In long ranges map is called twice for each element.
HPK_DETAIL_ALGORITHM(transform_exclusive_scan)
/// Does an inclusive_scan of map(element): (first, last, out, f, map[, init]) or (view, out, f,
/// map[, init]). In long ranges map is called twice for each element.
HPK_DETAIL_ALGORITHM(transform_inclusive_scan)

/// Computes out[0] = in[0] and out[i] = f(in[i], in[i - 1]): (first, last, out[, f]) or (view,
/// out[, f]). The default of f is subtraction. The ranges must not overlap. Returns the end of the
/// output.
HPK_DETAIL_ALGORITHM(adjacent_difference)

}  // namespace hpk::Experimental
