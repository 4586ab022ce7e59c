// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The child of a fork() has only the thread that called it. What knows of other threads, or of
// locks that they may have held, starts again there. Only for .cpp files.
#pragma once

#include <new>

namespace hpk::seam {

/// Calls `repair` in the child of every later fork(), on its only thread.
void on_fork(void (*repair)()) noexcept;

/// Registers handlers with pthread_atfork(); without memory for them, forks go on as if there were
/// none.
void register_fork_handlers(void (*before)(), void (*in_parent)(), void (*in_child)()) noexcept;

/// Holds a lock of static lifetime during every later fork(), so that the child finds what it
/// guards as no thread has left it half done. Its sections must not wait for other threads.
template <auto& Lock>
void hold_over_fork() noexcept {
  constexpr auto unlock = [] { Lock.unlock(); };
  register_fork_handlers([] { Lock.lock(); }, unlock, unlock);
}

/// Makes an object anew, in the child of a fork(), without destroying the old one: its destructor
/// might wait for threads that are not there.
template <class T>
void make_anew(T& object) {
  ::new (static_cast<void*>(&object)) T();
}

}  // namespace hpk::seam
