// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates host addresses to device addresses. Every byte of device memory has both: programs
// hold the host address, whose pages are closed, and kernels of the device use the device address,
// which is a constant shift away. A thread that runs a kernel adds the shift. Other threads add
// nothing, and their accesses are rejected.
#pragma once

#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/memory_error_detector.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/seam/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hpk::emu {

/// A shift, encoded as a pointer. No element of a View has this type, so a loop that stores
/// elements need not load the shift again.
struct encoded_shift;
inline const encoded_shift* encode(std::ptrdiff_t shift) noexcept {
  return reinterpret_cast<const encoded_shift*>(shift);
}
/// A value that is no shift, because shifts are multiples of the page size.
inline constexpr std::ptrdiff_t no_shift = -1;

/// Returns the address at a shift from `data`.
template <class T>
HPK_FORCEINLINE T* shifted(T* data, const encoded_shift* shift) noexcept {
  using byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
  return reinterpret_cast<T*>(reinterpret_cast<byte*>(data) +
                              reinterpret_cast<std::ptrdiff_t>(shift));
}

/// How a thread accesses device memory.
struct address_translation {
  std::ptrdiff_t shift;        ///< from host addresses to device addresses
  seam::access_watcher watch;  ///< called at every access through a View, or null
  /// Shifts for accesses while no watcher is set. `unwatched` is for device memory, and null if a
  /// watcher is set. `unwatched_shared` is for memory that host code may access too, and no_shift
  /// if a watcher is set.
  const encoded_shift* unwatched;
  const encoded_shift* unwatched_shared;
  seam::access_watcher scratch_watch = nullptr;  ///< called at each access to scratch by a View
};

/// The translation of the calling thread. Outside kernels host code may access shared memory; its
/// pages are closed while it must not.
extern HPK_EXPORT constinit thread_local address_translation thread_translation;
/// The device whose queue the calling thread runs.
extern HPK_EXPORT constinit thread_local int current_device;

/// Makes the calling thread access the memory of a device as kernels do, for the lifetime of the
/// object.
class translation_scope {
 public:
  translation_scope(int device, seam::access_watcher watch,
                    seam::access_watcher scratch_watch = nullptr) noexcept
      : outer_(thread_translation), outer_device_(current_device) {
    current_device = device;
    const std::ptrdiff_t shift = arena::shift(device);
    thread_translation = {shift, watch, watch == nullptr ? encode(shift) : nullptr,
                          encode(watch == nullptr ? shift : no_shift), scratch_watch};
  }
  ~translation_scope() {
    current_device = outer_device_;
    thread_translation = outer_;
  }
  translation_scope(const translation_scope&) = delete;
  translation_scope& operator=(const translation_scope&) = delete;

 private:
  address_translation outer_;
  int outer_device_;
};

/// Returns the address at which the calling thread accesses the memory of a host address.
template <class T>
HPK_FORCEINLINE T* device_address(T* data) noexcept {
  return shifted(data, encode(thread_translation.shift));
}

/// Returns the address that device_address() maps to `data`, an address that a kernel on the
/// calling thread holds. For device memory this is the host address; for all other memory of a
/// kernel (private variables, scratch, constants) it is a mere number. A host address of device
/// memory is returned unchanged.
template <class T>
T* host_address(T* data) noexcept {
  if (thread_translation.shift == 0 || data == nullptr || arena::contains(data)) return data;
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(data) -
                              static_cast<std::uintptr_t>(thread_translation.shift));
}

}  // namespace hpk::emu
