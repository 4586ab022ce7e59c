// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts of the segments of a row, each for itself: on hosts workers claim segments, and share those
// that are too large for one; on devices all elements are sorted together, first by segment.
#pragma once

#include <hpk/algorithms/sort_columns.hpp>

namespace hpk::detail::sorting {

/// Sorts the segments [begin_of(s), begin_of(s + 1)) of neighbouring elements on a host. `whole`
/// sorts a segment with all workers.
template <class Exec, class T, class BeginOf, class Less, class Whole>
void sort_segments_plain(std::string_view label, const Exec& exec, T* data, index_t segments,
                         const BeginOf& begin_of, const Less& less, const Whole& whole) {
  const index_t workers = exec.concurrency();
  const index_t first = begin_of(0);
  const index_t n = begin_of(segments) - first;
  if (n == 0) return;
  const index_t share = n / (4 * workers);
  const index_t limit = share < most_of_one_worker ? most_of_one_worker : share;
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
        if (size > 1 && size <= limit) merge_sort_on_worker(data + begin, other, size, less, false);
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
