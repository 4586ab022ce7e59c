// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/kernel_watch.hpp>
#include <hpk/backends/emu/detectors/memory_error_detector.hpp>
#include <hpk/backends/emu/multiprocessors.hpp>
#include <hpk/backends/emu/options.hpp>

namespace hpk::emu {

kernel_watch::kernel_watch(const kernel_call& kernel, const seam::device_profile* profile)
    : outer_(seam::host_memory_watch),
      uninitialized_(kernel.traps && current_options().check != check_level::fast) {
  seam::host_memory_watch = &reject_host_memory;
  if (profile != nullptr) recorder_.emplace(*profile, kernel);
  if (current_options().watches_races()) races_.emplace();
}

seam::access_watcher kernel_watch::access_watcher(bool counted) noexcept {
  const options& how = current_options();
  if (how.watches_races()) return &race_detector::on_access;
  if (counted) return &launch_recorder::on_access;
  return how.seed != 0 ? &check_kernel_access : nullptr;
}

seam::access_watcher kernel_watch::scratch_watcher(bool counted) noexcept {
  return counted ? &launch_recorder::on_access : nullptr;
}

group_watch::group_watch(const scratch_pages& level0, const scratch_pages& level1) {
  launch_recorder::on_group_begin();
  if (!current_options().watches_races()) return;
  race_detector::on_group();
  if (level0.bytes + level1.bytes > 0 && race_detector::watches_scratch())
    scratch_.emplace(level0, level1);
}

auto group_watch::pause_handler() noexcept -> void (*)(void*, int) {
  return current_options().watches_races() ? &race_detector::on_pause : nullptr;
}

}  // namespace hpk::emu
