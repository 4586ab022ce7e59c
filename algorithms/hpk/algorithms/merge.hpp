// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// merge writes two sorted Views or ranges to a third one; inplace_merge merges the two sorted parts
// of one View. Both are stable and parallel: every worker or lane writes a piece of the same size.
#pragma once

#include <hpk/algorithms/detail/merge_path.hpp>
#include <hpk/algorithms/detail/sort_checks.hpp>
#include <hpk/algorithms/sort_order.hpp>

namespace hpk::detail::sorting {

/// Merges one piece of the result.
template <class A, class B, class Out, class Less>
struct merge_kernel {
  A a;
  B b;
  Out out;
  index_t na;
  index_t nb;
  index_t chunk;
  Less less;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t piece) const {
    const index_t begin = piece * chunk;
    const index_t end = begin + chunk < na + nb ? begin + chunk : na + nb;
    const index_t i = split_merge(a, 0, na, b, 0, nb, begin, less);
    merge_piece(a, i, na, b, begin - i, nb, out, begin, end, less);
  }
};

template <class Exec, class A, class B, class Out, class Less>
void merge_rows(std::string_view label, const Exec& exec, const A& a, index_t na, const B& b,
                index_t nb, const Out& out, const Less& less) {
  const index_t n = na + nb;
  index_t chunk = 16;
  if constexpr (sorts_on_host<Exec>) {
    const index_t share = n / (4 * index_t{exec.concurrency()}) + 1;
    chunk = share < 1024 ? 1024 : share;
  }
  parallel_for(label, RangePolicy<Exec>(exec, index_t{0}, (n + chunk - 1) / chunk),
               merge_kernel<A, B, Out, Less>{a, b, out, na, nb, chunk, less});
}

template <class Exec, class A, class B, class Out, class Less>
index_t merge_views(const Exec& exec, const A& a, const B& b, const Out& out, const Less& less,
                    const std::source_location& where) {
  constexpr bool sound = check_view<Exec, A>() && check_view<Exec, B>() &&
                         check_output_view<Exec, Out>() &&
                         check_less<Less, typename A::non_const_value_type>();
  if constexpr (sound) {
    const auto na = static_cast<index_t>(a.extent(0));
    const auto nb = static_cast<index_t>(b.extent(0));
    if (na + nb > static_cast<index_t>(out.extent(0)))
      reject_short_output("hpk::merge", name_of(out), na + nb, where);
    merge_rows("hpk::merge", exec, make_row(a), na, make_row(b), nb, make_row(out), less);
    exec.fence("hpk::merge: fence after");
    return na + nb;
  } else {
    return 0;
  }
}

template <class Exec, class V, class Less>
void inplace_merge_view(const Exec& exec, const V& view, index_t middle, const Less& less,
                        const std::source_location& where) {
  using value = typename V::non_const_value_type;
  if constexpr (check_output_view<Exec, V>() && check_less<Less, value>()) {
    const auto n = static_cast<index_t>(view.extent(0));
    if (middle < 0 || middle > n)
      reject_position("hpk::inplace_merge", name_of(view), "middle", middle, where);
    if (middle == 0 || middle == n) return;
    const auto memory = allocate_for_sort<value>(exec, "hpk::inplace_merge: elements", n);
    const view_row left{memory.view(), 0};
    const view_row right{memory.view(), middle};
    copy_elements("hpk::inplace_merge", exec, left, make_row(view), n);
    merge_rows("hpk::inplace_merge", exec, left, middle, right, n - middle, make_row(view), less);
    exec.fence("hpk::inplace_merge: fence before memory is freed");
  }
}

}  // namespace hpk::detail::sorting

namespace hpk {

/// Merges two sorted Views of rank 1 into the beginning of `out`, which must not overlap them.
/// Equal elements of `a` come before those of `b`. Returns the number of elements written, which is
/// the sum of both extents. Blocks.
///
/// Errors: hpk::error if `out` is too short.
template <ExecutionSpace Exec, detail::sorting::sortable_view A, detail::sorting::sortable_view B,
          detail::sorting::sortable_view Out>
index_t merge(const Exec& exec, const A& a, const B& b, const Out& out,
              const std::source_location& where = std::source_location::current()) {
  return detail::sorting::merge_views(exec, a, b, out, detail::sorting::default_less(), where);
}
/// The inputs are sorted by `less`.
template <ExecutionSpace Exec, detail::sorting::sortable_view A, detail::sorting::sortable_view B,
          detail::sorting::sortable_view Out, class Less>
  requires(!std::convertible_to<Less, std::source_location>)
index_t merge(const Exec& exec, const A& a, const B& b, const Out& out, const Less& less,
              const std::source_location& where = std::source_location::current()) {
  return detail::sorting::merge_views(exec, a, b, out, less, where);
}
/// Merges the ranges [a, a_end) and [b, b_end) of iterators into the range that begins at `out`,
/// and returns the end of the output.
template <ExecutionSpace Exec, detail::sorting::sortable_iterator A,
          detail::sorting::sortable_iterator B, detail::sorting::sortable_iterator Out,
          class Less = detail::sorting::default_less>
Out merge(const Exec& exec, const A& a, const A& a_end, const B& b, const B& b_end, const Out& out,
          const Less& less = Less(),
          const std::source_location& where = std::source_location::current()) {
  const index_t na = detail::sorting::length_of("hpk::merge", a, a_end, where);
  const index_t nb = detail::sorting::length_of("hpk::merge", b, b_end, where);
  detail::sorting::merge_rows("hpk::merge", exec, detail::sorting::make_row(a), na,
                              detail::sorting::make_row(b), nb, detail::sorting::make_row(out),
                              less);
  exec.fence("hpk::merge: fence after");
  return out + (na + nb);
}

/// Merges the sorted parts [0, middle) and [middle, extent) of a View of rank 1. Stable. Allocates
/// memory for a copy. Blocks.
///
/// Errors: hpk::error if middle is not in [0, extent].
template <ExecutionSpace Exec, detail::sorting::sortable_view V>
void inplace_merge(const Exec& exec, const V& view, index_t middle,
                   const std::source_location& where = std::source_location::current()) {
  detail::sorting::inplace_merge_view(exec, view, middle, detail::sorting::default_less(), where);
}
/// The parts are sorted by `less`.
template <ExecutionSpace Exec, detail::sorting::sortable_view V, class Less>
  requires(!std::convertible_to<Less, std::source_location>)
void inplace_merge(const Exec& exec, const V& view, index_t middle, const Less& less,
                   const std::source_location& where = std::source_location::current()) {
  detail::sorting::inplace_merge_view(exec, view, middle, less, where);
}

namespace Experimental {
using hpk::inplace_merge;
using hpk::merge;
}  // namespace Experimental

}  // namespace hpk
