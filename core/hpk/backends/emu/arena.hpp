// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of the emulated devices. Each block has whole pages of its own, ends where its last
// page ends, and is followed by a page that faults, so that running over the end faults. Freed
// blocks lose their pages, and their addresses stay in quarantine while there are others, so that
// use after free faults.
#pragma once

#include <cstddef>
#include <string_view>

namespace hpk::emu {

/// The one arena of the process, made on first use. Thread-safe. Host addresses of all devices lie
/// in one range; the kernels of each device have a range of their own, in which only its blocks and
/// shared ones are mapped.
class arena {
 public:
  /// Who may access a block.
  enum class access {
    device,  ///< kernels and copies
    shared   ///< host code too, while no kernel holds it
  };
  /// The most devices that there can be.
  static constexpr int most_devices = 16;

  /// Uninitialised bytes, by their host address; null without memory left. Throws hpk::error in the
  /// child of a fork().
  static void* allocate(std::size_t bytes, std::size_t align, access who = access::device,
                        int device = 0);
  /// Takes a block back; its pages are gone at once, unless the process is the child of a fork().
  static void deallocate(void* data) noexcept;
  /// The label by which messages call a block.
  static void name(void* data, std::string_view label);

  /// From a host address to that of the kernels of a device.
  static std::ptrdiff_t shift(int device) noexcept;
  /// Whether this is the host address of device memory.
  static bool contains(const void* address) noexcept;
  /// The address by which copies access any memory of the process.
  static void* resolve(void* address) noexcept;
  static const void* resolve(const void* address) noexcept {
    return resolve(const_cast<void*>(address));
  }
};

}  // namespace hpk::emu
