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

/// The types of arguments that create_mirror and create_mirror_view of Views take before the
/// source.
template <class T>
concept mirror_argument = view_alloc_properties<T> || Space<T> ||
                          std::is_same_v<T, std::remove_const_t<decltype(WithoutInitializing)>>;

}  // namespace detail

/// Returns a new DynRankView with the source's shape in host-accessible memory, without copying the
/// elements. The forms are as for Views: (source), (WithoutInitializing,
/// source), (space, source), (WithoutInitializing, space, source), (view_alloc(...), source).
template <class D, class... Ps>
auto create_mirror(const DynRankView<D, Ps...>& source) {
  return detail::mirror_with(create_mirror(detail::dyn_rank_access::elements(source)), source);
}
template <detail::mirror_argument First, class D, class... Ps>
auto create_mirror(const First& first, const DynRankView<D, Ps...>& source) {
  return detail::mirror_with(create_mirror(first, detail::dyn_rank_access::elements(source)),
                             source);
}
template <detail::mirror_argument First, Space Where, class D, class... Ps>
auto create_mirror(const First& first, const Where& space, const DynRankView<D, Ps...>& source) {
  return detail::mirror_with(create_mirror(first, space, detail::dyn_rank_access::elements(source)),
                             source);
}

/// Returns the source itself if it is in the requested memory space (without a space: if its memory
/// is host-accessible and its elements are not const), else create_mirror of the same arguments.
template <class D, class... Ps>
auto create_mirror_view(const DynRankView<D, Ps...>& source) {
  return detail::mirror_with(create_mirror_view(detail::dyn_rank_access::elements(source)), source);
}
template <detail::mirror_argument First, class D, class... Ps>
auto create_mirror_view(const First& first, const DynRankView<D, Ps...>& source) {
  return detail::mirror_with(create_mirror_view(first, detail::dyn_rank_access::elements(source)),
                             source);
}
template <detail::mirror_argument First, Space Where, class D, class... Ps>
auto create_mirror_view(const First& first, const Where& space,
                        const DynRankView<D, Ps...>& source) {
  return detail::mirror_with(
      create_mirror_view(first, space, detail::dyn_rank_access::elements(source)), source);
}

/// Like create_mirror_view, and copies the elements of the source. The properties name a memory
/// space. They may contain an instance, on which the copy is queued without waiting, and a label
/// for a new DynRankView (default: the source's label).
template <view_alloc_properties Allocation, class D, class... Ps>
auto create_mirror_view_and_copy(const Allocation& allocation,
                                 const DynRankView<D, Ps...>& source) {
  const auto& elements = detail::dyn_rank_access::elements(source);
  using flat = decltype(create_mirror_view_and_copy(allocation, elements));
  if (std::is_same_v<flat, detail::dyn_rank_access::flat<DynRankView<D, Ps...>>> ||
      source.span_is_contiguous())
    return detail::mirror_with(create_mirror_view_and_copy(allocation, elements), source);
  // The gaps of the span are not read, because other threads may write there.
  const std::string source_label = source.label();
  const std::string_view new_label = allocation.label;
  const flat copied(
      hpk::with_label(allocation, new_label.empty() ? std::string_view(source_label) : new_label),
      elements.extent(0));
  auto result = detail::mirror_with(copied, source);
  if constexpr (Allocation::has_instance) {
    deep_copy(allocation.instance, result, source);
  } else {
    deep_copy(result, source);
  }
  return result;
}
/// The same in the memory of a space. `label` names a new DynRankView; if empty, it gets the
/// source's label.
template <Space Where, class D, class... Ps>
auto create_mirror_view_and_copy(const Where&, const DynRankView<D, Ps...>& source,
                                 std::string_view label = {}) {
  return create_mirror_view_and_copy(view_alloc(typename Where::memory_space(), label), source);
}
/// The same in host-accessible memory.
template <class D, class... Ps>
auto create_mirror_view_and_copy(const DynRankView<D, Ps...>& source) {
  return create_mirror_view_and_copy(typename DynRankView<D, Ps...>::host_mirror_space(), source);
}

}  // namespace hpk
