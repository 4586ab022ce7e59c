// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element-wise +, -, *, / and % of Arrays; sum and product. Not included by core.hpp.
#pragma once

#include <hpk/base/array_arithmetic.hpp>
