// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mirrors of DynRankViews: create_mirror, create_mirror_view, create_mirror_view_and_copy.
#pragma once

#include <hpk/containers/dyn_rank_copy.hpp>

namespace hpk {

namespace detail {

/// The DynRankView with a layout over the elements of a View of rank 1.
template <class Flat, class Layout>
struct dyn_rank_view_over {
  using type =
      std::conditional_t<std::is_same_v<typename Flat::memory_traits, MemoryTraits<>>,
                         DynRankView<typename Flat::value_type, Layout, typename Flat::device_type>,
                         DynRankView<typename Flat::value_type, Layout, typename Flat::device_type,
                                     typename Flat::memory_traits>>;
};

/// Returns the mirror with the elements `mirrored`, or the source itself if they are its elements.
template <class Flat, class V>
auto mirror_with(const Flat& mirrored, const V& source) {
  if constexpr (std::is_same_v<Flat, dyn_rank_access::flat<V>>) {
    if (mirrored.data() == source.data()) return source;
    return dyn_rank_access::make<V>(mirrored, dyn_rank_access::shape(source));
  } else {
    using mirror = typename dyn_rank_view_over<Flat, typename V::array_layout>::type;
    return dyn_rank_access::make<mirror>(mirrored, dyn_rank_access::shape(source));
  }
}

}  // namespace detail

/// Gives DynRankViews all forms of create_mirror, create_mirror_view and
/// create_mirror_view_and_copy that Views have.
template <class D, class... Ps>
auto mirrors_of(const DynRankView<D, Ps...>&) {
  return []<class Mirror>(const DynRankView<D, Ps...>& source, const Mirror& mirror) {
    const auto& elements = detail::dyn_rank_access::elements(source);
    using flat = decltype(mirror(elements));
    using mine = detail::dyn_rank_access::flat<DynRankView<D, Ps...>>;
    if constexpr (Mirror::copies && !std::is_same_v<flat, mine>) {
      // The gaps of the span are not read, because other threads may write there.
      if (!source.span_is_contiguous())
        return mirror(source, [&](const auto& properties) {
          return detail::mirror_with(flat(properties, elements.extent(0)), source);
        });
    }
    return detail::mirror_with(mirror(elements), source);
  };
}

}  // namespace hpk
