// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over boxes: index spaces of several dimensions. The points of a box are numbered, the
// fastest dimension first, so that they are distributed, folded and scanned like the iterations of
// a range. A chunk of points runs row by row; each row is a plain loop over the fastest dimension.
#pragma once

#include <hpk/parallel/launch/range_walk.hpp>
#include <hpk/spaces/layout.hpp>

#include <utility>

namespace hpk::detail {

/// Whether the last index varies fastest.
template <class Exec, Iterate Direction>
inline constexpr bool last_is_fastest =
    Direction == Iterate::Right ||
    (Direction == Iterate::Default && !std::is_same_v<typename Exec::array_layout, LayoutLeft>);

/// A box of N dimensions with indices of type I. `Last`: the last index varies fastest, else the
/// first.
template <int N, class I, bool Last>
struct index_space {
  static constexpr int rank = N;
  static constexpr bool last_is_fastest = Last;
  static constexpr int fastest = Last ? N - 1 : 0;
  using index_type = I;
  index_t lower[std::size_t{N}];  // not I: Emu may mistake padding bytes of a kernel for pointers
  index_t extent[std::size_t{N}];

  /// Returns the s-th slowest dimension.
  static HPK_INLINE_FUNCTION constexpr int slow(int s) { return Last ? s : N - 1 - s; }
  /// Returns the number of points.
  HPK_INLINE_FUNCTION constexpr index_t size() const {
    std::uint64_t points = 1;  // unsigned: an empty box may have huge extents in other dimensions
    for (int r = 0; r < N; ++r) points *= static_cast<std::uint64_t>(extent[r]);
    return static_cast<index_t>(points);
  }
  /// Computes the indices of point k.
  HPK_INLINE_FUNCTION constexpr void unflatten(index_t k, I (&index)[std::size_t{N}]) const {
    if constexpr (sizeof(I) <= 4) {
      // Divisions in 32 bits take a fraction of the time on devices.
      if ((k >> 32) == 0) {
        auto left = static_cast<std::uint32_t>(k);
        for (int s = N - 1; s > 0; --s) {
          const int r = slow(s);
          const auto by = static_cast<std::uint32_t>(extent[r]);
          const std::uint32_t quotient = left / by;
          index[r] = static_cast<I>(lower[r] + (left - quotient * by));
          left = quotient;
        }
        index[slow(0)] = static_cast<I>(lower[slow(0)] + left);
        return;
      }
    }
    for (int s = N - 1; s > 0; --s) {
      const int r = slow(s);
      index[r] = static_cast<I>(lower[r] + k % extent[r]);
      k /= extent[r];
    }
    index[slow(0)] = static_cast<I>(lower[slow(0)] + k);
  }
};

/// Calls the kernel with `index`, except that the fastest dimension gets `fast`.
HPK_CALLS_EITHER
template <class Tag, class Space, class F, class I, std::size_t... Rs, class... Extra>
HPK_FORCEINLINE_FUNCTION void call_at(const F& kernel, const I* index, I fast,
                                      std::index_sequence<Rs...>, Extra&&... extra) {
  call<Tag>(kernel, static_cast<I>(static_cast<int>(Rs) == Space::fastest ? fast : index[Rs])...,
            static_cast<Extra&&>(extra)...);
}

/// Calls body with `index` converted to another type; the fastest dimension gets `fast`.
HPK_CALLS_EITHER
template <class I, class Space, class F, std::size_t... Rs, class... Extra>
HPK_FORCEINLINE_FUNCTION void call_with(const F& body, const index_t* index, I fast,
                                        std::index_sequence<Rs...>, Extra&&... extra) {
  body(static_cast<I>(static_cast<int>(Rs) == Space::fastest ? fast : static_cast<I>(index[Rs]))...,
       static_cast<Extra&&>(extra)...);
}

/// Calls row(index, first, last) for each row of the points [begin, end): [first, last) is the
/// range in the fastest dimension, `index` has the other indices.
HPK_CALLS_EITHER
template <class Space, class Row>
HPK_FORCEINLINE_FUNCTION void for_rows(const Space& shape, index_t begin, index_t end,
                                       const Row& row) {
  using I = typename Space::index_type;
  if (begin >= end) return;
  constexpr int n = Space::rank;
  constexpr int f = Space::fastest;
  I index[std::size_t{n}];
  shape.unflatten(begin, index);
  const I row_begin = static_cast<I>(shape.lower[f]);
  const index_t length = shape.extent[f];
  index_t at = static_cast<index_t>(distance(row_begin, index[f]));
  index_t left = end - begin;
  if constexpr (n == 1) {
    row(index, index_after(row_begin, at), index_after(row_begin, at + left));
  } else {
    constexpr int r = Space::slow(n - 2);
    const I slice_begin = static_cast<I>(shape.lower[r]);
    for (;;) {
      // A part of a row, or a nest over whole rows, in which the compiler sees the stride between
      // rows.
      const index_t done = static_cast<index_t>(distance(slice_begin, index[r]));
      index_t rows = 1;
      index_t count = length - at;
      if (left < count) {
        count = left;
      } else if (at == 0) {
        rows = left / length;
        if (rows > shape.extent[r] - done) rows = shape.extent[r] - done;
      }
      const I first = index_after(row_begin, at);
      const I last = index_after(first, count);
      const I rows_end = index_after(index[r], rows);
      for (I i = index[r]; i < rows_end; ++i) {
        index[r] = i;
        row(index, first, last);
      }
      left -= rows * count;
      if (left == 0) return;
      at = 0;
      index[r] = rows_end;
      if (done + rows != shape.extent[r]) continue;
      index[r] = slice_begin;
      for (int s = n - 3; s >= 0; --s) {
        const int outer = Space::slow(s);
        index[outer] = index_after(index[outer], 1);
        if (s == 0 || static_cast<index_t>(distance(static_cast<I>(shape.lower[outer]),
                                                    index[outer])) != shape.extent[outer])
          break;
        index[outer] = static_cast<I>(shape.lower[outer]);
      }
    }
  }
}

/// Calls row(index, first, last) for all rows of the box, as a nest of loops: if the extents are
/// constants, the compiler sees the length of a row. `S`: the outermost loop is over the S-th
/// slowest dimension; `index` holds the slower ones.
HPK_CALLS_EITHER
template <int S = 0, class Space, class Row>
HPK_FORCEINLINE_FUNCTION void for_all_rows(const Space& shape, typename Space::index_type* index,
                                           const Row& row) {
  using I = typename Space::index_type;
  constexpr int r = Space::slow(S);
  const I begin = static_cast<I>(shape.lower[r]);
  const I end = index_after(begin, shape.extent[r]);
  if constexpr (S == Space::rank - 1) {
    row(index, begin, end);
  } else {
    for (I i = begin; i < end; ++i) {
      index[r] = i;
      for_all_rows<S + 1>(shape, index, row);
    }
  }
}

/// Calls `row` for the rows of the points [begin, end), from the last row to the first. `row` must
/// run from `last` down to `first`.
HPK_CALLS_EITHER
template <class Space, class Row>
HPK_FORCEINLINE_FUNCTION void for_rows_down(const Space& shape, index_t begin, index_t end,
                                            const Row& row) {
  using I = typename Space::index_type;
  if (begin >= end) return;
  constexpr int n = Space::rank;
  constexpr int f = Space::fastest;
  I index[std::size_t{n}];
  shape.unflatten(end - 1, index);
  const I row_begin = static_cast<I>(shape.lower[f]);
  index_t at = static_cast<index_t>(distance(row_begin, index[f])) + 1;
  for (;;) {
    const index_t left = end - begin;
    const index_t count = at < left ? at : left;
    row(index, index_after(row_begin, at - count), index_after(row_begin, at));
    if (count == left) return;
    end -= count;
    at = shape.extent[f];
    for (int s = n - 2; s >= 0; --s) {
      const int r = Space::slow(s);
      if (s == 0 || index[r] != static_cast<I>(shape.lower[r])) {
        index[r] = index_after(index[r], -1);
        break;
      }
      index[r] = static_cast<I>(shape.lower[r] + shape.extent[r] - 1);
    }
  }
}

/// The walk through the points of a box, forward or backward. If operations interleave, iteration k
/// of each row is folded into accumulator k % accumulators_of<value>, and the accumulators are
/// joined by halves. Other values, few objects, and the values of a backward scan are folded in
/// order.
template <class Space, bool Backward = false>
struct mdrange_walk {
  using I = typename Space::index_type;
  static constexpr bool is_range = false;
  static constexpr auto all = std::make_index_sequence<static_cast<std::size_t>(Space::rank)>();

  Space shape;
  index_t n;  ///< points

  HPK_CALLS_EITHER
  template <class Tag, class F, class... Extra>
  HPK_FORCEINLINE_FUNCTION void call(const F& kernel, index_t k, Extra&&... extra) const {
    I index[Space::rank];
    shape.unflatten(Backward ? n - 1 - k : k, index);
    call_at<Tag, Space>(kernel, index, index[Space::fastest], all, static_cast<Extra&&>(extra)...);
  }
  HPK_CALLS_EITHER
  template <class Tag, class F, class... Extra>
  HPK_FORCEINLINE_FUNCTION void each(const F& kernel, index_t first, index_t last,
                                     Extra&&... extra) const {
    if constexpr (Backward) {
      for_rows_down(shape, n - last, n - first, [&](const I* index, I lowest, I highest) {
        for (I i = highest; i > lowest;) {
          --i;
          call_at<Tag, Space>(kernel, index, static_cast<I>(i), all, extra...);
        }
      });
    } else {
      for_rows(shape, first, last, [&](const I* index, I begin, I end) {
        // The promise lets the compiler hoist loads that rows share.
        HPK_DETAIL_PROMISE(begin < end,
                           "a walk through a box has an empty row; a backend asks for iterations "
                           "that the launch does not have, or the box is wrong");
        for (I i = begin; i < end; ++i)
          call_at<Tag, Space>(kernel, index, static_cast<I>(i), all, extra...);
      });
    }
  }
  static constexpr index_t interleaved_from = 0;
  constexpr index_t row() const noexcept { return shape.extent[Space::fastest]; }
  HPK_CALLS_EITHER
  template <int Step, class Tag, class F, class V>
  HPK_FORCEINLINE_FUNCTION void strided(const F& kernel, index_t first, index_t last, int k,
                                        V& sum) const {
    for_rows(shape, first, last, [&](const I* index, I begin, I end) {
      for (I i = begin; distance(i, end) > static_cast<unsigned>(k); i = index_after(i, Step)) {
        call_at<Tag, Space>(kernel, index, index_after(i, k), all, sum);
        if (distance(i, end) <= Step) break;
      }
    });
  }
  template <class Tag, class F, class Operations, class... Extra>
  HPK_FORCEINLINE typename Operations::value_type fold(const F& kernel,
                                                       const Operations& operations, index_t first,
                                                       index_t last, Extra... extra) const {
    using value = typename Operations::value_type;
    if constexpr (folds_interleaved<Operations, Extra...> && !Backward) {
      constexpr index_t from = hpk::detail::interleaved_from<value, interleaved_from>;
      if constexpr (from != 0) {
        if (last - first < from)
          return fold_in_order<Tag>(kernel, operations, first, last, extra...);
      }
      constexpr int accumulators = accumulators_of<value>;
      accumulators_t<value, accumulators> sums;
      for (int k = 0; k < accumulators; ++k) operations.init(sums[k]);
      for_rows(shape, first, last, [&](const I* index, I begin, I end) {
        I i = begin;
        for (; distance(i, end) >= accumulators; i = index_after(i, accumulators)) {
          HPK_UNROLL_16
          for (int k = 0; k < accumulators; ++k)
            call_at<Tag, Space>(kernel, index, index_after(i, k), all, sums[k], extra...);
        }
        for (int k = 0; i < end; ++i, ++k)
          call_at<Tag, Space>(kernel, index, static_cast<I>(i), all, sums[k], extra...);
      });
      join_pairwise<accumulators>(operations, sums);
      return static_cast<first_of<value, decltype(sums)>>(sums[0]);
    } else {
      return fold_in_order<Tag>(kernel, operations, first, last, extra...);
    }
  }

 private:
  template <class Tag, class F, class Operations, class... Extra>
  HPK_FORCEINLINE typename Operations::value_type fold_in_order(const F& kernel,
                                                                const Operations& operations,
                                                                index_t first, index_t last,
                                                                Extra... extra) const {
    typename Operations::value_type sum;
    operations.init(sum);
    each<Tag>(kernel, first, last, sum, extra...);
    return sum;
  }
};

/// Returns the walk from the last point to the first.
template <class Space>
mdrange_walk<Space, true> reversed_walk(const mdrange_walk<Space>& walk, index_t n) {
  return {walk.shape, n};
}

}  // namespace hpk::detail
