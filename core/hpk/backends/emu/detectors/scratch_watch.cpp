// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/race_detector.hpp>
#include <hpk/backends/emu/detectors/scratch_watch.hpp>
#include <hpk/backends/emu/detectors/single_step.hpp>
#include <hpk/backends/fibers/signal_handler.hpp>

#include <sys/mman.h>

namespace hpk::emu {

namespace {

// The watch of the group that this thread runs.
constinit thread_local const scratch_watch* watched = nullptr;

}  // namespace

scratch_watch::scratch_watch(const scratch_pages& small, const scratch_pages& large)
    : levels_{small, large} {
  if (!can_step) return;
  install_steps();
  watched = this;
  set_rights(PROT_NONE);
}

scratch_watch::~scratch_watch() {
  if (!can_step) return;
  set_rights(PROT_READ | PROT_WRITE);
  watched = nullptr;
}

bool scratch_watch::set_rights(int rights) const noexcept {
  bool done = true;
  for (const scratch_pages& level : levels_)
    done = done && (level.bytes == 0 || mprotect(level.begin, level.bytes, rights) == 0);
  return done;
}

void scratch_watch::after_step() {
  if (race_detector::watches_scratch()) watched->set_rights(PROT_NONE);
}

bool scratch_watch::on_fault(const void* address, void* context) {
  if (watched == nullptr || is_stepping(&after_step)) return false;
  for (const scratch_pages& level : watched->levels_) {
    if (address < level.begin || address >= level.begin + level.bytes) continue;
    race_detector::on_scratch(address, fibers::is_write(context));
    // Opens both levels, because the instruction may touch two pages.
    if (!watched->set_rights(PROT_READ | PROT_WRITE)) return false;
    step_over(context, &after_step);
    return true;
  }
  return false;
}

}  // namespace hpk::emu
