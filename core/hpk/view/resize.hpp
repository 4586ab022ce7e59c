// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// resize preserves the elements within both old and new extents; realloc discards them. Both
// allocate new memory for the View; other Views keep the old memory.
#pragma once

#include <hpk/view/copy.hpp>

namespace hpk::detail {

/// Whether a View already has the extents or the layout `shape`. Throws hpk::error if its type
/// can't have them.
template <class V, class... Shape>
bool has_shape(const V& view, const Shape&... shape) {
  if constexpr (sizeof...(Shape) == 1 && (is_array_layout_v<Shape> && ...)) {
    return ((view.layout() == shape) && ...) && view.data() != nullptr;
  } else {
    view_access::map<V> wanted;
    set_shape<typename mapping_type_of<V>::traits>(wanted, label_in(view.record()), shape...);
    const auto& map = view_access::mapping(view);
    bool same = view.data() != nullptr;
    for (int r = 0; r < map.rank; ++r) same = same && wanted.extent(r) == map.extent(r);
    return same;
  }
}

/// A property of view_alloc(...) that resize and realloc accept as an argument without view_alloc.
template <class T>
concept sole_property = is_property<T>::value && !is_label<T>::value;

template <class T>
inline constexpr bool is_extent_v = is_index_like_v<T> || is_array_layout_v<T>;

/// Checks the arguments with static_asserts. Returns whether the call is well-formed.
template <class V, class... Shape>
constexpr bool check_resizable() {
  constexpr bool managed = !V::memory_traits::is_unmanaged;
  constexpr bool writable = !std::is_const_v<typename V::value_type>;
  static_assert(managed,
                "hpk::resize and hpk::realloc: an Unmanaged View does not own its memory; write a "
                "managed View");
  static_assert(writable,
                "hpk::resize and hpk::realloc: the elements are const; write a View of non-const "
                "elements");
  constexpr bool extents = (is_extent_v<Shape> && ...);
  static_assert(
      extents,
      "hpk::resize and hpk::realloc: extents are integers; write resize(view, n0, n1, ...) "
      "or one layout object");
  return managed && writable && extents;
}

template <class V, class Properties, class... Shape>
void resize_view(V& view, Properties properties, const Shape&... shape) {
  if constexpr (check_resizable<V, Shape...>()) {
    static_assert(!Properties::has_memory_space,
                  "hpk::resize: the memory space is the View's; leave it out of view_alloc");
    static_assert(
        Properties::initialize || std::is_trivially_copyable_v<typename V::non_const_value_type>,
        "hpk::resize: elements that are not trivially copyable can't be moved to memory "
        "that holds none; leave WithoutInitializing out");
    static_assert(!Properties::has_label,
                  "hpk::resize: the View keeps its label; leave it out of view_alloc");
    if (has_shape(view, shape...)) return;
    properties.label = view.label();
    V larger(properties, shape...);
    array_operand operands[] = {operand_of(larger), operand_of(view)};
    index_t common[max_rank];
    bool any = view.data() != nullptr;
    for (std::size_t r = 0; r != V::rank(); ++r) {
      common[r] = operands[0].extents[r] < operands[1].extents[r] ? operands[0].extents[r]
                                                                  : operands[1].extents[r];
      any = any && common[r] != 0;
    }
    const auto exec = [&] {
      if constexpr (Properties::has_instance) {
        return properties.instance;
      } else {
        return typename V::execution_space();
      }
    }();
    using memory = typename V::memory_space;
    using exec_type = std::remove_const_t<decltype(exec)>;
    using worker = typename decltype(space_that_assigns<typename V::value_type, exec_type, memory,
                                                        memory>())::type;
    if (any) {
      on_space<worker>(exec, [&](const auto& copying) {
        assign_elements(copying, larger, view, operands, common,
                        {.pattern = "resize", .label = properties.label, .where = {}});
      });
    }
    if constexpr (Properties::has_instance) {
      keep_until_done(exec, larger.allocation(), view.allocation());
    } else {
      fence("hpk::resize");
    }
    view = static_cast<V&&>(larger);
  }
}

template <class V, class Properties, class... Shape>
void realloc_view(V& view, Properties properties, const Shape&... shape) {
  if constexpr (check_resizable<V, Shape...>()) {
    static_assert(!Properties::has_memory_space,
                  "hpk::realloc: the memory space is the View's; leave it out of view_alloc");
    static_assert(!Properties::has_label,
                  "hpk::realloc: the View keeps its label; leave it out of view_alloc");
    if (has_shape(view, shape...)) {
      if constexpr (Properties::initialize && Properties::has_instance) {
        set_elements(properties.instance, view, typename V::value_type());
      } else if constexpr (Properties::initialize) {
        set_elements(view, typename V::value_type());
      }
      return;
    }
    properties.label = view.label();
    view = V();  // releases the old memory first, so that both do not exist at once
    view = V(properties, shape...);
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Changes the extents of the View and preserves the elements within both old and new extents. New
/// elements are initialised. The label stays. Does nothing if the extents do not change. Other
/// Views keep the old memory. Waits for the copy. `shape`: extents, or one layout object. Throws
/// like a View constructor.
template <class D, class... Ps, class... Shape>
void resize(View<D, Ps...>& view, Shape... shape) {
  detail::resize_view(view, view_alloc(), shape...);
}
/// Resizes with one property of view_alloc(...), such as WithoutInitializing. Does not wait if the
/// property is an instance.
template <detail::sole_property Property, class D, class... Ps, class... Shape>
void resize(const Property& property, View<D, Ps...>& view, Shape... shape) {
  detail::resize_view(view, view_alloc(property), shape...);
}
/// Resizes with the properties of view_alloc(...).
template <class Allocation, class D, class... Ps, class... Shape>
  requires detail::is_allocation_properties_v<Allocation>
void resize(const Allocation& allocation, View<D, Ps...>& view, Shape... shape) {
  detail::resize_view(view, allocation, shape...);
}

/// Changes the extents of the View and initialises all elements. Releases the old memory first. If
/// the extents do not change, initialises the elements again. The label stays.
template <class D, class... Ps, class... Shape>
void realloc(View<D, Ps...>& view, Shape... shape) {
  detail::realloc_view(view, view_alloc(), shape...);
}
/// Reallocates with one property of view_alloc(...), such as WithoutInitializing. Does not wait if
/// the property is an instance.
template <detail::sole_property Property, class D, class... Ps, class... Shape>
void realloc(const Property& property, View<D, Ps...>& view, Shape... shape) {
  detail::realloc_view(view, view_alloc(property), shape...);
}
/// Reallocates with the properties of view_alloc(...).
template <class Allocation, class D, class... Ps, class... Shape>
  requires detail::is_allocation_properties_v<Allocation>
void realloc(const Allocation& allocation, View<D, Ps...>& view, Shape... shape) {
  detail::realloc_view(view, allocation, shape...);
}

}  // namespace hpk
