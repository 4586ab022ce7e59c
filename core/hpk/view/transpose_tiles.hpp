// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposing copies on machines of many lanes: each group copies one tile through its scratch, so
// that neighbouring lanes read neighbours in the source and write neighbours in the destination
// (G. Ruetsch, P. Micikevicius, Optimizing matrix transpose in CUDA, 2009).
#pragma once

#include <hpk/parallel/group.hpp>
#include <hpk/seam/machine.hpp>
#include <hpk/seam/memory.hpp>
#include <hpk/view/strided_layout.hpp>

#include <type_traits>

namespace hpk::detail {

/// The rows and the columns of a tile.
inline constexpr int transpose_tile = 32;
/// The lanes of a group.
inline constexpr int transpose_lanes = 256;

/// Copies a transposed layout, a tile for each group. Converts the elements if the types differ.
template <class To, class ToMem, class From, class FromMem>
struct transpose_kernel {
  static constexpr int most_lanes = transpose_lanes;
  static constexpr bool no_large_scratch = true;
  To* to;
  const From* from;
  strided_layout layout;
  index_t tiles_along;   ///< the last dimension
  index_t tiles_across;  ///< the one before

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const index_t rows = layout.extents[layout.rank - 2];
    const division along = divide(lane.group(), tiles_along);
    const division across = divide(along.quotient, tiles_across);
    const index_t row = across.remainder * transpose_tile;
    const index_t column = along.remainder * transpose_tile;
    const int height = part_of(rows - row);
    const int width = part_of(layout.inner() - column);
    const index_t first = across.quotient * rows + row;
    From* const tile = value_scratch<From>(lane);
    const From* const source = from + layout.offset(1, first) + column * layout.step(1);
    const index_t down = layout.strides[1][layout.rank - 2];
    for (int k = lane.lane_index(); k < transpose_tile * transpose_tile; k += lane.lanes()) {
      const int r = k % transpose_tile;
      const int c = k / transpose_tile;
      if (r < height && c < width)
        tile[r * (transpose_tile + 1) + c] =
            *seam::device_address<FromMem>(source + r * down + c * layout.step(1));
    }
    lane.barrier();
    To* const target = to + layout.offset(0, first) + column * layout.step(0);
    const index_t target_down = layout.strides[0][layout.rank - 2];
    for (int k = lane.lane_index(); k < transpose_tile * transpose_tile; k += lane.lanes()) {
      const int r = k / transpose_tile;
      const int c = k % transpose_tile;
      if (r < height && c < width)
        *seam::device_address<ToMem>(target + r * target_down + c * layout.step(0)) =
            static_cast<To>(tile[r * (transpose_tile + 1) + c]);
    }
  }

 private:
  HPK_INLINE_FUNCTION static int part_of(index_t left) {
    return left < transpose_tile ? static_cast<int>(left) : transpose_tile;
  }
};

/// Whether elements may be copied by tiles: they lie in scratch between.
template <class From>
inline constexpr bool may_transpose =
    std::is_trivially_copyable_v<From> && std::is_trivially_default_constructible_v<From> &&
    sizeof(From) <= 16;

/// Copies a transposed layout by tiles. False if the machine's groups are too small for that, or so
/// few rows or columns are copied that most lanes would idle.
template <class To, class ToMem, class From, class FromMem, class Machine>
bool copy_by_tiles(Machine& machine, To* to, const From* from, const strided_layout& layout,
                   const seam::launch_info& info) {
  const seam::machine_properties properties = machine.properties();
  const std::size_t scratch = value_scratch_bytes<From>(transpose_tile * (transpose_tile + 1));
  if (properties.largest_lanes < transpose_lanes || properties.scratch_bytes[0] < scratch)
    return false;
  const index_t rows = layout.extents[layout.rank - 2];
  if (rows < transpose_tile / 2 || layout.inner() < transpose_tile / 2) return false;
  const index_t across = (rows + transpose_tile - 1) / transpose_tile;
  const index_t along = (layout.inner() + transpose_tile - 1) / transpose_tile;
  strided_layout cleared = layout;
  cleared.clear_rest();
  machine.launch({.groups = layout.outer() / rows * across * along,
                  .lanes = transpose_lanes,
                  .scratch = {scratch, 0}},
                 transpose_kernel<To, ToMem, From, FromMem>{to, from, cleared, along, across},
                 info);
  return true;
}

}  // namespace hpk::detail
