// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events that record the time when the work before them was done, and the time between two events.
// They measure kernels and copies without fences.
#pragma once

#include <hpk/seam/launch.hpp>
#include <hpk/seam/machine.hpp>
#include <hpk/spaces/event.hpp>

#include <source_location>

namespace hpk::seam {

/// Returns an event that is complete now.
Event event_of_now();

}  // namespace hpk::seam

namespace hpk {

/// Like Space::record(), and also records the time: by the GPU's clock on GPUs, by the CPU's clock
/// on Emu and hosts. On host spaces it first waits for the work that other threads submitted to the
/// instance. Any thread; throws hpk::error inside a kernel.
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

/// The seconds from the end of the work before `from` to the end of the work before `to`; negative
/// if `to` was earlier. Waits for both. Both must come from record_timed(), on GPUs of the same
/// vendor, or on Emu and host spaces in any combination; else throws hpk::error. Any thread; not
/// inside a kernel.
double elapsed_seconds(const Event& from, const Event& to,
                       const std::source_location& where = std::source_location::current());

}  // namespace hpk
