// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles a signal for hpk, and passes it on to the previous handler if it does not concern hpk. A
// handler runs on the alternative stack of its thread, if the thread has one, because the stack of
// a lane may be full. When a handler itself faults, the next one runs further down on the same
// stack.
#pragma once

#include <hpk/base/compiler.hpp>

#include <pthread.h>
#include <ucontext.h>

#include <csignal>

namespace hpk::fibers {

/// Returns whether the access that faulted was a write; false if that is unknown.
inline bool is_write([[maybe_unused]] const void* context) noexcept {
#if HPK_HAS_X86_PAUSE && defined(__linux__)
  constexpr greg_t written = 2;
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & written) != 0;
#else
  return false;
#endif
}

/// The handler of one signal. Make it a static object.
class signal_handler {
 public:
  using handler = void (*)(int, siginfo_t*, void*);

  void install(int signal, handler call) noexcept {
    struct sigaction action = {};
    action.sa_sigaction = call;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, &previous_);
  }

  /// Call from the handler. Calls the previous handler, with the signals blocked that it asked for.
  /// Without one, the signal ends the program as if there were no handler.
  void pass_on(int signal, siginfo_t* info, void* context) const {
    const bool takes_info = (previous_.sa_flags & SA_SIGINFO) != 0;
    if (!takes_info && (previous_.sa_handler == SIG_DFL || previous_.sa_handler == SIG_IGN)) {
      std::signal(signal, SIG_DFL);  // the instruction runs again and ends the program
      if (signal == SIGTRAP || info->si_code <= 0)
        std::raise(signal);  // or no instruction raised it
      return;
    }
    // The previous mask is restored when the outermost handler returns.
    sigset_t blocked = previous_.sa_mask;
    if ((previous_.sa_flags & SA_NODEFER) == 0) sigaddset(&blocked, signal);
    pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    if (takes_info) {
      previous_.sa_sigaction(signal, info, context);
    } else {
      previous_.sa_handler(signal);
    }
  }

 private:
  struct sigaction previous_ = {};
};

}  // namespace hpk::fibers
