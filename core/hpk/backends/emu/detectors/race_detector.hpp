// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds races between the lanes of a kernel, which Emu runs one after another. The detector records
// each access through a View with the value of the element. An element counts as written if
// write_watch saw the write, or if its value has changed when the lane pauses or ends. Two lanes
// race if both access an element, at least one of them writes, and no barrier or exchange orders
// the accesses. A release by the first lane that the second lane acquires, by atomic operations or
// fences, orders them too. Accesses to scratch are recorded one by one (scratch_watch.hpp).
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
  /// Records that a lane hands memory over. The hand-over orders accesses, so earlier ones cannot
  /// race with later ones.
  static void on_handover(const void* data, std::size_t bytes);
  /// Records an access to the group's scratch under the first address that the instruction touches.
  /// Two accesses that overlap but begin at different addresses are not compared. Call it before
  /// the access.
  static void on_scratch(const void* address, bool wrote);
  /// Returns false once the kernel has exceeded the budget of recorded scratch accesses, each of
  /// which takes microseconds. Another seed records other groups.
  static bool watches_scratch() noexcept;
  /// Call from the handler of a fault. Records an access to a page that is protected for this
  /// detector and lets it pass. Returns false for other faults.
  static bool on_fault(const void* address, void* context);
  /// Records that another group begins.
  static void on_group();

 private:
  struct state;
  static thread_local state* watching;
  state* state_;
};

}  // namespace hpk::emu
