// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sort_by_key sorts a View of keys and permutes any number of other Views in the same way. argsort
// only computes this permutation. Both are stable and order keys as hpk::sort does.
#pragma once

#include <hpk/algorithms/detail/sort_checks.hpp>
#include <hpk/algorithms/detail/sort_columns.hpp>

#include <utility>

namespace hpk::detail::sorting {

/// Collects the Views of values in `values` and then sorts by key. The remaining arguments are
/// Views of values, followed by the comparison or nothing.
template <class Exec, class K, class Columns>
void sort_by_key_of(std::string_view label, const std::source_location&, const Exec& exec,
                    const K& keys, const Columns& values) {
  constexpr bool sound =
      check_output_view<Exec, K>() && check_less<default_less, typename K::non_const_value_type>();
  if constexpr (sound)
    sort_columns(label, exec, make_row(keys), static_cast<index_t>(keys.extent(0)), default_less(),
                 values);
}
template <class Exec, class K, class Columns, class V, class... Rest>
void sort_by_key_of(std::string_view label, const std::source_location& where, const Exec& exec,
                    const K& keys, const Columns& values, const V& next, const Rest&... rest) {
  if constexpr (is_view_v<V>) {
    if constexpr (check_output_view<Exec, V>()) {
      expect_same_length("hpk::sort_by_key", keys, next, where);
      sort_by_key_of(label, where, exec, keys, prepend_column(make_row(next), values), rest...);
    }
  } else {
    static_assert(
        sizeof...(Rest) == 0,
        "hpk::sort_by_key: an argument is not a View; write the keys, the values, and last "
        "the comparison");
    if constexpr (sizeof...(Rest) == 0 && check_output_view<Exec, K>() &&
                  check_less<V, typename K::non_const_value_type>())
      sort_columns(label, exec, make_row(keys), static_cast<index_t>(keys.extent(0)), next, values);
  }
}

template <class Exec, class K, class P, class Less>
void argsort_of(std::string_view label, const std::source_location& where, const Exec& exec,
                const K& keys, const P& places, const Less& less) {
  using key = typename K::non_const_value_type;
  using place = typename P::non_const_value_type;
  constexpr bool whole = std::integral<place>;
  static_assert(whole,
                "hpk::argsort: the elements of the permutation are not integers; write a View of "
                "hpk::index_t or int");
  if constexpr (check_view<Exec, K>() && check_output_view<Exec, P>() && check_less<Less, key>() &&
                whole) {
    expect_same_length("hpk::argsort", keys, places, where);
    const auto n = static_cast<index_t>(keys.extent(0));
    if (n > 0 && !std::in_range<place>(n - 1)) reject_small_places(name_of(places), where);
    const auto row = make_row(places);
    parallel_for(label, RangePolicy<Exec>(exec, index_t{0}, n), count_up_kernel<view_row<P>>{row});
    const auto memory = allocate_for_sort<key>(exec, "hpk::argsort: keys", n);
    const auto copy = row_of_memory<Exec>(memory);
    copy_elements(label, exec, copy, make_row(keys), n);
    sort_columns(label, exec, copy, n, less, make_columns(row));
    exec.fence("hpk::argsort: fence before memory is freed");
  }
}

}  // namespace hpk::detail::sorting

namespace hpk {

/// Sorts the keys, a View of rank 1, in ascending order and permutes the elements of `values` like
/// their keys. Stable. Blocks. Types, comparisons and orders as for hpk::sort.
///
/// Errors: hpk::error if the Views differ in length.
template <ExecutionSpace Exec, detail::sorting::sortable_view K, detail::sorting::sortable_view V>
void sort_by_key(const Exec& exec, const K& keys, const V& values,
                 const std::source_location& where = std::source_location::current()) {
  detail::sorting::sort_by_key_of("hpk::sort_by_key", where, exec, keys,
                                  detail::sorting::columns<>(), values);
}
/// Sorts by a comparison of keys: less(a, b) is true if a comes before b.
template <ExecutionSpace Exec, detail::sorting::sortable_view K, detail::sorting::sortable_view V,
          class Less>
  requires(!is_view_v<Less> && !std::convertible_to<Less, std::source_location>)
void sort_by_key(const Exec& exec, const K& keys, const V& values, const Less& less,
                 const std::source_location& where = std::source_location::current()) {
  detail::sorting::sort_by_key_of("hpk::sort_by_key", where, exec, keys,
                                  detail::sorting::columns<>(), values, less);
}
/// Permutes any number of Views of values. The comparison may be the last argument.
template <ExecutionSpace Exec, detail::sorting::sortable_view K, detail::sorting::sortable_view V,
          detail::sorting::sortable_view W, class... Rest>
void sort_by_key(const Exec& exec, const K& keys, const V& values, const W& more,
                 const Rest&... rest) {
  detail::sorting::sort_by_key_of("hpk::sort_by_key", std::source_location(), exec, keys,
                                  detail::sorting::columns<>(), values, more, rest...);
}
/// Does the same with a label for tools.
template <ExecutionSpace Exec, detail::sorting::sortable_view K, detail::sorting::sortable_view V,
          class... Rest>
void sort_by_key(std::string_view label, const Exec& exec, const K& keys, const V& values,
                 const Rest&... rest) {
  detail::sorting::sort_by_key_of(label, std::source_location(), exec, keys,
                                  detail::sorting::columns<>(), values, rest...);
}

/// Computes the permutation that sorts `keys`, without changing them: keys(permutation(i)) ascends
/// with i, and equal keys keep their order. `permutation` is a View of integers, as long as the
/// keys. Blocks.
///
/// Errors: hpk::error if the Views differ in length, or if the integers are too small for the
/// indices.
template <ExecutionSpace Exec, detail::sorting::sortable_view K, detail::sorting::sortable_view P>
void argsort(const Exec& exec, const K& keys, const P& permutation,
             const std::source_location& where = std::source_location::current()) {
  detail::sorting::argsort_of("hpk::argsort", where, exec, keys, permutation,
                              detail::sorting::default_less());
}
/// Does the same with a comparison of keys.
template <ExecutionSpace Exec, detail::sorting::sortable_view K, detail::sorting::sortable_view P,
          class Less>
  requires(!is_view_v<Less> && !std::convertible_to<Less, std::source_location>)
void argsort(const Exec& exec, const K& keys, const P& permutation, const Less& less,
             const std::source_location& where = std::source_location::current()) {
  detail::sorting::argsort_of("hpk::argsort", where, exec, keys, permutation, less);
}

namespace Experimental {
using hpk::argsort;
using hpk::sort_by_key;
}  // namespace Experimental

}  // namespace hpk
