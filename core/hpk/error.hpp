// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk::error, and functions with which libraries built on hpk throw it: a message with label, sizes
// and index, to which hpk adds the kernel or the call site.
#pragma once

#include <hpk/seam/error.hpp>
