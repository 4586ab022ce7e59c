// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// segmented_sort: sorts many segments of a View in one call, each for itself. Stable.
#pragma once

#include <hpk/algorithms/segments.hpp>
#include <hpk/algorithms/sort_checks.hpp>

namespace hpk::detail::sorting {

/// An element with its segment, as devices sort them.
template <class T>
struct segment_element {
  T value;
  index_t segment;
};
template <class Less>
struct less_in_segment {
  Less less;
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION bool operator()(const segment_element<T>& a, const segment_element<T>& b) const {
    return a.segment != b.segment ? a.segment < b.segment
                                  : static_cast<bool>(less(a.value, b.value));
  }
};
template <class Values, class Offsets, class Pairs>
struct read_segments_kernel {
  Values values;
  Offsets offsets;
  Pairs pairs;
  index_t segments;
  index_t first;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    const auto at = static_cast<typename Offsets::value_type>(first + i);
    pairs[i] = {values[first + i], find_bound<true>(offsets, 0, segments, at, default_less())};
  }
};
template <class Values, class Pairs>
struct write_segments_kernel {
  Values values;
  Pairs pairs;
  index_t first;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const { values[first + i] = pairs[i].value; }
};

template <class Exec, class V, class O, class Less>
void segmented_sort_of(std::string_view label, const Exec& exec, const V& values, const O& offsets,
                       const Less& less, const std::source_location& where) {
  using value = typename V::non_const_value_type;
  constexpr bool whole = std::integral<typename O::non_const_value_type>;
  static_assert(whole,
                "hpk::segmented_sort: the offsets are no integers; write a View of hpk::index_t "
                "or int, with one more element than there are segments");
  if constexpr (check_output_view<Exec, V>() && check_view<Exec, O>() &&
                check_less<Less, value>()) {
    const index_t segments = static_cast<index_t>(offsets.extent(0)) - 1;
    if (segments < 1) return;
    // The offsets are checked, and on hosts used, here.
    const auto host = create_mirror_view_and_copy(HostSpace(), offsets);
    const auto n = static_cast<index_t>(values.extent(0));
    const auto begin_of = [&](index_t s) { return static_cast<index_t>(host(s)); };
    for (index_t s = 0; s < segments; ++s) {
      if (begin_of(s) < 0 || begin_of(s + 1) < begin_of(s) || begin_of(s + 1) > n)
        reject_offsets(name_of(values), s, begin_of(s), begin_of(s + 1), where);
    }
    const index_t first = begin_of(0);
    const index_t count = begin_of(segments) - first;
    if (count < 2) return;
    const auto row = make_row(values);
    if constexpr (sorts_on_host<Exec>) {
      const plain_elements<Exec, view_row<V>> elements(label, exec, row, n);
      value* const data = elements.data();
      sort_segments_plain(label, exec, data, segments, begin_of, less,
                          [&](index_t begin, index_t size) {
                            sort_row(label, exec, plain_row<value>{data + begin}, size, less);
                          });
      elements.give_back();
    } else {
      const auto memory =
          allocate_for_sort<segment_element<value>>(exec, "hpk::segmented_sort: elements", count);
      const auto pairs = row_of_memory<Exec>(memory);
      using pairs_type = std::remove_const_t<decltype(pairs)>;
      const RangePolicy<Exec> all(exec, index_t{0}, count);
      parallel_for(label, all,
                   read_segments_kernel<view_row<V>, view_row<O>, pairs_type>{
                       row, make_row(offsets), pairs, segments, first});
      merge_sort(label, exec, pairs, count, less_in_segment<Less>{less});
      parallel_for(label, all, write_segments_kernel<view_row<V>, pairs_type>{row, pairs, first});
      exec.fence("hpk::segmented_sort: fence before memory is freed");
    }
  }
}

}  // namespace hpk::detail::sorting

namespace hpk {

/// Sorts every segment [offsets(s), offsets(s + 1)) of a View of rank 1 for itself. `offsets`: a
/// View of integers with one more element than there are segments, which do not decrease; elements
/// before the first and from the last on stay. Stable; blocks; workers share many small segments as
/// well as few large ones.
///
/// Errors: hpk::error that names the first segment that is not a range of the View.
template <ExecutionSpace Exec, detail::sorting::sortable_view V, detail::sorting::sortable_view O>
void segmented_sort(const Exec& exec, const V& values, const O& offsets,
                    const std::source_location& where = std::source_location::current()) {
  detail::sorting::segmented_sort_of("hpk::segmented_sort", exec, values, offsets,
                                     detail::sorting::default_less(), where);
}
/// With a comparison.
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
