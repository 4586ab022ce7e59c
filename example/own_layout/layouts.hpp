// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two custom layouts. A layout derives from hpk::LayoutBase and contains a class template `mapping`
// over extents, as the layouts of std::mdspan do: extents(), operator()(indices...),
// required_span_size() and is_exhaustive(). A View needs nothing more.
#pragma once

#include <hpk/core.hpp>

namespace own {

/// Z-order: indices that are close in any direction are close in memory, at every scale. Memory is
/// a cube whose edge is the smallest power of two that is not below the largest extent.
struct LayoutMorton : hpk::LayoutBase<LayoutMorton> {
  using LayoutBase::LayoutBase;

  template <class Extents>
  class mapping {
   public:
    using index_type = typename Extents::index_type;
    mapping() = default;
    HPK_FUNCTION constexpr explicit mapping(const Extents& extents)
        : extents_(extents), empty_(false) {
      for (std::size_t r = 0; r != Extents::rank(); ++r) {
        while ((index_type{1} << bits_) < extents.extent(r)) ++bits_;
        empty_ = empty_ || extents.extent(r) == 0;
      }
    }
    HPK_FUNCTION constexpr const Extents& extents() const { return extents_; }

    /// Interleaves the bits of the indices; the bits of the last index are the lowest.
    template <class... Is>
    HPK_FUNCTION constexpr index_type operator()(Is... is) const {
      constexpr int rank = sizeof...(Is);
      const index_type index[] = {static_cast<index_type>(is)..., 0};
      index_type offset = 0;
      for (int bit = bits_ - 1; bit >= 0; --bit) {
        for (int r = 0; r < rank; ++r) offset = offset << 1 | (index[r] >> bit & 1);
      }
      return offset;
    }
    HPK_FUNCTION constexpr index_type required_span_size() const {
      return empty_ ? 0 : index_type{1} << (bits_ * static_cast<int>(Extents::rank()));
    }
    /// Whether the indices fill the cube.
    HPK_FUNCTION constexpr bool is_exhaustive() const {
      index_type elements = 1;
      for (std::size_t r = 0; r != Extents::rank(); ++r) elements *= extents_.extent(r);
      return elements == required_span_size();
    }

   private:
    Extents extents_{};
    int bits_ = 0;
    bool empty_ = Extents::rank() != 0;
  };
};

/// Cubes of Edge elements in every direction, in order. Within a cube, and from cube to cube, the
/// last index runs fastest.
template <int Edge>
struct LayoutTiled : hpk::LayoutBase<LayoutTiled<Edge>> {
  using hpk::LayoutBase<LayoutTiled>::LayoutBase;
  static_assert(Edge > 0, "LayoutTiled: the edge of a tile is 1 at least");

  template <class Extents>
  class mapping {
   public:
    using index_type = typename Extents::index_type;
    mapping() = default;
    HPK_FUNCTION constexpr explicit mapping(const Extents& extents) : extents_(extents) {}
    HPK_FUNCTION constexpr const Extents& extents() const { return extents_; }

    template <class... Is>
    HPK_FUNCTION constexpr index_type operator()(Is... is) const {
      constexpr std::size_t rank = sizeof...(Is);
      const index_type index[] = {static_cast<index_type>(is)..., 0};
      index_type tile = 0;
      index_type within = 0;
      for (std::size_t r = 0; r != rank; ++r) {
        tile = tile * tiles(r) + index[r] / Edge;
        within = within * Edge + index[r] % Edge;
      }
      return tile * tile_size() + within;
    }
    HPK_FUNCTION constexpr index_type required_span_size() const {
      index_type size = tile_size();
      for (std::size_t r = 0; r != Extents::rank(); ++r) size *= tiles(r);
      return size;
    }
    /// Whether all tiles are full.
    HPK_FUNCTION constexpr bool is_exhaustive() const {
      index_type elements = 1;
      for (std::size_t r = 0; r != Extents::rank(); ++r) elements *= extents_.extent(r);
      return elements == required_span_size();
    }

   private:
    HPK_FUNCTION constexpr index_type tiles(std::size_t r) const {
      return (extents_.extent(r) + Edge - 1) / Edge;
    }
    HPK_FUNCTION static constexpr index_type tile_size() {
      index_type size = 1;
      for (std::size_t r = 0; r != Extents::rank(); ++r) size *= Edge;
      return size;
    }
    Extents extents_{};
  };
};

}  // namespace own
