// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// complex: std::complex for kernels, and its functions.
#pragma once

#include <hpk/base/complex.hpp>
#include <hpk/base/complex_math.hpp>
