// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// as_view: memory of the host that a container, a span or a C array holds, as an Unmanaged View.
#pragma once

#include <hpk/view/view.hpp>

namespace hpk {

namespace detail {
/// Holds its elements one after the other: std::vector, std::array, std::span, std::string, ...
template <class C>
concept contiguous_container = requires(C& container) {
  { *container.data() };
  { container.size() } -> std::convertible_to<std::size_t>;
};
}  // namespace detail

/// A View of rank 1 of the elements of a container, which keeps them and must not change its size
/// meanwhile. Elements of a const container are const. Host code and kernels of host spaces reach
/// it; for a device deep_copy to or from it.
template <class C>
  requires(detail::contiguous_container<C> && !is_view_v<C>)
auto as_view(C& container) {
  using element = std::remove_pointer_t<decltype(container.data())>;
  return View<element*, HostSpace, MemoryUnmanaged>(container.data(), container.size());
}
/// Not of a container that ends with the expression: give it a name.
template <class C>
  requires(detail::contiguous_container<const C> && !is_view_v<C>)
void as_view(const C&& container) = delete;
/// A View of the type of a C array, of any rank, in its order.
template <class T, std::size_t N>
auto as_view(T (&array)[N]) {
  using view = View<T[N], LayoutRight, HostSpace, MemoryUnmanaged>;
  return view(reinterpret_cast<typename view::pointer_type>(&array));
}

}  // namespace hpk
