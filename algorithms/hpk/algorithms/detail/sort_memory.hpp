// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows, the form in which sorts access elements: kernels index them from 0. On hosts a row is a
// pointer to contiguous elements; if the caller's elements are not contiguous, a copy is sorted and
// copied back. On devices a row is a View or an iterator. Also provides the temporary memory of
// sorts.
#pragma once

#include <hpk/core.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk::detail::sorting {

/// Whether kernels of Exec run on host threads, so that a launch returns after its work is done.
template <class Exec>
inline constexpr bool sorts_on_host = SpaceAccessibility<Exec, HostSpace>::accessible;

/// Contiguous elements in host memory.
template <class T>
struct plain_row {
  using value_type = T;
  T* first = nullptr;
  HPK_FORCEINLINE_FUNCTION T& operator[](index_t i) const { return first[i]; }
};

/// The elements of a View of rank 1 from index `first` on.
template <class V>
struct view_row {
  using value_type = typename V::non_const_value_type;
  V view;
  index_t first = 0;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION typename V::reference_type operator[](index_t i) const {
    return view(first + i);
  }
};

// clang before version 17 cannot deduce template arguments of aggregates.
template <class V>
view_row(V) -> view_row<V>;
template <class V>
view_row(V, index_t) -> view_row<V>;

/// The elements from a random-access iterator on.
template <class It>
struct iterator_row {
  using value_type = std::remove_cv_t<typename It::value_type>;
  It first;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION decltype(auto) operator[](index_t i) const { return first[i]; }
};

template <class V>
concept sortable_view = is_view_v<V>;

/// A random-access iterator that kernels can copy.
template <class It>
concept sortable_iterator = !is_view_v<It> && requires(const It& it, index_t by) {
  { it - it } -> std::convertible_to<index_t>;
  it[by];
};

template <class It>
struct row_of_iterator {
  using type = iterator_row<It>;
};
template <class T>
struct row_of_iterator<T*> {
  using type = plain_row<T>;
};
/// The row of an iterator.
template <class It>
typename row_of_iterator<It>::type make_row(const It& first) {
  return {first};
}
template <class D, class... Ps>
view_row<View<D, Ps...>> make_row(const View<D, Ps...>& view, index_t first = 0) {
  return {view, first};
}

/// Returns the address of the first element if the elements are contiguous in memory that the host
/// can access. Returns null if they have a stride or no address, or if accesses to them may be
/// watched.
template <class Row>
auto plain_data(const Row&, index_t) -> typename Row::value_type* {
  return nullptr;
}
template <class T>
T* plain_data(const plain_row<T>& row, index_t) {
  return row.first;
}
template <class V>
auto plain_data(const view_row<V>& row, index_t) -> typename V::value_type* {
  if constexpr (V::reference_type_is_lvalue_reference && V::is_always_strided()) {
    if (row.view.extent(0) <= 1 || row.view.stride(0) == 1) return row.view.data() + row.first;
  }
  return nullptr;
}
template <class It>
  requires requires(const It& it) {
    requires std::is_lvalue_reference_v<decltype(*it)>;
    { it.stride() } -> std::convertible_to<index_t>;
    it.data();
  }
auto plain_data(const iterator_row<It>& row, index_t n) -> decltype(row.first.data()) {
  return n != 0 && row.first.stride() == 1 ? row.first.data() : nullptr;
}

/// Allocates memory for n elements that kernels of Exec can access. It is not initialised if the
/// type allows this.
template <class T, class Exec>
TemporaryMemory<T, Exec> allocate_for_sort(const Exec& exec, const char* label, index_t n) {
  return TemporaryMemory<T, Exec>(exec, label, n);
}
/// Returns temporary memory as a row.
template <class Exec, class T>
auto row_of_memory(const TemporaryMemory<T, Exec>& memory) {
  if constexpr (sorts_on_host<Exec>) {
    return plain_row<T>{memory.data()};
  } else {
    return view_row<typename TemporaryMemory<T, Exec>::view_type>{memory.view(), 0};
  }
}

/// Returns a View of contiguous elements in memory of Exec as a row.
template <class Exec, class V>
auto row_of_memory_of(const V& view) {
  if constexpr (sorts_on_host<Exec>) {
    return plain_row<typename V::value_type>{view.data()};
  } else {
    return view_row<V>{view, 0};
  }
}

/// Copies n elements from row to row.
template <class To, class From>
struct copy_row {
  To to;
  From from;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void operator()(index_t i) const { to[i] = from[i]; }
};
template <class Exec, class To, class From>
void copy_elements(std::string_view label, const Exec& exec, const To& to, const From& from,
                   index_t n) {
  parallel_for(label, RangePolicy<Exec>(exec, index_t{0}, n), copy_row<To, From>{to, from});
}

/// A row of the caller as contiguous elements, for sorts on hosts. If the row is not contiguous,
/// this is a copy, which copy_back() copies back to the row.
template <class Exec, class Row>
class plain_elements {
 public:
  using value_type = typename Row::value_type;
  plain_elements(std::string_view label, const Exec& exec, const Row& row, index_t n)
      : label_(label), exec_(exec), row_(row), n_(n), data_(plain_data(row, n)) {
    if (data_ != nullptr || n == 0) return;
    data_ = copy_.emplace(exec, "hpk::sort: elements in order", n).data();
    copy_elements(label, exec, plain_row<value_type>{data_}, row, n);
  }
  value_type* data() const { return data_; }
  void copy_back() const {
    if (copy_.has_value()) copy_elements(label_, exec_, row_, plain_row<value_type>{data_}, n_);
  }

 private:
  std::string_view label_;
  Exec exec_;
  Row row_;
  index_t n_;
  value_type* data_;
  std::optional<TemporaryMemory<value_type, Exec>> copy_;
};

/// Several rows that are permuted in the same way: the values of a sort by key.
template <class... Rows>
struct columns {
  static constexpr bool empty = true;
  template <class From>
  HPK_FORCEINLINE_FUNCTION void copy(index_t, const From&, index_t) const {}
};
template <class Row, class... Rows>
struct columns<Row, Rows...> {
  static constexpr bool empty = false;
  Row row;
  columns<Rows...> rest;
  /// Copies element j of `from` to element i.
  HPK_CALLS_EITHER
  template <class From>
  HPK_FORCEINLINE_FUNCTION void copy(index_t i, const From& from, index_t j) const {
    row[i] = from.row[j];
    rest.copy(i, from.rest, j);
  }
};
inline columns<> make_columns() { return {}; }
template <class Row, class... Rows>
columns<Row, Rows...> make_columns(const Row& row, const Rows&... rows) {
  return {row, make_columns(rows...)};
}

template <class Row, class... Rows>
columns<Row, Rows...> prepend_column(const Row& row, const columns<Rows...>& rows) {
  return {row, rows};
}

/// Returns the columns from element `by` on.
inline columns<> advance_columns(const columns<>&, index_t) { return {}; }
template <class T, class... Rows>
columns<plain_row<T>, Rows...> advance_columns(const columns<plain_row<T>, Rows...>& all,
                                               index_t by) {
  return {{all.row.first + by}, advance_columns(all.rest, by)};
}

/// Temporary memory for columns of the same types.
template <class Exec, class... Rows>
struct column_memory {
  column_memory(const Exec&, index_t) {}
  columns<> rows() const { return {}; }
};
template <class Exec, class Row, class... Rows>
struct column_memory<Exec, Row, Rows...> {
  TemporaryMemory<typename Row::value_type, Exec> memory;
  column_memory<Exec, Rows...> rest;
  column_memory(const Exec& exec, index_t n)
      : memory(allocate_for_sort<typename Row::value_type>(exec, "hpk::sort: values", n)),
        rest(exec, n) {}
  auto rows() const { return prepend_column(row_of_memory<Exec>(memory), rest.rows()); }
};
template <class Exec, class... Rows>
column_memory<Exec, Rows...> allocate_columns(const Exec& exec, const columns<Rows...>&,
                                              index_t n) {
  return {exec, n};
}

/// Copies element i of all columns, or element places[i] to element i.
template <class To, class From>
struct copy_columns_kernel {
  To to;
  From from;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void operator()(index_t i) const { to.copy(i, from, i); }
};
template <class To, class From, class Places>
struct gather_columns_kernel {
  To to;
  From from;
  Places places;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void operator()(index_t i) const {
    to.copy(i, from, static_cast<index_t>(places[i]));
  }
};
template <class Exec, class To, class From>
void copy_columns(std::string_view label, const Exec& exec, const To& to, const From& from,
                  index_t n) {
  if constexpr (!To::empty)
    parallel_for(label, RangePolicy<Exec>(exec, index_t{0}, n),
                 copy_columns_kernel<To, From>{to, from});
}
template <class Exec, class To, class From, class Places>
void gather_columns(std::string_view label, const Exec& exec, const To& to, const From& from,
                    const Places& places, index_t n) {
  if constexpr (!To::empty)
    parallel_for(label, RangePolicy<Exec>(exec, index_t{0}, n),
                 gather_columns_kernel<To, From, Places>{to, from, places});
}

/// Calls f(w) for every w in [0, workers) on a host, each on a different worker.
template <class Exec, class F>
void on_workers(std::string_view label, const Exec& exec, index_t workers, const F& f) {
  using hint = Experimental::WorkItemProperty::HintHeavyWeight_t;
  parallel_for(label, RangePolicy<Exec, hint>(exec, index_t{0}, workers), f);
}
/// Returns the index of the first of n elements in the share of worker w; the end of the last share
/// for w = workers.
inline index_t share_of(index_t n, index_t w, index_t workers) {
  return n / workers * w + (n % workers) * w / workers;
}

}  // namespace hpk::detail::sorting
