// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sort and stable_sort of Views of rank 1, of any layout, of ranges of them, and between iterators.
// Both are stable and parallel: radix sort for keys that are numbers, else merge sort; the result
// is the same for any number of workers.
#pragma once

#include <hpk/algorithms/sort_checks.hpp>
#include <hpk/algorithms/sort_columns.hpp>

namespace hpk::detail::sorting {

/// Sorts elements [begin, end) of a View.
template <class Exec, class V, class Less>
void sort_view(std::string_view function, std::string_view label, const Exec& exec, const V& view,
               index_t begin, index_t end, const Less& less, const std::source_location& where) {
  constexpr bool sound =
      check_output_view<Exec, V>() && check_less<Less, typename V::non_const_value_type>();
  if constexpr (sound) {
    expect_range(function, view, begin, end, where);
    sort_row(label, exec, make_row(view, begin), end - begin, less);
  }
}
/// The same on the default instance of the View's space, between two fences of all spaces.
template <class V, class Less>
void sort_view_alone(std::string_view function, const V& view, index_t begin, index_t end,
                     const Less& less, const std::source_location& where) {
  const auto exec = default_instance<typename V::execution_space>();
  hpk::fence("hpk::sort: fence before");
  sort_view(function, function, exec, view, begin, end, less, where);
  exec.fence("hpk::sort: fence after");
}
template <class V>
index_t length_of_view(const V& view) {
  return static_cast<index_t>(view.extent(0));
}

}  // namespace hpk::detail::sorting

namespace hpk {

// The forms of sort and of stable_sort, which differ in their names alone: of a View on the default
// instance, on an instance, with a label for tools, all of them also for the elements [begin, end);
// of a range between two random-access iterators over memory that the space can access; each with
// a comparison or without.
#define HPK_DETAIL_SORT(name)                                                                      \
  template <detail::sorting::sortable_view V>                                                      \
  void name(const V& view, const std::source_location& where = std::source_location::current()) {  \
    detail::sorting::sort_view_alone("hpk::" #name, view, 0,                                       \
                                     detail::sorting::length_of_view(view),                        \
                                     detail::sorting::default_less(), where);                      \
  }                                                                                                \
  /* With a comparison. */                                                                         \
  template <detail::sorting::sortable_view V, class Less>                                          \
    requires(!std::integral<Less>)                                                                 \
  void name(const V& view, const Less& less,                                                       \
            const std::source_location& where = std::source_location::current()) {                 \
    detail::sorting::sort_view_alone("hpk::" #name, view, 0,                                       \
                                     detail::sorting::length_of_view(view), less, where);          \
  }                                                                                                \
  /* The elements [begin, end). */                                                                 \
  template <detail::sorting::sortable_view V>                                                      \
  void name(const V& view, index_t begin, index_t end,                                             \
            const std::source_location& where = std::source_location::current()) {                 \
    detail::sorting::sort_view_alone("hpk::" #name, view, begin, end,                              \
                                     detail::sorting::default_less(), where);                      \
  }                                                                                                \
  /* The elements [begin, end), with a comparison. */                                              \
  template <detail::sorting::sortable_view V, class Less>                                          \
    requires(!std::convertible_to<Less, std::source_location>)                                     \
  void name(const V& view, index_t begin, index_t end, const Less& less,                           \
            const std::source_location& where = std::source_location::current()) {                 \
    detail::sorting::sort_view_alone("hpk::" #name, view, begin, end, less, where);                \
  }                                                                                                \
  /* On an instance: all of it. */                                                                 \
  template <ExecutionSpace Exec, detail::sorting::sortable_view V>                                 \
  void name(const Exec& exec, const V& view,                                                       \
            const std::source_location& where = std::source_location::current()) {                 \
    detail::sorting::sort_view("hpk::" #name, "hpk::" #name, exec, view, 0,                        \
                               detail::sorting::length_of_view(view),                              \
                               detail::sorting::default_less(), where);                            \
  }                                                                                                \
  template <ExecutionSpace Exec, detail::sorting::sortable_view V, class Less>                     \
    requires(!std::integral<Less>)                                                                 \
  void name(const Exec& exec, const V& view, const Less& less,                                     \
            const std::source_location& where = std::source_location::current()) {                 \
    detail::sorting::sort_view("hpk::" #name, "hpk::" #name, exec, view, 0,                        \
                               detail::sorting::length_of_view(view), less, where);                \
  }                                                                                                \
  template <ExecutionSpace Exec, detail::sorting::sortable_view V>                                 \
  void name(const Exec& exec, const V& view, index_t begin, index_t end,                           \
            const std::source_location& where = std::source_location::current()) {                 \
    detail::sorting::sort_view("hpk::" #name, "hpk::" #name, exec, view, begin, end,               \
                               detail::sorting::default_less(), where);                            \
  }                                                                                                \
  template <ExecutionSpace Exec, detail::sorting::sortable_view V, class Less>                     \
    requires(!std::convertible_to<Less, std::source_location>)                                     \
  void name(const Exec& exec, const V& view, index_t begin, index_t end, const Less& less,         \
            const std::source_location& where = std::source_location::current()) {                 \
    detail::sorting::sort_view("hpk::" #name, "hpk::" #name, exec, view, begin, end, less, where); \
  }                                                                                                \
  /* Between two random-access iterators over memory that the space can access. */                 \
  template <ExecutionSpace Exec, detail::sorting::sortable_iterator It>                            \
  void name(const Exec& exec, const It& first, const It& last,                                     \
            const std::source_location& where = std::source_location::current()) {                 \
    const index_t n = detail::sorting::length_of("hpk::" #name, first, last, where);               \
    detail::sorting::sort_row("hpk::" #name, exec, detail::sorting::make_row(first), n,            \
                              detail::sorting::default_less());                                    \
  }                                                                                                \
  template <ExecutionSpace Exec, detail::sorting::sortable_iterator It, class Less>                \
    requires(!std::convertible_to<Less, std::source_location>)                                     \
  void name(const Exec& exec, const It& first, const It& last, const Less& less,                   \
            const std::source_location& where = std::source_location::current()) {                 \
    const index_t n = detail::sorting::length_of("hpk::" #name, first, last, where);               \
    detail::sorting::sort_row("hpk::" #name, exec, detail::sorting::make_row(first), n, less);     \
  }                                                                                                \
  /* With a label, for tools: all of it. */                                                        \
  template <ExecutionSpace Exec, detail::sorting::sortable_view V>                                 \
  void name(std::string_view label, const Exec& exec, const V& view,                               \
            const std::source_location& where = std::source_location::current()) {                 \
    detail::sorting::sort_view("hpk::" #name, label, exec, view, 0,                                \
                               detail::sorting::length_of_view(view),                              \
                               detail::sorting::default_less(), where);                            \
  }                                                                                                \
  template <ExecutionSpace Exec, detail::sorting::sortable_view V, class Less>                     \
    requires(!std::integral<Less>)                                                                 \
  void name(std::string_view label, const Exec& exec, const V& view, const Less& less,             \
            const std::source_location& where = std::source_location::current()) {                 \
    detail::sorting::sort_view("hpk::" #name, label, exec, view, 0,                                \
                               detail::sorting::length_of_view(view), less, where);                \
  }                                                                                                \
  template <ExecutionSpace Exec, detail::sorting::sortable_view V>                                 \
  void name(std::string_view label, const Exec& exec, const V& view, index_t begin, index_t end,   \
            const std::source_location& where = std::source_location::current()) {                 \
    detail::sorting::sort_view("hpk::" #name, label, exec, view, begin, end,                       \
                               detail::sorting::default_less(), where);                            \
  }                                                                                                \
  template <ExecutionSpace Exec, detail::sorting::sortable_view V, class Less>                     \
    requires(!std::convertible_to<Less, std::source_location>)                                     \
  void name(std::string_view label, const Exec& exec, const V& view, index_t begin, index_t end,   \
            const Less& less,                                                                      \
            const std::source_location& where = std::source_location::current()) {                 \
    detail::sorting::sort_view("hpk::" #name, label, exec, view, begin, end, less, where);         \
  }                                                                                                \
  /* Between two random-access iterators over memory that the space can access. */                 \
  template <ExecutionSpace Exec, detail::sorting::sortable_iterator It>                            \
  void name(std::string_view label, const Exec& exec, const It& first, const It& last,             \
            const std::source_location& where = std::source_location::current()) {                 \
    const index_t n = detail::sorting::length_of("hpk::" #name, first, last, where);               \
    detail::sorting::sort_row(label, exec, detail::sorting::make_row(first), n,                    \
                              detail::sorting::default_less());                                    \
  }                                                                                                \
  template <ExecutionSpace Exec, detail::sorting::sortable_iterator It, class Less>                \
    requires(!std::convertible_to<Less, std::source_location>)                                     \
  void name(std::string_view label, const Exec& exec, const It& first, const It& last,             \
            const Less& less,                                                                      \
            const std::source_location& where = std::source_location::current()) {                 \
    const index_t n = detail::sorting::length_of("hpk::" #name, first, last, where);               \
    detail::sorting::sort_row(label, exec, detail::sorting::make_row(first), n, less);             \
  }

/// Sorts a View of rank 1, ascending by operator<, or by less(a, b), which says whether a comes
/// before b: a strict weak order, callable on the execution space.
///
/// Stable, and the same for any number of workers. Integers of up to 64 bits, float, double, half_t
/// and bhalf_t are sorted by radix, also by hpk::less and hpk::greater; then -0.0 comes before 0.0,
/// and NaNs come last. Other types, and other comparisons, by merging; such elements are copied,
/// and must have a default constructor unless they are trivially copyable. Takes memory for as many
/// elements again, or keys. Blocks until the result is there. Without an instance it runs on the
/// View's execution space, after a fence of all spaces; with one on that, in its order.
///
/// Errors: hpk::error if [begin, end) is not a range of the View. Any thread may call; inside of a
/// kernel of a host space the calling thread does all of it.
HPK_DETAIL_SORT(sort)
/// The same as sort, which is stable too: by the name that says so.
HPK_DETAIL_SORT(stable_sort)
#undef HPK_DETAIL_SORT

}  // namespace hpk
