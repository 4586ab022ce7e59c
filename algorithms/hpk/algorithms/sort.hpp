// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sort and stable_sort of Views of rank 1 with any layout, of ranges of Views, and of ranges
// between iterators. Both are stable and parallel. Keys that are numbers are sorted by radix sort,
// others by merge sort. The result is the same for any number of workers.
#pragma once

#include <hpk/algorithms/detail/sort_checks.hpp>
#include <hpk/algorithms/detail/sort_columns.hpp>

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
/// Does the same on the default instance of the View's space, between two fences of all spaces.
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

// Declares all overloads of sort or stable_sort, which differ only in their names. They sort a View
// on the default instance, on an instance, or on an instance with a label for tools; each of these
// also exists for the elements [begin, end). On an instance they also sort a range between two
// random-access iterators over memory that the space can access. Each exists with and without a
// comparison.
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
  /* On an instance: the whole View. */                                                            \
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
  /* With a label for tools: the whole View. */                                                    \
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

/// Sorts a View of rank 1 in ascending order by operator<, or by less(a, b), which returns whether
/// a comes before b: a strict weak order, callable on the execution space.
///
/// Stable. The result is the same for any number of workers. Integers of up to 64 bits, float,
/// double, half_t and bhalf_t are sorted by radix sort, also with hpk::less and hpk::greater; -0.0
/// comes before 0.0, and NaNs come last. Other types and comparisons are sorted by merging, which
/// copies elements; such types need a default constructor unless they are trivially copyable.
/// Allocates memory for a second copy of the elements or keys. Blocks. Without an instance it runs
/// on the View's execution space, after a fence of all spaces; with an instance it runs on this
/// instance, in its order.
///
/// Errors: hpk::error if [begin, end) is not a range of the View. Any thread may call it. Inside a
/// kernel of a host space the calling thread does all the work.
///@{
HPK_DETAIL_SORT(sort)
///@}
/// Does the same as sort. The name states that the order of equal elements is preserved.
///@{
HPK_DETAIL_SORT(stable_sort)
///@}
#undef HPK_DETAIL_SORT

}  // namespace hpk
