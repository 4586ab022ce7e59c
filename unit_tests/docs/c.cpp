// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of docs/c.md; blocks.py compiles this file.
#include "a-program.block"
