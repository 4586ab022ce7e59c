// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The padded layouts of C++26 as layout policies of mdspans. LayoutLeft and LayoutRight also
// support padding, and convert to and from these layouts. The padded layouts only add that a
// mapping constructed from extents pads its rows.
#pragma once

#include <hpk/view/mdspan.hpp>

#include <concepts>

namespace hpk {

namespace detail {

/// The layout mapping of a padded layout over extents of any library: the mapping of `Plain`
/// (LayoutLeft or LayoutRight) with a pitch that is a multiple of a number.
template <class Layout, class Plain, std::size_t Padding, class Extents>
class padded_mapping : public standard_mapping<Plain, Extents> {
  using base = standard_mapping<Plain, Extents>;
  static constexpr std::size_t rank = Extents::rank();

 public:
  using typename base::index_type;
  using layout_type = Layout;
  /// The number of which the pitch is a multiple; dynamic_extent if a constructor takes the number.
  static constexpr std::size_t padding_value = Padding;

  HPK_FUNCTION constexpr padded_mapping() noexcept : padded_mapping(Extents()) {}
  /// Rows begin at multiples of Padding, or without padding if Padding is dynamic_extent.
  HPK_FUNCTION constexpr padded_mapping(const Extents& extents) noexcept
      : base(padded(extents, Padding == dynamic_extent ? 1 : Padding)) {}
  /// Rows begin at multiples of `padding` > 0, which must equal Padding unless Padding is
  /// dynamic_extent.
  template <std::integral I>
  HPK_FUNCTION constexpr padded_mapping(const Extents& extents, I padding) noexcept
      : base(padded(extents, static_cast<std::size_t>(padding))) {}
  /// With the given stride for each dimension. The strides must fit the layout.
  template <class I>
  HPK_FUNCTION constexpr padded_mapping(const Extents& extents, const I* strides) noexcept
      : base(extents, strides) {}
  /// From any strided mapping with the same extents, whose strides must fit the layout. Implicit if
  /// its layout is the same layout, padded or not.
  template <class Other>
    requires strided_over<Other, Extents>
  HPK_FUNCTION constexpr explicit(
      !std::is_same_v<Plain, unpadded_layout<typename Other::layout_type>>)
      padded_mapping(const Other& other) noexcept
      : base(other) {}

 private:
  HPK_FUNCTION static constexpr base padded(const Extents& extents, std::size_t padding) {
    constexpr bool is_left = std::is_same_v<Plain, LayoutLeft>;
    std::size_t strides[rank + 1] = {};
    std::size_t step = 1;
    for (std::size_t k = 0; k != rank; ++k) {
      const std::size_t r = is_left ? k : rank - 1 - k;
      const auto extent = static_cast<std::size_t>(extents.extent(r));
      strides[r] = step;
      step *= k == 0 && rank >= 2 ? (extent + padding - 1) / padding * padding : extent;
    }
    return base(extents, &strides[0]);
  }
};

}  // namespace detail

namespace Experimental {

/// First index fastest; the stride of the second dimension is the extent of the first, rounded up
/// to a multiple of Padding (or of a number passed to the mapping, if Padding is dynamic_extent). A
/// View with this layout among the arguments of an mdspan has LayoutLeft.
template <std::size_t Padding>
struct layout_left_padded {
  static constexpr std::size_t padding_value = Padding;  ///< the stride is a multiple of it
  /// As a layout policy of an mdspan.
  template <class Extents>
  using mapping = detail::padded_mapping<layout_left_padded, LayoutLeft, Padding, Extents>;
};
/// Last index fastest; the stride of the second last dimension is the extent of the last, rounded
/// up in the same way.
template <std::size_t Padding>
struct layout_right_padded {
  static constexpr std::size_t padding_value = Padding;  ///< the stride is a multiple of it
  /// As a layout policy of an mdspan.
  template <class Extents>
  using mapping = detail::padded_mapping<layout_right_padded, LayoutRight, Padding, Extents>;
};

}  // namespace Experimental

}  // namespace hpk
