// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dump_layout: draws the positions of a View's elements in memory, for docs and debugging.
#pragma once

#include <hpk/view/copy_kernels.hpp>
#include <hpk/view/view.hpp>

#include <string>

namespace hpk {

namespace detail {

/// The input of a drawing: extents, and the offset of an element by its indices.
struct layout_drawing {
  std::string title;
  int rank;
  index_t extents[max_rank];
  index_t span;
  const void* mapping;
  index_t (*offset)(const void* mapping, const index_t* extents, index_t element);
};
std::string draw_layout(const layout_drawing& drawing);

}  // namespace detail

/// Returns an SVG picture with a cell for each element. A cell shows the offset from the first
/// element in memory, and its color. Rows are the second to last dimension, columns the last. A
/// View of higher rank has a table for each index of the other dimensions, in a vertical list.
/// Throws hpk::error if there are more than 4096 elements. The elements are not read, so their
/// memory may be on a device, or null: View(nullptr, n0, n1) draws only the layout.
template <class D, class... Ps>
std::string dump_layout(const View<D, Ps...>& view) {
  using map = detail::view_access::map<View<D, Ps...>>;
  detail::layout_drawing drawing{view.label(), map::rank, {}, 0, nullptr, nullptr};
  const map& mapping = detail::view_access::mapping(view);
  for (int r = 0; r < map::rank; ++r) drawing.extents[r] = mapping.extent(r);
  drawing.span = mapping.span();
  drawing.mapping = &mapping;
  drawing.offset = [](const void* m, const index_t* extents, index_t element) {
    return detail::unflattened_index<map::rank>(extents, element)
        .offset(*static_cast<const map*>(m),
                std::make_index_sequence<static_cast<std::size_t>(map::rank)>());
  };
  return detail::draw_layout(drawing);
}

}  // namespace hpk
