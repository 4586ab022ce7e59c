// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mirrors: Views of the same shape in memory that the host (or another space) can access. On host
// spaces create_mirror_view returns the View itself.
#pragma once

#include <hpk/view/copy.hpp>

namespace hpk::detail {

template <class Space>
using memory_of = typename Space::memory_space;

/// The type of a mirror of V in another memory space.
template <class Space, class V>
using mirror_in = View<typename V::non_const_data_type, typename V::array_layout, memory_of<Space>>;

/// Returns a new View of the shape of `source` with the given properties. A memory space that
/// watches mirrors (Emu) allocates the memory of mirrors itself.
template <class Mirror, class V, class Properties>
Mirror make_mirror(std::string_view label, const V& source, const Properties& given) {
  auto properties = labelled(given, label);
  using home = seam::memory<typename V::memory_space>;
  if constexpr (std::is_same_v<typename Mirror::memory_space, HostSpace> &&
                seam::watches_mirrors<home>) {
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

/// Whether create_mirror_view returns the source: a View of non-const elements in host-accessible
/// memory.
template <class V>
inline constexpr bool is_own_mirror =
    std::is_same_v<typename V::memory_space, typename V::host_mirror_type::memory_space> &&
    !std::is_const_v<typename V::value_type>;

/// The type of a new mirror with the given properties.
template <class Properties, class V>
struct mirror_as {
  using type = mirror_in<typename Properties::memory_space, V>;
};
template <class Exec, unsigned Flags, class V>
struct mirror_as<allocation_properties<Exec, void, Flags>, V> {
  using type = typename V::host_mirror_type;
};

/// Whether create_mirror_view with the given properties may return the source.
template <class Properties, class V>
constexpr bool mirrors_itself() {
  if constexpr (Properties::has_memory_space) {
    return std::is_same_v<typename Properties::memory_space, typename V::memory_space>;
  } else {
    return is_own_mirror<V>;
  }
}

/// Checks the properties with static_asserts. Returns whether the call is well-formed.
template <class Properties, bool MayHaveLabel>
constexpr bool check_mirror_properties() {
  constexpr bool label = MayHaveLabel || !Properties::has_label;
  static_assert(label,
                "hpk::create_mirror: a mirror is named after its source; leave the label out of "
                "view_alloc");
  static_assert(!Properties::padding,
                "hpk::create_mirror: a mirror has the layout of its source; leave AllowPadding out "
                "of view_alloc");
  return label && !Properties::padding;
}

}  // namespace hpk::detail

namespace hpk {

/// Returns a new View with the source's shape and layout; elements are not copied. view_alloc(...)
/// may contain an instance, a memory space (default: host-accessible), WithoutInitializing,
/// SequentialHostInit.
///
/// A customisation point: create_mirror_view calls it unqualified, and thereby finds an overload
/// with the same two arguments in the namespace of your element type. A class of yours that is not
/// a View may have create_mirror and create_mirror_view in its namespace; generic code then writes
/// `using hpk::create_mirror_view;` and an unqualified call.
template <class Allocation, class D, class... Ps>
  requires detail::is_allocation_properties_v<Allocation>
auto create_mirror(const Allocation& allocation, const View<D, Ps...>& source) {
  detail::check_mirror_properties<Allocation, false>();
  return detail::make_mirror<typename detail::mirror_as<Allocation, View<D, Ps...>>::type>(
      detail::mirror_label(source.record()), source, allocation);
}
/// Returns a new mirror in host-accessible memory, value-initialised.
template <class D, class... Ps>
auto create_mirror(const View<D, Ps...>& source) {
  return create_mirror(view_alloc(), source);
}
/// Returns a new mirror in host-accessible memory, uninitialised.
template <class D, class... Ps>
auto create_mirror(detail::without_initializing_t tag, const View<D, Ps...>& source) {
  return create_mirror(view_alloc(tag), source);
}
/// Returns a new mirror in the memory of a space, value-initialised.
template <class Space, class D, class... Ps>
  requires is_space_v<Space>
auto create_mirror(const Space&, const View<D, Ps...>& source) {
  return create_mirror(view_alloc(detail::memory_of<Space>()), source);
}
/// Returns a new mirror in the memory of a space, uninitialised.
template <class Space, class D, class... Ps>
  requires is_space_v<Space>
auto create_mirror(detail::without_initializing_t tag, const Space&, const View<D, Ps...>& source) {
  return create_mirror(view_alloc(tag, detail::memory_of<Space>()), source);
}

/// Returns the source if it is in the requested memory space, else create_mirror(allocation,
/// source). Without a memory space, returns the source if its memory is host-accessible and its
/// elements are not const.
template <class Allocation, class D, class... Ps>
  requires detail::is_allocation_properties_v<Allocation>
auto create_mirror_view(const Allocation& allocation, const View<D, Ps...>& source) {
  using view = View<D, Ps...>;
  detail::check_mirror_properties<Allocation, false>();
  if constexpr (!detail::mirrors_itself<Allocation, view>()) {
    return create_mirror(allocation, source);
  } else if constexpr (Allocation::has_memory_space) {
    return source;
  } else {
    return typename view::host_mirror_type(source);
  }
}
/// Returns the source if its memory is host-accessible and its elements are not const, else
/// create_mirror(source).
template <class D, class... Ps>
auto create_mirror_view(const View<D, Ps...>& source) {
  return create_mirror_view(view_alloc(), source);
}
/// Like create_mirror_view(source), but a new View is not initialised.
template <class D, class... Ps>
auto create_mirror_view(detail::without_initializing_t tag, const View<D, Ps...>& source) {
  return create_mirror_view(view_alloc(tag), source);
}
/// Returns the source if it is in the memory of the space, else a new mirror there.
template <class Space, class D, class... Ps>
  requires is_space_v<Space>
auto create_mirror_view(const Space&, const View<D, Ps...>& source) {
  return create_mirror_view(view_alloc(detail::memory_of<Space>()), source);
}
/// Like create_mirror_view(space, source), but a new View is not initialised.
template <class Space, class D, class... Ps>
  requires is_space_v<Space>
auto create_mirror_view(detail::without_initializing_t tag, const Space&,
                        const View<D, Ps...>& source) {
  return create_mirror_view(view_alloc(tag, detail::memory_of<Space>()), source);
}

/// Like create_mirror_view, and copies the elements of the source. The properties must contain a
/// memory space. They may contain an instance, on which the copy is queued without waiting, and a
/// label for a new View (default: the source's label).
template <class Allocation, class D, class... Ps>
  requires detail::is_allocation_properties_v<Allocation>
auto create_mirror_view_and_copy(const Allocation& allocation, const View<D, Ps...>& source) {
  using view = View<D, Ps...>;
  detail::check_mirror_properties<Allocation, true>();
  static_assert(Allocation::has_memory_space,
                "hpk::create_mirror_view_and_copy: write view_alloc with a memory space");
  if constexpr (!Allocation::has_memory_space || detail::mirrors_itself<Allocation, view>()) {
    if constexpr (!Allocation::has_instance) fence("hpk::create_mirror_view_and_copy");
    return source;
  } else {
    using mirror = typename detail::mirror_as<Allocation, view>::type;
    const auto copied = [&] {
      constexpr unsigned flags =
          Allocation::sequential ? detail::no_flags : detail::no_initialization;
      const std::string_view label = allocation.label.empty() ? detail::label_in(source.record())
                                                              : std::string_view(allocation.label);
      return detail::make_mirror<mirror>(label, source, detail::labelled<flags>(allocation, {}));
    };
    const mirror result = copied();
    if constexpr (Allocation::has_instance) {
      deep_copy(allocation.instance, result, source);
    } else {
      deep_copy(result, source);
    }
    return result;
  }
}
/// Returns a mirror with copied elements in the memory of a space. `label` is the label of a new
/// View; if empty, the source's label.
template <class Space, class D, class... Ps>
  requires is_space_v<Space>
auto create_mirror_view_and_copy(const Space&, const View<D, Ps...>& source,
                                 std::string_view label = {}) {
  return create_mirror_view_and_copy(view_alloc(detail::memory_of<Space>(), label), source);
}
/// Returns a mirror with copied elements in host-accessible memory.
template <class D, class... Ps>
auto create_mirror_view_and_copy(const View<D, Ps...>& source) {
  return create_mirror_view_and_copy(typename View<D, Ps...>::host_mirror_space(), source);
}

}  // namespace hpk
