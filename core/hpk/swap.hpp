// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk_swap: std::swap for kernels.
#pragma once

#include <hpk/base/swap.hpp>
