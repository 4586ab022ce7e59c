// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans inside of a team over ranges and MDRanges, forward and backward.
#pragma once

#include <hpk/parallel/launch/backward.hpp>
#include <hpk/parallel/nested/nested_mdrange.hpp>

namespace hpk::detail {

/// Runs the two passes over a range or MDRange, by run(chunk, update, final): the first computes
/// the prefix of each thread or lane, the second is the final pass. Returns the total.
HPK_CALLS_EITHER
template <class Range, class Operations, class Run>
HPK_FORCEINLINE_FUNCTION typename Operations::value_type scan_chunks(const Range& range,
                                                                     const Operations& operations,
                                                                     const Run& run) {
  using value = typename Operations::value_type;
  range.sync();
  const index_range chunk = range.chunk();
  value running;
  operations.init(running);
  if constexpr (Range::shared) {
    if (!range.alone()) {
      run(chunk, running, false);
      const scanned<value> sums = range.scan(operations, running);
      running = sums.before;
      run(chunk, running, true);
      range.sync();
      return sums.total;
    }
  }
  run(chunk, running, true);
  return running;
}

/// Calls body(i, update, final) for a chunk of a range, from the last index if Backward. K: the
/// type of the counter.
template <bool Backward, class K, class Range, class F>
struct scan_range_chunk {
  const Range& range;
  const F& body;
  HPK_CALLS_EITHER
  template <class V>
  HPK_FORCEINLINE_FUNCTION void operator()(const index_range& p, V& update, bool final) const {
    if constexpr (Backward) {
      const K lowest = static_cast<K>(index_after(range.end, -p.end));
      for (K i = static_cast<K>(index_after(range.end, -p.begin)); i > lowest;) {
        --i;
        body(static_cast<K>(i), update, final);
      }
    } else {
      const K last = static_cast<K>(index_after(range.begin, p.end));
      for (K i = static_cast<K>(index_after(range.begin, p.begin)); i < last; ++i)
        body(static_cast<K>(i), update, final);
    }
  }
};

/// Scans a range, forward or backward.
HPK_CALLS_EITHER
template <bool Backward, class Range, class F, class Operations>
HPK_FORCEINLINE_FUNCTION typename Operations::value_type scan_range(const Range& range,
                                                                    const F& body,
                                                                    const Operations& operations) {
  using value = typename Operations::value_type;
  using P = nested_index_t<Range, F, value&, bool>;
  using K = counter_t<P, typename Range::index_type>;
  if constexpr (is_wide_operations<Operations>) {
    using wide = wide_operations<Operations>;
    const wide_scan_kernel<F, const F&, type_list<P>, value, wide> kernel{body};
    return static_cast<value>(scan_range<Backward>(range, kernel, wide(operations)));
  }
  check_nested_bounds<P>(range);
  return scan_chunks(range, operations, scan_range_chunk<Backward, K, Range, F>{range, body});
}

/// Scans an MDRange, forward or backward in its loop order.
HPK_CALLS_EITHER
template <bool Backward, class Range, class F, class Operations>
HPK_FORCEINLINE_FUNCTION typename Operations::value_type scan_mdrange(
    const Range& range, const F& body, const Operations& operations) {
  using value = typename Operations::value_type;
  using space_type = typename Range::space_type;
  using indices = nested_indices_t<Range::rank, F, value&, bool>;
  using I = common_counter_t<indices, index_t>;
  constexpr auto all = std::make_index_sequence<static_cast<std::size_t>(Range::rank)>();
  if constexpr (is_wide_operations<Operations>) {
    using wide = wide_operations<Operations>;
    const wide_scan_kernel<F, const F&, indices, value, wide> kernel{body};
    return static_cast<value>(scan_mdrange<Backward>(range, kernel, wide(operations)));
  }
  check_nested_mdrange(indices(), range.shape);
  return scan_chunks(range, operations, [&](const index_range& p, value& update, bool final) {
    if constexpr (Backward) {
      const index_t n = range.shape.size();
      for_rows_down(range.shape, n - p.end, n - p.begin,
                    [&](const index_t* index, index_t first, index_t last) {
                      const I lowest = static_cast<I>(first);
                      for (I i = static_cast<I>(last); i > lowest;) {
                        --i;
                        call_with<I, space_type>(body, index, i, all, update, final);
                      }
                    });
    } else {
      for_rows(range.shape, p.begin, p.end, [&](const index_t* index, index_t first, index_t last) {
        const I end = static_cast<I>(last);
        for (I i = static_cast<I>(first); i < end; ++i)
          call_with<I, space_type>(body, index, i, all, update, final);
      });
    }
  });
}

/// Scans a range or MDRange in the given direction.
HPK_CALLS_EITHER
template <bool Backward, nested_level Level, class R, class M, class F, class Operations>
HPK_FORCEINLINE_FUNCTION auto scan_nested(const nested_mdrange<Level, R, M>& range, const F& body,
                                          const Operations& operations) {
  return scan_mdrange<Backward>(range, body, operations);
}
HPK_CALLS_EITHER
template <bool Backward, nested_level Level, class I, class M, class F, class Operations>
HPK_FORCEINLINE_FUNCTION auto scan_nested(const nested_range<Level, I, M>& range, const F& body,
                                          const Operations& operations) {
  return scan_range<Backward>(range, body, operations);
}

// The check of a scan body over a range or MDRange, and the number of its indices.
template <class F, class V, nested_level Level, class I, class M>
nested_check<I, F, V&, bool> scan_check_of(const nested_range<Level, I, M>*);
template <class F, class V, nested_level Level, class R, class M>
nested_mdrange_check<std::make_index_sequence<static_cast<std::size_t>(R::rank)>, F, V&, bool>
scan_check_of(const nested_mdrange<Level, R, M>*);
template <class Range, class F, class V>
using scan_check_t = decltype(scan_check_of<F, V>(static_cast<const Range*>(nullptr)));
template <nested_level Level, class I, class M>
constexpr int count_nested_indices(const nested_range<Level, I, M>*) {
  return 1;
}
template <nested_level Level, class R, class M>
constexpr int count_nested_indices(const nested_mdrange<Level, R, M>*) {
  return R::rank;
}
/// The number of indices of a body over a range or MDRange; 0 if Range is neither.
template <class Range>
constexpr int nested_indices() {
  if constexpr (requires { count_nested_indices(static_cast<const Range*>(nullptr)); }) {
    return count_nested_indices(static_cast<const Range*>(nullptr));
  } else {
    return 0;
  }
}

/// The `work` of with_operations for a scan.
template <bool Backward, class Range, class F>
struct nested_scan_into {
  const Range& range;
  const F& body;
  HPK_CALLS_EITHER
  template <class Operations, class Into>
  HPK_FORCEINLINE_FUNCTION void operator()(const Operations& operations, Into& into) const {
    using value = typename Operations::value_type;
    if constexpr (scan_check_t<Range, F, value>::callable)
      into = scan_nested<Backward>(range, body, operations);
  }
};
HPK_CALLS_EITHER
template <bool Backward, class Range, class F>
HPK_FORCEINLINE_FUNCTION void scan_nested_without(const Range& range, const F& body) {
  using value = value_type_t<F, void, nested_indices<Range>(), void>;
  constexpr bool known = !std::is_void_v<value>;
  static_assert(known,
                "hpk::parallel_scan: the type of the update is unknown; write it in the body "
                "instead of auto&, or pass a total");
  if constexpr (known) {
    if constexpr (scan_check_t<Range, F, value>::callable)
      scan_nested<Backward>(range, body, functor_operations<F, void, value>(body));
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Prefix results over a range inside of a team, in index order: body(i, update, final) adds its
/// contribution to the update, and uses the update if `final` is true, once for each index.
HPK_CALLS_EITHER
template <detail::nested_level Level, class I, class M, class F>
HPK_FORCEINLINE_FUNCTION void parallel_scan(const detail::nested_range<Level, I, M>& range,
                                            const F& body) {
  detail::scan_nested_without<false>(range, body);
}
/// parallel_scan inside of a team with a `total`, a variable, a reducer or a View of rank 0: it
/// becomes the join of all contributions, for every participating thread.
HPK_CALLS_EITHER
template <detail::nested_level Level, class I, class M, class F, class Result>
HPK_FORCEINLINE_FUNCTION void parallel_scan(const detail::nested_range<Level, I, M>& range,
                                            const F& body, Result&& total) {
  using nested = detail::nested_range<Level, I, M>;
  detail::with_operations<1>(range, body, total,
                             detail::nested_scan_into<false, nested, F>{range, body});
}
/// Prefix results over an MDRange inside of a team, in loop order: body(i0, i1, ..., update,
/// final), as over a range.
HPK_CALLS_EITHER
template <template <class, class> class MDRange, class R, class M, class F>
  requires(detail::nested_indices<MDRange<R, M>>() > 0)
HPK_FORCEINLINE_FUNCTION void parallel_scan(const MDRange<R, M>& range, const F& body) {
  detail::scan_nested_without<false>(range, body);
}
/// The prefix results over an MDRange with a total; see the overload with a total for ranges.
HPK_CALLS_EITHER
template <template <class, class> class MDRange, class R, class M, class F, class Result>
  requires(detail::nested_indices<MDRange<R, M>>() > 0)
HPK_FORCEINLINE_FUNCTION void parallel_scan(const MDRange<R, M>& range, const F& body,
                                            Result&& total) {
  using nested = MDRange<R, M>;
  detail::with_operations<detail::nested_indices<nested>()>(
      range, body, total, detail::nested_scan_into<false, nested, F>{range, body});
}
/// Computes postfix results over a range or MDRange inside of a team: from the last index to the
/// first.
HPK_CALLS_EITHER
template <class Range, class F>
  requires(detail::nested_indices<Range>() > 0)
HPK_FORCEINLINE_FUNCTION void parallel_scan(const detail::backward_iterations<Range>& range,
                                            const F& body) {
  detail::scan_nested_without<true>(range.forward, body);
}
/// The postfix results with a total; see the overload with a total for ranges.
HPK_CALLS_EITHER
template <class Range, class F, class Result>
  requires(detail::nested_indices<Range>() > 0)
HPK_FORCEINLINE_FUNCTION void parallel_scan(const detail::backward_iterations<Range>& range,
                                            const F& body, Result&& total) {
  detail::with_operations<detail::nested_indices<Range>()>(
      range.forward, body, total, detail::nested_scan_into<true, Range, F>{range.forward, body});
}

}  // namespace hpk
