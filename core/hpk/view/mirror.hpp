// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mirrors: Views of the same shape in memory that the host (or another space) can access. On host
// spaces create_mirror_view returns the View itself. Other classes have mirrors too: has_mirrors.
#pragma once

#include <hpk/view/copy.hpp>

namespace hpk::detail {

template <class Space>
using memory_of = typename Space::memory_space;

/// Returns a new View of the shape of `source` with the given properties. A memory space that
/// watches mirrors (Emu) allocates the memory of mirrors itself.
template <class Mirror, class V, class Properties>
Mirror make_mirror(std::string_view label, const V& source, const Properties& given) {
  auto properties = hpk::with_label(given, label);
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

/// The type of a new mirror of V in a space; void: in host-accessible memory.
template <class Where, class V>
struct mirror_type {
  using type = View<typename V::non_const_data_type, typename V::array_layout, memory_of<Where>>;
};
template <class V>
struct mirror_type<void, V> {
  using type = typename V::host_mirror_type;
};

/// Whether the mirror view of V in a space (void: in host-accessible memory) is the source itself.
template <class Where, class V>
inline constexpr bool mirrors_itself = std::is_same_v<memory_of<Where>, typename V::memory_space>;
template <class V>
inline constexpr bool mirrors_itself<void, V> =
    std::is_same_v<typename V::host_mirror_type::memory_space, typename V::memory_space> &&
    requires(const V& source) { static_cast<typename V::host_mirror_type>(source); };

/// Checks the properties with static_asserts.
template <class Properties, bool MayHaveLabel>
constexpr void check_mirror_properties() {
  static_assert(MayHaveLabel || !Properties::has_label,
                "hpk::create_mirror: a mirror is named after its source; leave the label out of "
                "view_alloc");
  static_assert(!Properties::padding,
                "hpk::create_mirror: a mirror has the layout of its source; leave AllowPadding out "
                "of view_alloc");
}
template <class Properties>
constexpr void check_copy_properties() {
  static_assert(Properties::has_memory_space,
                "hpk::create_mirror_view_and_copy: write view_alloc with a memory space");
}

/// Returns the properties of a new mirror: with a label, by default `label`, and for a copy
/// uninitialised unless they contain SequentialHostInit.
template <bool Copies, class E, class M, unsigned F>
auto new_mirror_properties(const allocation_properties<E, M, F>& given, std::string_view label) {
  constexpr bool initialize = !Copies || (F & sequential_initialization) != 0;
  constexpr unsigned how = initialize ? no_flags : no_initialization;
  allocation_properties<E, M, F | how | with_label> result{};
  result.label = given.label.empty() ? label : std::string_view(given.label);
  if constexpr (!std::is_void_v<E>) result.instance = given.instance;
  return result;
}

/// create_mirror, create_mirror_view and create_mirror_view_and_copy.
enum class mirror_kind { mirror, view, view_and_copy };

}  // namespace hpk::detail

namespace hpk::classes {

/// A call of create_mirror, create_mirror_view or create_mirror_view_and_copy, which mirrors_of()
/// receives; see has_mirrors. Where: the space that the call names, or void.
template <mirror_kind Kind, class Where, class Properties>
struct mirror_call {
  using space = Where;  ///< of the mirror; void: memory that the host can access
  /// Whether the call copies the elements.
  static constexpr bool copies = Kind == mirror_kind::view_and_copy;
  const Properties& properties;  ///< allocate the mirror

  /// Returns the mirror of a View.
  template <class V>
  auto operator()(const V& view) const {
    if constexpr (copies) {
      return create_mirror_view_and_copy(properties, view);
    } else if constexpr (Kind == mirror_kind::view) {
      return create_mirror_view(properties, view);
    } else {
      return create_mirror(properties, view);
    }
  }

  /// Returns the source itself, or what make(properties) returns, with the elements of the source
  /// if the call requests a copy.
  template <class V, class Make>
  auto operator()(const V& source, const Make& make) const {
    if constexpr (copies) {
      check_copy_properties<Properties>();
    } else {
      check_mirror_properties<Properties, false>();
    }
    if constexpr (Kind != mirror_kind::mirror && mirrors_itself<Where, V>) {
      if constexpr (copies && !Properties::has_instance) fence("hpk::create_mirror_view_and_copy");
      if constexpr (std::is_void_v<Where>) {
        return typename V::host_mirror_type(source);
      } else {
        return source;
      }
    } else {
      auto result = make(detail::new_mirror_properties<copies>(properties, source.label()));
      if constexpr (copies && Properties::has_instance &&
                    requires { deep_copy(properties.instance, result, source); }) {
        deep_copy(properties.instance, result, source);
      } else if constexpr (copies) {
        deep_copy(result, source);
      }
      return result;
    }
  }
};

}  // namespace hpk::classes

namespace hpk::detail {

/// An argument before the source.
template <class T>
concept mirror_option =
    view_alloc_properties<T> || Space<T> || std::is_same_v<T, without_initializing_t>;
/// Returns the argument as properties.
template <mirror_option First>
auto mirror_properties(const First& first) {
  if constexpr (is_allocation_properties_v<First>) {
    return first;
  } else if constexpr (is_space_v<First>) {
    return view_alloc(memory_of<First>());
  } else {
    return view_alloc(first);
  }
}

/// Calls the function of mirrors_of(source). Where: the space that the call names, or void.
template <mirror_kind Kind, class Where, class V, class Properties>
auto mirror_in_space(const V& source, const Properties& properties) {
  return mirrors_of(source)(source, classes::mirror_call<Kind, Where, Properties>{properties});
}
template <mirror_kind Kind, class First, class V>
auto mirror_by(const First& first, const V& source) {
  const auto properties = mirror_properties(first);
  using memory = typename decltype(properties)::memory_space;
  using where = std::conditional_t<is_space_v<First>, First, memory>;
  return mirror_in_space<Kind, where>(source, properties);
}

}  // namespace hpk::detail

namespace hpk {

/// Returns a new View with the source's shape and layout; elements are not copied. view_alloc(...)
/// may contain an instance, a memory space (default: host-accessible), WithoutInitializing,
/// SequentialHostInit.
///
/// A customisation point: create_mirror_view calls it unqualified, and thereby finds an overload
/// with the same two arguments in the namespace of your element type. A class of yours that is not
/// a View may have mirrors_of in its namespace (see has_mirrors). It may also have create_mirror
/// and create_mirror_view there; generic code then writes `using hpk::create_mirror_view;` and an
/// unqualified call.
template <view_alloc_properties Allocation, class D, class... Ps>
auto create_mirror(const Allocation& allocation, const View<D, Ps...>& source) {
  detail::check_mirror_properties<Allocation, false>();
  using mirror =
      typename detail::mirror_type<typename Allocation::memory_space, View<D, Ps...>>::type;
  return detail::make_mirror<mirror>(detail::mirror_label(source.record()), source, allocation);
}
/// @{
/// Returns a new mirror: in host-accessible memory or in the memory of a space, value-initialised
/// or uninitialised.
template <class D, class... Ps>
auto create_mirror(const View<D, Ps...>& source) {
  return create_mirror(view_alloc(), source);
}
template <detail::mirror_option First, class D, class... Ps>
auto create_mirror(const First& first, const View<D, Ps...>& source) {
  return create_mirror(detail::mirror_properties(first), source);
}
template <Space Where, class D, class... Ps>
auto create_mirror(detail::without_initializing_t tag, const Where&, const View<D, Ps...>& source) {
  return create_mirror(view_alloc(tag, detail::memory_of<Where>()), source);
}
/// @}

/// Returns the source if it is in the requested memory space, else create_mirror(allocation,
/// source). Without a memory space, returns the source if its memory is host-accessible and its
/// elements are not const.
template <view_alloc_properties Allocation, class D, class... Ps>
auto create_mirror_view(const Allocation& allocation, const View<D, Ps...>& source) {
  using view = View<D, Ps...>;
  detail::check_mirror_properties<Allocation, false>();
  if constexpr (!detail::mirrors_itself<typename Allocation::memory_space, view>) {
    return create_mirror(allocation, source);
  } else if constexpr (Allocation::has_memory_space) {
    return source;
  } else {
    return typename view::host_mirror_type(source);
  }
}
/// @{
/// The same in the memory of a space or in host-accessible memory. A new View may be uninitialised.
template <class D, class... Ps>
auto create_mirror_view(const View<D, Ps...>& source) {
  return create_mirror_view(view_alloc(), source);
}
template <detail::mirror_option First, class D, class... Ps>
auto create_mirror_view(const First& first, const View<D, Ps...>& source) {
  return create_mirror_view(detail::mirror_properties(first), source);
}
template <Space Where, class D, class... Ps>
auto create_mirror_view(detail::without_initializing_t tag, const Where&,
                        const View<D, Ps...>& source) {
  return create_mirror_view(view_alloc(tag, detail::memory_of<Where>()), source);
}
/// @}

/// Like create_mirror_view, and copies the elements of the source. The properties must contain a
/// memory space. They may contain an instance, on which the copy is queued without waiting, and a
/// label for a new View (default: the source's label).
template <view_alloc_properties Allocation, class D, class... Ps>
auto create_mirror_view_and_copy(const Allocation& allocation, const View<D, Ps...>& source) {
  using where = typename Allocation::memory_space;
  using call = classes::mirror_call<detail::mirror_kind::view_and_copy, where, Allocation>;
  detail::check_mirror_properties<Allocation, true>();
  return call{allocation}(source, [&](const auto& given) {
    using mirror = typename detail::mirror_type<where, View<D, Ps...>>::type;
    return detail::make_mirror<mirror>(given.label, source, given);
  });
}
/// Returns a mirror with copied elements in the memory of a space. `label` is the label of a new
/// View; if empty, the source's label.
template <Space Where, class D, class... Ps>
auto create_mirror_view_and_copy(const Where&, const View<D, Ps...>& source,
                                 std::string_view label = {}) {
  return create_mirror_view_and_copy(view_alloc(detail::memory_of<Where>(), label), source);
}
/// Returns a mirror with copied elements in host-accessible memory.
template <class D, class... Ps>
auto create_mirror_view_and_copy(const View<D, Ps...>& source) {
  return create_mirror_view_and_copy(typename View<D, Ps...>::host_mirror_space(), source);
}

/// Whether V has mirrors of all forms by one function mirrors_of, which a program or part writes in
/// the namespace of its class. It also serves derived classes. It returns a function of the source
/// and of the call:
/// @code
/// template <class T>
/// auto mirrors_of(const pair_of_views<T>&) {
///   return [](const pair_of_views<T>& source, const auto& mirror) {
///     return make_pair_of_views(mirror(source.a), mirror(source.b));
///   };
/// }
/// @endcode
/// mirror(view) returns the mirror of a View. A class that does not consist of Views returns
/// mirror(source, make): the source itself, unless the call is create_mirror or the source is not
/// in the memory space that the call names; else make(properties), into which
/// create_mirror_view_and_copy copies by deep_copy([instance,] result, source). A call without a
/// space returns the source itself if V::host_mirror_type has its memory space and can be
/// constructed from it. `properties` is the result of view_alloc in the call, with a label (by
/// default source.label()) and for a copy with WithoutInitializing, unless it has
/// SequentialHostInit. The type of `mirror` has the members `space`, the space or Device that the
/// call names, or void, and `copies`, true for create_mirror_view_and_copy. That function without a
/// space copies to V::host_mirror_space, or to HostSpace if V does not define it.
template <class V>
concept has_mirrors = requires(const V& source) { mirrors_of(source); };

/// @{
/// Mirrors of classes with mirrors_of, in the same forms as for Views.
template <detail::mirror_option First, has_mirrors V>
auto create_mirror(const First& first, const V& source) {
  return detail::mirror_by<detail::mirror_kind::mirror>(first, source);
}
template <has_mirrors V>
auto create_mirror(const V& source) {
  return create_mirror(view_alloc(), source);
}
template <detail::mirror_option First, Space Where, has_mirrors V>
auto create_mirror(const First& first, const Where&, const V& source) {
  return detail::mirror_in_space<detail::mirror_kind::mirror, Where>(
      source, view_alloc(first, detail::memory_of<Where>()));
}
template <detail::mirror_option First, has_mirrors V>
auto create_mirror_view(const First& first, const V& source) {
  return detail::mirror_by<detail::mirror_kind::view>(first, source);
}
template <has_mirrors V>
auto create_mirror_view(const V& source) {
  return create_mirror_view(view_alloc(), source);
}
template <detail::mirror_option First, Space Where, has_mirrors V>
auto create_mirror_view(const First& first, const Where&, const V& source) {
  return detail::mirror_in_space<detail::mirror_kind::view, Where>(
      source, view_alloc(first, detail::memory_of<Where>()));
}
template <detail::mirror_option First, has_mirrors V>
auto create_mirror_view_and_copy(const First& first, const V& source) {
  return detail::mirror_by<detail::mirror_kind::view_and_copy>(first, source);
}
template <has_mirrors V>
auto create_mirror_view_and_copy(const V& source) {
  if constexpr (requires { typename V::host_mirror_space; }) {
    return create_mirror_view_and_copy(typename V::host_mirror_space(), source);
  } else {
    using host = std::enable_if_t<has_mirrors<V>, HostSpace>;  // completed by the backends
    return create_mirror_view_and_copy(host(), source);
  }
}
template <Space Where, has_mirrors V>
auto create_mirror_view_and_copy(const Where&, const V& source, std::string_view label) {
  return detail::mirror_in_space<detail::mirror_kind::view_and_copy, Where>(
      source, view_alloc(detail::memory_of<Where>(), label));
}
/// @}

}  // namespace hpk
