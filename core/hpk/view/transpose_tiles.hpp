// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposing copies on machines with many lanes: each group copies one tile through its scratch,
// so that neighbouring lanes read adjacent elements of the source and write adjacent elements of
// the destination (G. Ruetsch, P. Micikevicius, Optimizing matrix transpose in CUDA, 2009).
#pragma once

#include <hpk/parallel/kernel/divisor.hpp>
#include <hpk/parallel/team/group.hpp>
#include <hpk/seam/machine.hpp>
#include <hpk/seam/memory.hpp>
#include <hpk/view/element_conversion.hpp>
#include <hpk/view/strided_layout.hpp>

#include <cstdint>
#include <type_traits>

namespace hpk::detail {

/// Lanes per group.
inline constexpr int transpose_lanes = 256;
/// Rows and columns of a tile.
inline constexpr int transpose_tile = 32;

/// A transposed layout in the form that its kernel needs. Columns are the last dimension, in which
/// the destination is dense; rows are the second last.
struct transposition {
  divisor across;  ///< tiles in a row
  divisor down;    ///< tiles in a column
  std::uint32_t columns;
  std::uint32_t rows;
  int outer;                              ///< number of other dimensions
  divisors<most_dimensions - 2> extents;  ///< extents of the other dimensions, fastest first
  index_t strides[2][std::size_t{most_dimensions} - 2] = {};
  index_t pitch[2];  ///< distance from row to row
  index_t step;      ///< stride of the source from column to column

  explicit transposition(const strided_layout& layout)
      : columns(static_cast<std::uint32_t>(layout.inner())),
        rows(static_cast<std::uint32_t>(layout.extents[layout.rank - 2])),
        outer(layout.rank - 2),
        pitch{layout.pitch(0), layout.pitch(1)},
        step(layout.step(1)) {
    across = divisor(tiles(columns));
    down = divisor(tiles(rows));
    for (int d = 0; d < outer; ++d) {
      const int r = outer - 1 - d;
      extents.set(d, divisor(static_cast<std::uint32_t>(layout.extents[r])));
      for (int o = 0; o < 2; ++o) strides[o][d] = layout.strides[o][r];
    }
  }
  static constexpr std::uint32_t tiles(std::uint32_t extent) noexcept {
    return extent / transpose_tile + (extent % transpose_tile != 0);
  }
};
// Emu searches the bytes of kernels for addresses, padding included.
static_assert(std::has_unique_object_representations_v<transposition>);

/// Copies a transposed layout, a tile for each group. Converts the elements if the types differ.
template <class To, class ToMem, class From, class FromMem>
struct transpose_kernel {
  static constexpr int most_lanes = transpose_lanes;
  /// The number of groups that should fit on a multiprocessor: as many as its lanes allow, if the
  /// elements leave enough registers. The loads of many groups hide memory latency.
  static constexpr int least_groups = sizeof(From) <= 8 ? 8 : 1;
  static constexpr bool no_large_scratch = true;
  static constexpr int edge = transpose_tile;
  /// The stride of a tile in scratch from row to row. Odd, so that the elements of a column are in
  /// different banks.
  static constexpr int pitch = edge + 1;
  static constexpr std::uint32_t lines = transpose_lanes / edge;  ///< rows that a pass copies
  static constexpr std::uint32_t times = edge / lines;
  To* to;
  const From* from;
  transposition shape;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    auto number = static_cast<std::uint32_t>(lane.group());
    const std::uint32_t column = shape.across.split(number) * edge;
    const std::uint32_t row = shape.down.split(number) * edge;
    index_t to_at = column + row * shape.pitch[0];
    index_t from_at = column * shape.step + row * shape.pitch[1];
    for (int d = 0; d < shape.outer; ++d) {
      const index_t index = shape.extents[d].split(number);
      to_at += index * shape.strides[0][d];
      from_at += index * shape.strides[1][d];
    }
    const std::uint32_t width = shape.columns - column;
    const std::uint32_t height = shape.rows - row;
    if (width >= edge && height >= edge) {
      move<true>(lane, to + to_at, from + from_at, edge, edge);
    } else {
      move<false>(lane, to + to_at, from + from_at, width, height);
    }
  }

 private:
  // Copies a tile that begins at these elements and has `width` columns and `height` rows.
  HPK_CALLS_EITHER
  template <bool Whole, class Lane>
  HPK_FORCEINLINE_FUNCTION void move(Lane& lane, To* to_tile, const From* from_tile,
                                     std::uint32_t width, std::uint32_t height) const {
    const auto me = static_cast<std::uint32_t>(lane.lane_index());
    const std::uint32_t x = me % edge;
    const std::uint32_t y = me / edge;
    From* const tile = value_scratch<From>(lane);
    // The source is dense along its columns.
    const From* const source = from_tile + (x * shape.pitch[1] + y * shape.step);
    From* const cell = tile + x * pitch + y;
    const auto load = [&](std::uint32_t k) -> const From& {
      return *seam::device_address<FromMem>(source + k * (lines * shape.step));
    };
    if constexpr (Whole) {
      From values[std::size_t{times}];  // issues all loads before the first store
      HPK_UNROLL_4
      for (std::uint32_t k = 0; k < times; ++k) values[k] = load(k);
      HPK_UNROLL_4
      for (std::uint32_t k = 0; k < times; ++k) cell[k * lines] = values[k];
    } else {
      const std::uint32_t end = x < height ? width : 0;
      HPK_UNROLL_4
      for (std::uint32_t k = 0; k < times; ++k) {
        if (y + k * lines < end) cell[k * lines] = load(k);
      }
    }
    lane.barrier();
    To* const target = to_tile + (x + y * shape.pitch[0]);
    const std::uint32_t end = x < width ? height : 0;
    HPK_UNROLL_4
    for (std::uint32_t k = 0; k < times; ++k) {
      if (Whole || y + k * lines < end)
        *seam::device_address<ToMem>(target + k * (lines * shape.pitch[0])) =
            as_element<To>(tile[(y + k * lines) * pitch + x]);
    }
  }
};

/// Whether elements may be copied by tiles, which requires that they can be stored in scratch.
template <class From>
inline constexpr bool may_transpose =
    std::is_trivially_copyable_v<From> && std::is_trivially_default_constructible_v<From> &&
    sizeof(From) <= 16;

/// Copies a transposed layout by tiles. Returns false if the machine's groups are too small, the
/// layout is too large, or so few rows or columns are copied that most lanes would be idle.
template <class To, class ToMem, class From, class FromMem, class Machine>
bool copy_by_tiles(Machine& machine, To* to, const From* from, const strided_layout& layout,
                   const seam::launch_info& info) {
  using kernel = transpose_kernel<To, ToMem, From, FromMem>;
  constexpr index_t most = 0x7fff'ffff;  // largest number that a divisor can divide
  const seam::machine_properties properties = machine.properties();
  const std::size_t scratch = value_scratch_bytes<From>(kernel::edge * kernel::pitch);
  if (properties.largest_lanes < transpose_lanes || properties.scratch_bytes[0] < scratch)
    return false;
  const index_t rows = layout.extents[layout.rank - 2];
  const index_t columns = layout.inner();
  if (rows < kernel::edge / 2 || columns < kernel::edge / 2 || rows > most || columns > most)
    return false;
  const auto tiles_of = [](index_t n) { return (n + kernel::edge - 1) / kernel::edge; };
  const index_t tiles = tiles_of(rows) * tiles_of(columns);
  const index_t others = layout.outer() / rows;
  if (tiles > most || others > most / tiles) return false;
  const transposition shape(layout);
  machine.launch({.groups = others * tiles, .lanes = transpose_lanes, .scratch = {scratch, 0}},
                 kernel{to, from, shape}, info);
  return true;
}

}  // namespace hpk::detail
