// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mirrors: Views of the same shape in memory that the host (or another space) may access. On host
// spaces a mirror view is the View itself.
#pragma once

#include <hpk/view/copy.hpp>

namespace hpk::detail {

template <class Space>
using memory_of = typename Space::memory_space;

/// The mirror of a View type in another memory space.
template <class Space, class V>
using mirror_in = View<typename V::non_const_data_type, typename V::array_layout, memory_of<Space>>;

/// A new View like `source`; in memory that the space of the source watches, if it does that.
template <class Mirror, class V, class... Tags>
Mirror make_mirror(std::string_view label, const V& source, const Tags&... tags) {
  auto properties = view_alloc(label, tags...);
  using home = seam::memory<typename V::memory_space>;
  if constexpr (std::is_same_v<typename Mirror::memory_space, HostSpace> &&
                requires { &home::allocate_mirror; }) {
    if (source.data() != nullptr)
      properties.mirror = {source.data(), &home::allocate_mirror, &home::deallocate};
    Mirror result(properties, source.layout());
    home::name(result.data(), label);
    home::watch_mirror(result.data());
    return result;
  } else {
    return Mirror(properties, source.layout());
  }
}
template <class V>
std::string mirror_label(const V& source) {
  return source.label() + "_mirror";
}

/// create_mirror_view returns the source when it is a host View of non-const elements already.
template <class V>
inline constexpr bool is_own_mirror =
    std::is_same_v<typename V::memory_space, typename V::host_mirror_type::memory_space> &&
    !std::is_const_v<typename V::value_type>;

}  // namespace hpk::detail

namespace hpk {

/// A new host View of the source's shape and layout, value-initialised, never a copy of its
/// elements.
template <class D, class... Ps>
auto create_mirror(const View<D, Ps...>& source) {
  return detail::make_mirror<typename View<D, Ps...>::host_mirror_type>(
      detail::mirror_label(source), source);
}
/// The same, not initialised.
template <class D, class... Ps>
auto create_mirror(detail::without_initializing_t tag, const View<D, Ps...>& source) {
  return detail::make_mirror<typename View<D, Ps...>::host_mirror_type>(
      detail::mirror_label(source), source, tag);
}
/// A new View of the source's shape in the memory of a space.
template <class Space, class D, class... Ps>
  requires is_space_v<Space>
auto create_mirror(const Space&, const View<D, Ps...>& source) {
  return detail::make_mirror<detail::mirror_in<Space, View<D, Ps...>>>(detail::mirror_label(source),
                                                                       source);
}
/// The same, not initialised.
template <class Space, class D, class... Ps>
  requires is_space_v<Space>
auto create_mirror(detail::without_initializing_t tag, const Space&, const View<D, Ps...>& source) {
  return detail::make_mirror<detail::mirror_in<Space, View<D, Ps...>>>(detail::mirror_label(source),
                                                                       source, tag);
}

/// The source itself when it is host memory of non-const elements, else create_mirror(source).
template <class D, class... Ps>
typename View<D, Ps...>::host_mirror_type create_mirror_view(const View<D, Ps...>& source) {
  if constexpr (detail::is_own_mirror<View<D, Ps...>>) {
    return source;
  } else {
    return create_mirror(source);
  }
}
/// The same; a new View is not initialised.
template <class D, class... Ps>
typename View<D, Ps...>::host_mirror_type create_mirror_view(detail::without_initializing_t tag,
                                                             const View<D, Ps...>& source) {
  if constexpr (detail::is_own_mirror<View<D, Ps...>>) {
    return source;
  } else {
    return create_mirror(tag, source);
  }
}
/// The source itself when its memory is that of the space, else a new View there.
template <class Space, class D, class... Ps>
  requires is_space_v<Space>
auto create_mirror_view(const Space& space, const View<D, Ps...>& source) {
  if constexpr (std::is_same_v<detail::memory_of<Space>, typename View<D, Ps...>::memory_space>) {
    return source;
  } else {
    return create_mirror(space, source);
  }
}

/// As create_mirror_view(space, source), with the elements of the source in it. `label` names a new
/// View; the source's label if empty.
template <class Space, class D, class... Ps>
  requires is_space_v<Space>
auto create_mirror_view_and_copy(const Space&, const View<D, Ps...>& source,
                                 std::string_view label = {}) {
  if constexpr (std::is_same_v<detail::memory_of<Space>, typename View<D, Ps...>::memory_space>) {
    fence("hpk::create_mirror_view_and_copy");
    return source;
  } else {
    using mirror = detail::mirror_in<Space, View<D, Ps...>>;
    const mirror result = detail::make_mirror<mirror>(
        label.empty() ? source.label() : std::string(label), source, WithoutInitializing);
    deep_copy(result, source);
    return result;
  }
}

}  // namespace hpk
