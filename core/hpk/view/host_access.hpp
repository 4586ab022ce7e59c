// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For code that hands the memory of a View to a library, which knows nothing of hpk: announces that
// host code is about to read or write it, so that the mistakes are reported that a direct access
// would be reported for. A system call that meets closed pages would only fail.
#pragma once

#include <hpk/backends/default_spaces.hpp>
#include <hpk/view/view.hpp>

#include <string>

namespace hpk {

namespace detail {

/// Whether pages of host memory are closed while kernels of an enabled space may use them.
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

/// Whether announced accesses to Views of a type may be reported: a space that watches host code is
/// enabled. If not, nobody needs to fence for the sake of the announcement.
template <class V>
inline constexpr bool reports_host_access_v = seam::host_may_access<typename V::memory_space> &&
                                              detail::close_host_pages(detail::enabled_spaces());

/// Host code, or a library on its behalf, is about to read elements of a View. Reports what a read
/// of an element would: with Emu enabled, pinned or managed memory that a kernel may still use, and
/// a stale mirror. Costs nothing where no space watches. Any thread, outside of kernels.
template <class D, class... Ps>
void announce_host_read(const View<D, Ps...>& view) {
  if constexpr (detail::accept_host_access<View<D, Ps...>>() &&
                reports_host_access_v<View<D, Ps...>>) {
    // Blocks are closed as a whole: the first byte stands for all.
    if (view.size() != 0 && view.data() != nullptr)
      static_cast<void>(*reinterpret_cast<const volatile unsigned char*>(view.data()));
  }
}

/// The same for writes. A stale mirror is open from now on, as after a write of an element.
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
    // Atomically exchanges a zero byte for itself: a write that changes nothing, and no read, which
    // would be one of a stale mirror.
    unsigned char zero = 0;
    __atomic_compare_exchange_n(reinterpret_cast<unsigned char*>(view.data()), &zero,
                                static_cast<unsigned char>(0), false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
  }
}

/// Whether the memory of a View was freed, in code compiled with HPK_CHECKS; false otherwise, for
/// memory that hpk did not allocate, and for that of devices. `label` receives the label that it
/// had. Any thread.
template <class D, class... Ps>
bool is_freed(const View<D, Ps...>& view, std::string* label = nullptr) {
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    if (view.data() == nullptr || !seam::is_quarantined(view.data())) return false;
    if (label != nullptr) seam::find_quarantined(view.data(), *label);
    return true;
  } else {
    return false;
  }
}

}  // namespace hpk
