// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of ScatterViews: create_scatter_view, contribute, resize, realloc, is_scatter_view.
#pragma once

#include <hpk/containers/scatter_view.hpp>

#include <source_location>
#include <type_traits>

namespace hpk {

/// Makes a ScatterView for contributions to a View: create_scatter_view<Op, Duplication,
/// Contribution>(view), where all template arguments have defaults, or with objects of these types
/// before the View.
///@{
template <class Op = ScatterSum, class Duplication = ScatterAutomatic,
          class Contribution = ScatterAutomatic, class D, class... Ps>
auto create_scatter_view(const View<D, Ps...>& view,
                         ScatterStorage storage = ScatterStorage::automatic) {
  using view_type = View<D, Ps...>;
  return ScatterView<D, typename view_type::array_layout, typename view_type::device_type, Op,
                     Duplication, Contribution>(view, storage);
}
template <class Op, class D, class... Ps>
auto create_scatter_view(const Op&, const View<D, Ps...>& view,
                         ScatterStorage storage = ScatterStorage::automatic) {
  return create_scatter_view<Op>(view, storage);
}
template <class Op, class Duplication, class D, class... Ps>
auto create_scatter_view(const Op&, const Duplication&, const View<D, Ps...>& view) {
  return create_scatter_view<Op, Duplication>(view);
}
template <class Op, class Duplication, class Contribution, class D, class... Ps>
auto create_scatter_view(const Op&, const Duplication&, const Contribution&,
                         const View<D, Ps...>& view) {
  return create_scatter_view<Op, Duplication, Contribution>(view);
}
///@}

/// Joins contributions to a View, and waits, or on an instance; see ScatterView::contribute_into.
///@{
template <class D, class... Ps, class Data, class L, class Dev, class Op, class Dup, class C>
void contribute(const View<D, Ps...>& to, const ScatterView<Data, L, Dev, Op, Dup, C>& from,
                const std::source_location& where = std::source_location::current()) {
  from.contribute_into(to, where);
}
template <class D, class... Ps, class Data, class L, class Dev, class Op, class Dup, class C>
void contribute(const typename ScatterView<Data, L, Dev, Op, Dup, C>::execution_space& exec,
                const View<D, Ps...>& to, const ScatterView<Data, L, Dev, Op, Dup, C>& from,
                const std::source_location& where = std::source_location::current()) {
  from.contribute_into(exec, to, where);
}
///@}

/// See ScatterView::resize and ScatterView::realloc.
///@{
template <class Data, class L, class Dev, class Op, class Dup, class C, class... Extents>
void resize(ScatterView<Data, L, Dev, Op, Dup, C>& view, Extents... extents) {
  view.resize(extents...);
}
template <class Property, class Data, class L, class Dev, class Op, class Dup, class C,
          class... Extents>
void resize(const Property&, ScatterView<Data, L, Dev, Op, Dup, C>& view, Extents... extents) {
  view.resize(extents...);
}
template <class Data, class L, class Dev, class Op, class Dup, class C, class... Extents>
void realloc(ScatterView<Data, L, Dev, Op, Dup, C>& view, Extents... extents) {
  view.realloc(extents...);
}
template <class Property, class Data, class L, class Dev, class Op, class Dup, class C,
          class... Extents>
void realloc(const Property&, ScatterView<Data, L, Dev, Op, Dup, C>& view, Extents... extents) {
  view.realloc(extents...);
}
///@}

/// Whether a type is a ScatterView.
template <class T>
struct is_scatter_view : std::false_type {};
template <class Data, class L, class Dev, class Op, class Dup, class C>
struct is_scatter_view<ScatterView<Data, L, Dev, Op, Dup, C>> : std::true_type {};
template <class T>
struct is_scatter_view<const T> : is_scatter_view<T> {};
/// is_scatter_view as a value.
template <class T>
inline constexpr bool is_scatter_view_v = is_scatter_view<T>::value;

}  // namespace hpk
