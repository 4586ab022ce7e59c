// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the memory accesses of a launch's lanes, for seam::device_profile. Lanes run one after
// another, so the recorder stores the addresses of each lane until the other lanes of its sub-group
// have got as far. Then the n-th accesses of its lanes at one place of the program, in the same
// iteration, are one request, as on a GPU, where lanes run in step.
#pragma once

#include <hpk/base/memory_order.hpp>
#include <hpk/seam/device_profile.hpp>
#include <hpk/seam/memory.hpp>

#include <cstddef>
#include <memory>

namespace hpk::emu {

struct kernel_call;

/// Counts one launch for the lifetime of the object, then reports the counts. All groups of the
/// launch must run on the calling thread.
class launch_recorder {
 public:
  launch_recorder(const seam::device_profile& profile, const kernel_call& kernel);
  ~launch_recorder();
  launch_recorder(const launch_recorder&) = delete;
  launch_recorder& operator=(const launch_recorder&) = delete;

  /// Whether the calling thread counts a launch.
  static bool is_recording() noexcept { return recording != nullptr; }
  /// Call at each access through a View, to device memory or to scratch.
  static void on_access(const seam::element_access& access);
  /// Call before an atomic operation on the object at an address, or before a fence (null).
  static void on_atomic(const void* address, detail::atomic_mode mode);
  /// Call after lanes have synchronised: all lanes of the group if `width` is 0, else the lane's
  /// block of `width` lanes.
  static void on_sync(int width);
  /// Call when the running lane begins another iteration.
  static void on_iteration() noexcept;
  /// Call before the lanes of a group begin, and after they have ended.
  static void on_group_begin();
  static void on_group_end();

 private:
  struct state;
  static thread_local state* recording;
  std::unique_ptr<state> state_;
};

}  // namespace hpk::emu
