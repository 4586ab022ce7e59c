// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds kernels that compute with uninitialised numbers. Fresh memory and scratch hold signalling
// NaNs, and a thread that runs a kernel traps at invalid floating-point operations. If an operand
// is one of these NaNs, the program ends. If the trap has another cause (0/0), the lane continues
// without traps. Copying an uninitialised number is no mistake, and results do not change. The
// detector does not watch x87 and AVX-512 arithmetic, nor kernels whose compiler may compute
// speculatively (see HPK_HAS_TRAPPING_MATH).
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>

#include <cstddef>

namespace hpk::emu {

/// Fills fresh device memory with NaNs. `data` is a device address; `bytes` is rounded up to a
/// multiple of 8.
void poison_block(std::byte* data, std::size_t bytes) noexcept;
/// Fills the scratch of a group with NaNs. `bytes` is rounded up to a multiple of 8.
void poison_scratch(std::byte* data, std::size_t bytes) noexcept;
/// Fills elements of device memory with NaNs. `elements` is a host address.
void poison_elements(float* elements, index_t count) noexcept;

/// Watches the lanes of one kernel on the calling thread, for the lifetime of the object.
class uninitialized_detector {
 public:
  /// Does nothing unless `wanted`.
  explicit uninitialized_detector(bool wanted) noexcept;
  ~uninitialized_detector();
  uninitialized_detector(const uninitialized_detector&) = delete;
  uninitialized_detector& operator=(const uninitialized_detector&) = delete;

  /// Call when a lane begins, on the lane's own stack.
  static void on_lane() noexcept {
    if (lane_is_unwatched) watch_again();
  }
  /// Installs the handler of SIGFPE. Call it once.
  static void install();

 private:
  static void watch_again() noexcept;
  static HPK_EXPORT constinit thread_local bool lane_is_unwatched;
  bool wanted_;
  unsigned outer_ = 0;
  friend struct invalid_operation_handler;
};

}  // namespace hpk::emu
