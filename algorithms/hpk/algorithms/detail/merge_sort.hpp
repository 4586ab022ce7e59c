// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stable merge sort with any comparison. On hosts each worker sorts its share with merges from both
// ends, which have no unpredictable branches; then all workers merge the shares, and each writes a
// piece of the result of the same size. On devices each lane sorts a few elements and merges pieces
// of the result.
#pragma once

#include <hpk/algorithms/detail/merge_path.hpp>
#include <hpk/algorithms/detail/sort_memory.hpp>

#include <utility>
#include <vector>

namespace hpk::detail::sorting {

/// Whether elements are cheap enough to copy that merges select the smaller one without a branch.
template <class T>
inline constexpr bool is_cheap_to_copy = std::is_trivially_copyable_v<T> && sizeof(T) <= 32;

/// Merges the sorted [a, a + n / 2) and [a + n / 2, a + n) into `out`.
template <class T, class Less>
void merge_halves(T* a, index_t n, T* out, const Less& less) {
  const index_t half = n / 2;
  T* left = a;
  T* right = a + half;
  if (!less(right[0], right[-1])) {  // The halves are in order already.
    for (index_t i = 0; i < n; ++i) out[i] = std::move(a[i]);
    return;
  }
  if constexpr (is_cheap_to_copy<T>) {
    // Merges from both ends: neither side can run out within `half` steps.
    T* left_end = right - 1;
    T* right_end = a + n - 1;
    T* out_end = out + n - 1;
    for (index_t k = 0; k < half; ++k) {
      const bool second = less(*right, *left);
      *out++ = *(second ? right : left);
      right += second;
      left += !second;
      const bool first = less(*right_end, *left_end);
      *out_end-- = *(first ? left_end : right_end);
      left_end -= first;
      right_end -= !first;
    }
    if (n % 2 != 0) *out = *(left <= left_end ? left : right);
  } else {
    T* const middle = right;
    T* const end = a + n;
    while (left != middle && right != end)
      *out++ = less(*right, *left) ? std::move(*right++) : std::move(*left++);
    while (left != middle) *out++ = std::move(*left++);
    while (right != end) *out++ = std::move(*right++);
  }
}

/// Sorts n elements at `a` with memory for n elements at `b`. The result is at b if `to_b`, else at
/// a.
template <class T, class Less>
void merge_sort_on_worker(T* a, T* b, index_t n, const Less& less, bool to_b) {
  constexpr index_t few = 12;
  if (n <= few) {
    for (index_t i = 1; i < n; ++i) {
      if (!less(a[i], a[i - 1])) continue;
      T e = std::move(a[i]);
      index_t j = i;
      do {
        a[j] = std::move(a[j - 1]);
        --j;
      } while (j > 0 && less(e, a[j - 1]));
      a[j] = std::move(e);
    }
    if (to_b)
      for (index_t i = 0; i < n; ++i) b[i] = std::move(a[i]);
    return;
  }
  const index_t half = n / 2;
  merge_sort_on_worker(a, b, half, less, !to_b);
  merge_sort_on_worker(a + half, b + half, n - half, less, !to_b);
  merge_halves(to_b ? a : b, n, to_b ? b : a, less);
}

/// Merges pairs of sorted runs of `from` into `to`, but writes only the outputs [begin, end).
/// `bounds` has the beginning of each run and the end of the last.
template <class T, class Less>
void merge_runs(const T* from, T* to, const std::vector<index_t>& bounds, index_t begin,
                index_t end, const Less& less) {
  const std::size_t runs = bounds.size() - 1;
  for (std::size_t r = 0; r < runs; r += 2) {
    const index_t first = bounds[r];
    const index_t middle = bounds[r + 1];
    const index_t last = bounds[r + 2 <= runs ? r + 2 : r + 1];
    const index_t lower = begin > first ? begin : first;
    const index_t upper = end < last ? end : last;
    if (lower >= upper) continue;
    const plain_row<const T> row{from};
    const index_t na = middle - first;
    const index_t nb = last - middle;
    const auto taken = [&](index_t diagonal) {
      return split_merge(row, first, na, row, middle, nb, diagonal, less);
    };
    const index_t i = taken(lower - first);
    const index_t i_end = taken(upper - first);
    const T* left = from + first + i;
    const T* const left_end = from + first + i_end;
    const T* right = from + middle + (lower - first - i);
    const T* const right_end = from + middle + (upper - first - i_end);
    T* out = to + lower;
    if constexpr (is_cheap_to_copy<T>) {
      // Neither side runs out within `safe` steps.
      for (;;) {
        const index_t a = left_end - left;
        const index_t b = right_end - right;
        const index_t safe = a < b ? a : b;
        if (safe == 0) break;
        for (index_t k = 0; k < safe; ++k) {
          const bool second = less(*right, *left);
          *out++ = *(second ? right : left);
          right += second;
          left += !second;
        }
      }
    } else {
      while (left != left_end && right != right_end)
        *out++ = less(*right, *left) ? *right++ : *left++;
    }
    while (left != left_end) *out++ = *left++;
    while (right != right_end) *out++ = *right++;
  }
}

/// Sorts n elements on a host with memory for n elements at `other`.
template <class Exec, class T, class Less>
void merge_sort_plain(std::string_view label, const Exec& exec, T* data, T* other, index_t n,
                      const Less& less) {
  constexpr index_t least_share = 8192;
  index_t workers = exec.concurrency();
  if (workers > n / least_share) workers = n / least_share;
  if (workers < 1) workers = 1;
  std::vector<index_t> bounds;
  for (index_t w = 0; w <= workers; ++w) bounds.push_back(share_of(n, w, workers));
  int rounds = 0;
  for (index_t runs = workers; runs > 1; runs = (runs + 1) / 2) ++rounds;
  on_workers(label, exec, workers, [&](index_t w) {
    const index_t begin = bounds[static_cast<std::size_t>(w)];
    merge_sort_on_worker(data + begin, other + begin,
                         bounds[static_cast<std::size_t>(w) + 1] - begin, less, rounds % 2 != 0);
  });
  T* from = rounds % 2 != 0 ? other : data;
  T* to = rounds % 2 != 0 ? data : other;
  for (; rounds > 0; --rounds) {
    on_workers(label, exec, workers, [&](index_t w) {
      merge_runs(from, to, bounds, share_of(n, w, workers), share_of(n, w + 1, workers), less);
    });
    std::vector<index_t> merged;
    for (std::size_t r = 0; r < bounds.size() - 1; r += 2) merged.push_back(bounds[r]);
    merged.push_back(n);
    bounds = std::move(merged);
    std::swap(from, to);
  }
}

/// Number of elements that a lane of a device sorts, and later merges, at a time.
inline constexpr index_t elements_of_lane = 16;

/// Sorts elements_of_lane elements in place.
template <class Row, class Less>
struct sort_few_kernel {
  Row row;
  index_t n;
  Less less;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t piece) const {
    const index_t begin = piece * elements_of_lane;
    const index_t end = begin + elements_of_lane < n ? begin + elements_of_lane : n;
    for (index_t i = begin + 1; i < end; ++i) {
      const typename Row::value_type e = row[i];
      index_t j = i;
      for (; j > begin && less(e, row[j - 1]); --j) row[j] = row[j - 1];
      row[j] = e;
    }
  }
};
/// Merges neighbouring runs of `width` elements: writes one piece of the result.
template <class From, class To, class Less>
struct merge_runs_kernel {
  From from;
  To to;
  index_t n;
  index_t width;
  Less less;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t piece) const {
    const index_t at = piece * elements_of_lane;
    const index_t first = at / (2 * width) * (2 * width);
    const index_t middle = first + width < n ? first + width : n;
    const index_t last = first + 2 * width < n ? first + 2 * width : n;
    const index_t end = at + elements_of_lane < last ? at + elements_of_lane : last;
    const index_t i =
        split_merge(from, first, middle - first, from, middle, last - middle, at - first, less);
    merge_piece(from, first + i, middle, from, middle + (at - first - i), last, to, at, end, less);
  }
};

/// Sorts n elements on a device with memory for n elements in `other`.
template <class Exec, class Row, class Other, class Less>
void merge_sort_rows(std::string_view label, const Exec& exec, const Row& row, const Other& other,
                     index_t n, const Less& less) {
  const index_t pieces = (n + elements_of_lane - 1) / elements_of_lane;
  const RangePolicy<Exec> policy(exec, index_t{0}, pieces);
  parallel_for(label, policy, sort_few_kernel<Row, Less>{row, n, less});
  bool in_row = true;
  for (index_t width = elements_of_lane; width < n; width *= 2) {
    if (in_row) {
      parallel_for(label, policy, merge_runs_kernel<Row, Other, Less>{row, other, n, width, less});
    } else {
      parallel_for(label, policy, merge_runs_kernel<Other, Row, Less>{other, row, n, width, less});
    }
    in_row = !in_row;
  }
  if (!in_row) copy_elements(label, exec, row, other, n);
}

/// Sorts n elements of a row by a comparison.
template <class Exec, class Row, class Less>
void merge_sort(std::string_view label, const Exec& exec, const Row& row, index_t n,
                const Less& less) {
  using value = typename Row::value_type;
  const auto memory = allocate_for_sort<value>(exec, "hpk::sort: elements", n);
  if constexpr (sorts_on_host<Exec>) {
    const plain_elements<Exec, Row> elements(label, exec, row, n);
    merge_sort_plain(label, exec, elements.data(), memory.data(), n, less);
    elements.copy_back();
  } else {
    merge_sort_rows(label, exec, row, row_of_memory<Exec>(memory), n, less);
    exec.fence("hpk::sort: fence before memory is freed");
  }
}

}  // namespace hpk::detail::sorting
