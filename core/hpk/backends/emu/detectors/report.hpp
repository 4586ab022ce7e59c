// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Emu prints when it has found a mistake: one message that names the kernel, where it was
// launched, group and lane, and the settings that replay it. Then the program aborts, so that a
// debugger shows the guilty line.
#pragma once

#include <hpk/backends/fibers/fiber.hpp>

#include <string>
#include <string_view>

namespace hpk::emu {

struct running_group;

/// The settings that reproduce a run, to write before the command: "HPK_EMU_SEED=7
/// HPK_EMU_SUBGROUP=32".
std::string replay();

/// What found a mistake. docs/emu.md names them in the table of mistakes.
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
/// replay it; aborts.
[[noreturn]] void report(detector by, std::string_view what);

/// Lanes wait for lanes that never come.
[[noreturn]] void report_divergence(const fibers::fiber_result& result, const running_group& group);
/// An exception left the kernel.
[[noreturn]] void report_exception(const fibers::fiber_result& result);
/// A shuffle asks for a lane that the sub-group does not have, as a hard-coded width does.
[[noreturn]] void report_missing_lane(int from, int width);

}  // namespace hpk::emu
