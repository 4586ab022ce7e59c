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

  /// Records an access of the running lane through a View.
  static void on_access(const seam::element_access& access);
  /// Records a write of the running lane to an element at the address that kernels use. Callable
  /// from a signal handler.
  static void on_write(const void* address) noexcept;
  /// Records that a lane pauses or has ended. Called on the lane's own stack.
  static void on_pause(void* group, int lane);
  /// Records a barrier: of all lanes of the group, or of a lane's block of `width`.
  static void on_sync(int width);
  /// Records an atomic operation on the element at an address, or a fence (null). Called before the
  /// operation.
  static void on_atomic(const void* address, detail::atomic_mode mode);
  /// Records that a lane gives memory up, in an order with the lanes that get it: earlier accesses
  /// conflict with no later ones.
  static void on_handover(const void* data, std::size_t bytes);
  /// Records an access to the group's scratch, by the first address that the instruction touches:
  /// accesses that overlap but begin apart are not seen together. Called before the access.
  static void on_scratch(const void* address, bool wrote);
  /// False once the kernel has accessed scratch so often that recording stops, as each access takes
  /// microseconds. Another seed records other groups.
  static bool watches_scratch() noexcept;
  /// From the handler of a fault: records an access to a page that is protected for this detector
  /// and lets it pass; false for other faults.
  static bool on_fault(const void* address, void* context);
  /// Records that another group begins.
  static void on_group();

 private:
  struct state;
  static thread_local state* watching;
  state* state_;
};

}  // namespace hpk::emu
