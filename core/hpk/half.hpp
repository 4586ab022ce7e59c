// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half_t and bhalf_t: floating numbers of 16 bits, and their mathematical functions.
#pragma once

#include <hpk/base/half.hpp>
#include <hpk/math/half_math.hpp>
