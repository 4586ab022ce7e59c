// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts a View may have, as tags and as run-time descriptions (extents, and strides for
// LayoutStride). They are part of the seam because every execution space names its default layout.
// view/mapping.hpp computes offsets from indices.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>

#include <concepts>
#include <type_traits>

namespace hpk {

/// Marks a dimension without a given extent.
inline constexpr std::size_t unspecified_extent = ~std::size_t{0};

/// Base of layouts that are defined by extents alone, including your own: describes a shape at run
/// time. Layout is the derived class.
template <class Layout>
struct LayoutBase {
  using array_layout = Layout;  ///< makes the class a layout
  /// Extents alone determine the layout.
  static constexpr bool is_extent_constructible = true;
  std::size_t dimension[max_rank];  ///< extents; unspecified_extent past the rank
  /// The pitch in elements, if rows are padded. Rows run along the last dimension of LayoutRight
  /// and the first of LayoutLeft. unspecified_extent: no padding.
  std::size_t stride = unspecified_extent;
  /// Extents of dimensions 0 to 7, without padding.
  HPK_FUNCTION constexpr explicit LayoutBase(
      std::size_t n0 = unspecified_extent, std::size_t n1 = unspecified_extent,
      std::size_t n2 = unspecified_extent, std::size_t n3 = unspecified_extent,
      std::size_t n4 = unspecified_extent, std::size_t n5 = unspecified_extent,
      std::size_t n6 = unspecified_extent, std::size_t n7 = unspecified_extent)
      : dimension{n0, n1, n2, n3, n4, n5, n6, n7} {}
  /// Equal extents; padding is ignored.
  HPK_FUNCTION friend constexpr bool operator==(const LayoutBase& a, const LayoutBase& b) {
    for (int r = 0; r < max_rank; ++r) {
      if (a.dimension[r] != b.dimension[r]) return false;
    }
    return true;
  }
};

namespace detail {
/// The layouts as layout policies of an mdspan; defined in view/mdspan.hpp.
template <class Layout, class Extents>
class standard_mapping;
}  // namespace detail

/// First index fastest (Fortran order).
struct LayoutLeft : LayoutBase<LayoutLeft> {
  using LayoutBase::LayoutBase;
  /// As a layout policy of an mdspan; defined in hpk/mdspan.hpp.
  template <class Extents>
  using mapping = detail::standard_mapping<LayoutLeft, Extents>;
};

/// Last index fastest (C order).
struct LayoutRight : LayoutBase<LayoutRight> {
  using LayoutBase::LayoutBase;
  /// As a layout policy of an mdspan; defined in hpk/mdspan.hpp.
  template <class Extents>
  using mapping = detail::standard_mapping<LayoutRight, Extents>;
};

/// Any stride for any dimension. Strides count elements, not bytes.
struct LayoutStride {
  using array_layout = LayoutStride;  ///< makes the class a layout
  /// A layout needs strides too.
  static constexpr bool is_extent_constructible = false;
  std::size_t dimension[max_rank];  ///< extents; unspecified_extent past the rank
  std::size_t stride[max_rank];     ///< strides in elements
  /// As a layout policy of an mdspan; defined in hpk/mdspan.hpp.
  template <class Extents>
  using mapping = detail::standard_mapping<LayoutStride, Extents>;
  /// Pairs of extent and stride.
  HPK_FUNCTION constexpr explicit LayoutStride(
      std::size_t n0 = unspecified_extent, std::size_t s0 = 0, std::size_t n1 = unspecified_extent,
      std::size_t s1 = 0, std::size_t n2 = unspecified_extent, std::size_t s2 = 0,
      std::size_t n3 = unspecified_extent, std::size_t s3 = 0, std::size_t n4 = unspecified_extent,
      std::size_t s4 = 0, std::size_t n5 = unspecified_extent, std::size_t s5 = 0,
      std::size_t n6 = unspecified_extent, std::size_t s6 = 0, std::size_t n7 = unspecified_extent,
      std::size_t s7 = 0)
      : dimension{n0, n1, n2, n3, n4, n5, n6, n7}, stride{s0, s1, s2, s3, s4, s5, s6, s7} {}

  /// Compact strides for a given memory order: `order[k]` is the k-th fastest dimension; {0, 1, 2}
  /// gives the strides of LayoutLeft. Returns the default-constructed layout if `order` is not a
  /// permutation.
  template <std::integral Order, std::integral Extent>
  HPK_FUNCTION static constexpr LayoutStride order_dimensions(int rank, const Order* order,
                                                              const Extent* extents) {
    LayoutStride result;
    std::size_t next = 1;
    unsigned seen = 0;
    for (int k = 0; k < rank; ++k) {
      const auto r = static_cast<std::size_t>(order[k]);
      if (r >= static_cast<std::size_t>(rank) || (seen >> r & 1u) != 0) return LayoutStride();
      seen |= 1u << r;
      result.dimension[r] = static_cast<std::size_t>(extents[r]);
      result.stride[r] = next;
      next *= result.dimension[r];
    }
    return result;
  }
  /// Equal extents and strides.
  friend constexpr bool operator==(const LayoutStride&, const LayoutStride&) = default;
};

/// True for a type that describes a layout.
template <class T>
inline constexpr bool is_array_layout_v = requires {
  typename T::array_layout;
  requires std::same_as<typename T::array_layout, std::remove_cv_t<T>>;
};
/// is_array_layout_v as a concept.
template <class T>
concept ArrayLayout = is_array_layout_v<T>;
/// is_array_layout_v as a type.
template <class T>
struct is_array_layout : std::bool_constant<is_array_layout_v<T>> {};

}  // namespace hpk
