// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The child of a fork() has only the thread that called fork(). Objects that refer to other
// threads, and locks that other threads may have held, must be reset in the child. Only for .cpp
// files.
#pragma once

#include <new>

namespace hpk::seam {

/// Calls `repair` in the child of every later fork(), on its only thread.
void on_fork(void (*repair)()) noexcept;

/// Registers handlers with pthread_atfork(). If memory for them is exhausted, forks run without the
/// handlers.
void register_fork_handlers(void (*before)(), void (*in_parent)(), void (*in_child)()) noexcept;

/// Holds a lock of static lifetime during every later fork(), so that the data it guards is
/// consistent in the child. Its critical sections must not wait for other threads.
template <auto& Lock>
void hold_over_fork() noexcept {
  constexpr auto unlock = [] { Lock.unlock(); };
  register_fork_handlers([] { Lock.lock(); }, unlock, unlock);
}

/// Constructs an object again, in the child of a fork(), without destroying the old one, because
/// its destructor might wait for threads that the child does not have.
template <class T>
void make_anew(T& object) {
  ::new (static_cast<void*>(&object)) T();
}

}  // namespace hpk::seam
