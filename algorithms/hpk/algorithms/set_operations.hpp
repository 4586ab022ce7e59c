// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// includes, set_union, set_intersection, set_difference and set_symmetric_difference of sorted
// Views or ranges. As in the standard library, they may contain equal elements. Each element finds
// by binary search how many equal elements the other side has, which decides whether the element
// belongs to the result. A scan computes its position in the output.
#pragma once

#include <hpk/algorithms/detail/merge_path.hpp>
#include <hpk/algorithms/detail/sort_checks.hpp>
#include <hpk/algorithms/sort_order.hpp>

namespace hpk::detail::sorting {

/// Which elements of a side belong to the result: all, none, elements that the other side has as
/// well (equal ones as often as there), or elements that the other side lacks.
enum class selection { all, none, common, other };

/// Decides which elements of a row belong to the result.
template <class Row, class Other, class Less>
struct set_side {
  Row row;
  index_t n;
  Other other;
  index_t other_n;
  selection rule;
  Less less;

  HPK_CALLS_EITHER
  HPK_FUNCTION bool selects(index_t i) const {
    if (rule == selection::all || rule == selection::none) return rule == selection::all;
    const auto& e = row[i];
    const index_t rank = i - find_bound<false>(row, 0, i, e, less);
    const index_t first = find_bound<false>(other, 0, other_n, e, less);
    // `e` is common if the other side has more than `rank` elements equal to it.
    const bool common = rank < other_n - first && !less(e, other[first + rank]);
    return common == (rule == selection::common);
  }
};
template <class Side, class Places>
struct set_find_kernel {
  Side side;
  Places places;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const { places[i] = side.selects(i) ? 1 : 0; }
};
template <class Places>
struct set_place_kernel {
  Places places;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i, index_t& sum, bool final) const {
    const index_t count = places[i];
    if (final) places[i] = sum;
    sum += count;
  }
};
/// Writes the selected elements of a side. Each one follows the selected elements of the other side
/// that are less, or, with After, not greater.
template <bool After, class Side, class Places, class Out>
struct set_write_kernel {
  Side side;
  Places places;        // number of selected elements of this side before each element
  Places other_places;  // the same for the other side
  index_t total;
  index_t other_total;
  Out out;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    const index_t at = places[i];
    if ((i + 1 < side.n ? places[i + 1] : total) == at) return;
    const auto& e = side.row[i];
    index_t before = 0;
    if (other_total != 0) {
      const index_t bound = find_bound<After>(side.other, 0, side.other_n, e, side.less);
      before = bound < side.other_n ? other_places[bound] : other_total;
    }
    out[at + before] = e;
  }
};

/// Returns the number of selected elements of a side, and writes the number before each element to
/// `places`.
template <class Exec, class Side, class Places>
index_t place_side(std::string_view label, const Exec& exec, const Side& side,
                   const Places& places) {
  if (side.rule == selection::none || side.n == 0) return 0;
  index_t total = 0;
  const RangePolicy<Exec> all(exec, index_t{0}, side.n);
  parallel_for(label, all, set_find_kernel<Side, Places>{side, places});
  parallel_scan(label, all, set_place_kernel<Places>{places}, total);
  return total;
}

/// Writes the result of a set operation and returns its length. Calls expect_room(length) before it
/// writes.
template <class Exec, class A, class B, class Out, class Less, class Room>
index_t combine_sets(std::string_view label, const Exec& exec, const A& a, index_t na,
                     selection rule_a, const B& b, index_t nb, selection rule_b, const Out& out,
                     const Less& less, const Room& expect_room) {
  const auto memory_a = allocate_for_sort<index_t>(exec, "hpk::set: places", na);
  const auto memory_b =
      allocate_for_sort<index_t>(exec, "hpk::set: places", rule_b == selection::none ? 0 : nb);
  const auto places_a = row_of_memory<Exec>(memory_a);
  const auto places_b = row_of_memory<Exec>(memory_b);
  using places = decltype(row_of_memory<Exec>(memory_a));
  using side_a = set_side<A, B, Less>;
  using side_b = set_side<B, A, Less>;
  const side_a first{a, na, b, nb, rule_a, less};
  const side_b second{b, nb, a, na, rule_b, less};
  const index_t count_a = place_side(label, exec, first, places_a);
  const index_t count_b = place_side(label, exec, second, places_b);
  expect_room(count_a + count_b);
  if (count_a != 0)
    parallel_for(label, RangePolicy<Exec>(exec, index_t{0}, na),
                 set_write_kernel<false, side_a, places, Out>{first, places_a, places_b, count_a,
                                                              count_b, out});
  if (count_b != 0)
    parallel_for(label, RangePolicy<Exec>(exec, index_t{0}, nb),
                 set_write_kernel<true, side_b, places, Out>{second, places_b, places_a, count_b,
                                                             count_a, out});
  exec.fence("hpk::set: fence before memory is freed");
  return count_a + count_b;
}

template <class Exec, class A, class B, class Out, class Less>
index_t combine_views(std::string_view function, const Exec& exec, const A& a, selection rule_a,
                      const B& b, selection rule_b, const Out& out, const Less& less,
                      const std::source_location& where) {
  constexpr bool sound = check_view<Exec, A>() && check_view<Exec, B>() &&
                         check_output_view<Exec, Out>() &&
                         check_less<Less, typename A::non_const_value_type>();
  if constexpr (sound) {
    return combine_sets(function, exec, make_row(a), static_cast<index_t>(a.extent(0)), rule_a,
                        make_row(b), static_cast<index_t>(b.extent(0)), rule_b, make_row(out), less,
                        [&](index_t count) {
                          if (count > static_cast<index_t>(out.extent(0)))
                            reject_short_output(function, name_of(out), count, where);
                        });
  } else {
    return 0;
  }
}
template <class Exec, class A, class B, class Out, class Less>
Out combine_ranges(std::string_view function, const Exec& exec, const A& a, const A& a_end,
                   selection rule_a, const B& b, const B& b_end, selection rule_b, const Out& out,
                   const Less& less, const std::source_location& where) {
  const index_t na = length_of(function, a, a_end, where);
  const index_t nb = length_of(function, b, b_end, where);
  return out + combine_sets(function, exec, make_row(a), na, rule_a, make_row(b), nb, rule_b,
                            make_row(out), less, [](index_t) {});
}

/// Counts the elements of a side that the rule does not select.
template <class Side>
struct count_missing_kernel {
  Side side;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i, index_t& missing) const {
    if (!side.selects(i)) ++missing;
  }
};
template <class Exec, class A, class B, class Less>
bool includes_rows(const Exec& exec, const A& a, index_t na, const B& b, index_t nb,
                   const Less& less) {
  using side = set_side<B, A, Less>;
  index_t missing = 0;
  parallel_reduce("hpk::includes", RangePolicy<Exec>(exec, index_t{0}, nb),
                  count_missing_kernel<side>{side{b, nb, a, na, selection::common, less}}, missing);
  return missing == 0;
}

}  // namespace hpk::detail::sorting

namespace hpk {

/// Whether the sorted View `a` contains every element of the sorted View `b`, equal ones at least
/// as often.
template <ExecutionSpace Exec, detail::sorting::sortable_view A, detail::sorting::sortable_view B,
          class Less = detail::sorting::default_less>
bool includes(const Exec& exec, const A& a, const B& b, const Less& less = Less()) {
  if constexpr (detail::sorting::check_view<Exec, A>() && detail::sorting::check_view<Exec, B>()) {
    return detail::sorting::includes_rows(
        exec, detail::sorting::make_row(a), static_cast<index_t>(a.extent(0)),
        detail::sorting::make_row(b), static_cast<index_t>(b.extent(0)), less);
  } else {
    return false;
  }
}
/// Does the same for the ranges [a, a_end) and [b, b_end) of iterators.
template <ExecutionSpace Exec, detail::sorting::sortable_iterator A,
          detail::sorting::sortable_iterator B, class Less = detail::sorting::default_less>
bool includes(const Exec& exec, const A& a, const A& a_end, const B& b, const B& b_end,
              const Less& less = Less(),
              const std::source_location& where = std::source_location::current()) {
  const index_t na = detail::sorting::length_of("hpk::includes", a, a_end, where);
  const index_t nb = detail::sorting::length_of("hpk::includes", b, b_end, where);
  return detail::sorting::includes_rows(exec, detail::sorting::make_row(a), na,
                                        detail::sorting::make_row(b), nb, less);
}

// Declares a set operation. The last two parameters select the elements of `a` and of `b` that it
// writes. The inputs are two Views, or the ranges [a, a_end) and [b, b_end) of iterators.
#define HPK_DETAIL_SET_OPERATION(name, selection_of_a, selection_of_b)                          \
  template <ExecutionSpace Exec, detail::sorting::sortable_view A,                              \
            detail::sorting::sortable_view B, detail::sorting::sortable_view Out,               \
            class Less = detail::sorting::default_less>                                         \
  index_t name(const Exec& exec, const A& a, const B& b, const Out& out,                        \
               const Less& less = Less(),                                                       \
               const std::source_location& where = std::source_location::current()) {           \
    using detail::sorting::selection;                                                           \
    return detail::sorting::combine_views("hpk::" #name, exec, a, selection::selection_of_a, b, \
                                          selection::selection_of_b, out, less, where);         \
  }                                                                                             \
  template <ExecutionSpace Exec, detail::sorting::sortable_iterator A,                          \
            detail::sorting::sortable_iterator B, detail::sorting::sortable_iterator Out,       \
            class Less = detail::sorting::default_less>                                         \
  Out name(const Exec& exec, const A& a, const A& a_end, const B& b, const B& b_end,            \
           const Out& out, const Less& less = Less(),                                           \
           const std::source_location& where = std::source_location::current()) {               \
    using detail::sorting::selection;                                                           \
    return detail::sorting::combine_ranges("hpk::" #name, exec, a, a_end,                       \
                                           selection::selection_of_a, b, b_end,                 \
                                           selection::selection_of_b, out, less, where);        \
  }

/// Writes all elements of `a`, and the elements of `b` that `a` lacks, in sorted order to the
/// beginning of `out`, which must not overlap `a` or `b`. All are Views of rank 1; `a` and `b` are
/// sorted by operator<, or by `less`. Returns the number of elements written. With ranges of
/// iterators it returns the end of the output. Blocks.
///
/// Errors: hpk::error if `out` is too short; nothing is written then.
///@{
HPK_DETAIL_SET_OPERATION(set_union, all, other)
///@}
/// Writes the elements of `a` that `b` contains as well, equal ones as often as in both. Otherwise
/// like set_union.
///@{
HPK_DETAIL_SET_OPERATION(set_intersection, common, none)
///@}
/// Writes the elements of `a` that `b` lacks. Otherwise like set_union.
///@{
HPK_DETAIL_SET_OPERATION(set_difference, other, none)
///@}
/// Writes the elements that only `a` or only `b` contains. Otherwise like set_union.
///@{
HPK_DETAIL_SET_OPERATION(set_symmetric_difference, other, other)
///@}
#undef HPK_DETAIL_SET_OPERATION

namespace Experimental {
using hpk::includes;
using hpk::set_difference;
using hpk::set_intersection;
using hpk::set_symmetric_difference;
using hpk::set_union;
}  // namespace Experimental

}  // namespace hpk
