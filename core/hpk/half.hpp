// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half_t and bhalf_t: 16-bit floating-point numbers and their mathematical functions.
#pragma once

#include <hpk/base/half.hpp>
#include <hpk/math/half_math.hpp>
