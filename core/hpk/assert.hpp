// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contracts, HPK_KERNEL_VERIFY, abort and hpk::error.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/seam/verify.hpp>
