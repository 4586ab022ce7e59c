// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that nobody has set. Fresh memory and scratch hold signalling NaNs, and a thread that
// runs a kernel has the processor stop at an invalid operation: if that computes with one of them,
// the program ends; if it is another, as 0/0, the lane goes on unwatched. Copies do not count. No
// result changes. Kernels built with a compiler that computes what was not asked for (see
// HPK_HAS_TRAPPING_MATH) are not watched, nor is what x87 and AVX-512 compute.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>

#include <cstddef>

namespace hpk::emu {

/// Fills fresh device memory, by its device address. `bytes` is rounded up to a multiple of 8.
void poison_block(std::byte* data, std::size_t bytes) noexcept;
/// Fills the scratch of a group. `bytes` is rounded up to a multiple of 8.
void poison_scratch(std::byte* data, std::size_t bytes) noexcept;
/// Fills elements of device memory, by their host address.
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
  /// Handles the signal of invalid operations. Once.
  static void install();

 private:
  static void watch_again() noexcept;
  static HPK_EXPORT constinit thread_local bool lane_is_unwatched;
  bool wanted_;
  unsigned outer_ = 0;
  friend struct invalid_operation_handler;
};

}  // namespace hpk::emu
