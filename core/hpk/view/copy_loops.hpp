// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of strided copies on a host. They access the operands by the types `to` and `from` of
// `Elements`.
#pragma once

#include <hpk/view/element_conversion.hpp>
#include <hpk/view/strided_layout.hpp>

#include <type_traits>

namespace hpk::detail {

/// Destination elements of type To, assigned from elements of type From.
template <class To, class From>
struct typed_elements {
  using to = To;
  using from = From;
  static constexpr bool one_type = std::is_same_v<To, From>;
  static constexpr bool is_trivial = std::is_trivially_copyable_v<From>;
};

/// Assigns an element, without a temporary if both have one type. Elements is passed instead of its
/// types because template arguments lose may_alias.
template <class Elements>
HPK_FORCEINLINE void assign_element(typename Elements::to& out, const typename Elements::from& in) {
  using to = typename Elements::to;
  if constexpr (Elements::one_type || is_assigned_as_is<to, typename Elements::from>) {
    out = in;
  } else {
    out = static_cast<to>(in);
  }
}

/// Sets a row to an element outside of that row.
template <class Elements>
void fill_row(typename Elements::to* HPK_RESTRICT out, index_t out_step,
              const typename Elements::from& in, index_t n) {
  if (out_step == 1) {
    for (index_t i = 0; i < n; ++i) assign_element<Elements>(out[i], in);
  } else {
    for (index_t i = 0; i < n; ++i) assign_element<Elements>(out[i * out_step], in);
  }
}

/// Copies a row, converting if the types differ.
template <class Elements>
void copy_row(typename Elements::to* HPK_RESTRICT out, index_t out_step,
              const typename Elements::from* in, index_t in_step, index_t n) {
  if (in_step == 0) {
    if constexpr (Elements::is_trivial) {
      const typename Elements::from value = *in;  // loaded into a register once
      fill_row<Elements>(out, out_step, value, n);
    } else {
      fill_row<Elements>(out, out_step, *in, n);
    }
  } else if (out_step == 1 && in_step == 1) {
    for (index_t i = 0; i < n; ++i) assign_element<Elements>(out[i], in[i]);
  } else {
    HPK_UNROLL_4
    for (index_t i = 0; i < n; ++i) assign_element<Elements>(out[i * out_step], in[i * in_step]);
  }
}

/// Copies a tile whose elements are contiguous along p in `out` and along q in `in`. Writes one
/// cache line of the destination at a time, over all q, so that the source lines that it reads stay
/// cached.
template <class Elements>
void copy_tile(typename Elements::to* HPK_RESTRICT out, index_t out_pitch,
               const typename Elements::from* in, index_t in_pitch, index_t ps, index_t qs) {
  using to = typename Elements::to;
  constexpr index_t line = line_elements(sizeof(to));
  index_t p = 0;
  for (; p + line <= ps; p += line) {
    to* HPK_RESTRICT target = out + p;
    const typename Elements::from* source = in + p * in_pitch;
    index_t q = 0;
    // Two at a time, so that pairs can be loaded and interleaved in registers.
    for (; q + 2 <= qs; q += 2) {
      for (index_t x = 0; x < 2; ++x) {
        for (index_t y = 0; y < line; ++y)
          assign_element<Elements>(target[(q + x) * out_pitch + y], source[y * in_pitch + q + x]);
      }
    }
    for (; q < qs; ++q) {
      for (index_t y = 0; y < line; ++y)
        assign_element<Elements>(target[q * out_pitch + y], source[y * in_pitch + q]);
    }
  }
  for (index_t q = 0; p < ps && q < qs; ++q)
    copy_row<Elements>(out + q * out_pitch + p, 1, in + p * in_pitch + q, in_pitch, ps - p);
}

/// Copies units [begin, end) of a layout (count_units).
template <class Elements>
void copy_units(typename Elements::to* to, const typename Elements::from* from,
                const strided_layout& layout, index_t begin, index_t end) {
  const index_t to_step = layout.step(0);
  const index_t from_step = layout.step(1);
  if (layout.rank == 1) {
    copy_row<Elements>(to + begin * to_step, to_step, from + begin * from_step, from_step,
                       end - begin);
    return;
  }
  const unit_blocks blocks(layout, sizeof(typename Elements::to), begin, end);
  to += blocks.offsets[0];
  from += blocks.offsets[1];
  const index_t out_pitch = layout.pitch(0);
  const index_t in_pitch = layout.pitch(1);
  const bool by_tiles = layout.is_transposed() && in_pitch == 1;
  block_walk walk(blocks.part, blocks.size, blocks.begin);
  for (index_t k = blocks.begin; k < blocks.end; ++k, walk.advance()) {
    auto* out = to + walk.offset(0);
    const auto* in = from + walk.offset(1);
    if (by_tiles) {
      copy_tile<Elements>(out, out_pitch, in, from_step, walk.along(), walk.across());
      continue;
    }
    for (index_t q = 0; q < walk.across(); ++q)
      copy_row<Elements>(out + q * out_pitch, to_step, in + q * in_pitch, from_step, walk.along());
  }
}

}  // namespace hpk::detail
