// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Non-member functions and traits of Views: is_view, view_like, rank, ==, swap, and the type of
// View(pointer, n0, ...).
#pragma once

#include <hpk/view/assign.hpp>
#include <hpk/view/properties.hpp>
#include <hpk/view/wrapped_memory.hpp>

namespace hpk {

/// True for a View (const or not).
template <class T>
inline constexpr bool is_view_v = detail::is_specialization_v<std::remove_cv_t<T>, View>;

/// is_view_v as a type.
template <class T>
struct is_view : std::bool_constant<is_view_v<T>> {};

/// A View of rank Rank with elements of type T, or of a type that equals T after const is added.
/// Constrains a function that takes Views of any layout and space:
///   void scale(const hpk::view_like<double, 2> auto& matrix, double by);
/// With a const T it accepts Views of T and of const T. Layout, space, fixed extents and references
/// to the View do not matter.
template <class V, class T, std::size_t Rank>
concept view_like = is_view_v<std::remove_cvref_t<V>> &&
                    (std::is_same_v<typename std::remove_cvref_t<V>::value_type, T> ||
                     std::is_same_v<typename std::remove_cvref_t<V>::const_value_type, T>) &&
                    std::remove_cvref_t<V>::rank() == Rank;

/// View(pointer, n0, n1, ...) is View<T**...>(pointer, n0, n1, ...), in the default space, which
/// must be the space of the memory (as_view wraps host memory). A string literal is not a pointer.
template <class Pointer, class... Is>
  requires(detail::names_memory<std::remove_reference_t<Pointer>> &&
           (detail::is_index_like_v<Is> && ...))
HPK_DEDUCTION_GUIDE View(Pointer&&, const Is&...) -> View<
    detail::run_time_data_type<std::remove_pointer_t<std::decay_t<Pointer>>, sizeof...(Is)>>;
/// @{
/// The type of View(view_wrap(pointer), n0, ...), in the default space; with view_wrap(pointer,
/// view) in the memory space of the View.
template <class T, class... Is>
  requires(detail::is_index_like_v<Is> && ...)
HPK_DEDUCTION_GUIDE View(const detail::wrapped_memory<T>&, const Is&...)
    -> View<detail::run_time_data_type<T, sizeof...(Is)>>;
template <class T, class... Is>
  requires(detail::is_index_like_v<Is> && ...)
HPK_DEDUCTION_GUIDE View(const detail::wrapped_memory<T, detail::new_owner>&, const Is&...)
    -> View<detail::run_time_data_type<T, sizeof...(Is)>>;
template <class T, class Space, class... Is>
  requires(detail::is_index_like_v<Is> && ...)
HPK_DEDUCTION_GUIDE View(const detail::wrapped_memory<T, Space>&, const Is&...)
    -> View<detail::run_time_data_type<T, sizeof...(Is)>, Space>;
/// @}

/// The rank of a View.
template <class D, class... Ps>
HPK_FUNCTION constexpr unsigned rank(const View<D, Ps...>&) {
  return static_cast<unsigned>(View<D, Ps...>::rank());
}

/// Exchanges the memory and shapes of two Views, like View::swap.
template <class D, class... Ps>
HPK_FUNCTION void swap(View<D, Ps...>& a, View<D, Ps...>& b) noexcept {
  a.swap(b);
}

/// Whether element type (ignoring const), layout, memory space, rank, memory and extents are equal.
template <class D, class... Ps, class E, class... Qs>
bool operator==(const View<D, Ps...>& a, const View<E, Qs...>& b) noexcept {
  using one = View<D, Ps...>;
  using other = View<E, Qs...>;
  if constexpr (std::is_same_v<typename one::const_value_type, typename other::const_value_type> &&
                std::is_same_v<typename one::array_layout, typename other::array_layout> &&
                std::is_same_v<typename one::memory_space, typename other::memory_space> &&
                one::rank() == other::rank()) {
    bool same = a.data() == b.data() && a.span() == b.span();
    for (std::size_t r = 0; r != one::rank(); ++r) same = same && a.extent(r) == b.extent(r);
    return same;
  } else {
    return false;
  }
}

}  // namespace hpk
