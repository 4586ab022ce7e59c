// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk::mdspan and submdspan: the C++23 class for every standard library, on host and device. It
// owns nothing; to_mdspan and as_view convert from and to Views.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/compressed.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/view/mdspan.hpp>
#include <hpk/view/slices.hpp>

#include <type_traits>
#include <utility>

namespace hpk {

/// @{
/// The layout policies of mdspan under their standard names.
using layout_left = LayoutLeft;
using layout_right = LayoutRight;
using layout_stride = LayoutStride;
/// @}

/// @{
/// The slice that keeps a whole dimension, ALL, under its standard name.
using full_extent_t = ALL_t;
inline constexpr full_extent_t full_extent{};
/// @}

namespace detail {
/// Throws hpk::error: the indices exceed the extents of an mdspan.
[[noreturn]] void reject_mdspan_index(int rank, const index_t* index, const index_t* extents);
/// Throws hpk::error: a slice of an mdspan exceeds its dimension.
[[noreturn]] void reject_mdspan_slice(std::size_t slice, const kept_indices& kept, index_t extent);

/// count_in as a rank; 0 if unknown, because clang for HIP forms the result type of a deduction
/// guide before it checks the constraints of the guide.
template <class A>
inline constexpr std::size_t rank_in = count_in<A> < 0 ? 0 : static_cast<std::size_t>(count_in<A>);

/// Whether the types allow a conversion of mdspan From to mdspan To, where one of them is the
/// mdspan type of a View: the layouts are the same, or strided, with a check at run time.
template <class To, class From>
constexpr bool spans_convert() {
  if constexpr (To::rank() != From::rank()) {
    return false;
  } else {
    using one = unpadded_layout<typename To::layout_type>;
    using other = unpadded_layout<typename From::layout_type>;
    bool extents = true;
    for (std::size_t r = 0; r != To::rank(); ++r) {
      const std::size_t to = To::static_extent(r);
      const std::size_t from = From::static_extent(r);
      extents = extents && (to == from || to == dynamic_extent || from == dynamic_extent);
    }
    constexpr bool layouts = std::is_same_v<one, other> || To::rank() <= 1 ||
                             (is_array_layout_v<one> && std::is_same_v<other, LayoutStride>) ||
                             (is_array_layout_v<other> && std::is_same_v<one, LayoutStride>);
    return extents && layouts &&
           std::is_convertible_v<typename From::element_type(*)[],
                                 typename To::element_type(*)[]> &&
           std::is_convertible_v<typename From::accessor_type, typename To::accessor_type>;
  }
}
}  // namespace detail

/// A multi-dimensional, non-owning view of memory: the C++23 class, with its names and semantics.
/// T: the element type. Extents: hpk::extents. Layout: layout_right, layout_left, layout_stride, or
/// a user-defined policy. Accessor: the accessor policy. In checked builds an index outside of the
/// extents is an hpk::error (on a device it ends the kernel).
template <class T, class Extents, class Layout = layout_right, class Accessor = default_accessor<T>>
class mdspan {
 public:
  /// @{
  /// As in std::mdspan.
  using extents_type = Extents;
  using layout_type = Layout;
  using accessor_type = Accessor;
  using mapping_type = typename Layout::template mapping<Extents>;
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using index_type = typename Extents::index_type;
  using size_type = typename Extents::size_type;
  using rank_type = typename Extents::rank_type;
  using data_handle_type = typename Accessor::data_handle_type;
  using reference = typename Accessor::reference;
  /// @}

  /// The number of dimensions.
  HPK_FUNCTION static constexpr rank_type rank() noexcept { return Extents::rank(); }
  /// The number of run-time extents.
  HPK_FUNCTION static constexpr rank_type rank_dynamic() noexcept {
    return Extents::rank_dynamic();
  }
  /// The fixed extent of dimension r, or dynamic_extent.
  HPK_FUNCTION static constexpr std::size_t static_extent(rank_type r) noexcept {
    return Extents::static_extent(r);
  }
  /// The extent of dimension r.
  HPK_FUNCTION constexpr index_type extent(rank_type r) const noexcept {
    return extents().extent(r);
  }

  /// Refers to no memory.
  constexpr mdspan() = default;
  /// Refers to the memory at p. `is`: the run-time extents, or one extent for each dimension.
  template <class... Is>
    requires(std::is_constructible_v<Extents, Is...> &&
             (std::is_convertible_v<Is, index_type> && ...) &&
             (sizeof...(Is) == Extents::rank() || sizeof...(Is) == Extents::rank_dynamic()))
  HPK_FUNCTION constexpr explicit mdspan(data_handle_type p, Is... is)
      : mdspan(p, Extents(static_cast<index_type>(is)...)) {}
  /// Refers to the memory at p, with the extents in a std::array, std::span or similar object.
  template <class A>
    requires(detail::count_in<A> == static_cast<int>(Extents::rank()) ||
             detail::count_in<A> == static_cast<int>(Extents::rank_dynamic()))
  HPK_FUNCTION constexpr explicit(detail::count_in<A> != static_cast<int>(Extents::rank_dynamic()))
      mdspan(data_handle_type p, const A& extents)
      : mdspan(p, Extents(extents)) {}
  /// Refers to the memory at p, with extents.
  HPK_FUNCTION constexpr mdspan(data_handle_type p, const Extents& extents)
      : mdspan(p, mapping_type(extents)) {}
  /// Refers to the memory at p, with a mapping.
  HPK_FUNCTION constexpr mdspan(data_handle_type p, const mapping_type& mapping)
      : mdspan(p, mapping, Accessor()) {}
  /// Refers to the memory at p, with a mapping and an accessor.
  HPK_FUNCTION constexpr mdspan(data_handle_type p, const mapping_type& mapping,
                                const Accessor& accessor)
      : own_(p, mapping, accessor) {}
  /// From an mdspan whose mapping and accessor convert. Implicit if the conversion adds const or
  /// drops fixed extents; otherwise explicit.
  template <class U, class E, class L, class A>
    requires(std::is_constructible_v<mapping_type, const typename L::template mapping<E>&> &&
             std::is_constructible_v<Accessor, const A&>)
  HPK_FUNCTION constexpr explicit(
      !std::is_convertible_v<const typename L::template mapping<E>&, mapping_type> ||
      !std::is_convertible_v<const E&, Extents> || !std::is_convertible_v<const A&, Accessor>)
      mdspan(const mdspan<U, E, L, A>& other)
      : own_(other.data_handle(), mapping_type(other.mapping()), Accessor(other.accessor())) {}

  /// Converts to a View of the elements, which owns nothing. The View's memory space must be the
  /// space of the memory. Exists for Views of the same rank and the same or const element type;
  /// layouts are as in the conversion of a View to an mdspan. Throws hpk::error for extents and
  /// strides that the View can't have.
  HPK_CALLS_EITHER
  template <class D, class... Ps>
    requires(detail::spans_convert<typename View<D, Ps...>::mdspan_type, mdspan>() &&
             mapping_type::is_always_strided())
  HPK_FUNCTION constexpr operator View<D, Ps...>() const {
    return View<D, Ps...>(data_handle(), mapping());
  }

  /// The element at the indices, one for each dimension.
  HPK_CALLS_EITHER
  template <class... Is>
    requires(sizeof...(Is) == Extents::rank() && (std::is_convertible_v<Is, index_type> && ...))
  HPK_FORCEINLINE_FUNCTION constexpr reference operator()(Is... is) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) check(static_cast<index_t>(is)...);
    return own_.rest().access(own_.data,
                              static_cast<std::size_t>(own_.map()(static_cast<index_type>(is)...)));
  }
  /// The element at the indices in a std::array, std::span or similar object.
  HPK_CALLS_EITHER
  template <class A>
    requires(detail::count_in<A> == static_cast<int>(Extents::rank()))
  HPK_FORCEINLINE_FUNCTION constexpr reference operator()(const A& index) const {
    return [&]<std::size_t... Rs>(std::index_sequence<Rs...>) -> reference {
      return (*this)(index[Rs]...);
    }(std::make_index_sequence<Extents::rank()>());
  }
  /// The element at an index, for rank 1; in C++23 at as many indices as the rank.
  HPK_CALLS_EITHER
  template <class HPK_DETAIL_SUBSCRIPTS Is>
    requires(detail::type_list<Is HPK_DETAIL_SUBSCRIPTS>::size == Extents::rank()) &&
            requires(const mdspan& m, Is HPK_DETAIL_SUBSCRIPTS is) { m(is HPK_DETAIL_SUBSCRIPTS); }
  HPK_FORCEINLINE_FUNCTION constexpr reference operator[](Is HPK_DETAIL_SUBSCRIPTS is) const {
    return (*this)(is HPK_DETAIL_SUBSCRIPTS);
  }
  /// The same as operator() with an array, for ranks other than 1; for rank 1 the other operator[]
  /// applies.
  HPK_CALLS_EITHER
  template <class A>
    requires(Extents::rank() != 1 && detail::count_in<A> == static_cast<int>(Extents::rank()))
  HPK_FORCEINLINE_FUNCTION constexpr reference operator[](const A& index) const {
    return (*this)(index);
  }

  /// The number of elements.
  HPK_FUNCTION constexpr size_type size() const noexcept {
    size_type count = 1;
    for (rank_type r = 0; r != rank(); ++r) count *= static_cast<size_type>(extent(r));
    return count;
  }
  /// Whether there are no elements.
  HPK_FUNCTION constexpr bool empty() const noexcept { return size() == 0; }

  /// @{
  /// The parts of the mdspan, as in std::mdspan.
  HPK_FUNCTION constexpr const Extents& extents() const noexcept { return own_.map().extents(); }
  HPK_FUNCTION constexpr const data_handle_type& data_handle() const noexcept { return own_.data; }
  HPK_FUNCTION constexpr const mapping_type& mapping() const noexcept { return own_.map(); }
  HPK_FUNCTION constexpr const Accessor& accessor() const noexcept { return own_.rest(); }
  /// @}
  /// The distance in elements between neighbours in dimension r.
  HPK_FUNCTION constexpr index_type stride(rank_type r) const { return own_.map().stride(r); }

  /// @{
  /// Properties of the mapping. Unique: no two elements share an address. Exhaustive: no gaps.
  /// Strided: stride(r) exists. is_always_...: for all objects of the type.
  HPK_FUNCTION static constexpr bool is_always_unique() { return mapping_type::is_always_unique(); }
  HPK_FUNCTION static constexpr bool is_always_exhaustive() {
    return mapping_type::is_always_exhaustive();
  }
  HPK_FUNCTION static constexpr bool is_always_strided() {
    return mapping_type::is_always_strided();
  }
  HPK_FUNCTION constexpr bool is_unique() const { return own_.map().is_unique(); }
  HPK_FUNCTION constexpr bool is_exhaustive() const { return own_.map().is_exhaustive(); }
  HPK_FUNCTION constexpr bool is_strided() const { return own_.map().is_strided(); }
  /// @}

 private:
  template <class... Is>
  HPK_FUNCTION constexpr void check(Is... is) const {
    const index_t index[] = {is..., 0};
    index_t shape[sizeof...(Is) + 1] = {};
    bool inside = true;
    for (rank_type r = 0; r != sizeof...(Is); ++r) {
      shape[r] = static_cast<index_t>(extent(r));
      inside = inside && index[r] >= 0 && index[r] < shape[r];
    }
    if (inside) return;
    HPK_IF_ON_HOST((detail::reject_mdspan_index(static_cast<int>(rank()), index, shape);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::mdspan: an index is outside of the extents");))
  }

  detail::mapped_handle<data_handle_type, mapping_type, Accessor> own_;
};

/// @{
/// Element type, extents, layout and accessor of the arguments. Numbers are run-time extents of
/// std::size_t, a C array has a fixed extent, and a pointer alone makes an mdspan of rank 0.
template <class T, class... Is>
  requires((std::is_convertible_v<Is, std::size_t> && ...) && sizeof...(Is) != 0)
mdspan(T*, Is...) -> mdspan<T, dextents<std::size_t, sizeof...(Is)>>;
template <class T, class A>
  requires(detail::count_in<A> > 0)
mdspan(T*, const A&) -> mdspan<T, dextents<std::size_t, detail::rank_in<A>>>;
template <class T, std::size_t N>
mdspan(T (&)[N]) -> mdspan<T, extents<std::size_t, N>>;
template <class Pointer>
  requires std::is_pointer_v<std::remove_reference_t<Pointer>>
mdspan(Pointer&&)
    -> mdspan<std::remove_pointer_t<std::remove_reference_t<Pointer>>, extents<std::size_t>>;
template <class T, class I, std::size_t... Es>
mdspan(T*, const extents<I, Es...>&) -> mdspan<T, extents<I, Es...>>;
template <class T, class Mapping>
  requires requires { typename Mapping::layout_type; }
mdspan(T*, const Mapping&)
    -> mdspan<T, typename Mapping::extents_type, typename Mapping::layout_type>;
template <class Mapping, class Accessor>
mdspan(const typename Accessor::data_handle_type&, const Mapping&, const Accessor&)
    -> mdspan<typename Accessor::element_type, typename Mapping::extents_type,
              typename Mapping::layout_type, Accessor>;
/// @}

namespace detail {

/// The layout of a submdspan. The layout stays LayoutRight if the last slice is ALL or a range and
/// at most one other dimension remains; or if the slice of the first remaining dimension is ALL or
/// a range and all slices after it are ALL. The rule for LayoutLeft is the mirror image. All other
/// parts have LayoutStride.
template <class Layout, class... Slices>
constexpr auto layout_of_part() {
  constexpr bool fits = [] {
    constexpr std::size_t count = sizeof...(Slices);
    constexpr bool from_left = std::is_same_v<Layout, LayoutLeft>;
    const slice_kind kinds[] = {kind_of_slice<Slices>()..., slice_kind::none};
    const auto kind = [&](std::size_t k) { return kinds[from_left ? k : count - 1 - k]; };
    if (!from_left && !std::is_same_v<Layout, LayoutRight>) return false;
    std::size_t kept = 0;
    for (std::size_t k = 0; k != count; ++k) kept += kind(k) != slice_kind::index;
    if (kept == 0) return true;
    if (kind(0) != slice_kind::all && kind(0) != slice_kind::range) return false;
    if (kept <= 2) return true;
    std::size_t whole = 0;
    while (whole != count && kind(whole) == slice_kind::all) ++whole;
    return whole + 1 >= kept && (whole == kept || kind(whole) == slice_kind::range);
  }();
  return std::conditional_t<fits, std::type_identity<Layout>, std::type_identity<LayoutStride>>();
}

/// A list of extents; operator+ appends another list.
template <class I, std::size_t... Es>
struct extents_list {
  using type = hpk::extents<I, Es...>;
  template <std::size_t... More>
  constexpr extents_list<I, Es..., More...> operator+(extents_list<I, More...>) const {
    return {};
  }
};
/// The extent of a dimension after its slice: no extent, the same, or a run-time extent.
template <class I, class Slice, std::size_t E>
constexpr auto extent_of_part() {
  constexpr slice_kind kind = kind_of_slice<Slice>();
  if constexpr (kind == slice_kind::index) {
    return extents_list<I>();
  } else {
    return extents_list<I, kind == slice_kind::all ? E : dynamic_extent>();
  }
}
}  // namespace detail

/// Returns a part of an mdspan, with one slice for each dimension: an integer removes the
/// dimension; full_extent, a pair {first, end} and a strided_slice keep it. In checked builds
/// throws hpk::error for a slice outside of the extents.
HPK_CALLS_EITHER
template <class T, class I, std::size_t... Es, class Layout, class Accessor, class... Slices>
HPK_FUNCTION constexpr auto submdspan(const mdspan<T, extents<I, Es...>, Layout, Accessor>& source,
                                      Slices... slices) {
  static_assert(sizeof...(Slices) == sizeof...(Es),
                "hpk::submdspan: write one slice for each dimension; hpk::full_extent keeps the "
                "whole of it");
  static_assert(((detail::kind_of_slice<Slices>() != detail::slice_kind::none) && ...),
                "hpk::submdspan: a slice is an integer, hpk::full_extent, a pair {first, end} or a "
                "hpk::strided_slice");
  using shape = typename decltype((detail::extents_list<I>() + ... +
                                   detail::extent_of_part<I, Slices, Es>()))::type;
  using layout =
      typename decltype(detail::layout_of_part<detail::unpadded_layout<Layout>, Slices...>())::type;
  using result = mdspan<T, shape, layout, typename Accessor::offset_policy>;
  constexpr std::size_t rank = sizeof...(Es);
  std::size_t r = 0;
  const detail::kept_indices kept[] = {
      detail::kept_by(slices, static_cast<index_t>(source.extent(r++)))..., {}};
  constexpr bool is_kept[] = {detail::kind_of_slice<Slices>() != detail::slice_kind::index...,
                              false};
  I sizes[rank + 1] = {};
  I steps[rank + 1] = {};
  std::size_t offset = 0;
  bool is_empty = false;
  std::size_t next = 0;
  for (std::size_t k = 0; k != rank; ++k) {
    const index_t extent = static_cast<index_t>(source.extent(k));
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (!is_inside(kept[k], extent)) {
        HPK_IF_ON_HOST((detail::reject_mdspan_slice(k, kept[k], extent);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::submdspan: a slice is outside of the extents");))
      }
    }
    is_empty = is_empty || kept[k].first >= extent;
    offset += static_cast<std::size_t>(kept[k].first) * static_cast<std::size_t>(source.stride(k));
    if (is_kept[k]) {
      sizes[next] = static_cast<I>(kept[k].count);
      steps[next++] = static_cast<I>(kept[k].step * static_cast<index_t>(source.stride(k)));
    }
  }
  return result(source.accessor().offset(source.data_handle(), is_empty ? 0 : offset),
                typename result::mapping_type(shape::from(sizes), steps),
                typename Accessor::offset_policy(source.accessor()));
}

/// Returns an hpk::mdspan of the elements of a View with the same element type, fixed extents and
/// layout, if the standard library has no mdspan. Access is plain.
template <class D, class... Ps>
  requires(!detail::has_std_mdspan)
auto to_mdspan(const View<D, Ps...>& view) {
  using view_type = View<D, Ps...>;
  return to_mdspan<mdspan<typename view_type::value_type, typename view_type::extents_type,
                          typename view_type::layout_type>>(view);
}
/// Returns an hpk::mdspan with an accessor policy, which determines the element type.
template <class D, class... Ps, class Accessor>
  requires(!detail::has_std_mdspan)
auto to_mdspan(const View<D, Ps...>& view, const Accessor& accessor) {
  using view_type = View<D, Ps...>;
  return to_mdspan<mdspan<typename Accessor::element_type, typename view_type::extents_type,
                          typename view_type::layout_type, Accessor>>(view, accessor);
}

namespace detail {
template <class V>
struct include_hpk_mdspan_hpp {
  template <class T, class Accessor>
  using span = mdspan<T, typename V::extents_type, typename V::layout_type, Accessor>;

  HPK_CALLS_EITHER
  HPK_FUNCTION static constexpr auto mapping(const V& view) { return get_mapping(view); }
  HPK_FUNCTION static constexpr auto accessor(const V& view) noexcept { return get_accessor(view); }
  HPK_CALLS_EITHER
  HPK_FUNCTION static constexpr auto plain(const V& view) {
    return span<typename V::value_type, default_accessor<typename V::value_type>>(
        view.data(), get_mapping(view));
  }
  HPK_CALLS_EITHER
  template <class Accessor>
  HPK_FUNCTION static constexpr auto with(const V& view, const Accessor& accessor) {
    return span<typename Accessor::element_type, Accessor>(
        typename Accessor::data_handle_type(view.data()), get_mapping(view), accessor);
  }

  template <class M>
  static constexpr bool converts =
      spans_convert<M, typename V::mdspan_type>() && V::is_always_strided();
  HPK_CALLS_EITHER
  template <class M>
  HPK_FUNCTION static constexpr M as(const V& view) {
    return M(view.data(), mapping_as<M>(view), typename M::accessor_type(get_accessor(view)));
  }
};
}  // namespace detail

}  // namespace hpk
