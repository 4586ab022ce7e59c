// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// as_view: wraps the host memory of a container, a span or a C array in an Unmanaged View.
#pragma once

#include <hpk/view/view.hpp>

namespace hpk {

namespace detail {
/// Has contiguous elements, like std::vector, std::array, std::span, std::string.
template <class C>
concept contiguous_container = requires(C& container) {
  { *container.data() };
  { container.size() } -> std::convertible_to<std::size_t>;
};
}  // namespace detail

/// Returns a View of rank 1 of the elements of a container. The container still owns the elements
/// and must not be resized while the View is used. Elements of a const container are const.
/// Accessible from host code and kernels of host spaces; use deep_copy for a device.
template <class C>
  requires(detail::contiguous_container<C> && !is_view_v<C>)
auto as_view(C& container) {
  using element = std::remove_pointer_t<decltype(container.data())>;
  return View<element*, HostSpace, MemoryUnmanaged>(container.data(), container.size());
}
/// Rejects a temporary container: the View would outlive it.
template <class C>
  requires(detail::contiguous_container<const C> && !is_view_v<C>)
void as_view(const C&& container) = delete;
/// Returns a View of a C array of any rank, with the extents and layout of the array.
template <class T, std::size_t N>
auto as_view(T (&array)[N]) {
  using view = View<T[N], LayoutRight, HostSpace, MemoryUnmanaged>;
  return view(reinterpret_cast<typename view::pointer_type>(&array));
}

}  // namespace hpk
