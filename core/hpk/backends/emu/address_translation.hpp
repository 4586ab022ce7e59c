// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an OS thread reaches the memory of an emulated device. Every page has two addresses: the one
// that programs see, which nobody may touch, and that of the kernels, a constant away. A thread
// that runs a kernel adds the distance; any other adds nothing and tells that it tried.
#pragma once

#include <hpk/backends/emu/arena.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/seam/memory.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::emu {

/// Ends the program: host code accessed an element of device memory.
void reject_host_access(const seam::element_access& access);

/// Ends the program where a kernel accesses an element that hpk allocated in host memory.
void reject_host_memory(const seam::element_access& access);

/// Ends the program when a kernel of Emu runs on this thread: no GPU allocates in one.
void expect_no_kernel_allocates();

/// Ends the program when an access of a kernel lies outside of the View's extents; in builds
/// without index checks too.
void check_kernel_access(const seam::element_access& access);

/// A distance as a pointer, because no element of a View is one of this type: a loop that stores
/// elements need not look at it again and again.
struct encoded_shift;
inline const encoded_shift* encode(std::ptrdiff_t distance) noexcept {
  return reinterpret_cast<const encoded_shift*>(distance);
}
/// No distance between two pages.
inline constexpr std::ptrdiff_t no_shift = -1;

/// How the calling thread reaches device memory.
struct address_translation {
  std::ptrdiff_t shift;                        ///< added to the addresses that programs see
  void (*watch)(const seam::element_access&);  ///< told of every access by a View, or null
  /// The shift once more, for the accesses that nobody watches: to device memory, where null says
  /// that they are watched, and to memory that host code reaches too, where no_shift says so.
  const encoded_shift* unwatched;
  const encoded_shift* unwatched_shared;
};

/// That of a thread outside of kernels, until a kernel says otherwise: host code may come into
/// shared memory; if it may not now, it runs into the pages.
inline constinit thread_local address_translation thread_translation{0, &reject_host_access,
                                                                     nullptr, nullptr};

/// The address at a distance.
template <class T>
HPK_FORCEINLINE T* shifted(T* data, const encoded_shift* distance) noexcept {
  using byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
  return reinterpret_cast<T*>(reinterpret_cast<byte*>(data) +
                              reinterpret_cast<std::ptrdiff_t>(distance));
}

/// The device whose queue the calling thread serves.
inline constinit thread_local int current_device = 0;

/// The address by which the calling thread reaches what lies at `data`.
template <class T>
HPK_FORCEINLINE T* device_address(T* data) noexcept {
  using byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
  return reinterpret_cast<T*>(reinterpret_cast<byte*>(data) + thread_translation.shift);
}

/// The address from which device_address() comes to `data`, which a kernel on the calling thread
/// holds: the one that programs see of device memory, and in the same way a number for anything
/// else that a kernel reaches (its variables, scratch, constants). An address that programs see
/// stays.
template <class T>
T* host_address(T* data) noexcept {
  if (thread_translation.shift == 0 || data == nullptr || arena::contains(data)) return data;
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(data) -
                              static_cast<std::uintptr_t>(thread_translation.shift));
}

}  // namespace hpk::emu
