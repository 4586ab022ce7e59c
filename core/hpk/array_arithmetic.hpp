// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// +, -, *, / and % of Arrays, element by element; sum and product. core.hpp does not include it.
#pragma once

#include <hpk/base/array_arithmetic.hpp>
