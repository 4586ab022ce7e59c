// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the first argument of a View: `double**[3]` has elements of double, two run-time extents,
// then an extent fixed at 3. array_with_extents<double, extents<int, ...>> also sets the type in
// which indices are computed.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>
#include <hpk/view/extents.hpp>

#include <type_traits>
#include <utility>

namespace hpk {

/// A data type of Views that names the extents and the type of indices: elements of type T in the
/// given hpk::extents. View<T, Extents, ...> and View<array_with_extents<T, Extents>, ...> are the
/// same array. With an index type of fewer than 64 bits, offsets are computed in it.
template <class T, class Extents>
struct array_with_extents;

}  // namespace hpk

namespace hpk::detail {

/// Marks a run-time extent in a list of extents.
inline constexpr index_t dynamic = -1;

/// The extents of a View type, leftmost first: each is a fixed value or `dynamic`.
template <index_t... Es>
struct extent_list {
  /// The type in which offsets are computed.
  using index_type = index_t;
  /// Whether no fixed extent comes before a run-time one.
  static constexpr bool is_sorted = true;
  /// Other extents with the same index type; the same extents with 64-bit indices.
  template <index_t... Fs>
  using like = extent_list<Fs...>;
  using wide = extent_list;
  static constexpr int rank = sizeof...(Es);
  static constexpr int rank_dynamic = (0 + ... + (Es == dynamic ? 1 : 0));
  static constexpr index_t values[sizeof...(Es) + 1] = {Es..., 0};
  /// values[r], in device code too.
  HPK_INLINE_FUNCTION static constexpr index_t value(int r) {
    constexpr index_t all[] = {Es..., 0};
    return all[r];
  }
};

/// Whether no fixed extent comes before a run-time one.
template <index_t... Es>
constexpr bool are_sorted() {
  bool fixed = false;
  bool sorted = true;
  ((sorted = sorted && !(fixed && Es == dynamic), fixed = fixed || Es != dynamic), ...);
  return sorted;
}
/// An extent list with another index type, or with fixed extents before run-time extents.
template <class I, index_t... Es>
struct indexed_list : extent_list<Es...> {
  using index_type = I;
  static constexpr bool is_sorted = are_sorted<Es...>();
  template <index_t... Fs>
  using like = indexed_list<I, Fs...>;
  using wide = indexed_list<index_t, Es...>;
};
/// The list for extents of an index type. All 64-bit index types become index_t.
template <class I, index_t... Es>
using list_of = std::conditional_t<
    (sizeof(I) < sizeof(index_t)), indexed_list<I, Es...>,
    std::conditional_t<are_sorted<Es...>(), extent_list<Es...>, indexed_list<index_t, Es...>>>;

template <class List>
struct as_run_time;
template <index_t... Es>
struct as_run_time<extent_list<Es...>> {
  using type = extent_list<(Es == dynamic ? Es : dynamic)...>;
};
template <class I, index_t... Es>
struct as_run_time<indexed_list<I, Es...>> {
  using type = list_of<I, (Es == dynamic ? Es : dynamic)...>;
};
/// A list of the same length with only run-time extents.
template <class List>
using run_time_extents = typename as_run_time<List>::type;

template <index_t First, class List>
struct prepend;
template <index_t First, index_t... Es>
struct prepend<First, extent_list<Es...>> {
  using type = extent_list<First, Es...>;
};
template <class List, index_t Last>
struct append;
template <index_t... Es, index_t Last>
struct append<extent_list<Es...>, Last> {
  using type = extent_list<Es..., Last>;
};

// Decomposes the stars and brackets of a data type, outermost first. `T**[3]` is an array of 3
// `T**`: the brackets come before the stars. The resulting extents are always the run-time extents
// followed by the fixed extents. stars_last: whether no `*` is outside of a bracket, as in
// `T(*)[3]`.
template <class T>
struct data_type_parts {
  using element = T;
  using fixed = extent_list<>;
  static constexpr int stars = 0;
  static constexpr bool stars_last = true;
};
template <class T>
struct data_type_parts<T*> {
  using inner = data_type_parts<T>;
  using element = typename inner::element;
  using fixed = typename inner::fixed;
  static constexpr int stars = inner::stars + 1;
  static constexpr bool stars_last = fixed::rank == 0;
};
template <class T, std::size_t N>
struct data_type_parts<T[N]> {
  using inner = data_type_parts<T>;
  using element = typename inner::element;
  using fixed = typename prepend<static_cast<index_t>(N), typename inner::fixed>::type;
  static constexpr int stars = inner::stars;
  static constexpr bool stars_last = inner::stars_last;
};
// `T[]` adds one run-time extent in front.
template <class T>
struct data_type_parts<T[]> : data_type_parts<T> {
  static constexpr int stars = data_type_parts<T>::stars + 1;
};

template <int Stars, class Extents>
struct with_stars {
  using type = typename prepend<dynamic, typename with_stars<Stars - 1, Extents>::type>::type;
};
template <class Extents>
struct with_stars<0, Extents> {
  using type = Extents;
};

/// Element type and extents of a View's data type.
template <class DataType>
struct data_type_traits {
  using parts = data_type_parts<DataType>;
  using element = typename parts::element;
  using extents = typename with_stars<parts::stars, typename parts::fixed>::type;
};
template <class T, class I, std::size_t... Es>
struct data_type_traits<array_with_extents<T, hpk::extents<I, Es...>>> {
  using parts = data_type_parts<T>;
  using element = T;
  using extents = list_of<I, (Es == dynamic_extent ? dynamic : static_cast<index_t>(Es))...>;
};

/// The data type with another element type: data_type_of<const double, extents of double*[3]> is
/// const double*[3].
template <class Element, class Extents>
struct data_type_of;
template <class Element>
struct data_type_of<Element, extent_list<>> {
  using type = Element;
};
template <class Element, index_t... Es>
struct data_type_of<Element, extent_list<dynamic, Es...>> {
  using inner = typename data_type_of<Element*, extent_list<Es...>>::type;
  using type = inner;
};
template <class Element, index_t E, index_t... Es>
  requires(E != dynamic)
struct data_type_of<Element, extent_list<E, Es...>> {
  using type =
      typename data_type_of<Element, extent_list<Es...>>::type[static_cast<std::size_t>(E)];
};
template <class Element, class I, index_t... Es>
struct data_type_of<Element, indexed_list<I, Es...>> {
  using type = array_with_extents<
      Element, hpk::extents<I, (Es == dynamic ? dynamic_extent : static_cast<std::size_t>(Es))...>>;
};

template <std::size_t>
inline constexpr index_t one_run_time = dynamic;
template <class Element, class Ranks>
struct starred;
template <class Element, std::size_t... Rs>
struct starred<Element, std::index_sequence<Rs...>> {
  using type = typename data_type_of<Element, extent_list<one_run_time<Rs>...>>::type;
};
/// Element with Rank stars: run_time_data_type<int, 2> is int**.
template <class Element, std::size_t Rank>
using run_time_data_type = typename starred<Element, std::make_index_sequence<Rank>>::type;

}  // namespace hpk::detail
