// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// complex: std::complex for kernels, and its functions.
#pragma once

#include <hpk/math/complex.hpp>
#include <hpk/math/complex_math.hpp>
