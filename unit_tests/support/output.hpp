// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where death tests look for what kernels print.
#pragma once

#include <unistd.h>

namespace hpk_test {

/// Sends standard output to standard error, where death tests look: GPUs print to the former.
inline void print_to_stderr() { dup2(STDERR_FILENO, STDOUT_FILENO); }

}  // namespace hpk_test
