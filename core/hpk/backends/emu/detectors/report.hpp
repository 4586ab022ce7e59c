// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Emu says when it has found something: one message that names the kernel, where it was
// launched, group and lane, and the settings that replay it. Then the program ends, so that a
// debugger shows the guilty line.
#pragma once

#include <string_view>

namespace hpk::emu {

/// Prints "hpk::Emu: `what`", the kernel that runs on this thread and the settings that replay it;
/// ends the program.
[[noreturn]] void report(std::string_view what);

/// Makes accesses to memory that is not there be reported: host code at device memory, kernels at
/// freed memory or past the end; and what kernels compute with values that nobody has set. Calling
/// again does nothing.
void install_signal_handlers();

}  // namespace hpk::emu
