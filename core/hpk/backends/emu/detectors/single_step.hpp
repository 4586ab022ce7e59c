// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single-steps a thread: over the instruction at which it faulted, or from instruction to
// instruction. Available on x86-64 Linux, but not under ThreadSanitizer, which finds races itself
// and may hold a lock when a fault occurs.
#pragma once

#include <hpk/base/compiler.hpp>

namespace hpk::emu {

/// Whether single steps are possible.
inline constexpr bool can_step = HPK_HAS_SINGLE_STEP && !HPK_HAS_THREAD_SANITIZER;

/// Call from the handler of a fault. The thread executes the instruction again and then calls
/// `then`. An instruction may have two such functions at most; each is called once.
void step_over(void* context, void (*then)());
/// Returns whether `then` will be called after the current instruction.
bool is_stepping(void (*then)()) noexcept;

/// Calls `look` before each instruction of the calling thread, until `look` returns false or
/// end_steps() is called. `context` is the ucontext_t of the thread before the instruction. `look`
/// runs in a signal handler. Each step takes about a microsecond. Call install_steps() first.
void begin_steps(bool (*look)(void* context)) noexcept;
void end_steps() noexcept;

/// Installs the handler of SIGTRAP. Further calls do nothing.
void install_steps();

}  // namespace hpk::emu
