// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// resize and realloc of DynRankViews, which may change the rank.
#pragma once

#include <hpk/containers/dyn_rank_copy.hpp>

namespace hpk {

namespace detail {

/// Checks the arguments at compile time. Returns whether the call is well-formed.
template <class V, class Properties>
constexpr bool check_dyn_rank_resizable() {
  constexpr bool managed = !V::memory_traits::is_unmanaged;
  static_assert(managed,
                "hpk::resize and hpk::realloc: an Unmanaged DynRankView does not own its memory; "
                "write a managed one");
  constexpr bool writable = !std::is_const_v<typename V::value_type>;
  static_assert(writable,
                "hpk::resize and hpk::realloc: the elements are const; write a DynRankView of "
                "non-const elements");
  static_assert(!Properties::has_memory_space,
                "hpk::resize and hpk::realloc: the memory space is the DynRankView's; leave it out "
                "of view_alloc");
  static_assert(!Properties::has_label,
                "hpk::resize and hpk::realloc: the DynRankView keeps its label; leave it out of "
                "view_alloc");
  return managed && writable && !Properties::has_memory_space && !Properties::has_label;
}

/// Returns a View of the elements whose indices are within the extents of `common`.
template <class V>
auto first_elements(const V& view, const dyn_rank_shape& common) {
  dyn_rank_shape shape = dyn_rank_access::shape(view);
  for (int r = 0; r != most_run_time_rank; ++r) shape.extents[r] = common.extents[r];
  using part = View<typename V::value_type*******, LayoutStride, typename V::device_type,
                    typename V::memory_traits>;
  return reshape<part>(dyn_rank_access::elements(view),
                       layout_of_shape<LayoutStride>(shape, 0, most_run_time_rank));
}

template <class V, class Properties, class... Shape>
void resize_dyn_rank_view(V& view, const Properties& properties, const Shape&... given) {
  if constexpr (check_dyn_rank_resizable<V, Properties>()) {
    constexpr bool can_construct =
        Properties::initialize || std::is_trivially_copyable_v<typename V::non_const_value_type>;
    static_assert(can_construct,
                  "hpk::resize: elements that are not trivially copyable can't be moved to memory "
                  "that holds none; leave WithoutInitializing out");
    const std::string label = view.label();
    const dyn_rank_shape& old = dyn_rank_access::shape(view);
    dyn_rank_shape common = read_shape<typename V::array_layout>(label, given...);
    if (view.is_allocated() && have_same_extents(common, old)) return;
    const V larger(hpk::with_label(properties, label), given...);
    for (int r = 0; r != most_run_time_rank; ++r) {
      if (old.extents[r] < common.extents[r]) common.extents[r] = old.extents[r];
    }
    if (common.size() != 0) {
      const auto to = first_elements(larger, common);
      const auto from = first_elements(view, common);
      if constexpr (Properties::has_instance) {
        deep_copy(properties.instance, to, from);
      } else {
        deep_copy(to, from);
      }
    }
    view = larger;
  }
}

template <class V, class Properties, class... Shape>
void realloc_dyn_rank_view(V& view, const Properties& properties, const Shape&... given) {
  if constexpr (check_dyn_rank_resizable<V, Properties>()) {
    const std::string label = view.label();
    const dyn_rank_shape shape = read_shape<typename V::array_layout>(label, given...);
    if (view.is_allocated() && have_same_extents(shape, dyn_rank_access::shape(view))) {
      if constexpr (Properties::initialize && Properties::has_instance) {
        set_elements(properties.instance, copy_operand<V>(view), typename V::value_type());
      } else if constexpr (Properties::initialize) {
        set_elements(copy_operand<V>(view), typename V::value_type());
      }
      return;
    }
    view = V();  // frees the old memory first, so that peak memory is not the sum
    view = V(hpk::with_label(properties, label), given...);
  }
}

/// Converts an argument before the DynRankView in resize and realloc to properties.
template <class First>
auto properties_of(const First& first) {
  if constexpr (view_alloc_properties<First>) {
    return first;
  } else {
    return view_alloc(first);
  }
}
template <class T>
concept resize_argument = view_alloc_properties<T> || ExecutionSpace<T> ||
                          std::is_same_v<T, std::remove_const_t<decltype(WithoutInitializing)>>;

}  // namespace detail

/// Gives the DynRankView new extents and the rank that they have. Keeps the elements whose indices
/// are within both old and new extents; an index of a dimension that only one of the shapes has is
/// 0. New elements are initialised. The arguments are extents or one layout object. The label
/// stays. Does nothing if rank and extents do not change. Other handles keep the old memory. Waits
/// for the copy.
///   hpk::DynRankView<int> table("table", 3, 4);
///   hpk::resize(table, 5);  // rank 1: table(i) has the value of the old table(i, 0), for i < 3
template <class D, class... Ps, class... Shape>
void resize(DynRankView<D, Ps...>& view, Shape... shape) {
  detail::resize_dyn_rank_view(view, view_alloc(), shape...);
}
/// The same with WithoutInitializing, an instance (then it does not wait) or view_alloc(...).
template <detail::resize_argument First, class D, class... Ps, class... Shape>
void resize(const First& first, DynRankView<D, Ps...>& view, Shape... shape) {
  detail::resize_dyn_rank_view(view, detail::properties_of(first), shape...);
}

/// Gives the DynRankView new extents and the rank that they have, frees the old memory first, and
/// initialises all elements. If rank and extents do not change, initialises the elements again. The
/// label stays.
template <class D, class... Ps, class... Shape>
void realloc(DynRankView<D, Ps...>& view, Shape... shape) {
  detail::realloc_dyn_rank_view(view, view_alloc(), shape...);
}
/// The same with WithoutInitializing, an instance (then it does not wait) or view_alloc(...).
template <detail::resize_argument First, class D, class... Ps, class... Shape>
void realloc(const First& first, DynRankView<D, Ps...>& view, Shape... shape) {
  detail::realloc_dyn_rank_view(view, detail::properties_of(first), shape...);
}

}  // namespace hpk
