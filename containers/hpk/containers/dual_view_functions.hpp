// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of DualViews: subview, deep_copy, resize and realloc, and the implementation of resize
// and realloc.
#pragma once

#include <hpk/containers/dual_view.hpp>

#include <string>
#include <type_traits>

namespace hpk {

namespace detail {

/// resize() and realloc() of a DualView.
template <class Dual>
struct dual_view_resizer {
  using t_dev = typename Dual::t_dev;
  using t_host = typename Dual::t_host;

  template <class Allocation, class... Shape>
  static void resize(Dual& dual, const Allocation& allocation, const Shape&... shape) {
    if constexpr (check<Allocation>()) {
      if (has_shape(dual, shape...)) return;
      dual.state().expect_no_writer("resize() is called");
      const std::string label = dual.d_view.label();
      dual_side resized_side = dual_side::device;
      if constexpr (!Allocation::has_instance) {
        if (dual.need_sync_device()) resized_side = dual_side::host;
      } else if constexpr (can_access<Allocation, t_dev>) {
        dual.template sync_side<dual_side::device>(&allocation.instance, {});
      } else {
        dual.template sync_side<dual_side::host>(&allocation.instance, {});
        resized_side = dual_side::host;
      }
      const bool in_sync = !dual.need_sync_host() && !dual.need_sync_device();
      const bool empty = dual.size() == 0;
      const bool resizes_both =
          in_sync && can_access_both<Allocation> && !empty && !dual.is_shared();
      if (resizes_both) {
        resize_both(dual, allocation, shape...);
      } else {
        resize_from(dual, resized_side, allocation, label, shape...);
      }
      dual.start_sync_state(label);
      if (!in_sync || !(resizes_both || empty || dual.is_shared())) {
        dual.modify_side(resized_side, {});
      } else if (Allocation::has_instance) {
        dual.state().modify_unknown_side({});  // so that the next sync waits
      }
    }
  }

  template <class Allocation, class... Shape>
  static void realloc(Dual& dual, const Allocation& allocation, const Shape&... shape) {
    if constexpr (check<Allocation>()) {
      dual.state().expect_no_writer("realloc() is called");
      if (has_shape(dual, shape...)) {
        dual.state().clear();
        fill(dual, allocation);
        dual.store_checksums();
        return;
      }
      const std::string label = dual.d_view.label();
      // Frees the old memory first, so that peak memory is not the sum of old and new memory.
      dual.d_view = t_dev();
      dual.h_view = t_host();
      dual.d_view = t_dev(hpk::with_label(allocation, label), shape...);
      dual.make_host(allocation, label);
      dual.start_sync_state(label);
    }
  }

 private:
  // Whether the instance of the allocation can access the memory of V; true if there is no
  // instance.
  template <class Allocation, class V>
  static constexpr bool find_can_access() {
    if constexpr (Allocation::has_instance) {
      return SpaceAccessibility<typename Allocation::execution_space,
                                typename V::memory_space>::accessible;
    } else {
      return true;
    }
  }
  template <class Allocation, class V>
  static constexpr bool can_access = find_can_access<Allocation, V>();

  template <class Allocation>
  static constexpr bool can_access_both =
      can_access<Allocation, t_dev> && can_access<Allocation, t_host>;

  template <class Allocation>
  static constexpr bool check() {
    static_assert(!Allocation::has_label,
                  "hpk::DualView: resize and realloc keep the label; leave it out of view_alloc");
    static_assert(!Allocation::has_memory_space,
                  "hpk::DualView: resize and realloc keep the memory spaces; leave them out of "
                  "view_alloc");
    constexpr bool can_access_one = can_access<Allocation, t_dev> || can_access<Allocation, t_host>;
    static_assert(can_access_one,
                  "hpk::DualView: resize and realloc take an instance of a space that can access "
                  "the memory of one side");
    return !Allocation::has_label && !Allocation::has_memory_space && can_access_one;
  }

  template <class... Shape>
  static bool has_shape(const Dual& dual, const Shape&... shape) {
    if constexpr (sizeof...(Shape) == 1 && (is_array_layout_v<Shape> && ...)) {
      return dual.is_allocated() && ((dual.d_view.layout() == shape) && ...);
    } else {
      bool same = dual.is_allocated();
      std::size_t r = 0;
      ((same = same && dual.extent(r++) == static_cast<std::size_t>(shape)), ...);
      return same;
    }
  }

  // Resizes both sides, which hold the same elements.
  template <class Allocation, class... Shape>
  static void resize_both(Dual& dual, const Allocation& allocation, const Shape&... shape) {
    if constexpr (can_access_both<Allocation>) {
      hpk::resize(allocation, dual.d_view, shape...);
      hpk::resize(allocation, dual.h_view, dual.d_view.layout());
    }
  }

  // Resizes one side and replaces the other side by a new View of the same shape.
  template <class Allocation, class... Shape>
  static void resize_from(Dual& dual, dual_side resized_side, const Allocation& allocation,
                          const std::string& label, const Shape&... shape) {
    if constexpr (can_access<Allocation, t_dev>) {
      if (resized_side == dual_side::device || (Dual::one_memory && dual.is_shared())) {
        hpk::resize(allocation, dual.d_view, shape...);
        dual.make_host(allocation, label);
        return;
      }
    }
    if constexpr (can_access<Allocation, t_host>) {
      hpk::resize(allocation, dual.h_view, shape...);
      dual.d_view = t_dev(Dual::template properties_like<Allocation>(label), dual.h_view.layout());
    }
  }

  template <class Allocation>
  static void fill(const Dual& dual, const Allocation& allocation) {
    if constexpr (Allocation::initialize) {
      const typename t_dev::non_const_value_type value{};
      if constexpr (Allocation::has_instance && can_access<Allocation, t_dev>) {
        set_elements(allocation.instance, dual.d_view, value);
      } else {
        set_elements(dual.d_view, value);
      }
      if (!dual.is_shared()) set_elements(dual.h_view, value);
    }
  }
};

/// Calls copy(to, from) for the side of src that is up to date, the device side if both are.
/// Synchronises that side of dst first and marks it as modified.
template <class Dst, class Src, class Copy>
void copy_newer_side(const Dst& dst, const Src& src, const std::source_location& where,
                     const Copy& copy) {
  if (src.need_sync_device()) {
    dst.sync_host(where);
    copy(dst.h_view, src.h_view);
    dst.modify_host(where);
  } else {
    dst.sync_device(where);
    copy(dst.d_view, src.d_view);
    dst.modify_device(where);
  }
}

}  // namespace detail

/// Returns a DualView of a part of the elements, with slices as for a View. Both share the sync
/// state: modifying the part marks the whole as modified.
template <class D, class... Ps, class... Slices>
auto subview(const DualView<D, Ps...>& source, const Slices&... slices) {
  using part = Subview<typename DualView<D, Ps...>::t_dev, Slices...>;
  return DualView<typename part::data_type, typename part::array_layout, typename part::device_type,
                  typename part::memory_traits>(source, slices...);
}

/// Returns a new View with the shape and type of the host side. No elements are copied, and the
/// DualView does not track the new View.
template <class D, class... Ps>
typename DualView<D, Ps...>::t_host::host_mirror_type create_mirror(
    const DualView<D, Ps...>& source) {
  return create_mirror(source.view_host());
}
/// Returns the host side itself, which is the mirror that a DualView has. No elements are copied:
/// call sync_host() before the program reads it, and modify_host() where the program writes it.
template <class D, class... Ps>
typename DualView<D, Ps...>::t_host create_mirror_view(const DualView<D, Ps...>& source) {
  return source.view_host();
}

/// Copies the elements of the side of src that is up to date, the device side if both are, to the
/// same side of dst and marks that side as modified. If the other side of dst is newer, dst is
/// synchronised first. Waits. Throws the errors of deep_copy of Views.
template <class D, class... Ps, class S, class... Qs>
void deep_copy(const DualView<D, Ps...>& dst, const DualView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::copy_newer_side(dst, src, where,
                          [&](const auto& to, const auto& from) { deep_copy(to, from, where); });
}
/// The same, queued on an instance, without waiting.
template <ExecutionSpace Exec, class D, class... Ps, class S, class... Qs>
void deep_copy(const Exec& exec, const DualView<D, Ps...>& dst, const DualView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::copy_newer_side(
      dst, src, where, [&](const auto& to, const auto& from) { deep_copy(exec, to, from, where); });
}

/// See DualView::resize.
template <class D, class... Ps, class... Args>
void resize(DualView<D, Ps...>& view, const Args&... args) {
  view.resize(args...);
}
/// The same with a property or view_alloc(...) first.
template <class Property, class D, class... Ps, class... Shape>
void resize(const Property& property, DualView<D, Ps...>& view, const Shape&... shape) {
  view.resize(property, shape...);
}
/// See DualView::realloc.
template <class D, class... Ps, class... Args>
void realloc(DualView<D, Ps...>& view, const Args&... args) {
  view.realloc(args...);
}
/// The same with a property or view_alloc(...) first.
template <class Property, class D, class... Ps, class... Shape>
void realloc(const Property& property, DualView<D, Ps...>& view, const Shape&... shape) {
  view.realloc(property, shape...);
}

}  // namespace hpk
