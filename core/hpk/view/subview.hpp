// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// subview: a View of a part of another View's elements, which shares the memory.
#pragma once

#include <hpk/view/view.hpp>

#include <utility>

namespace hpk {

namespace detail {

template <class D, class... Ps>
struct part_maker<View<D, Ps...>> {
  using source_type = View<D, Ps...>;
  using map = typename source_type::map;
  using list = typename source_type::types::extents;

  template <class... Slices>
  HPK_FUNCTION static constexpr bool check_slices() {
    constexpr bool known = ((kind_of_slice<Slices>() != slice_kind::none) && ...);
    static_assert(known,
                  "hpk::subview: a slice is an integer, hpk::ALL, a pair {first, end} or a "
                  "hpk::strided_slice");
    constexpr bool count = sizeof...(Slices) == list::rank;
    static_assert(count,
                  "hpk::subview: write one slice for each dimension of the View; hpk::ALL keeps "
                  "the whole of it");
    constexpr bool strides = has_strides<map> || is_pitched<map>;
    static_assert(strides,
                  "hpk::subview: the layout of the View has no strides, so a subview of it has no "
                  "layout; deep_copy it to a LayoutRight View first");
    return known && count && strides;
  }

  template <class... Slices>
  using shape_of = part_type<source_type, map, list, Slices...>;
  template <class... Slices>
  using type_of = View<typename data_type_of<typename source_type::value_type,
                                             typename shape_of<Slices...>::extents>::type,
                       typename shape_of<Slices...>::layout, typename source_type::device_type,
                       MemoryTraits<source_type::memory_traits::flags & ~Aligned>>;

  /// Returns a View of the elements that the slices select.
  HPK_CALLS_EITHER
  template <class... Slices>
  HPK_FORCEINLINE_FUNCTION static auto cut(const source_type& source,
                                           [[maybe_unused]] const Slices&... slices) {
    if constexpr (!check_slices<Slices...>()) {
      return source;
    } else if constexpr (list::rank == 0) {
      return type_of<>(source.own_.data, {}, source.own_.rest());
    } else {
      int r = 0;
      const kept_indices kept[] = {kept_by(slices, source.own_.map().extent(r++))...};
      if constexpr (static_cast<bool>(HPK_CHECKS)) check(source, kept);
      return build<type_of<Slices...>, shape_of<Slices...>>(source, kept,
                                                            std::make_index_sequence<list::rank>());
    }
  }

 private:
  HPK_FUNCTION static void check(const source_type& source, const kept_indices* kept) {
    for (int r = 0; r < list::rank; ++r) {
      const kept_indices& k = kept[r];
      if (!is_inside(k, source.own_.map().extent(r))) {
        HPK_IF_ON_HOST((reject_slice(source.description(), r, k.first, k.count, k.step);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::subview: a slice is outside of the extents");))
      }
    }
  }

  HPK_CALLS_EITHER
  template <class Part, class Shape, std::size_t... Rs>
  HPK_FORCEINLINE_FUNCTION static Part build(const source_type& source, const kept_indices* kept,
                                             std::index_sequence<Rs...>) {
    constexpr part_shape shape = Shape::shape;
    typename Part::map part;
    for (int k = 0; k < shape.rank; ++k) part.set(k, kept[shape.kept[k]].count);
    if constexpr (has_strides<typename Part::map>) {
      for (int k = 0; k < shape.rank; ++k)
        part.set_stride(k, source.own_.map().stride(shape.kept[k]) * kept[shape.kept[k]].step);
    } else if constexpr (Part::map::has_pitch) {
      part.set_pitch(
          source.own_.map().stride(shape.kept[Part::map::row == 0 ? 1 : shape.rank - 2]));
    }
    return Part(source.own_.data + source.own_.map().offset(kept[Rs].first...), part,
                source.own_.rest());
  }
};

}  // namespace detail

/// The type of subview(v, slices...) for a View of type V.
template <class V, class... Slices>
using Subview = typename detail::part_maker<V>::template type_of<std::remove_cvref_t<Slices>...>;

/// Deduces View(source, slices...) as the type of subview(source, slices...).
template <class D, class... Ps, class... Slices>
  requires(sizeof...(Slices) > 0)
HPK_DEDUCTION_GUIDE View(const View<D, Ps...>&, Slices...)
    -> View<typename Subview<View<D, Ps...>, Slices...>::data_type,
            typename Subview<View<D, Ps...>, Slices...>::array_layout,
            typename Subview<View<D, Ps...>, Slices...>::device_type,
            typename Subview<View<D, Ps...>, Slices...>::memory_traits>;

/// Returns a View of a part of the elements of `source`, which shares its memory without a copy.
/// One slice for each dimension:
///   an integer i          removes the dimension; its index is i
///   ALL                   the whole dimension
///   a pair {first, end}   the indices [first, end); first == end is empty
///   strided_slice{f,n,s}  every s-th index of [f, f + n)
/// The rank is the number of slices that are not integers. The layout is the layout of the source
/// if the types prove that rows are contiguous and equally spaced, else LayoutStride. A fixed
/// extent stays fixed under ALL if all following extents do. The label is the source's; the Aligned
/// trait is dropped. If HPK_CHECKS is 1, a slice outside of the extents throws hpk::error with the
/// View, the slice and the extent. May be called in kernels, where it changes no reference count.
/// Slices are passed by value, because device code can't bind a reference to ALL.
HPK_CALLS_EITHER
template <class D, class... Ps, class... Slices>
HPK_FORCEINLINE_FUNCTION auto subview(const View<D, Ps...>& source, Slices... slices) {
  return detail::part_maker<View<D, Ps...>>::cut(source, slices...);
}

/// Returns a subview with memory traits `Traits` instead of the source's traits, such as
/// MemoryTraits<Atomic>.
HPK_CALLS_EITHER
template <class Traits, class D, class... Ps, class... Slices>
  requires is_memory_traits_v<Traits>
HPK_FORCEINLINE_FUNCTION auto subview(const View<D, Ps...>& source, Slices... slices) {
  using part = Subview<View<D, Ps...>, Slices...>;
  return View<typename part::data_type, typename part::array_layout, typename part::device_type,
              Traits>(detail::part_maker<View<D, Ps...>>::cut(source, slices...));
}

}  // namespace hpk
