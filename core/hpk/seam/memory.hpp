// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second half of the seam: what a backend supplies for each of its memory spaces. Accessibility
// and View conversions are computed from two facts of each memory space (`access` and
// `converts_to`), so there is no table that grows with the square of the number of backends.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/seam/abilities.hpp>
#include <hpk/seam/machine.hpp>

#include <concepts>
#include <cstddef>

namespace hpk::seam {

/// Specialised by a backend for its memory space. The primary template is undefined: a compile
/// error that leads here means that Space is not an hpk memory space; see docs/backends.md.
template <class Space>
class memory;

/// Which code can access a memory.
enum class accessibility {
  host,       ///< host threads only
  device,     ///< only kernels of the memory's home space
  both,       ///< host threads, and kernels of the memory's home space
  unchecked,  ///< not known at compile time (AnonymousSpace)
};

/// Requirements on memory<Space>. Optional members: abilities.hpp.
///   home         the execution space whose default instance runs its copies and fills
///   access       who can access it
///   allocate     null on failure; the caller adds label, size and space, and throws
///   deallocate   same pointer and size as allocated; from any host thread
template <class M>
concept memory_like = requires(std::size_t bytes, std::size_t align, void* p) {
  typename M::home;
  { M::access } -> std::convertible_to<accessibility>;
  { M::allocate(bytes, align) } -> std::same_as<void*>;
  { M::deallocate(p, bytes, align) } noexcept;
};

/// A memory space: a class that names itself as `memory_space`.
template <class S>
concept memory_space = requires {
  typename S::memory_space;
  requires std::same_as<typename S::memory_space, S>;
  typename S::execution_space;
};

struct allocation_record;

/// An access to an element of a View, as reported to a watcher.
struct element_access {
  const void* address;
  std::size_t bytes;
  const allocation_record* record;  ///< null for wrapped memory
  int rank;
  const index_t* index;
  const index_t* extents;
  const char* file = nullptr;  ///< source file of the access; null if unknown
  int line = 0;
  const char* layout = "";  ///< "LayoutLeft", "LayoutRight", "LayoutStride", or empty
  bool read_only = false;   ///< the View's elements are const
};

/// A function that is notified of accesses.
using access_watcher = void (*)(const element_access&);

/// In checked builds: the function that is notified of the calling thread's accesses to host-only
/// memory. Set while the thread runs a kernel of an emulated device, else null.
extern HPK_EXPORT constinit thread_local access_watcher host_memory_watch;

/// Whether accesses to Space may be watched.
template <class Space>
inline constexpr bool is_watched = watches_accesses<memory<Space>>;

/// The watcher of this thread's accesses to elements in Space; requires is_watched.
template <class Space, class T>
auto watcher_of([[maybe_unused]] const T* element) noexcept {
  if constexpr (requires { memory<Space>::watcher(element); }) {
    return memory<Space>::watcher(element);
  } else {
    return memory<Space>::watcher();
  }
}

/// The function that frees the pages of Space's memory while it is in quarantine; null in unchecked
/// builds and for memory without that ability.
template <class Space>
constexpr auto release_pages_of() -> std::size_t (*)(void*, std::size_t) noexcept {
  if constexpr (static_cast<bool>(HPK_CHECKS) && releases_pages<memory<Space>>)
    return &memory<Space>::release_pages;
  else
    return nullptr;
}

/// The address by which the calling kernel accesses the object at `data` in Space. Outside of
/// kernels: `data` itself.
HPK_CALLS_EITHER
template <class Space, class T>
HPK_FORCEINLINE_FUNCTION T* device_address(T* data) noexcept {
  if constexpr (translates_addresses<memory<Space>, T>) {
    return memory<Space>::device_address(data);
  } else {
    return data;
  }
}

/// The host address of memory in Space, where `data` is an address as the calling kernel sees it.
HPK_CALLS_EITHER
template <class Space, class T>
HPK_FORCEINLINE_FUNCTION T* host_address(T* data) noexcept {
  if constexpr (translates_back<memory<Space>, T>) {
    return memory<Space>::host_address(data);
  } else {
    return data;
  }
}

/// True for memory whose accessibility is not known at compile time.
template <memory_space Space>
inline constexpr bool is_anonymous = memory<Space>::access == accessibility::unchecked;

/// True when host code may dereference pointers into Space.
template <memory_space Space>
inline constexpr bool host_may_access = memory<Space>::access != accessibility::device;

/// True when kernels of Exec may dereference pointers into Space.
template <execution_space Exec, memory_space Space>
inline constexpr bool kernel_may_access =
    machine<Exec>::runs_on_host
        ? host_may_access<Space>
        : is_anonymous<Space> || (memory<Space>::access != accessibility::host &&
                                  std::same_as<typename memory<Space>::home, Exec>);

/// The pointer that data() of a View in Space returns, where the View holds `data`. For memory that
/// only kernels can access: the pointer from which the View was constructed.
HPK_CALLS_EITHER
template <class Space, class T>
HPK_FORCEINLINE_FUNCTION constexpr T* pointer_of(T* data) noexcept {
  if constexpr (knows_its_addresses<memory<Space>, T>) {
    if (!std::is_constant_evaluated() && data != nullptr) {
      HPK_IF_ON_HOST((return memory<Space>::translates(data) ? data : device_address<Space>(data);))
    }
  }
  return data;
}
/// Converts the pointer that a View in From holds to the pointer that a View in To holds.
HPK_CALLS_EITHER
template <memory_space To, memory_space From, class T>
HPK_FORCEINLINE_FUNCTION T* converted(T* data) noexcept {
  if constexpr (is_anonymous<From> && !is_anonymous<To>) {
    return host_address<To>(data);
  } else if constexpr (is_anonymous<To> && !is_anonymous<From>) {
    return pointer_of<From>(data);
  } else {
    return data;
  }
}

template <memory_space To, memory_space From>
constexpr bool find_may_become() {
  if constexpr (std::same_as<To, From>) {
    return true;
  } else if constexpr (is_anonymous<To> || is_anonymous<From>) {
    return true;
  } else if constexpr (converts_to_another<memory<From>>) {
    return std::same_as<typename memory<From>::converts_to, To>;
  } else {
    return false;
  }
}
/// True if a View in From may convert to a View in To.
template <memory_space To, memory_space From>
inline constexpr bool may_become = find_may_become<To, From>();

}  // namespace hpk::seam
