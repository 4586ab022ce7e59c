// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For code that passes the memory of a View to a library that does not use hpk: announces that host
// code is about to read or write the memory. hpk then reports the same mistakes as for a direct
// access, whereas a system call that accesses closed pages would only fail.
#pragma once

#include <hpk/backends/default_spaces.hpp>
#include <hpk/view/view.hpp>

#include <string>

namespace hpk {

namespace detail {

/// Whether an enabled space closes pages of host memory while its kernels may use them.
template <class... Spaces>
constexpr bool close_host_pages(type_list<Spaces...>) {
  return (seam::watches_mirrors<seam::memory<typename Spaces::memory_space>> || ...);
}
template <class V>
constexpr bool accept_host_access() {
  constexpr bool reached = seam::host_may_access<typename V::memory_space>;
  static_assert(reached,
                "hpk::announce_host_read: host code can't access the memory of this View; copy it "
                "to a mirror first");
  return reached;
}

}  // namespace detail

/// Whether announced accesses to Views of a type may be reported, because a space that watches host
/// code is enabled. If false, no fence is needed before an announcement.
template <class V>
inline constexpr bool reports_host_access_v = seam::host_may_access<typename V::memory_space> &&
                                              detail::close_host_pages(detail::enabled_spaces());

/// Announces that host code, or a library on its behalf, is about to read elements of a View.
/// Reports the same mistakes as a read of an element: with Emu enabled, pinned or managed memory
/// that a kernel may still use, and a stale mirror. Costs nothing if no space watches. Any thread,
/// outside of kernels.
template <class D, class... Ps>
void announce_host_read(const View<D, Ps...>& view) {
  if constexpr (detail::accept_host_access<View<D, Ps...>>() &&
                reports_host_access_v<View<D, Ps...>>) {
    // Blocks are closed as a whole, so a read of the first byte suffices.
    if (view.size() != 0 && view.data() != nullptr)
      static_cast<void>(*reinterpret_cast<const volatile unsigned char*>(view.data()));
  }
}

/// Announces a write in the same way. A stale mirror then counts as written, as after a write of an
/// element.
template <class D, class... Ps>
void announce_host_write(const View<D, Ps...>& view) {
  using element = typename View<D, Ps...>::value_type;
  constexpr bool writable = !std::is_const_v<element>;
  static_assert(writable,
                "hpk::announce_host_write: the elements are const; write a View of non-const "
                "elements");
  if constexpr (detail::accept_host_access<View<D, Ps...>>() && writable &&
                reports_host_access_v<View<D, Ps...>>) {
    if (view.size() == 0 || view.data() == nullptr) return;
    // Atomically replaces a zero byte by zero: a write that changes nothing, without a plain read,
    // which would be reported as a read of a stale mirror.
    unsigned char zero = 0;
    __atomic_compare_exchange_n(reinterpret_cast<unsigned char*>(view.data()), &zero,
                                static_cast<unsigned char>(0), false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
  }
}

/// Whether the memory of a View was freed, in code compiled with HPK_CHECKS. Always false in other
/// code, for memory that hpk did not allocate, and for device memory. `label` receives the label of
/// the freed memory. Any thread.
template <class D, class... Ps>
bool is_freed(const View<D, Ps...>& view, std::string* label = nullptr) {
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    if (view.data() == nullptr || !detail::is_quarantined(view.data())) return false;
    if (label != nullptr) detail::find_quarantined(view.data(), *label);
    return true;
  } else {
    return false;
  }
}

}  // namespace hpk
