// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets a thread execute one instruction, and look on after it: the one at which it faulted, or one
// after another. On x86-64 Linux; not under
// ThreadSanitizer, which finds races itself and whose locks a fault would meet.
#pragma once

#include <hpk/base/compiler.hpp>

namespace hpk::emu {

/// Whether steps are possible.
inline constexpr bool can_step = HPK_HAS_SINGLE_STEP && !HPK_HAS_THREAD_SANITIZER;

/// From the handler of a fault: the instruction is tried again, and behind it the thread calls
/// `then`, once for each that one instruction asked for; two of them at most.
void step_over(void* context, void (*then)());
/// Whether `then` is to be called behind the instruction at which the thread stands.
bool is_stepping(void (*then)()) noexcept;

/// Calls `look` before each instruction of the calling thread, with the ucontext_t of what it is
/// about to do, until that returns false or end_steps() is called. `look` runs in a signal handler.
/// Each takes about a microsecond. install_steps() comes first.
void begin_steps(bool (*look)(void* context)) noexcept;
void end_steps() noexcept;

/// Handles the signal behind a step. Calling again does nothing.
void install_steps();

}  // namespace hpk::emu
