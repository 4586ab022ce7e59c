// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nth_element moves the element that sorting would put at an index to this index, and smaller
// elements before it. partial_sort moves the smallest elements to the front, sorted. Both work in
// parallel, on hosts and devices: two pivots close to the n-th element are taken from a sorted
// sample, and the elements are partitioned into those below, between and above the pivots. This
// repeats in the class that contains the n-th element until it is small enough to be sorted.
#pragma once

#include <hpk/algorithms/detail/sort_checks.hpp>
#include <hpk/algorithms/detail/sort_columns.hpp>

namespace hpk::detail::sorting {

/// The elements of a row from index `first` on.
template <class Row>
struct offset_row {
  using value_type = typename Row::value_type;
  Row row;
  index_t first;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION decltype(auto) operator[](index_t i) const { return row[first + i]; }
};
template <class Row>
auto plain_data(const offset_row<Row>& row, index_t n) -> decltype(plain_data(row.row, n)) {
  auto* const data = plain_data(row.row, n);
  return data == nullptr ? nullptr : data + row.first;
}

/// Reads a sample of elements at equal distances.
template <class Row, class Out>
struct sample_kernel {
  Row row;
  Out out;
  index_t n;
  index_t samples;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t s) const { out[s] = row[n / samples * s]; }
};

/// Partitions elements into three classes: 0 is less than pivots[low], 2 is greater than
/// pivots[high], 1 is the rest.
template <class Row, class Out, class Pivots, class Counts, class Less>
struct pivot_partition {
  Row row;
  Out out;
  Pivots pivots;
  index_t low;
  index_t high;
  Counts counts;  // [class * chunks + chunk]
  index_t n;
  index_t chunk;
  index_t chunks;
  Less less;

  HPK_CALLS_EITHER
  HPK_FUNCTION index_t class_of(index_t i) const {
    const auto& e = row[i];
    return less(e, pivots[low]) ? 0 : less(pivots[high], e) ? 2 : 1;
  }
  HPK_FUNCTION index_t end_of(index_t c) const { return (c + 1) * chunk < n ? (c + 1) * chunk : n; }
};
template <class Partition>
struct count_classes_kernel {
  Partition partition;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t c) const {
    index_t counts[3] = {};
    for (index_t i = c * partition.chunk; i < partition.end_of(c); ++i)
      ++counts[partition.class_of(i)];
    for (index_t k = 0; k < 3; ++k) partition.counts[k * partition.chunks + c] = counts[k];
  }
};
template <class Partition>
struct place_classes_kernel {
  Partition partition;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i, index_t& sum, bool final) const {
    const index_t count = partition.counts[i];
    if (final) partition.counts[i] = sum;
    sum += count;
  }
};
template <class Partition>
struct move_classes_kernel {
  Partition partition;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t c) const {
    index_t next[3];
    for (index_t k = 0; k < 3; ++k) next[k] = partition.counts[k * partition.chunks + c];
    for (index_t i = c * partition.chunk; i < partition.end_of(c); ++i)
      partition.out[next[partition.class_of(i)]++] = partition.row[i];
  }
};
/// Reads the position where the elements of class k begin from the positions of the chunks.
template <class Counts>
struct class_begin_kernel {
  Counts counts;
  index_t chunks;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t k, index_t& update) const { update += counts[k * chunks]; }
};

/// Moves element nth of n elements to its sorted position.
template <class Exec, class Row, class Less>
void select_nth(std::string_view label, const Exec& exec, Row row, index_t n, index_t nth,
                const Less& less) {
  constexpr index_t few = 16384;
  constexpr index_t samples = 1024;
  using value = typename Row::value_type;
  index_t first = 0;
  for (int round = 0; round < 8; ++round) {
    if (n <= few) break;
    const offset_row<Row> elements{row, first};
    const auto sample_memory = allocate_for_sort<value>(exec, "hpk::nth_element: sample", samples);
    const auto sample = row_of_memory<Exec>(sample_memory);
    parallel_for(label, RangePolicy<Exec>(exec, index_t{0}, samples),
                 sample_kernel<offset_row<Row>, decltype(row_of_memory<Exec>(sample_memory))>{
                     elements, sample, n, samples});
    sort_row(label, exec, sample, samples, less);
    const index_t at = static_cast<index_t>(static_cast<double>(nth) / static_cast<double>(n) *
                                            static_cast<double>(samples));
    const index_t low = at < 48 ? 0 : at - 48;
    const index_t high = at + 48 < samples ? at + 48 : samples - 1;
    const index_t chunk = n >> 12 < 256 ? 256 : n >> 12;
    const index_t chunks = (n + chunk - 1) / chunk;
    const auto memory = allocate_for_sort<value>(exec, "hpk::nth_element: elements", n);
    const auto counts = allocate_for_sort<index_t>(exec, "hpk::nth_element: counts", 3 * chunks);
    using partition_type = pivot_partition<offset_row<Row>, decltype(row_of_memory<Exec>(memory)),
                                           decltype(row_of_memory<Exec>(sample_memory)),
                                           decltype(row_of_memory<Exec>(counts)), Less>;
    const partition_type partition{elements, row_of_memory<Exec>(memory),
                                   sample,   low,
                                   high,     row_of_memory<Exec>(counts),
                                   n,        chunk,
                                   chunks,   less};
    const RangePolicy<Exec> lanes(exec, index_t{0}, chunks);
    parallel_for(label, lanes, count_classes_kernel<partition_type>{partition});
    parallel_scan(label, RangePolicy<Exec>(exec, index_t{0}, 3 * chunks),
                  place_classes_kernel<partition_type>{partition});
    parallel_for(label, lanes, move_classes_kernel<partition_type>{partition});
    copy_elements(label, exec, elements, partition.out, n);
    index_t bounds[2] = {};
    for (index_t k = 0; k < 2; ++k) {
      index_t bound = 0;
      parallel_reduce(label, RangePolicy<Exec>(exec, k + 1, k + 2),
                      class_begin_kernel<decltype(row_of_memory<Exec>(counts))>{
                          row_of_memory<Exec>(counts), chunks},
                      bound);
      bounds[k] = bound;
    }
    const index_t begin = nth < bounds[0] ? 0 : nth < bounds[1] ? bounds[0] : bounds[1];
    const index_t end = nth < bounds[0] ? bounds[0] : nth < bounds[1] ? bounds[1] : n;
    first += begin;
    nth -= begin;
    if (end - begin == n) break;
    n = end - begin;
  }
  sort_row(label, exec, offset_row<Row>{row, first}, n, less);
}

template <class Exec, class V, class Less>
void nth_element_of(std::string_view label, const Exec& exec, const V& view, index_t nth,
                    const Less& less, const std::source_location& where) {
  if constexpr (check_output_view<Exec, V>() &&
                check_less<Less, typename V::non_const_value_type>()) {
    const auto n = static_cast<index_t>(view.extent(0));
    if (nth < 0 || nth > n) reject_position("hpk::nth_element", name_of(view), "nth", nth, where);
    if (nth < n) select_nth(label, exec, make_row(view), n, nth, less);
  }
}
template <class Exec, class V, class Less>
void partial_sort_of(std::string_view label, const Exec& exec, const V& view, index_t middle,
                     const Less& less, const std::source_location& where) {
  if constexpr (check_output_view<Exec, V>() &&
                check_less<Less, typename V::non_const_value_type>()) {
    const auto n = static_cast<index_t>(view.extent(0));
    if (middle < 0 || middle > n)
      reject_position("hpk::partial_sort", name_of(view), "middle", middle, where);
    if (middle > 0 && middle < n) select_nth(label, exec, make_row(view), n, middle, less);
    sort_row(label, exec, make_row(view), middle, less);
  }
}

}  // namespace hpk::detail::sorting

namespace hpk {

/// Rearranges a View of rank 1 so that element `nth` is the one that sorting would put there, no
/// element before it is greater, and no element after it is less. nth = extent changes nothing.
/// Takes linear time for most inputs. Blocks. The result is the same for any number of workers.
///
/// Errors: hpk::error if nth is not in [0, extent].
template <ExecutionSpace Exec, detail::sorting::sortable_view V>
void nth_element(const Exec& exec, const V& view, index_t nth,
                 const std::source_location& where = std::source_location::current()) {
  detail::sorting::nth_element_of("hpk::nth_element", exec, view, nth,
                                  detail::sorting::default_less(), where);
}
/// Does the same with a comparison.
template <ExecutionSpace Exec, detail::sorting::sortable_view V, class Less>
  requires(!std::convertible_to<Less, std::source_location>)
void nth_element(const Exec& exec, const V& view, index_t nth, const Less& less,
                 const std::source_location& where = std::source_location::current()) {
  detail::sorting::nth_element_of("hpk::nth_element", exec, view, nth, less, where);
}

/// Rearranges a View of rank 1 so that its first `middle` elements are the smallest, sorted. The
/// order of the others is unspecified. Blocks. The result is the same for any number of workers.
///
/// Errors: hpk::error if middle is not in [0, extent].
template <ExecutionSpace Exec, detail::sorting::sortable_view V>
void partial_sort(const Exec& exec, const V& view, index_t middle,
                  const std::source_location& where = std::source_location::current()) {
  detail::sorting::partial_sort_of("hpk::partial_sort", exec, view, middle,
                                   detail::sorting::default_less(), where);
}
/// Does the same with a comparison.
template <ExecutionSpace Exec, detail::sorting::sortable_view V, class Less>
  requires(!std::convertible_to<Less, std::source_location>)
void partial_sort(const Exec& exec, const V& view, index_t middle, const Less& less,
                  const std::source_location& where = std::source_location::current()) {
  detail::sorting::partial_sort_of("hpk::partial_sort", exec, view, middle, less, where);
}

namespace Experimental {
using hpk::nth_element;
using hpk::partial_sort;
}  // namespace Experimental

}  // namespace hpk
