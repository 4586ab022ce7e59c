// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/fork.hpp>

#include <pthread.h>

namespace hpk::seam {

// Fails without memory only; then a child is as it would be without hpk's help.
void on_fork(void (*repair)()) noexcept {
  static_cast<void>(pthread_atfork(nullptr, nullptr, repair));
}

}  // namespace hpk::seam
