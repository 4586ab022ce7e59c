// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the mistakes that Emu finds. A message names the kernel, where it was launched, group and
// lane, and the settings that replay the run. Then the program aborts, so that a debugger shows the
// guilty line.
#pragma once

#include <hpk/backends/fibers/fiber.hpp>

#include <string>
#include <string_view>

namespace hpk::emu {

struct running_group;

/// Returns the settings that reproduce a run, to write before the command: "HPK_EMU_SEED=7
/// HPK_EMU_SUBGROUP=32".
std::string replay();

/// The detector that found a mistake. The table of mistakes in docs/emu.md lists them.
enum class detector {
  host_access,
  mirrors,
  host_memory,
  captures,
  extents,
  memory,
  uninitialized,
  races,
  lanes,
  kernel
};

/// Prints "hpk::Emu [races]: `what`", the kernel that runs on this thread and the settings that
/// replay the run. Then aborts.
[[noreturn]] void report(detector by, std::string_view what);

/// Reports lanes that wait for lanes that never arrive.
[[noreturn]] void report_divergence(const fibers::fiber_result& result, const running_group& group);
/// Reports an exception that left the kernel.
[[noreturn]] void report_exception(const fibers::fiber_result& result);
/// Reports a shuffle that asks for a lane which the sub-group does not have, for example because
/// the kernel assumes a fixed width.
[[noreturn]] void report_missing_lane(int from, int width);

}  // namespace hpk::emu
