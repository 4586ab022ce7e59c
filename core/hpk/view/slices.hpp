// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slices of a subview, and the type of the result, which has the most specific layout and fixed
// extents that the types can prove.
#pragma once

#include <hpk/view/assign.hpp>

#include <initializer_list>

namespace hpk {

/// The type of ALL, a slice that keeps a whole dimension: subview(v, ALL, 3). May be called: ALL().
struct ALL_t {
  /// ALL itself, for programs that write ALL().
  HPK_FUNCTION constexpr const ALL_t& operator()() const { return *this; }
  /// True: the class has only one value.
  HPK_FUNCTION friend constexpr bool operator==(ALL_t, ALL_t) { return true; }
};
/// Keeps a whole dimension.
inline constexpr ALL_t ALL{};

/// A slice that selects every `stride`-th index of [offset, offset + extent), beginning with
/// offset. stride > 0.
template <class Offset, class Extent, class Stride>
struct strided_slice {
  Offset offset{};  ///< the first index
  Extent extent{};  ///< the number of indices from which it selects
  Stride stride{};  ///< the step
};
/// The types of the arguments.
template <class Offset, class Extent, class Stride>
strided_slice(Offset, Extent, Stride) -> strided_slice<Offset, Extent, Stride>;

namespace detail {

/// The kinds of slices.
enum class slice_kind {
  index,    ///< an integer: removes the dimension
  all,      ///< ALL
  range,    ///< [first, second)
  strided,  ///< strided_slice
  none      ///< no slice
};

template <class T>
concept pair_like = requires(const T& pair) {
  requires is_index_like_v<decltype(pair.first)>;
  requires is_index_like_v<decltype(pair.second)>;
};
template <class T>
inline constexpr bool is_index_list_v = false;
template <class I>
inline constexpr bool is_index_list_v<std::initializer_list<I>> = is_index_like_v<I>;

template <class T>
HPK_FUNCTION constexpr slice_kind kind_of_slice() {
  return is_index_like_v<T>                      ? slice_kind::index
         : std::is_same_v<T, ALL_t>              ? slice_kind::all
         : pair_like<T> || is_index_list_v<T>    ? slice_kind::range
         : is_specialization_v<T, strided_slice> ? slice_kind::strided
                                                 : slice_kind::none;
}

/// The indices of a dimension that a slice selects: `count` indices from `first` in steps of
/// `step`.
struct kept_indices {
  index_t first;
  index_t count;
  index_t step;
};

/// Whether the indices are within a dimension. An empty slice may begin at its end.
HPK_INLINE_FUNCTION constexpr bool is_inside(const kept_indices& kept, index_t extent) {
  if (kept.first < 0 || kept.count < 0 || kept.step <= 0) return false;
  if (kept.count == 0) return kept.first <= extent;
  return kept.first < extent && (kept.count - 1) * kept.step < extent - kept.first;
}

HPK_CALLS_EITHER
template <class Slice>
HPK_FORCEINLINE_FUNCTION constexpr kept_indices kept_by(const Slice& slice,
                                                        [[maybe_unused]] index_t extent) {
  constexpr slice_kind kind = kind_of_slice<Slice>();
  if constexpr (kind == slice_kind::index) {
    return {static_cast<index_t>(slice), 1, 1};
  } else if constexpr (kind == slice_kind::all) {
    return {0, extent, 1};
  } else if constexpr (pair_like<Slice>) {
    const auto first = static_cast<index_t>(slice.first);
    return {first, static_cast<index_t>(slice.second) - first, 1};
  } else if constexpr (kind == slice_kind::range) {
    const auto first = static_cast<index_t>(slice.begin()[0]);
    return {first, static_cast<index_t>(slice.begin()[1]) - first, 1};
  } else {
    const auto step = static_cast<index_t>(slice.stride);
    const auto extent_of_slice = static_cast<index_t>(slice.extent);
    return {static_cast<index_t>(slice.offset),
            step <= 0 ? -1 : (extent_of_slice + step - 1) / step, step};
  }
}

/// The shape of a subview as far as the types determine it.
struct part_shape {
  int rank = 0;
  index_t extents[max_rank] = {};
  int kept[max_rank] = {};  ///< for each dimension, the corresponding dimension of the source
  bool is_pitched = false;  ///< whether the subview has the layout of the source
};

/// `row`: the dimension of stride 1 if the source has rows, else -1.
template <class List, slice_kind... Kinds>
HPK_FUNCTION constexpr part_shape shape_of_part(int row, bool source_has_pitch) {
  constexpr slice_kind kinds[] = {Kinds..., slice_kind::none};
  constexpr int source_rank = sizeof...(Kinds);
  part_shape part;
  for (int r = 0; r < source_rank; ++r) {
    if (kinds[r] != slice_kind::index) part.kept[part.rank++] = r;
  }
  if (part.rank == 0) {
    part.is_pitched = true;
    return part;
  }
  const int last = part.rank - 1;
  // Fixed extents come last in a data type: an extent may stay fixed only if all following extents
  // do.
  bool fixed = true;
  for (int k = last; k >= 0; --k) {
    const index_t extent = List::value(part.kept[k]);
    fixed = fixed && kinds[part.kept[k]] == slice_kind::all && extent != dynamic;
    part.extents[k] = fixed ? extent : dynamic;
  }
  if (row < 0) return part;
  // The subview has rows if the source's row stays contiguous, if each dimension after the second
  // continues the previous dimension without a gap, and if no slice is strided.
  const int step = row == 0 ? 1 : -1;
  const int own_row = row == 0 ? 0 : last;
  bool tight = part.kept[own_row] == row && kinds[row] != slice_kind::strided;
  for (int k = own_row + 2 * step; k >= 0 && k <= last; k += step) {
    const int before = part.kept[k - step];
    tight = tight && part.kept[k] == before + step && kinds[before] == slice_kind::all;
  }
  for (int k = 0; k <= last; ++k) tight = tight && kinds[part.kept[k]] != slice_kind::strided;
  part.is_pitched = tight;
  // A pitch that differs from the extent of the row needs a type that stores it.
  const bool next = part.rank < 2 || part.kept[own_row + step] == row + step;
  if (tight && part.rank >= 2 && part.extents[own_row] != dynamic && (source_has_pitch || !next)) {
    for (int k = 0; k <= own_row; ++k) part.extents[k] = dynamic;
  }
  return part;
}

/// The type of a subview of V with slices of these types.
template <class V, class Map, class List, class... Slices>
struct part_type {
  static constexpr int row = [] {
    if constexpr (is_pitched<Map>) {
      return Map::row;
    } else {
      return -1;
    }
  }();
  static constexpr bool source_has_pitch = [] {
    if constexpr (is_pitched<Map>) {
      return Map::has_pitch;
    } else {
      return false;
    }
  }();
  static constexpr part_shape shape =
      shape_of_part<List, kind_of_slice<Slices>()...>(row, source_has_pitch);

  template <class Sequence>
  struct extents_of;
  template <std::size_t... Rs>
  struct extents_of<std::index_sequence<Rs...>> {
    using type = typename List::template like<shape.extents[Rs]...>;
  };
  using extents =
      typename extents_of<std::make_index_sequence<static_cast<std::size_t>(shape.rank)>>::type;
  using layout = std::conditional_t<shape.is_pitched, typename V::array_layout, LayoutStride>;
};

}  // namespace detail
}  // namespace hpk
