// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk::error, and how libraries over hpk raise it: with a message that says label, sizes and index,
// to which the kernel or the call site is added.
#pragma once

#include <hpk/seam/error.hpp>
