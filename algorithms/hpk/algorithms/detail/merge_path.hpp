// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits two sorted rows so that the elements before the split are the first n of the merged
// result, and merges the pieces in between. Merges and merge sorts divide their work in this way
// (Green, Odeh, Birk: Merge path, 2014). Stable: equal elements of the first row come first.
#pragma once

#include <hpk/core.hpp>

namespace hpk::detail::sorting {

/// Returns how many of the first `diagonal` elements of the merged result come from row a. Row a
/// has na elements from a0 on, row b has nb elements from b0 on.
HPK_CALLS_EITHER
template <class A, class B, class Less>
HPK_FUNCTION index_t split_merge(const A& a, index_t a0, index_t na, const B& b, index_t b0,
                                 index_t nb, index_t diagonal, const Less& less) {
  index_t low = diagonal > nb ? diagonal - nb : 0;
  index_t high = diagonal < na ? diagonal : na;
  while (low < high) {
    const index_t middle = low + (high - low) / 2;
    if (less(b[b0 + diagonal - 1 - middle], a[a0 + middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Merges a[i, na) and b[j, nb) until out[at, end) is full.
HPK_CALLS_EITHER
template <class A, class B, class Out, class Less>
HPK_FUNCTION void merge_piece(const A& a, index_t i, index_t na, const B& b, index_t j, index_t nb,
                              const Out& out, index_t at, index_t end, const Less& less) {
  for (; at < end; ++at) {
    if (j < nb && (i >= na || less(b[j], a[i]))) {
      out[at] = b[j++];
    } else {
      out[at] = a[i++];
    }
  }
}

/// Returns the number of elements that come before `value`, among the n elements from `first` on:
/// those that are less, or, with After, those that are not greater.
HPK_CALLS_EITHER
template <bool After, class Row, class T, class Less>
HPK_FUNCTION index_t find_bound(const Row& row, index_t first, index_t n, const T& value,
                                const Less& less) {
  index_t low = 0;
  while (n > 0) {
    const index_t half = n / 2;
    const bool before = After ? !less(value, row[first + low + half])
                              : static_cast<bool>(less(row[first + low + half], value));
    if (before) {
      low += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return low;
}

}  // namespace hpk::detail::sorting
