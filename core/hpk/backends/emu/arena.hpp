// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of the emulated devices. Each block has separate pages, ends at the end of its last
// page, and is followed by a page that is inaccessible, so that an access past the end faults.
// Freeing a block unmaps its pages and puts its addresses in quarantine while other addresses are
// left, so that use after free faults.
#pragma once

#include <cstddef>
#include <string_view>

namespace hpk::emu {

/// The arena of the process, made on first use. Thread-safe. The host addresses of all devices are
/// in one range. The kernels of each device have a separate range, in which only blocks of the
/// device and shared blocks are mapped.
class arena {
 public:
  /// Which code may access a block.
  enum class access {
    device,  ///< kernels and copies
    shared   ///< host code too, while no kernel uses the block
  };
  /// Largest number of devices.
  static constexpr int most_devices = 16;

  /// Allocates uninitialised memory and returns its host address; null if no memory is left. Throws
  /// hpk::error in the child of a fork().
  static void* allocate(std::size_t bytes, std::size_t align, access who = access::device,
                        int device = 0);
  /// Frees a block. Its pages are unmapped at once, unless the process is the child of a fork().
  static void deallocate(void* data) noexcept;
  /// Sets the label of a block in messages.
  static void name(void* data, std::string_view label);

  /// Returns the shift from host addresses to the device addresses of a device.
  static std::ptrdiff_t shift(int device) noexcept;
  /// Returns whether an address is a host address of device memory.
  static bool contains(const void* address) noexcept;
  /// Returns the address at which copies access any memory of the process.
  static void* resolve(void* address) noexcept;
  static const void* resolve(const void* address) noexcept {
    return resolve(const_cast<void*>(address));
  }
};

}  // namespace hpk::emu
