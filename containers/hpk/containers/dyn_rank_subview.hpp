// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// subview of a DynRankView: a DynRankView of a part of the elements that shares the memory.
#pragma once

#include <hpk/containers/dyn_rank_handle.hpp>

namespace hpk {

namespace detail {

/// The indices of a dimension that a slice selects: first, first + step, ..., `count` of them.
struct dyn_rank_slice {
  index_t first = 0;
  index_t count = 1;
  index_t step = 1;
  bool is_index = false;  ///< removes the dimension
};

template <class T>
concept index_pair = requires(const T& pair) {
  requires index_argument<decltype(pair.first)>;
  requires index_argument<decltype(pair.second)>;
};
template <class T>
inline constexpr bool is_strided_slice_v = false;
template <class O, class E, class S>
inline constexpr bool is_strided_slice_v<strided_slice<O, E, S>> = true;
template <class T>
concept slice_argument =
    index_argument<T> || std::is_same_v<T, ALL_t> || index_pair<T> || is_strided_slice_v<T>;

HPK_CALLS_EITHER
template <class Slice>
HPK_FUNCTION constexpr dyn_rank_slice read_slice(const Slice& slice,
                                                 [[maybe_unused]] index_t extent) {
  if constexpr (index_argument<Slice>) {
    return {static_cast<index_t>(slice), 1, 1, true};
  } else if constexpr (std::is_same_v<Slice, ALL_t>) {
    return {0, extent, 1, false};
  } else if constexpr (index_pair<Slice>) {
    const auto first = static_cast<index_t>(slice.first);
    return {first, static_cast<index_t>(slice.second) - first, 1, false};
  } else {
    const auto step = static_cast<index_t>(slice.stride);
    const auto extent_of_slice = static_cast<index_t>(slice.extent);
    return {static_cast<index_t>(slice.offset),
            step <= 0 ? -1 : (extent_of_slice + step - 1) / step, step, false};
  }
}

/// Whether the indices are within a dimension. An empty slice may begin at the end of the
/// dimension.
HPK_INLINE_FUNCTION constexpr bool is_inside(const dyn_rank_slice& slice, index_t extent) {
  if (slice.first < 0 || slice.count < 0 || slice.step <= 0) return false;
  if (slice.count == 0) return slice.first <= extent;
  return slice.first < extent && (slice.count - 1) * slice.step < extent - slice.first;
}

/// Throws hpk::error: there are fewer slices than the rank.
[[noreturn]] void reject_dyn_rank_slices(std::string_view label, const dyn_rank_shape& shape,
                                         int count);
/// Throws hpk::error: a slice is not within its dimension, or a surplus slice is neither 0 nor ALL.
[[noreturn]] void reject_dyn_rank_slice(std::string_view label, const dyn_rank_shape& shape,
                                        int dimension, const dyn_rank_slice& slice);

/// Sets `part` to the shape of the selected elements. Returns the offset of the first one.
HPK_INLINE_FUNCTION constexpr index_t cut_shape(dyn_rank_shape& part, const dyn_rank_shape& source,
                                                const dyn_rank_slice* slices) {
  index_t offset = 0;
  for (int r = 0; r != most_run_time_rank; ++r) part.extents[r] = part.strides[r] = 1;
  for (int r = 0; r != source.rank; ++r) {
    offset += slices[r].first * source.strides[r];
    if (slices[r].is_index) continue;
    part.extents[part.rank] = slices[r].count;
    part.strides[part.rank] = slices[r].step * source.strides[r];
    ++part.rank;
  }
  return part.size() == 0 ? 0 : offset;
}

/// The type of subview(v, slices...) for a DynRankView of type V.
template <class V, class Flat>
struct dyn_rank_part {
  using type =
      std::conditional_t<std::is_same_v<typename Flat::memory_traits, MemoryTraits<>>,
                         DynRankView<typename V::value_type, LayoutStride, typename V::device_type>,
                         DynRankView<typename V::value_type, LayoutStride, typename V::device_type,
                                     typename Flat::memory_traits>>;
};

}  // namespace detail

/// Returns a DynRankView of a part of the elements of `source`, which shares its memory; elements
/// are not copied. Takes one slice for each dimension:
///   an integer i          removes the dimension; its index is i
///   ALL                   the whole dimension
///   a pair {first, end}   the indices [first, end); first == end is empty
///   strided_slice{f,n,s}  every s-th index of [f, f + n)
/// Surplus slices must be 0 or ALL, and add no dimension. The layout is always LayoutStride; the
/// Aligned trait is dropped. Throws hpk::error if there are fewer slices than the rank, and, when
/// HPK_CHECKS is 1, if a slice is not within its extent. May be called in kernels.
HPK_CALLS_EITHER
template <class D, class... Ps, class... Slices>
HPK_FUNCTION auto subview(const DynRankView<D, Ps...>& source, Slices... slices) {
  using view = DynRankView<D, Ps...>;
  constexpr bool known = (detail::slice_argument<Slices> && ...);
  static_assert(known,
                "hpk::subview: a slice is an integer, hpk::ALL, a pair {first, end} or a "
                "hpk::strided_slice");
  constexpr bool fits_rank = sizeof...(Slices) <= detail::most_run_time_rank;
  static_assert(fits_rank,
                "hpk::subview: a DynRankView has 7 dimensions at most; write at most 7 slices");
  if constexpr (known && fits_rank) {
    constexpr int count = static_cast<int>(sizeof...(Slices));
    const detail::dyn_rank_shape& shape = detail::dyn_rank_access::shape(source);
    if (count < shape.rank) {
      HPK_IF_ON_HOST((detail::reject_dyn_rank_slices(source.label(), shape, count);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::subview: fewer slices than the rank");))
    }
    int r = 0;
    const detail::dyn_rank_slice ranges[] = {detail::read_slice(slices, shape.extents[r++])...,
                                             detail::dyn_rank_slice{}};
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      for (r = 0; r != count; ++r) {
        if (detail::is_inside(ranges[r], shape.extents[r])) continue;
        HPK_IF_ON_HOST((detail::reject_dyn_rank_slice(source.label(), shape, r, ranges[r]);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::subview: a slice is outside of the extents");))
      }
    }
    detail::dyn_rank_shape part;
    const index_t offset = detail::cut_shape(part, shape, ranges);
    const auto elements = subview(detail::dyn_rank_access::elements(source),
                                  hpk::pair<index_t, index_t>(offset, offset + part.span()));
    using flat = std::remove_const_t<decltype(elements)>;
    using result = typename detail::dyn_rank_part<view, flat>::type;
    return detail::dyn_rank_access::make<result>(elements, part);
  }
}
/// subview() under the older name of Kokkos.
HPK_CALLS_EITHER
template <class D, class... Ps, class... Slices>
HPK_FUNCTION auto subdynrankview(const DynRankView<D, Ps...>& source, Slices... slices) {
  return subview(source, slices...);
}

}  // namespace hpk
