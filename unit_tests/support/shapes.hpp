// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over shapes for tests of Views: data types of a given rank, every index of a box in a known
// order, and access to an element by an array of indices. The loops do not use hpk's mappings, so
// that tests can check those.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstddef>
#include <utility>

namespace hpk_test {

/// The largest number of dimensions the loops handle.
inline constexpr int most_dimensions = 8;

/// Extents or indices. Past the rank extents are 1 and indices 0. Kernels on devices may use it,
/// unlike std::array.
struct tuple8 {
  std::size_t values[most_dimensions] = {};

  using iterator = std::size_t*;
  using const_iterator = const std::size_t*;
  HPK_FUNCTION constexpr std::size_t& operator[](std::size_t r) { return values[r]; }
  HPK_FUNCTION constexpr const std::size_t& operator[](std::size_t r) const { return values[r]; }
  constexpr const_iterator begin() const { return values; }
  constexpr const_iterator end() const { return values + most_dimensions; }
  bool operator==(const tuple8&) const = default;
};

/// stars<double, 3> is double***.
template <class T, int N>
struct add_stars : add_stars<T*, N - 1> {};
template <class T>
struct add_stars<T, 0> {
  using type = T;
};
template <class T, int N>
using stars = typename add_stars<T, N>::type;

/// Calls visit(index) for every index of the box; the last dimension, or the first, varies fastest.
HPK_CALLS_EITHER
template <class Visit>
HPK_FUNCTION constexpr void for_each_index(int rank, const tuple8& extents, bool last_fastest,
                                           Visit&& visit) {
  for (int r = 0; r < rank; ++r) {
    if (extents[r] == 0) return;
  }
  tuple8 index{};
  for (;;) {
    visit(index);
    int position = 0;
    for (; position < rank; ++position) {
      const int r = last_fastest ? rank - 1 - position : position;
      if (++index[r] < extents[r]) break;
      index[r] = 0;
    }
    if (position == rank) return;
  }
}

HPK_CALLS_EITHER
template <class Call, std::size_t... Rs>
HPK_FUNCTION constexpr decltype(auto) spread_over(const tuple8& index, const Call& call,
                                                  std::index_sequence<Rs...>) {
  return call(index[Rs]...);
}

/// Calls call(index[0], ..., index[Rank - 1]).
HPK_CALLS_EITHER
template <int Rank, class Call>
HPK_FUNCTION constexpr decltype(auto) spread(const tuple8& index, const Call& call) {
  return spread_over(index, call, std::make_index_sequence<Rank>());
}

/// Returns the element of a View at an index.
template <class V>
HPK_FUNCTION decltype(auto) element(const V& view, const tuple8& index) {
  return spread<static_cast<int>(V::rank())>(
      index, [&](auto... is) -> decltype(auto) { return view(is...); });
}

/// Returns a View made from `first` (a label, properties or a pointer) and the extents.
template <class V, class First>
V make_view(const First& first, const tuple8& extents) {
  return spread<static_cast<int>(V::rank())>(extents, [&](auto... ns) { return V(first, ns...); });
}

/// Returns the extents of a View, 1 past the rank.
template <class V>
HPK_FUNCTION tuple8 extents_of(const V& view) {
  tuple8 extents;
  for (std::size_t r = 0; r < most_dimensions; ++r) extents[r] = view.extent(r);
  return extents;
}

}  // namespace hpk_test
