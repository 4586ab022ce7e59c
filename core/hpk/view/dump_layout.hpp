// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dump_layout: a drawing of where the elements of a View lie in memory, for docs and debugging.
#pragma once

#include <hpk/view/copy_kernels.hpp>
#include <hpk/view/view.hpp>

#include <string>

namespace hpk {

namespace detail {

/// What is drawn: a shape, and the offset of an element by its indices.
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

/// An SVG picture: a cell for each element with its offset from the first in memory, coloured from
/// the lowest to the highest. Rows are the last dimension but one, columns the last; Views of a
/// higher rank have a table for each index of the others, one below the other. Throws hpk::error
/// when there are more than 4096 elements. The elements are not read, so their memory may be a
/// device's, or null: View(nullptr, n0, n1) draws the layout alone.
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
