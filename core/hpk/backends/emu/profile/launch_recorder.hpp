// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts what the lanes of a launch do to memory, for seam::device_profile. Lanes run one after
// another, so the addresses of each lane wait until its sub-group has come as far; then the
// n-th accesses of its lanes at one place of the program, in the same iteration, are one request,
// as on a GPU, where lanes run in step.
#pragma once

#include <hpk/base/memory_order.hpp>
#include <hpk/seam/device_profile.hpp>
#include <hpk/seam/memory.hpp>

#include <cstddef>
#include <memory>

namespace hpk::emu {

struct kernel_call;

/// Counts one launch, all of whose groups run on the calling thread, for the lifetime of the
/// object; then reports the counts.
class launch_recorder {
 public:
  launch_recorder(const seam::device_profile& profile, const kernel_call& kernel);
  ~launch_recorder();
  launch_recorder(const launch_recorder&) = delete;
  launch_recorder& operator=(const launch_recorder&) = delete;

  /// Whether the calling thread counts a launch.
  static bool is_recording() noexcept { return recording != nullptr; }
  /// At each access by a View, to device memory or to scratch.
  static void on_access(const seam::element_access& access);
  /// Before an atomic operation on the object at an address, or a fence, which has none.
  static void on_atomic(const void* address, detail::atomic_mode mode);
  /// After lanes have synchronised: all, for 0, or those of the lane's block of `width`.
  static void on_sync(int width);
  /// Where the running lane begins another iteration.
  static void on_iteration() noexcept;
  /// Before the lanes of a group begin, and after they have ended.
  static void on_group_begin();
  static void on_group_end();

 private:
  struct state;
  static thread_local state* recording;
  std::unique_ptr<state> state_;
};

}  // namespace hpk::emu
