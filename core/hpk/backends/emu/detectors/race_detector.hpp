// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races between the lanes of a kernel, found while they run one after another. An access through a
// View is remembered with the value that it found. What write_watch saw written, or has another
// value when the lane pauses or ends, was written. Two lanes that touch one element, one of them
// writing, without a barrier or an exchange between them, are a race, unless the first released
// what it had done and the second acquired it, by atomic operations or fences. Accesses to scratch
// are seen one by one (scratch_watch.hpp).
#pragma once

#include <hpk/base/memory_order.hpp>
#include <hpk/seam/memory.hpp>

#include <cstddef>

namespace hpk::emu {

/// Watches the lanes of one kernel on the calling thread, for the lifetime of the object.
class race_detector {
 public:
  race_detector();
  ~race_detector();
  race_detector(const race_detector&) = delete;
  race_detector& operator=(const race_detector&) = delete;

  /// Told of every access of the kernel by a View.
  static void on_access(const seam::element_access& access);
  /// Told that the lane writes to an element, by the address that kernels use. Callable from a
  /// signal handler.
  static void on_write(const void* address) noexcept;
  /// Told when a lane pauses or has ended, on its own stack.
  static void on_pause(void* group, int lane);
  /// Told that the group's lanes have met: all of them, or those of a lane's block of `width`.
  static void on_sync(int width);
  /// Told, before it happens, of an atomic operation on the element at an address, or of a fence,
  /// which has none.
  static void on_atomic(const void* address, detail::atomic_mode mode);
  /// Told that a lane gives memory up, in an order with those that get it: what was done to it so
  /// far conflicts with nothing to come.
  static void on_handover(const void* data, std::size_t bytes);
  /// Told, before it happens, of an access to the scratch of the group. The address is the first
  /// that the instruction touches: accesses that overlap and begin apart are not seen together.
  static void on_scratch(const void* address, bool wrote);
  /// False when the kernel has accessed scratch so often that what was seen must do: each access
  /// takes microseconds. With another seed other groups are seen.
  static bool watches_scratch() noexcept;
  /// From the handler of a fault: records an access to a page that is protected for this detector
  /// and lets it pass; false for other faults.
  static bool on_fault(const void* address, void* context);
  /// Told that another group begins.
  static void on_group();

 private:
  struct state;
  static thread_local state* watching;
  state* state_;
};

}  // namespace hpk::emu
