// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/fork.hpp>

#include <pthread.h>

namespace hpk::seam {

void on_fork(void (*repair)()) noexcept { register_fork_handlers(nullptr, nullptr, repair); }

void register_fork_handlers(void (*before)(), void (*in_parent)(), void (*in_child)()) noexcept {
  static_cast<void>(pthread_atfork(before, in_parent, in_child));
}

}  // namespace hpk::seam
