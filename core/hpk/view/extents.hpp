// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// extents: the shape of a multi-dimensional array, like C++23's std::extents. A program's layouts
// can support it and std::extents with the same code.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace hpk {

namespace detail {
/// The number of elements of a std::array, std::span and similar types; -1 if the type does not
/// determine it.
template <class A>
inline constexpr int count_in = -1;
template <class A>
  requires requires { std::tuple_size<A>::value; }
inline constexpr int count_in<A> = static_cast<int>(std::tuple_size<A>::value);
template <template <class, std::size_t> class A, class T, std::size_t N>
  requires(
              !requires { std::tuple_size<A<T, N>>::value; } &&
              requires(const A<T, N>& a) { a[0]; })
inline constexpr int count_in<A<T, N>> = static_cast<int>(N);
}  // namespace detail

/// Marks a run-time extent among the arguments of extents.
inline constexpr std::size_t dynamic_extent = ~std::size_t{0};

/// The extents of a multi-dimensional array. Fixed extents are part of the type; run-time extents
/// (dynamic_extent in the type) are stored. IndexType: the result of extent(). Semantics and names
/// follow std::extents.
template <class IndexType, std::size_t... Es>
class extents {
 public:
  using index_type = IndexType;                       ///< the type of extents
  using size_type = std::make_unsigned_t<IndexType>;  ///< the unsigned index_type
  using rank_type = std::size_t;                      ///< counts dimensions

  /// The number of dimensions.
  HPK_FUNCTION static constexpr rank_type rank() noexcept { return sizeof...(Es); }
  /// The number of run-time extents.
  HPK_FUNCTION static constexpr rank_type rank_dynamic() noexcept {
    return (std::size_t{0} + ... + (Es == hpk::dynamic_extent ? 1 : 0));
  }
  /// The fixed extent of dimension r, or dynamic_extent.
  HPK_FUNCTION static constexpr std::size_t static_extent(rank_type r) noexcept {
    constexpr std::size_t all[] = {Es..., 0};
    return all[r];
  }

  /// All run-time extents are 0.
  HPK_INLINE_FUNCTION constexpr extents() noexcept {}
  /// From the run-time extents, or from one extent for each dimension.
  template <class... Is>
    requires((sizeof...(Is) == rank() || sizeof...(Is) == rank_dynamic()) && sizeof...(Is) != 0 &&
             (std::is_convertible_v<Is, IndexType> && ...))
  HPK_FUNCTION constexpr explicit extents(Is... is) noexcept {
    const index_type given[] = {static_cast<index_type>(is)...};
    std::size_t next = 0;
    for (rank_type r = 0; r != rank(); ++r) {
      const bool taken = sizeof...(Is) == rank() || static_extent(r) == hpk::dynamic_extent;
      if (taken) values_[r] = given[next++];
    }
  }
  /// From a std::array, std::span or similar object of as many numbers.
  template <class A>
    requires requires(const A& a) {
      { a[0] } -> std::convertible_to<IndexType>;
      requires detail::count_in<A> == static_cast<int>(rank()) ||
                       detail::count_in<A> == static_cast<int>(rank_dynamic());
    }
  HPK_FUNCTION constexpr explicit(detail::count_in<A> != static_cast<int>(rank_dynamic()))
      extents(const A& given) noexcept {
    std::size_t next = 0;
    for (rank_type r = 0; r != rank(); ++r) {
      const bool taken = detail::count_in<A> == static_cast<int>(rank()) ||
                         static_extent(r) == hpk::dynamic_extent;
      if (taken) values_[r] = static_cast<index_type>(given[next++]);
    }
  }
  /// From extents with other fixed extents or another index type. Fixed extents must be equal; if
  /// their equality is only known at run time, the conversion is explicit.
  template <class Other, std::size_t... Fs>
    requires(sizeof...(Fs) == rank() &&
             ((Es == hpk::dynamic_extent || Fs == hpk::dynamic_extent || Es == Fs) && ...))
  HPK_FUNCTION constexpr explicit(((Es != hpk::dynamic_extent && Fs == hpk::dynamic_extent) ||
                                   ...) ||
                                  sizeof(Other) > sizeof(IndexType))
      extents(const extents<Other, Fs...>& other) noexcept {
    for (rank_type r = 0; r != rank(); ++r) values_[r] = static_cast<index_type>(other.extent(r));
  }
  /// Returns extents from one number for each dimension. Numbers for fixed extents must equal the
  /// fixed extents.
  HPK_FUNCTION static constexpr extents from(const IndexType* values) noexcept {
    extents result;
    for (rank_type r = 0; r != rank(); ++r) result.values_[r] = values[r];
    return result;
  }

  /// The extent of dimension r.
  HPK_FUNCTION constexpr index_type extent(rank_type r) const noexcept {
    const std::size_t fixed = static_extent(r);
    return fixed == hpk::dynamic_extent ? values_[r] : static_cast<index_type>(fixed);
  }
  /// Whether all extents are equal.
  HPK_FUNCTION friend constexpr bool operator==(const extents& a, const extents& b) noexcept {
    for (rank_type r = 0; r != rank(); ++r) {
      if (a.extent(r) != b.extent(r)) return false;
    }
    return true;
  }

 private:
  index_type values_[sizeof...(Es) + 1] = {};
};

namespace detail {
template <std::size_t>
inline constexpr std::size_t one_run_time_extent = dynamic_extent;
template <class IndexType, class Ranks>
struct run_time_extents_of;
template <class IndexType, std::size_t... Rs>
struct run_time_extents_of<IndexType, std::index_sequence<Rs...>> {
  using type = hpk::extents<IndexType, one_run_time_extent<Rs>...>;
};
}  // namespace detail
/// extents with Rank run-time extents.
template <class IndexType, std::size_t Rank>
using dextents =
    typename detail::run_time_extents_of<IndexType, std::make_index_sequence<Rank>>::type;

/// dextents with the rank as the first argument.
template <std::size_t Rank, class IndexType = std::size_t>
using dims = dextents<IndexType, Rank>;
namespace detail {
template <class>
inline constexpr std::size_t run_time_extent_for = dynamic_extent;
}  // namespace detail
/// extents(n0, n1, ...) are run-time extents of std::size_t.
template <class... Is>
  requires(std::is_convertible_v<Is, std::size_t> && ...)
HPK_DEDUCTION_GUIDE extents(Is...) -> extents<std::size_t, detail::run_time_extent_for<Is>...>;

}  // namespace hpk
