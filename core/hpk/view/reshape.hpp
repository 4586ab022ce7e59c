// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reshape: a View of the same memory with another shape and possibly another rank. It shares the
// ownership of its source; nothing is copied.
#pragma once

#include <hpk/seam/error.hpp>
#include <hpk/view/view.hpp>

#include <type_traits>

namespace hpk {

namespace detail {

template <class V>
struct types_of_view;
template <class D, class... Ps>
struct types_of_view<View<D, Ps...>> {
  using type = view_traits<D, Ps...>;
};

/// Throws hpk::error for a shape with more elements than the memory.
HPK_NOINLINE inline void reject_reshape(const view_description& source, index_t needed,
                                        index_t span) {
  error_message message;
  message << "hpk::reshape: the shape takes " << needed << " elements, but View "
          << label_of(source) << " has " << span << "; write a shape with at most as many elements";
  hpk::raise(std::move(message));
}

}  // namespace detail

/// Returns a View of type V of the elements of `source` in memory order, beginning with the first.
/// The shape is given as in V's constructor after the label: extents, or one object. The result
/// shares the ownership of `source`. V must have the same or const elements, and a memory space to
/// which the space of `source` converts; rank, layout and memory traits may differ. Gaps in the
/// memory of `source` count as elements. Throws hpk::error if the shape takes more elements than
/// source.span(). May be called in kernels.
///   hpk::View<double*> line("line", 12);
///   auto matrix = hpk::reshape<hpk::View<double**>>(line, 3, 4);
HPK_CALLS_EITHER
template <class V, class D, class... Ps, class... Shape>
HPK_FUNCTION V reshape(const View<D, Ps...>& source, Shape... shape) {
  using types = typename detail::types_of_view<V>::type;
  using from = typename View<D, Ps...>::value_type;
  constexpr bool elements = std::is_convertible_v<from(*)[], typename types::element(*)[]>;
  static_assert(elements,
                "hpk::reshape: the elements are of another type, or const and the result writes; "
                "write a View of the source's elements");
  constexpr bool memory =
      seam::may_become<typename types::memory_space, typename View<D, Ps...>::memory_space>;
  static_assert(memory,
                "hpk::reshape: the memory space of the source does not convert to that of the "
                "result; write a View of the source's memory space");
  typename types::mapping mapping;
  detail::set_shape<types>(mapping, detail::reshape_label(), shape...);
  detail::check_not_negative<from>(mapping, detail::reshape_label());
  if (mapping.span() > static_cast<index_t>(source.span())) {
    HPK_IF_ON_HOST((detail::reject_reshape(source.description(), mapping.span(),
                                           static_cast<index_t>(source.span()));))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::reshape: the shape takes more elements than there are");))
  }
  if constexpr (elements && memory) {
    return detail::view_access::share<V>(source, mapping);
  } else {
    return V();
  }
}

}  // namespace hpk
