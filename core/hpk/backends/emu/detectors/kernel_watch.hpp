// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts the detectors that watch a kernel while its lanes run. The multiprocessors call detectors
// only through this header. Options select which of them run.
#pragma once

#include <hpk/backends/emu/detectors/race_detector.hpp>
#include <hpk/backends/emu/detectors/scratch_watch.hpp>
#include <hpk/backends/emu/detectors/uninitialized_detector.hpp>
#include <hpk/backends/emu/profile/launch_recorder.hpp>
#include <hpk/seam/memory.hpp>

#include <optional>

namespace hpk::emu {

/// Watches one kernel on the calling thread, for the lifetime of the object.
class kernel_watch {
 public:
  /// `profile`: the profile that counts the kernel, or null.
  kernel_watch(const kernel_call& kernel, const seam::device_profile* profile);
  ~kernel_watch() { seam::host_memory_watch = outer_; }
  kernel_watch(const kernel_watch&) = delete;
  kernel_watch& operator=(const kernel_watch&) = delete;

  /// The function to call for accesses through Views to device memory; null if no detector needs
  /// them. `counted`: whether a profile counts the kernel.
  static seam::access_watcher access_watcher(bool counted) noexcept;
  /// The function to call for accesses to scratch; null if no detector needs them.
  static seam::access_watcher scratch_watcher(bool counted) noexcept;

 private:
  seam::access_watcher outer_;
  uninitialized_detector uninitialized_;
  std::optional<race_detector> races_;
  std::optional<launch_recorder> recorder_;
};

/// Watches one group of the kernel.
class group_watch {
 public:
  group_watch(const scratch_pages& level0, const scratch_pages& level1);
  ~group_watch() { launch_recorder::on_group_end(); }
  group_watch(const group_watch&) = delete;
  group_watch& operator=(const group_watch&) = delete;

  /// Call when a lane begins, on the lane's own stack.
  static void on_lane() noexcept { uninitialized_detector::on_lane(); }
  /// The function to call when a lane pauses or has ended; null if no detector needs it.
  static auto pause_handler() noexcept -> void (*)(void*, int);
  /// Call when lanes have synchronised: all lanes of the group if `width` is 0, else the lane's
  /// block of `width` lanes.
  static void on_sync(int width) {
    race_detector::on_sync(width);
    launch_recorder::on_sync(width);
  }

 private:
  std::optional<scratch_watch> scratch_;
};

}  // namespace hpk::emu
