// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signal that Emu handles, and gives on to whoever handled it before when it is not about Emu.
// Handlers run on the stack of the lane: an alternative one would be in use when a handler faults.
#pragma once

#include <hpk/base/compiler.hpp>

#include <ucontext.h>

#include <csignal>

namespace hpk::emu {

/// Whether the access that faulted was a write; a read where that can't be told.
inline bool is_write([[maybe_unused]] const void* context) noexcept {
#if HPK_HAS_X86_PAUSE
  constexpr greg_t written = 2;
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & written) != 0;
#else
  return false;
#endif
}

/// One of them, a static of the file that handles it.
class signal_handler {
 public:
  using handler = void (*)(int, siginfo_t*, void*);

  void install(int signal, handler call) noexcept {
    struct sigaction action = {};
    action.sa_sigaction = call;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, &previous_);
  }

  /// From the handler.
  void pass_on(int signal, siginfo_t* info, void* context) const {
    if ((previous_.sa_flags & SA_SIGINFO) != 0) {
      previous_.sa_sigaction(signal, info, context);
    } else if (previous_.sa_handler == SIG_DFL || previous_.sa_handler == SIG_IGN) {
      std::signal(signal, SIG_DFL);  // the instruction is tried again and ends the program
      if (signal == SIGTRAP || info->si_code <= 0) std::raise(signal);  // or was none
    } else {
      previous_.sa_handler(signal);
    }
  }

 private:
  struct sigaction previous_ = {};
};

}  // namespace hpk::emu
