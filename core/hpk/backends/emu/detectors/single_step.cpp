// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/single_step.hpp>
#include <hpk/backends/fibers/signal_handler.hpp>

#include <mutex>

#if HPK_HAS_SINGLE_STEP && !HPK_HAS_THREAD_SANITIZER
#include <x86intrin.h>
#endif

namespace hpk::emu {

#if HPK_HAS_SINGLE_STEP && !HPK_HAS_THREAD_SANITIZER

namespace {

constexpr greg_t trap_flag = 0x100;

fibers::signal_handler the_trap;

// The functions that this thread calls after the current instruction.
using after_step = void (*)();
constinit thread_local after_step calls[2] = {};

// The function that this thread calls before each instruction, and whether the trap flag is set for
// it. The handler clears the flag at the first instruction after end_steps().
using step_look = bool (*)(void*);
constinit thread_local volatile step_look current_look = nullptr;
constinit thread_local volatile bool steps_all = false;

greg_t& flags_of(void* context) {
  return static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
}

void on_step(int signal, siginfo_t* info, void* context) {
  const bool is_step = steps_all && info->si_code != SI_KERNEL;  // SI_KERNEL: a breakpoint
  if (calls[0] == nullptr && !is_step) {
    the_trap.pass_on(signal, info, context);
    return;
  }
  if (is_step) {
    const step_look look = current_look;
    if (look != nullptr && look(context)) return;
    current_look = nullptr;
    steps_all = false;
  }
  flags_of(context) &= ~trap_flag;
  for (after_step& call : calls) {
    if (call != nullptr) call();
    call = nullptr;
  }
}

}  // namespace

void step_over(void* context, void (*then)()) {
  if (!is_stepping(then)) calls[calls[0] == nullptr ? 0 : 1] = then;
  flags_of(context) |= trap_flag;
}

bool is_stepping(void (*then)()) noexcept { return calls[0] == then || calls[1] == then; }

void begin_steps(bool (*look)(void*)) noexcept {
  current_look = look;
  steps_all = true;
  __writeeflags(__readeflags() | trap_flag);
}

void end_steps() noexcept { current_look = nullptr; }

void install_steps() {
  static std::once_flag once;
  std::call_once(once, [] { the_trap.install(SIGTRAP, &on_step); });
}

#else

void step_over(void*, void (*)()) {}
bool is_stepping(void (*)()) noexcept { return false; }
void begin_steps(bool (*)(void*)) noexcept {}
void end_steps() noexcept {}
void install_steps() {}

#endif

}  // namespace hpk::emu
