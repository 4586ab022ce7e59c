// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a View's constructor that set its mapping: extents, a layout object or a
// mapping. Also the memory that the mapping requires: padding, bytes, scratch.
#pragma once

#include <hpk/view/assign.hpp>
#include <hpk/view/label_text.hpp>

namespace hpk::detail {

/// Converts an argument to an extent. Floating-point numbers are truncated. Throws hpk::error for
/// floating-point numbers outside of the range of extents.
HPK_CALLS_EITHER
template <class T>
HPK_FUNCTION constexpr index_t as_extent(const T& given, [[maybe_unused]] std::string_view label) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!(given > T{-1} && given < T{0x1p63})) {
      HPK_IF_ON_HOST((reject_extent_value(label, static_cast<double>(given));))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::View: a floating-point number is not a valid extent");))
    }
  }
  return static_cast<index_t>(given);
}

/// Sets the extent of dimension r; for a fixed extent the value must equal the extent of the type.
HPK_CALLS_EITHER
template <class Traits, class Map, class T>
HPK_FUNCTION constexpr void set_extent(Map& map, int r, const T& given,
                                       [[maybe_unused]] std::string_view label) {
  index_t value = 0;
  // Avoids a call for integers, which the compiler would have to instantiate.
  if constexpr (std::is_integral_v<T>) {
    value = static_cast<index_t>(given);
  } else {
    value = as_extent(given, label);
  }
  const index_t fixed = Traits::extents::value(r);
  if (fixed == dynamic) {
    map.set(r, value);
  } else if (fixed != value) {
    HPK_IF_ON_HOST((reject_fixed_extent(label, r, value, fixed);))
    HPK_IF_ON_DEVICE(
        (hpk::abort("hpk::View: an extent differs from the fixed extent of the type");))
  }
}

/// Sets `count` extents. Trailing extents equal to HPK_INVALID_INDEX are ignored.
HPK_CALLS_EITHER
template <class Types, class Map>
HPK_FUNCTION constexpr void set_given_extents(Map& map, const index_t* extents, int count,
                                              [[maybe_unused]] std::string_view label) {
  while (count > 0 && extents[count - 1] == -1) --count;
  if (count != Map::rank && count != Map::rank_dynamic) {
    HPK_IF_ON_HOST((reject_extent_count(label, count, Map::rank_dynamic, Map::rank);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::View: the number of extents does not fit the type");))
  } else {
    for (int r = 0; r < count; ++r) set_extent<Types>(map, r, extents[r], label);
  }
}

/// Sets extents, and strides if the layout has them, from a layout object.
HPK_CALLS_EITHER
template <class Map, class Layout>
HPK_FUNCTION constexpr void set_from_layout(Map& map, const Layout& layout,
                                            [[maybe_unused]] std::string_view label) {
  for (int r = 0; r < Map::rank; ++r) {
    const auto given = static_cast<index_t>(layout.dimension[r]);
    map.set(r, given);
    if (map.extent(r) != given && layout.dimension[r] != unspecified_extent) {
      HPK_IF_ON_HOST((reject_fixed_extent(label, r, given, map.extent(r));))
      HPK_IF_ON_DEVICE(
          (hpk::abort("hpk::View: an extent differs from the fixed extent of the type");))
    }
    if constexpr (has_strides<Map>) map.set_stride(r, static_cast<index_t>(layout.stride[r]));
  }
  if constexpr (is_pitched<Map> && Map::rank >= 2) {
    if (layout.stride != unspecified_extent) {
      const auto given = static_cast<index_t>(layout.stride);
      map.set_pitch(given);
      if (map.pitch() != given || given < map.extent(Map::row)) {
        HPK_IF_ON_HOST((reject_pitch(label, given, map.extent(Map::row), Map::has_pitch);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::View: rows are longer than the layout's stride");))
      }
    }
  }
}

/// An extents object: hpk::extents, std::extents and similar classes.
template <class E>
concept extents_like = requires(const E& extents) {
  { E::rank() } -> std::convertible_to<std::size_t>;
  { extents.extent(std::size_t{0}) } -> std::convertible_to<index_t>;
  E::static_extent(std::size_t{0});
} && !requires(const E& extents) { extents.data_handle(); };

/// A layout mapping object, such as the mapping of an mdspan.
template <class M>
concept mapping_like = requires(const M& mapping) {
  typename M::extents_type;
  { mapping.extents().extent(std::size_t{0}) } -> std::convertible_to<index_t>;
  { mapping.required_span_size() } -> std::convertible_to<index_t>;
  M::is_always_strided();
};

/// The extents and strides of a mapping_like object, with the interface that take_mapping() reads.
template <class M>
struct strides_of {
  const M& mapping;
  HPK_CALLS_EITHER
  HPK_FUNCTION constexpr index_t extent(int r) const {
    return static_cast<index_t>(mapping.extents().extent(static_cast<std::size_t>(r)));
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION constexpr index_t stride([[maybe_unused]] int r) const {
    if constexpr (M::extents_type::rank() > 0) {
      return static_cast<index_t>(
          mapping.stride(static_cast<typename M::extents_type::rank_type>(r)));
    } else {
      return 1;
    }
  }
};

/// Sets extents and strides from a mapping_like object; the strides must fit the layout.
HPK_CALLS_EITHER
template <class Map, class M>
HPK_FUNCTION constexpr void set_from_mapping(Map& map, const M& mapping,
                                             [[maybe_unused]] std::string_view label) {
  [[maybe_unused]] const char* const problem = take_mapping(map, strides_of<M>{mapping});
  if (problem != nullptr) {
    HPK_IF_ON_HOST((reject_mapping(label, problem);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::View: the mapping is not of the View's layout");))
  }
}

/// Returns the number of bytes of the span. Throws hpk::error if an extent is negative or the
/// number does not fit in 64 bits.
template <class Element, class Map>
std::size_t count_bytes(const Map& map, std::string_view label) {
  index_t extents[max_rank] = {};
  for (int r = 0; r < Map::rank; ++r) extents[r] = map.extent(r);
  const std::size_t bytes = checked_bytes(label, Map::rank, extents, sizeof(Element));
  if constexpr (is_pitched<Map>) {
    if constexpr (!Map::has_pitch) return bytes;
    if (map.pitch() == extents[Map::row]) return bytes;
    if (extents[Map::row] < map.pitch()) extents[Map::row] = map.pitch();
    checked_bytes(label, Map::rank, extents, sizeof(Element));
  }
  if constexpr (has_strides<Map>) {
    index_t strides[max_rank] = {};
    for (int r = 0; r < Map::rank; ++r) strides[r] = map.stride(r);
    check_strides(label, Map::rank, extents, strides, sizeof(Element));
  }
  const index_t span = map.span();
  return checked_bytes(label, 1, &span, sizeof(Element));
}

/// Copies extents and strides from a mapping with 64-bit indices. Throws hpk::error if the index
/// type of `map` can't represent them.
HPK_CALLS_EITHER
template <class Map, class Wide>
HPK_FUNCTION constexpr void narrow_mapping(Map& map, const Wide& wide,
                                           [[maybe_unused]] std::string_view label) {
  bool fits = true;
  HPK_IF_ON_HOST((count_bytes<char>(wide, label); fits = fits_index<Map>(wide);))
  HPK_IF_ON_DEVICE((if constexpr (static_cast<bool>(HPK_CHECKS)) fits = fits_index<Map>(wide);))
  if (!fits) {
    HPK_IF_ON_HOST((index_t extents[max_rank] = {};
                    for (int r = 0; r < Map::rank; ++r) extents[r] = wide.extent(r);
                    reject_index_type(label, Map::rank, extents, wide.span(), most_index<Map>);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::View: the index type can't count the elements");))
  }
  for (int r = 0; r < Map::rank; ++r) {
    map.set(r, wide.extent(r));
    if constexpr (has_strides<Map>) map.set_stride(r, wide.stride(r));
  }
  if constexpr (is_pitched<Map>) map.set_pitch(wide.pitch());
}

/// Whether the arguments of a View's constructor do not set the pitch.
template <class... Shape>
inline constexpr bool is_extents_only =
    !((is_array_layout_v<Shape> || ...) || (mapping_like<Shape> || ...));

/// Sets a mapping from the arguments that follow the label or pointer in a View's constructor:
/// extents, or a single layout, extents or mapping object. With HPK_PERMISSIVE the number of
/// extents is checked at run time, and each trailing HPK_INVALID_INDEX is ignored.
HPK_CALLS_EITHER
template <class Types, class Map, class... Shape>
HPK_FUNCTION constexpr void set_shape(Map& map, std::string_view label, const Shape&... shape) {
  using layout = typename Types::array_layout;
  if constexpr (is_narrow<Map>) {
    mapping<layout, typename Map::list::wide> wide;
    set_shape<Types>(wide, label, shape...);
    narrow_mapping(map, wide, label);
  } else if constexpr (sizeof...(Shape) == 1 && (is_array_layout_v<Shape> && ...)) {
    static_assert((std::is_same_v<Shape, layout> && ...),
                  "hpk::View: the layout object is of another type than the View's array_layout");
    set_from_layout(map, shape..., label);
  } else if constexpr (sizeof...(Shape) == 1 && (mapping_like<Shape> && ...)) {
    constexpr bool ranks = ((Shape::extents_type::rank() == std::size_t{Map::rank}) && ...);
    static_assert(ranks,
                  "hpk::View: the mapping is of another rank than the View; write one of its rank");
    constexpr bool strides = is_strided<Map> && (Shape::is_always_strided() && ...);
    static_assert(strides,
                  "hpk::View: the layout of the View or of the mapping has no strides; write "
                  "extents in place of the mapping");
    if constexpr (ranks && strides) set_from_mapping(map, shape..., label);
  } else {
    constexpr bool object = sizeof...(Shape) == 1 && (extents_like<Shape> && ...);
    constexpr bool integers = object || (is_index_like_v<Shape> && ...);
    static_assert(integers, "hpk::View: extents are integers; write View(\"label\", n0, n1, ...)");
    static_assert(layout::is_extent_constructible,
                  "hpk::View: LayoutStride needs strides; write View(\"label\", "
                  "hpk::LayoutStride(n0, s0, n1, s1, ...))");
    constexpr int given = [] {
      if constexpr (object) {
        return static_cast<int>((Shape::rank() + ...));
      } else {
        return static_cast<int>(sizeof...(Shape));
      }
    }();
    constexpr bool enough = given == Map::rank || (!object && given == Map::rank_dynamic);
    constexpr bool counts_later = HPK_PERMISSIVE && !object;
    static_assert(enough || counts_later,
                  "hpk::View: write one extent for each * of the data type (or one for each "
                  "dimension): View(\"label\", n0, n1, ...)");
    if constexpr (!integers || !(enough || counts_later)) {
    } else if constexpr (counts_later && given != Map::rank_dynamic) {
      const index_t extents[] = {as_extent(shape, label)..., 0};
      set_given_extents<Types>(map, extents, given, label);
    } else if constexpr (object) {
      for (int r = 0; r != Map::rank; ++r)
        (set_extent<Types>(map, r, static_cast<index_t>(shape.extent(static_cast<std::size_t>(r))),
                           label),
         ...);
    } else {
      int r = 0;
      if constexpr (Map::list::is_sorted || given == Map::rank) {
        (set_extent<Types>(map, r++, shape, label), ...);
      } else {
        const auto next = [&] {
          while (Map::list::value(r) != dynamic) ++r;
          return r++;
        };
        (set_extent<Types>(map, next(), shape, label), ...);
      }
    }
    if constexpr (Types::padding > 1 && is_pitched<Map>)
      map.set_pitch((map.extent(Map::row) + Types::padding - 1) / Types::padding * Types::padding);
  }
}

/// Pads rows that are longer than 64 bytes, so that each begins at a multiple of 64 bytes, unless
/// the index type can't count the padded elements.
template <class Element, class Map>
constexpr void pad_rows([[maybe_unused]] Map& map) {
  if constexpr (is_pitched<Map> && 64 % sizeof(Element) == 0) {
    if constexpr (Map::has_pitch) {
      constexpr index_t line = 64 / sizeof(Element);
      const index_t row = map.extent(Map::row);
      const index_t padded = (row + line - 1) / line * line;
      if constexpr (is_narrow<Map>) {
        if (row > line && map.size() / row > most_index<Map> / padded) return;
      }
      if (row > line) map.set_pitch(padded);
    }
  }
}

/// Rejects negative extents of wrapped memory. Makes no other check, because kernels wrap memory
/// too. The caller guarantees that the memory is large enough.
template <class T, class Map>
HPK_FUNCTION void check_not_negative(const Map& map, [[maybe_unused]] std::string_view label) {
  bool negative = false;
  for (int r = 0; r < Map::rank; ++r) negative = negative || index_t{map.extent(r)} < 0;
  if (negative) {
    HPK_IF_ON_HOST((count_bytes<T>(map, label);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::View: an extent of wrapped memory is below zero");))
  }
}

/// Memory from which a kernel allocates by advancing a pointer: the scratch of a team.
template <class S>
concept scratch_like = requires(const S& s, std::size_t n) { s.get_shmem_aligned(n, n); };

/// Whether Views can allocate in a memory space.
template <class Space>
constexpr bool check_allocates() {
  constexpr bool known = !seam::is_anonymous<Space>;
  static_assert(known, "hpk::View: AnonymousSpace allocates nothing; write another space");
  constexpr bool stays = !scratch_like<Space>;
  static_assert(stays,
                "hpk::View: scratch is taken inside of a kernel; write "
                "View(team.team_scratch(0), n, ...)");
  return known && stays;
}

/// The alignment of a View of T in scratch. Sufficient for every type, because alignof(T) <=
/// sizeof(T).
template <class T>
inline constexpr std::size_t alignment_in_scratch = sizeof(T) < 8 ? 8 : sizeof(T);
/// Allocates uninitialised elements for a mapping in scratch.
HPK_CALLS_EITHER
template <class T, class Scratch, class Map>
HPK_FORCEINLINE_FUNCTION T* take_scratch(const Scratch& scratch, const Map& map) {
  check_not_negative<T>(map, scratch_label());
  const auto elements = static_cast<std::size_t>(map.span());
  return static_cast<T*>(scratch.get_shmem_aligned(elements * sizeof(T), alignment_in_scratch<T>));
}

/// Returns the layout object of a mapping.
template <class Layout, class Map>
constexpr Layout layout_of(const Map& map) {
  Layout result;
  for (int r = 0; r < Map::rank; ++r) {
    result.dimension[r] = static_cast<std::size_t>(map.extent(r));
    if constexpr (has_strides<Map>) result.stride[r] = static_cast<std::size_t>(map.stride(r));
  }
  if constexpr (is_pitched<Map>) {
    if constexpr (Map::has_pitch) {
      if (map.pitch() != map.extent(Map::row))
        result.stride = static_cast<std::size_t>(map.pitch());
    }
  }
  return result;
}

}  // namespace hpk::detail
