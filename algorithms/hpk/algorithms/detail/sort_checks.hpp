// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the arguments of sorts and merges, at compile time and at run time, and their errors.
#pragma once

#include <hpk/algorithms/detail/sort_memory.hpp>
#include <hpk/core.hpp>
#include <hpk/error.hpp>

#include <concepts>
#include <source_location>
#include <string_view>

namespace hpk::detail::sorting {

/// Returns the default instance, for calls without one.
template <class Exec>
Exec default_instance() {
  static_assert(may_omit_instance<Exec>,
                "hpk::sort and hpk::BinSort: HPK_REQUIRE_INSTANCE is 1; write the instance first: "
                "sort(exec, view), BinSort(exec, keys, ...)");
  return Exec();
}

/// Label and size of a View, for messages.
struct view_name {
  std::string label;
  index_t size = 0;
};
template <class V>
view_name name_of(const V& view) {
  return {view.label(), static_cast<index_t>(view.extent(0))};
}

[[noreturn]] void reject_range(std::string_view function, const view_name& view, index_t begin,
                               index_t end, const std::source_location& where);
[[noreturn]] void reject_reversed(std::string_view function, index_t by,
                                  const std::source_location& where);
[[noreturn]] void reject_lengths(std::string_view function, const view_name& keys,
                                 const view_name& values, const std::source_location& where);
[[noreturn]] void reject_position(std::string_view function, const view_name& view,
                                  std::string_view what, index_t position,
                                  const std::source_location& where);
[[noreturn]] void reject_short_output(std::string_view function, const view_name& output,
                                      index_t needed, const std::source_location& where);
[[noreturn]] void reject_small_places(const view_name& places, const std::source_location& where);
[[noreturn]] void reject_offsets(const view_name& values, index_t segment, index_t begin,
                                 index_t end, const std::source_location& where);

/// Whether kernels of Exec can sort View V. Errors are in the user's terms.
template <class Exec, class V>
constexpr bool check_view() {
  constexpr bool flat = V::rank() == 1;
  static_assert(flat,
                "hpk::sort: the View's rank is not 1; sort rows with hpk::subview(view, i, "
                "hpk::ALL), or permute a View of a higher rank with hpk::BinSort");
  constexpr bool reaches = SpaceAccessibility<Exec, typename V::memory_space>::accessible;
  static_assert(reaches,
                "hpk::sort: kernels of the execution space can't access the View's memory; pass an "
                "instance of a space that can, such as typename V::execution_space");
  return flat && reaches;
}
/// As check_view(), for a View whose elements are modified.
template <class Exec, class V>
constexpr bool check_output_view() {
  constexpr bool writable = !std::is_const_v<typename V::value_type>;
  static_assert(writable,
                "hpk::sort: the View's elements are const; sort a copy, or pass a View of "
                "non-const elements");
  return check_view<Exec, V>() && writable;
}
/// Whether Less compares elements of type T.
template <class Less, class T>
constexpr bool check_less() {
  constexpr bool compares = std::predicate<const Less&, const T&, const T&>;
  static_assert(compares,
                "hpk::sort: the elements are not compared by the last argument, or by operator<; "
                "pass an object with bool operator()(const T& a, const T& b) const that says "
                "whether a comes before b");
  return compares;
}

template <class V>
void expect_range(std::string_view function, const V& view, index_t begin, index_t end,
                  const std::source_location& where) {
  if (begin < 0 || end < begin || end > static_cast<index_t>(view.extent(0)))
    reject_range(function, name_of(view), begin, end, where);
}
template <class K, class V>
void expect_same_length(std::string_view function, const K& keys, const V& values,
                        const std::source_location& where) {
  if (keys.extent(0) != values.extent(0))
    reject_lengths(function, name_of(keys), name_of(values), where);
}
/// Returns last - first. Throws hpk::error if it is negative.
template <class It>
index_t length_of(std::string_view function, const It& first, const It& last,
                  const std::source_location& where) {
  const auto n = static_cast<index_t>(last - first);
  if (n < 0) reject_reversed(function, -n, where);
  return n;
}

}  // namespace hpk::detail::sorting
