// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between View types: which conversions exist, and how a mapping is converted to
// another mapping.
#pragma once

#include <hpk/view/bounds.hpp>
#include <hpk/view/traits.hpp>

namespace hpk::detail {

/// A constant that may also be called: View::rank and View::rank().
template <int N>
struct rank_constant {
  HPK_FUNCTION constexpr operator std::size_t() const noexcept { return N; }
  HPK_FUNCTION constexpr std::size_t operator()() const noexcept { return N; }
};

/// Checks the number of subscripts. Returns whether it equals the rank.
template <int Given, int Rank>
HPK_FUNCTION constexpr bool check_subscripts() {
  static_assert(Given == Rank,
                "hpk::View: operator[] is for rank 1; write view(i, j, ...) with one index for "
                "each dimension (view[i, j, ...] is C++23)");
  return Given == Rank;
}

/// Whether extents that are fixed on both sides are equal.
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

/// Whether the types allow Dst = Src: equal rank; the same element type, or const from non-const;
/// the same memory space, or a memory space to which Src's converts; agreeing fixed extents; and
/// the same layout, a conversion to or from LayoutStride (the latter checked at run time), or rank
/// 0 or 1.
template <class Dst, class Src>
inline constexpr bool may_assign =
    (std::is_same_v<typename Dst::element, typename Src::element> ||
     std::is_same_v<typename Dst::element, const typename Src::element>) &&
    seam::may_become<typename Dst::memory_space, typename Src::memory_space> &&
    extents_agree<typename Dst::extents, typename Src::extents>() &&
    (std::is_same_v<typename Dst::array_layout, typename Src::array_layout> ||
     Dst::extents::rank == 0 ||
     (is_strided<typename Dst::mapping> && is_strided<typename Src::mapping> &&
      (std::is_same_v<typename Dst::array_layout, LayoutStride> ||
       std::is_same_v<typename Src::array_layout, LayoutStride> || Dst::extents::rank <= 1)));

/// Why a View does not convert to another; compilers print these names in error messages.
enum class view_conversion {
  its_elements_are_const_and_the_destination_writes,
  its_elements_are_of_another_type,
  its_memory_space_does_not_convert_to_the_destination_space,
  its_rank_or_fixed_extents_differ,
  its_layout_differs_copy_with_deep_copy
};
/// The first reason why a View does not convert.
template <class Dst, class D, class... Ps, class Src = view_traits<D, Ps...>>
  requires(!may_assign<Dst, Src>)
constexpr view_conversion why_not_assigned() {
  using to = typename Dst::element;
  using from = typename Src::element;
  if constexpr (std::is_const_v<from> && std::is_same_v<to, std::remove_const_t<from>>) {
    return view_conversion::its_elements_are_const_and_the_destination_writes;
  } else if constexpr (!std::is_same_v<std::remove_const_t<to>, std::remove_const_t<from>>) {
    return view_conversion::its_elements_are_of_another_type;
  } else if constexpr (!seam::may_become<typename Dst::memory_space, typename Src::memory_space>) {
    return view_conversion::its_memory_space_does_not_convert_to_the_destination_space;
  } else if constexpr (!extents_agree<typename Dst::extents, typename Src::extents>()) {
    return view_conversion::its_rank_or_fixed_extents_differ;
  } else {
    return view_conversion::its_layout_differs_copy_with_deep_copy;
  }
}

/// Describes a View before its construction, by the fixed extents of its type.
template <class Extents>
HPK_FUNCTION constexpr view_description describe_type() {
  view_description d{nullptr, nullptr, Extents::rank, {}};
  for (int r = 0; r < Extents::rank; ++r) d.extents[r] = Extents::value(r);
  return d;
}

/// Whether both layouts have the same row dimension and Dst can hold the pitch of Src.
template <class Dst, class Src>
HPK_FUNCTION constexpr bool same_pitch() {
  if constexpr (is_pitched<Dst> && is_pitched<Src>) {
    return Dst::row == Src::row && (Dst::has_pitch || !Src::has_pitch);
  } else {
    return false;
  }
}

/// Whether the index type of Map can represent the extents and the span of a mapping.
HPK_CALLS_EITHER
template <class Map, class From>
HPK_FUNCTION constexpr bool fits_index(const From& from) {
  bool fits = true;
  for (int r = 0; r < Map::rank; ++r) fits = fits && from.extent(r) <= most_index<Map>;
  return fits && from.span() <= most_index<Map>;
}

/// Copies extents and strides of a mapping. Returns null, or the reason why they don't fit although
/// the types allow the conversion.
template <class DstMap, class SrcMap>
HPK_FUNCTION constexpr const char* take_mapping(DstMap& to, const SrcMap& from) {
  if constexpr (is_narrow<DstMap>) {
    if (!fits_index<DstMap>(from))
      return "it has more elements than the destination's index type can count";
  }
  for (int r = 0; r < DstMap::rank; ++r) {
    to.set(r, from.extent(r));
    if (to.extent(r) != from.extent(r))
      return "its extents differ from the fixed extents of the destination's type";
  }
  if constexpr (has_strides<DstMap>) {
    for (int r = 0; r < DstMap::rank; ++r) to.set_stride(r, from.stride(r));
  } else if constexpr (is_pitched<DstMap>) {
    constexpr bool alike = same_pitch<DstMap, SrcMap>();
    if constexpr (DstMap::has_pitch) {
      if constexpr (alike) {
        to.set_pitch(from.pitch());
      } else {
        // Use the stride of the nearest dimension with more than one element. The other strides are
        // never used.
        constexpr int step = DstMap::row == 0 ? 1 : -1;
        int r = DstMap::row + step;
        while (r > 0 && r + 1 < DstMap::rank && to.extent(r) <= 1) r += step;
        if (to.extent(r) > 1) to.set_pitch(from.stride(r));
      }
    }
    if constexpr (!alike) {
      for (int r = 0; r < DstMap::rank; ++r) {
        if (to.extent(r) > 1 && to.stride(r) != from.stride(r))
          return "its strides do not fit the destination's layout";
      }
    }
  }
  return nullptr;
}

/// Copies extents and strides from the mapping of the View `source` and checks at run time that
/// they fit. describe() describes the destination for errors.
HPK_CALLS_EITHER
template <class DstMap, class SrcMap, class Source, class Describe>
HPK_FUNCTION constexpr void assign_mapping(DstMap& to, const SrcMap& from,
                                           [[maybe_unused]] const Source& source,
                                           [[maybe_unused]] const Describe& describe) {
  const char* const problem = take_mapping(to, from);
  if (problem == nullptr) return;
  HPK_IF_ON_HOST((const view_description destination = describe();
                  reject_assignment(source.description(), problem, &destination);))
  HPK_IF_ON_DEVICE((hpk::abort(problem);))
}

/// Whether the types guarantee that an assignment fits, so that no check is needed at run time.
template <class Dst, class Src>
constexpr bool always_fits() {
  if constexpr (!may_assign<Dst, Src>) {
    return false;
  } else {
    using to = typename Dst::mapping;
    using from = typename Src::mapping;
    bool fits = (!Dst::memory_traits::is_aligned || Src::memory_traits::is_aligned) &&
                (!is_narrow<to> || most_index<from> <= most_index<to>);
    for (int r = 0; r < Dst::extents::rank; ++r)
      fits = fits && (Dst::extents::values[r] == dynamic || Src::extents::values[r] != dynamic);
    constexpr bool strides = Dst::extents::rank == 0 || has_strides<to> || !is_pitched<to> ||
                             same_pitch<to, from>() ||
                             (Dst::extents::rank <= 1 && is_pitched<from>);
    return fits && strides;
  }
}

}  // namespace hpk::detail
