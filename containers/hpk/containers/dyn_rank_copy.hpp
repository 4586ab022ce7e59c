// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deep_copy of DynRankViews: from a value, from and to Views, and between DynRankViews. One
// instantiation for rank 7 serves all ranks.
#pragma once

#include <hpk/containers/dyn_rank_handle.hpp>

namespace hpk {

namespace detail {

/// Throws hpk::error: ranks or extents of the operands of a copy differ.
[[noreturn]] void reject_dyn_rank_copy(std::string_view to_label, const dyn_rank_shape& to,
                                       std::string_view from_label, const dyn_rank_shape& from,
                                       const std::source_location& where);
/// Throws hpk::error: a DynRankView that is copied to a variable is not of rank 0.
[[noreturn]] void reject_dyn_rank_element(std::string_view label, const dyn_rank_shape& shape,
                                          const std::source_location& where);

/// Returns a View of rank 7 of the elements, for a copy from or to a View of Other's layout. Rows,
/// which may be padded, run along the last dimension of LayoutRight, so the dimensions of extent 1
/// come first there.
template <class Other, class V>
auto copy_operand(const V& view) {
  using layout = typename V::array_layout;
  constexpr bool right = std::is_same_v<layout, LayoutRight>;
  constexpr bool same_layout = std::is_same_v<layout, typename Other::array_layout>;
  using chosen = std::conditional_t<right && !same_layout, LayoutStride, layout>;
  using operand = View<typename V::value_type*******, chosen, typename V::device_type,
                       typename V::memory_traits>;
  const dyn_rank_shape& shape = dyn_rank_access::shape(view);
  const int lead = right && same_layout ? most_run_time_rank - shape.rank : 0;
  return reshape<operand>(dyn_rank_access::elements(view),
                          layout_of_shape<chosen>(shape, lead, most_run_time_rank));
}

template <class To, class From>
void check_copy(const To& to, const From& from, const std::source_location& where) {
  const dyn_rank_shape& a = dyn_rank_access::shape(to);
  const dyn_rank_shape& b = dyn_rank_access::shape(from);
  if (!have_same_extents(a, b)) reject_dyn_rank_copy(to.label(), a, from.label(), b, where);
}

/// Returns the View of rank 0 of the element of a DynRankView of rank 0.
template <class V>
auto only_element(const V& view, const std::source_location& where) {
  if (view.rank() != 0) reject_dyn_rank_element(view.label(), dyn_rank_access::shape(view), where);
  using result =
      View<typename V::value_type, LayoutRight, typename V::device_type, typename V::memory_traits>;
  return view.is_allocated() ? reshape<result>(dyn_rank_access::elements(view)) : result();
}

/// The DynRankView type that a View converts to.
template <class V>
using dyn_rank_view_of = DynRankView<typename V::value_type, typename V::array_layout,
                                     typename V::device_type, typename V::memory_traits>;

/// A type that deep_copy takes as a value.
template <class T>
concept copied_value =
    !is_view_v<std::remove_cvref_t<T>> && !is_dyn_rank_view_v<std::remove_cvref_t<T>> &&
    !is_execution_space_v<std::remove_cvref_t<T>>;

}  // namespace detail

/// Copies all elements of src to dst, as deep_copy of Views does: equal rank and extents,
/// convertible elements, any layouts. Fences everything before and after. Throws hpk::error if
/// ranks or extents differ.
template <class D, class... Ps, class S, class... Qs>
void deep_copy(const DynRankView<D, Ps...>& dst, const DynRankView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::check_copy(dst, src, where);
  deep_copy(detail::copy_operand<DynRankView<S, Qs...>>(dst),
            detail::copy_operand<DynRankView<D, Ps...>>(src), where);
}
/// The same, queued on an instance. Waits when deep_copy of Views does.
template <ExecutionSpace Exec, class D, class... Ps, class S, class... Qs>
void deep_copy(const Exec& exec, const DynRankView<D, Ps...>& dst, const DynRankView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::check_copy(dst, src, where);
  deep_copy(exec, detail::copy_operand<DynRankView<S, Qs...>>(dst),
            detail::copy_operand<DynRankView<D, Ps...>>(src), where);
}

/// The same from a View, without or with an instance. (dst is passed by value: a reference would
/// lose to the overload that copies the element of a View of rank 0 to a variable.)
///@{
template <class D, class... Ps, class S, class... Qs>
void deep_copy(DynRankView<D, Ps...> dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(dst, detail::dyn_rank_view_of<View<S, Qs...>>(src), where);
}
template <ExecutionSpace Exec, class D, class... Ps, class S, class... Qs>
void deep_copy(const Exec& exec, DynRankView<D, Ps...> dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(exec, dst, detail::dyn_rank_view_of<View<S, Qs...>>(src), where);
}
///@}

/// The same to a View, without or with an instance.
///@{
template <class D, class... Ps, class S, class... Qs>
void deep_copy(const View<D, Ps...>& dst, const DynRankView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(detail::dyn_rank_view_of<View<D, Ps...>>(dst), src, where);
}
template <ExecutionSpace Exec, class D, class... Ps, class S, class... Qs>
void deep_copy(const Exec& exec, const View<D, Ps...>& dst, const DynRankView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(exec, detail::dyn_rank_view_of<View<D, Ps...>>(dst), src, where);
}
///@}

/// Sets all elements to a value that converts or can be assigned to them. Waits before and after.
template <class D, class... Ps, detail::copied_value T>
  requires detail::makes_element<typename DynRankView<D, Ps...>::value_type, T>
void deep_copy(const DynRankView<D, Ps...>& dst, T value,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(detail::copy_operand<DynRankView<D, Ps...>>(dst), value, where);
}
/// The same, queued on an instance.
template <ExecutionSpace Exec, class D, class... Ps, detail::copied_value T>
  requires detail::makes_element<typename DynRankView<D, Ps...>::value_type, T>
void deep_copy(const Exec& exec, const DynRankView<D, Ps...>& dst, T value,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(exec, detail::copy_operand<DynRankView<D, Ps...>>(dst), value, where);
}

/// Copies the element of a DynRankView of rank 0 to a variable. Waits before and after. Throws
/// hpk::error if the rank is not 0.
template <detail::copied_value T, class S, class... Qs>
void deep_copy(T& dst, const DynRankView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(dst, detail::only_element(src, where), where);
}
/// The same, queued on an instance. deep_copy of Views documents when the variable has the value.
template <ExecutionSpace Exec, detail::copied_value T, class S, class... Qs>
void deep_copy(const Exec& exec, T& dst, const DynRankView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(exec, dst, detail::only_element(src, where), where);
}

}  // namespace hpk
