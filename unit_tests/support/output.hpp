// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends the output of kernels to the stream that death tests read.
#pragma once

#include <unistd.h>

namespace hpk_test {

/// Redirects standard output, to which GPUs print, to standard error, which death tests read.
inline void print_to_stderr() { dup2(STDERR_FILENO, STDOUT_FILENO); }

}  // namespace hpk_test
