// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// segmented_sort sorts many segments of a View in one call, each segment separately. Stable.
#pragma once

#include <hpk/algorithms/detail/segment_rows.hpp>
#include <hpk/algorithms/detail/segments.hpp>
#include <hpk/algorithms/detail/sort_checks.hpp>

namespace hpk::detail::sorting {

template <class Exec, class V, class O, class Less>
void segmented_sort_of(std::string_view label, const Exec& exec, const V& values, const O& offsets,
                       const Less& less, const std::source_location& where) {
  using value = typename V::non_const_value_type;
  constexpr bool whole = std::integral<typename O::non_const_value_type>;
  static_assert(whole,
                "hpk::segmented_sort: the offsets are not integers; write a View of hpk::index_t "
                "or int, with one more element than there are segments");
  if constexpr (check_output_view<Exec, V>() && check_view<Exec, O>() &&
                check_less<Less, value>()) {
    const index_t segments = static_cast<index_t>(offsets.extent(0)) - 1;
    if (segments < 1) return;
    // The host copy of the offsets is checked. On hosts the sort also uses it.
    const auto host = create_mirror_view_and_copy(HostSpace(), offsets);
    const auto n = static_cast<index_t>(values.extent(0));
    const auto begin_of = [&](index_t s) { return static_cast<index_t>(host(s)); };
    for (index_t s = 0; s < segments; ++s) {
      if (begin_of(s) < 0 || begin_of(s + 1) < begin_of(s) || begin_of(s + 1) > n)
        reject_offsets(name_of(values), s, begin_of(s), begin_of(s + 1), where);
    }
    if (begin_of(segments) - begin_of(0) < 2) return;
    if constexpr (sorts_on_host<Exec>) {
      const auto row = make_row(values);
      const plain_elements<Exec, view_row<V>> elements(label, exec, row, n);
      value* const data = elements.data();
      sort_segments_plain(label, exec, data, segments, begin_of, less,
                          [&](index_t begin, index_t size) {
                            sort_row(label, exec, plain_row<value>{data + begin}, size, less);
                          });
      elements.copy_back();
    } else {
      constexpr index_t most = index_t{1} << 32;
      for (index_t s = 0; s < segments; s += most)
        sort_segments_of_device(label, exec, values, offsets, s,
                                segments - s < most ? segments : s + most, begin_of, less);
    }
  }
}

}  // namespace hpk::detail::sorting

namespace hpk {

/// Sorts every segment [offsets(s), offsets(s + 1)) of a View of rank 1 separately. `offsets` is a
/// View of nondecreasing integers with one more element than there are segments; elements before
/// the first offset and from the last offset on stay unchanged. Stable. Blocks. Workers share many
/// small segments as well as few large ones. Numbers are ordered as by hpk::sort: -0.0 before 0.0,
/// NaNs last.
///
/// Errors: hpk::error that names the first segment that is not a range of the View.
template <ExecutionSpace Exec, detail::sorting::sortable_view V, detail::sorting::sortable_view O>
void segmented_sort(const Exec& exec, const V& values, const O& offsets,
                    const std::source_location& where = std::source_location::current()) {
  detail::sorting::segmented_sort_of("hpk::segmented_sort", exec, values, offsets,
                                     detail::sorting::default_less(), where);
}
/// Does the same with a comparison.
template <ExecutionSpace Exec, detail::sorting::sortable_view V, detail::sorting::sortable_view O,
          class Less>
  requires(!std::convertible_to<Less, std::source_location>)
void segmented_sort(const Exec& exec, const V& values, const O& offsets, const Less& less,
                    const std::source_location& where = std::source_location::current()) {
  detail::sorting::segmented_sort_of("hpk::segmented_sort", exec, values, offsets, less, where);
}

namespace Experimental {
using hpk::segmented_sort;
}  // namespace Experimental

}  // namespace hpk
