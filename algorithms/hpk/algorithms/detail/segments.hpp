// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts the segments of a row separately, on hosts: workers claim segments, and sort segments that
// are too large for one worker together.
#pragma once

#include <hpk/algorithms/detail/sort_columns.hpp>

namespace hpk::detail::sorting {

/// The order of radix sorts as a comparison.
template <class Order>
struct less_by_bits {
  template <class T>
  HPK_FORCEINLINE bool operator()(const T& a, const T& b) const {
    return Order::to_bits(a) < Order::to_bits(b);
  }
};
/// Whether there are numbers that radix sort orders but operator< does not: NaNs and -0.0.
template <class T>
bool has_special_numbers(const T* data, index_t n) {
  using order = key_order<T>;
  using bits = typename order::bits;
  constexpr bits magnitude = static_cast<bits>(order::sign - 1);
  constexpr bits infinity = static_cast<bits>(order::sign - (bits{1} << order::exponent_at));
  bool special = false;
  for (index_t i = 0; i < n; ++i) {
    const bits raw = __builtin_bit_cast(bits, data[i]);
    special |= raw == order::sign || (raw & magnitude) > infinity;
  }
  return special;
}
/// Sorts a segment of n elements with memory for n elements at `other`. Numbers are ordered as by
/// radix sorts. Without NaNs and -0.0 operator< gives the same order and is faster.
template <class T, class Less>
void sort_segment_on_worker(T* data, T* other, index_t n, const Less& less) {
  using order = order_of_t<T, Less>;
  if constexpr (order::by_bits && !std::integral<T>) {
    if (has_special_numbers(data, n)) {
      merge_sort_on_worker(data, other, n, less_by_bits<order>(), false);
      return;
    }
  }
  merge_sort_on_worker(data, other, n, less, false);
}

/// Sorts the segments [begin_of(s), begin_of(s + 1)) of contiguous elements on a host. whole(begin,
/// size) sorts one segment with all workers.
template <class Exec, class T, class BeginOf, class Less, class Whole>
void sort_segments_plain(std::string_view label, const Exec& exec, T* data, index_t segments,
                         const BeginOf& begin_of, const Less& less, const Whole& whole) {
  const index_t workers = exec.concurrency();
  const index_t first = begin_of(0);
  const index_t n = begin_of(segments) - first;
  if (n == 0) return;
  const index_t share = n / (4 * workers);
  const index_t limit = share < one_worker_limit ? one_worker_limit : share;
  index_t largest = 0;
  for (index_t s = 0; s < segments; ++s) {
    const index_t size = begin_of(s + 1) - begin_of(s);
    if (size <= limit && size > largest) largest = size;
  }
  const auto memory = allocate_for_sort<T>(exec, "hpk::sort: segments", largest * workers);
  index_t claimed = 0;
  const index_t batch = segments / (workers * 64) + 1;
  on_workers(label, exec, workers, [&](index_t w) {
    T* const other = memory.data() + largest * w;
    for (;;) {
      const index_t batch_begin = atomic_fetch_add(&claimed, batch);
      if (batch_begin >= segments) break;
      const index_t batch_end = batch_begin + batch < segments ? batch_begin + batch : segments;
      for (index_t s = batch_begin; s < batch_end; ++s) {
        const index_t begin = begin_of(s);
        const index_t size = begin_of(s + 1) - begin;
        if (size > 1 && size <= limit) sort_segment_on_worker(data + begin, other, size, less);
      }
    }
  });
  for (index_t s = 0; s < segments; ++s) {
    const index_t begin = begin_of(s);
    const index_t size = begin_of(s + 1) - begin;
    if (size > limit) whole(begin, size);
  }
}

}  // namespace hpk::detail::sorting
