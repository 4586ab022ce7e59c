// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of OffsetViews: subview, comparison, deep_copy, mirrors, resize and realloc. All other
// functions are those of View and count indices from 0.
#pragma once

#include <hpk/containers/offset_view.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk {

namespace detail {

template <class T>
inline constexpr bool is_pair_slice = requires(const T& slice) {
  slice.first;
  slice.second;
};

/// Converts a slice to indices from 0. In checked builds reports a slice that is not within begin
/// and end.
template <class V, class Slice>
HPK_FUNCTION auto shifted_slice(const V& view, int dimension, const Slice& slice) {
  const std::int64_t begin = view.begin(static_cast<std::size_t>(dimension));
  [[maybe_unused]] const auto check = [&](std::int64_t first, std::int64_t end) {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      const std::int64_t limit = view.end(static_cast<std::size_t>(dimension));
      if (first < begin || end < first || end > limit) {
        HPK_IF_ON_HOST((reject_offset_slice(view.label(), dimension, first, end, begin, limit);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::subview: a slice is outside of begins and ends");))
      }
    }
  };
  if constexpr (std::is_same_v<Slice, ALL_t>) {
    return slice;
  } else if constexpr (std::is_convertible_v<Slice, std::int64_t>) {
    const auto index = static_cast<std::int64_t>(slice);
    check(index, index + 1);
    return index - begin;
  } else if constexpr (is_pair_slice<Slice>) {
    const auto first = static_cast<std::int64_t>(slice.first);
    const auto end = static_cast<std::int64_t>(slice.second);
    check(first, end);
    return hpk::pair<std::int64_t, std::int64_t>(first - begin, end - begin);
  } else if constexpr (requires {
                         slice.offset;
                         slice.extent;
                         slice.stride;
                       }) {
    const auto first = static_cast<std::int64_t>(slice.offset);
    const auto extent = static_cast<std::int64_t>(slice.extent);
    check(first, first + extent);
    return strided_slice<std::int64_t, std::int64_t, std::int64_t>{
        first - begin, extent, static_cast<std::int64_t>(slice.stride)};
  } else {
    return slice;
  }
}

template <class V, class... Slices, std::size_t... Rs>
HPK_FUNCTION auto cut_offset_view(const V& view, std::index_sequence<Rs...>,
                                  const Slices&... slices) {
  const auto part = hpk::subview(view.view(), shifted_slice(view, static_cast<int>(Rs), slices)...);
  using part_type = std::remove_const_t<decltype(part)>;
  Array<std::int64_t, part_type::rank()> begins{};
  [[maybe_unused]] std::size_t part_rank = 0;
  [[maybe_unused]] const auto add_begin = [&](bool is_index, bool is_all, std::size_t r) {
    if (is_index) return;
    begins.data()[part_rank++] = is_all ? view.begin(r) : 0;
  };
  (add_begin(std::is_convertible_v<Slices, std::int64_t>, std::is_same_v<Slices, ALL_t>, Rs), ...);
  return offset_view_of_t<part_type>(part, begins);
}

/// Copies the elements whose indices are in both: on an instance without waiting, or, if `exec` is
/// null, waits.
template <class V, std::size_t... Rs, class Exec>
void copy_common(const V& made, const V& view, const std::source_location& where,
                 std::index_sequence<Rs...> dimensions, const Exec& exec) {
  pair<std::int64_t, std::int64_t> common[sizeof...(Rs) + 1];
  bool any = view.is_allocated();
  for (std::size_t k = 0; k != sizeof...(Rs); ++k) {
    common[k].first = made.begin(k) < view.begin(k) ? view.begin(k) : made.begin(k);
    common[k].second = made.end(k) < view.end(k) ? made.end(k) : view.end(k);
    any = any && common[k].first < common[k].second;
  }
  if (!any) return;
  const auto to = cut_offset_view(made, dimensions, common[Rs]...).view();
  const auto from = cut_offset_view(view, dimensions, common[Rs]...).view();
  if constexpr (std::is_null_pointer_v<Exec>) {
    hpk::deep_copy(to, from, where);
  } else {
    hpk::deep_copy(exec, to, from, where);
  }
}

/// Replaces the memory by new memory for the ranges. If KeepElements, copies the elements whose
/// indices are in both old and new ranges.
template <bool KeepElements, class V, class Allocation>
void replace_offset_view(V& view, const Allocation& allocation, const offset_range (&r)[8],
                         const std::source_location& where) {
  constexpr bool well_formed = !Allocation::has_label && !Allocation::has_memory_space;
  static_assert(well_formed,
                "hpk::resize and hpk::realloc: an OffsetView keeps label and memory space; leave "
                "them out of view_alloc");
  if constexpr (well_formed) {
    const V made(hpk::with_label(allocation, view.label()), r[0], r[1], r[2], r[3], r[4], r[5],
                 r[6], r[7], where);
    if constexpr (KeepElements) {
      copy_common(made, view, where, std::make_index_sequence<V::rank()>(), [&] {
        if constexpr (Allocation::has_instance) {
          return allocation.instance;
        } else {
          return nullptr;
        }
      }());
    }
    view = made;
  }
}

}  // namespace detail

/// Returns a part of an OffsetView, with one slice for each dimension. ALL keeps the begin. A
/// half-open pair {first, end} of indices, or a strided_slice, makes a dimension that begins at 0.
/// An integer removes the dimension.
HPK_CALLS_EITHER
template <class D, class... Ps, class... Slices>
HPK_FUNCTION auto subview(const OffsetView<D, Ps...>& source, Slices... slices) {
  constexpr bool one_each = sizeof...(Slices) == OffsetView<D, Ps...>::rank();
  static_assert(one_each,
                "hpk::subview: write one slice for each dimension of the OffsetView; hpk::ALL "
                "keeps the whole dimension");
  if constexpr (one_each) {
    return detail::cut_offset_view(source, std::make_index_sequence<sizeof...(Slices)>(),
                                   slices...);
  } else {
    return source;
  }
}

/// Exchanges two OffsetViews, without copying elements.
template <class D, class... Ps>
HPK_FUNCTION void swap(OffsetView<D, Ps...>& a, OffsetView<D, Ps...>& b) noexcept {
  a.swap(b);
}

/// Whether both are the same View, by == of Views, and have the same begins.
template <class D, class... Ps, class E, class... Qs>
bool operator==(const OffsetView<D, Ps...>& a, const OffsetView<E, Qs...>& b) noexcept {
  bool same = a.view() == b.view();
  for (std::size_t r = 0; same && r != OffsetView<D, Ps...>::rank(); ++r)
    same = a.begin(r) == b.begin(r);
  return same;
}
/// Whether both have the same elements. Begins are ignored.
template <class D, class... Ps, class E, class... Qs>
bool operator==(const OffsetView<D, Ps...>& a, const View<E, Qs...>& b) noexcept {
  return a.view() == b;
}

/// Copies all elements, as deep_copy of Views does. The extents must be equal; the begins may
/// differ. dst is passed by value, so that these overloads are preferred to those that take a
/// variable.
///@{
template <class D, class... Ps, class S, class... Qs>
void deep_copy(OffsetView<D, Ps...> dst, const OffsetView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(dst.view(), src.view(), where);
}
template <class D, class... Ps, class S, class... Qs>
void deep_copy(OffsetView<D, Ps...> dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(dst.view(), src, where);
}
///@}
/// Sets all elements to a value.
template <class D, class... Ps, class T>
  requires(!is_view_v<T> && !is_offset_view_v<T> &&
           std::is_convertible_v<const T&, typename OffsetView<D, Ps...>::value_type>)
void deep_copy(const OffsetView<D, Ps...>& dst, const T& value,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(dst.view(), value, where);
}
/// The same, queued on an instance, without waiting.
///@{
template <ExecutionSpace Exec, class D, class... Ps, class S, class... Qs>
void deep_copy(const Exec& exec, OffsetView<D, Ps...> dst, const OffsetView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(exec, dst.view(), src.view(), where);
}
template <ExecutionSpace Exec, class D, class... Ps, class S, class... Qs>
void deep_copy(const Exec& exec, OffsetView<D, Ps...> dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(exec, dst.view(), src, where);
}
template <ExecutionSpace Exec, class D, class... Ps, class T>
  requires(!is_view_v<T> && !is_offset_view_v<T> &&
           std::is_convertible_v<const T&, typename OffsetView<D, Ps...>::value_type>)
void deep_copy(const Exec& exec, const OffsetView<D, Ps...>& dst, const T& value,
               const std::source_location& where = std::source_location::current()) {
  deep_copy(exec, dst.view(), value, where);
}
///@}

/// Gives OffsetViews all forms of create_mirror, create_mirror_view and create_mirror_view_and_copy
/// that Views have. Mirrors have the same begins.
template <class D, class... Ps>
auto mirrors_of(const OffsetView<D, Ps...>&) {
  return []<class Mirror>(const OffsetView<D, Ps...>& source, const Mirror& mirror) {
    const auto view = mirror(source.view());
    return detail::offset_view_of_t<std::remove_const_t<decltype(view)>>(view, source.begins());
  };
}

/// Gives an OffsetView new ranges and keeps the elements whose indices are in both old and new
/// ranges: resize(view, {-2, 9}). With extents instead of ranges, resize of View is called, and the
/// begins stay.
template <class D, class... Ps>
void resize(OffsetView<D, Ps...>& view, offset_range r0, offset_range r1 = {}, offset_range r2 = {},
            offset_range r3 = {}, offset_range r4 = {}, offset_range r5 = {}, offset_range r6 = {},
            offset_range r7 = {},
            const std::source_location& where = std::source_location::current()) {
  detail::replace_offset_view<true>(view, view_alloc(), {r0, r1, r2, r3, r4, r5, r6, r7}, where);
}
/// The same with the properties of view_alloc(...).
template <view_alloc_properties Allocation, class D, class... Ps>
void resize(const Allocation& allocation, OffsetView<D, Ps...>& view, offset_range r0,
            offset_range r1 = {}, offset_range r2 = {}, offset_range r3 = {}, offset_range r4 = {},
            offset_range r5 = {}, offset_range r6 = {}, offset_range r7 = {},
            const std::source_location& where = std::source_location::current()) {
  detail::replace_offset_view<true>(view, allocation, {r0, r1, r2, r3, r4, r5, r6, r7}, where);
}
/// Gives an OffsetView new ranges and new elements.
template <class D, class... Ps>
void realloc(OffsetView<D, Ps...>& view, offset_range r0, offset_range r1 = {},
             offset_range r2 = {}, offset_range r3 = {}, offset_range r4 = {}, offset_range r5 = {},
             offset_range r6 = {}, offset_range r7 = {},
             const std::source_location& where = std::source_location::current()) {
  detail::replace_offset_view<false>(view, view_alloc(), {r0, r1, r2, r3, r4, r5, r6, r7}, where);
}
/// The same with the properties of view_alloc(...).
template <view_alloc_properties Allocation, class D, class... Ps>
void realloc(const Allocation& allocation, OffsetView<D, Ps...>& view, offset_range r0,
             offset_range r1 = {}, offset_range r2 = {}, offset_range r3 = {}, offset_range r4 = {},
             offset_range r5 = {}, offset_range r6 = {}, offset_range r7 = {},
             const std::source_location& where = std::source_location::current()) {
  detail::replace_offset_view<false>(view, allocation, {r0, r1, r2, r3, r4, r5, r6, r7}, where);
}

}  // namespace hpk
