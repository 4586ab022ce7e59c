// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements sort and sort_by_key: chooses between radix sort and merge sort, for keys alone and
// for keys with values.
#pragma once

#include <hpk/algorithms/detail/merge_sort.hpp>
#include <hpk/algorithms/detail/radix_rows.hpp>
#include <hpk/algorithms/detail/radix_sort.hpp>

namespace hpk::detail::sorting {

/// Sorts n elements of a row. Stable.
template <class Exec, class Row, class Less>
void sort_row(std::string_view label, const Exec& exec, const Row& row, index_t n,
              const Less& less) {
  if (n < 2) return;
  using order = order_of_t<typename Row::value_type, Less>;
  if constexpr (!order::by_bits) {
    merge_sort(label, exec, row, n, less);
  } else if constexpr (sorts_on_host<Exec>) {
    const plain_elements<Exec, Row> elements(label, exec, row, n);
    radix_sort_on_host<order>(label, exec, elements.data(), columns<>(), n);
    elements.copy_back();
  } else {
    radix_sort_rows<order>(label, exec, row, columns<>(), n, 8 * sizeof(typename Row::value_type));
  }
}

/// The rows of columns as contiguous elements, for sorts on hosts.
template <class Exec, class... Rows>
struct plain_columns {
  plain_columns(std::string_view, const Exec&, const columns<>&, index_t) {}
  columns<> rows() const { return {}; }
  void copy_back() const {}
};
template <class Exec, class Row, class... Rows>
struct plain_columns<Exec, Row, Rows...> {
  plain_elements<Exec, Row> elements;
  plain_columns<Exec, Rows...> rest;
  plain_columns(std::string_view label, const Exec& exec, const columns<Row, Rows...>& all,
                index_t n)
      : elements(label, exec, all.row, n), rest(label, exec, all.rest, n) {}
  auto rows() const {
    return prepend_column(plain_row<typename Row::value_type>{elements.data()}, rest.rows());
  }
  void copy_back() const {
    elements.copy_back();
    rest.copy_back();
  }
};

/// A key and its position before the sort, which merge sorts move together.
template <class T>
struct key_and_place {
  T key;
  index_t place;
};
template <class Less>
struct less_by_key {
  Less less;
  HPK_CALLS_EITHER
  template <class T>
  HPK_FORCEINLINE_FUNCTION bool operator()(const key_and_place<T>& a,
                                           const key_and_place<T>& b) const {
    return less(a.key, b.key);
  }
};
template <class Keys, class Pairs>
struct pair_keys_kernel {
  Keys keys;
  Pairs pairs;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const { pairs[i] = {keys[i], i}; }
};
template <class Keys, class Values, class Saved, class Pairs>
struct place_pairs_kernel {
  Keys keys;
  Values values;
  Saved saved;
  Pairs pairs;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    const auto pair = pairs[i];
    keys[i] = pair.key;
    values.copy(i, saved, pair.place);
  }
};

/// Sorts n keys by a comparison and permutes the values in the same way.
template <class Exec, class Keys, class Less, class... Rows>
void merge_sort_by_key(std::string_view label, const Exec& exec, const Keys& keys, index_t n,
                       const Less& less, const columns<Rows...>& values) {
  using pair = key_and_place<typename Keys::value_type>;
  const auto memory = allocate_for_sort<pair>(exec, "hpk::sort: keys", n);
  const auto pairs = row_of_memory<Exec>(memory);
  const RangePolicy<Exec> all(exec, index_t{0}, n);
  parallel_for(label, all,
               pair_keys_kernel<Keys, decltype(row_of_memory<Exec>(memory))>{keys, pairs});
  merge_sort(label, exec, pairs, n, less_by_key<Less>{less});
  const auto value_memory = allocate_columns(exec, values, n);
  const auto saved = value_memory.rows();
  copy_columns(label, exec, saved, values, n);
  parallel_for(
      label, all,
      place_pairs_kernel<Keys, columns<Rows...>, decltype(value_memory.rows()),
                         decltype(row_of_memory<Exec>(memory))>{keys, values, saved, pairs});
  exec.fence("hpk::sort: fence before memory is freed");
}

/// Sorts n keys and permutes the values in the same way. Stable. end_bit: keys have no bits set
/// from this bit on. It is below the width of a key only for nonnegative integers.
template <class Exec, class Keys, class Less, class... Rows>
void sort_columns(std::string_view label, const Exec& exec, const Keys& keys, index_t n,
                  const Less& less, const columns<Rows...>& values,
                  [[maybe_unused]] int end_bit = 8 * sizeof(typename Keys::value_type)) {
  if (n < 2) return;
  using order = order_of_t<typename Keys::value_type, Less>;
  if constexpr (!order::by_bits) {
    merge_sort_by_key(label, exec, keys, n, less, values);
  } else if constexpr (sorts_on_host<Exec>) {
    const plain_elements<Exec, Keys> elements(label, exec, keys, n);
    const plain_columns<Exec, Rows...> plain(label, exec, values, n);
    radix_sort_on_host<order>(label, exec, elements.data(), plain.rows(), n);
    elements.copy_back();
    plain.copy_back();
  } else {
    radix_sort_rows<order>(label, exec, keys, values, n, end_bit);
  }
}

}  // namespace hpk::detail::sorting
