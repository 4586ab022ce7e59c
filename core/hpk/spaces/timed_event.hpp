// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events that know when the work before them was done, and the time between two of them: how long
// kernels and copies took where they ran, without a fence on either side.
#pragma once

#include <hpk/seam/launch.hpp>
#include <hpk/seam/machine.hpp>
#include <hpk/spaces/event.hpp>

#include <source_location>

namespace hpk::seam {

/// An event that is complete now.
Event event_of_now();

}  // namespace hpk::seam

namespace hpk {

/// An event after all work submitted to `exec` so far, as Space::record(), which also notes the
/// time. On a GPU its own clock, on Emu and hosts that of the CPU. Host spaces finish the work that
/// other threads gave the instance first. Any thread; throws hpk::error inside of a kernel.
template <seam::execution_space Exec>
Event record_timed(const Exec& exec) {
  seam::expect_outside_kernel("hpk::record_timed");
  auto& machine = exec.instance();
  if constexpr (seam::has_timed_events<seam::machine<Exec>>) {
    return machine.record_timed();
  } else {
    machine.fence();
    return seam::event_of_now();
  }
}

/// The seconds between the end of the work before `from` and that before `to`; negative if `to` was
/// first. Waits for both. Both are of record_timed(), of the same GPU vendor or of Emu and host
/// spaces, which may mix; all else throws hpk::error. Any thread, not inside of a kernel.
double elapsed_seconds(const Event& from, const Event& to,
                       const std::source_location& where = std::source_location::current());

}  // namespace hpk
