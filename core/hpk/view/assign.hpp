// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which View converts to which, and the shapes that mappings are set from: by extents, by a layout
// object, or by another View's mapping.
#pragma once

#include <hpk/view/bounds.hpp>
#include <hpk/view/traits.hpp>

namespace hpk::detail {

/// A number that is a constant and may be called: View::rank and View::rank().
template <int N>
struct rank_constant {
  HPK_FUNCTION constexpr operator std::size_t() const noexcept { return N; }
  HPK_FUNCTION constexpr std::size_t operator()() const noexcept { return N; }
};

/// What may stand for an index or an extent: anything that converts to an integer, but no
/// floating-point number, which would be cut off in silence.
template <class T>
inline constexpr bool is_index_like_v =
    std::is_convertible_v<T, index_t> && !std::is_floating_point_v<std::remove_cvref_t<T>>;

/// A pointer that a View of T may wrap.
template <class P, class T>
concept wrappable =
    (std::is_pointer_v<P> && std::is_convertible_v<P, T*>) || std::is_null_pointer_v<P>;

/// A string that labels a View of T: a literal always, a pointer or an array of char unless it is
/// memory to wrap.
template <class L, class T>
concept label_like = std::is_convertible_v<const L&, std::string_view> &&
                     ((std::is_array_v<L> && std::is_const_v<std::remove_extent_t<L>>) ||
                      !wrappable<std::decay_t<L>, T>);

/// Extents that are fixed on both sides are equal.
template <class Dst, class Src>
constexpr bool extents_agree() {
  if constexpr (Dst::rank != Src::rank) {
    return false;
  } else {
    for (int r = 0; r < Dst::rank; ++r) {
      if (Dst::values[r] != dynamic && Src::values[r] != dynamic &&
          Dst::values[r] != Src::values[r])
        return false;
    }
    return true;
  }
}

/// Types allow Dst = Src: equal rank; the same element, or const from non-const; the same memory
/// space; agreeing fixed extents; the same layout, or to LayoutStride, or from it (checked at run
/// time), or any for rank 0 and 1.
template <class Dst, class Src>
inline constexpr bool may_assign =
    (std::is_same_v<typename Dst::element, typename Src::element> ||
     std::is_same_v<typename Dst::element, const typename Src::element>) &&
    std::is_same_v<typename Dst::memory_space, typename Src::memory_space> &&
    extents_agree<typename Dst::extents, typename Src::extents>() &&
    (std::is_same_v<typename Dst::array_layout, typename Src::array_layout> ||
     std::is_same_v<typename Dst::array_layout, LayoutStride> ||
     std::is_same_v<typename Src::array_layout, LayoutStride> || Dst::extents::rank <= 1);

/// A check of an assignment failed.
template <class Source>
[[noreturn]] HPK_FUNCTION void fail_assignment([[maybe_unused]] const Source& source,
                                               [[maybe_unused]] const char* what) {
  HPK_IF_ON_HOST((reject_assignment(source.description(), what);))
  HPK_IF_ON_DEVICE((hpk::abort(what);))
}

/// Copies extents and strides from the mapping of the View `source`; what only run time knows is
/// checked.
HPK_CALLS_EITHER
template <class DstMap, class SrcMap, class Source>
HPK_FUNCTION constexpr void assign_mapping(DstMap& to, const SrcMap& from, const Source& source) {
  for (int r = 0; r < DstMap::rank; ++r) {
    to.set(r, from.extent(r));
    if (to.extent(r) != from.extent(r))
      fail_assignment(source, "its extent is not the one that the destination's type fixes");
  }
  if constexpr (requires { to.set_stride(0, index_t{}); }) {
    for (int r = 0; r < DstMap::rank; ++r) to.set_stride(r, from.stride(r));
  } else if constexpr (requires(SrcMap m) { m.set_stride(0, index_t{}); }) {
    for (int r = 0; r < DstMap::rank; ++r) {
      // The stride of a dimension with one element or none is never used.
      if (to.extent(r) > 1 && to.stride(r) != from.stride(r))
        fail_assignment(source, "its strides are not those of the destination's layout");
    }
  }
}

/// Sets the extent of dimension r; a value for a fixed one must be the type's.
HPK_CALLS_EITHER
template <class Traits, class Map>
HPK_FUNCTION constexpr void set_extent(Map& map, int r, index_t value,
                                       [[maybe_unused]] std::string_view label) {
  const index_t fixed = Traits::extents::value(r);
  if (fixed == dynamic) {
    map.set(r, value);
  } else if (fixed != value) {
    HPK_IF_ON_HOST((reject_fixed_extent(label, r, value, fixed);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::View: an extent is not the one that the type fixes");))
  }
}

/// Sets extents, and strides where the layout has them, from a layout object.
HPK_CALLS_EITHER
template <class Map, class Layout>
HPK_FUNCTION constexpr void set_from_layout(Map& map, const Layout& layout,
                                            [[maybe_unused]] std::string_view label) {
  for (int r = 0; r < Map::rank; ++r) {
    const auto given = static_cast<index_t>(layout.dimension[r]);
    map.set(r, given);
    if (map.extent(r) != given && layout.dimension[r] != unspecified_extent) {
      HPK_IF_ON_HOST((reject_fixed_extent(label, r, given, map.extent(r));))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::View: an extent is not the one that the type fixes");))
    }
    if constexpr (requires { map.set_stride(0, index_t{}); })
      map.set_stride(r, static_cast<index_t>(layout.stride[r]));
  }
}

/// The layout object of a mapping.
template <class Layout, class Map>
constexpr Layout layout_of(const Map& map) {
  Layout result;
  for (int r = 0; r < Map::rank; ++r) {
    result.dimension[r] = static_cast<std::size_t>(map.extent(r));
    if constexpr (requires { result.stride[r]; })
      result.stride[r] = static_cast<std::size_t>(map.stride(r));
  }
  return result;
}

}  // namespace hpk::detail
